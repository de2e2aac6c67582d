"""The processes whose command line holds a token, such as the run's own folder; and what is left in shared memory."""

import os
import pathlib
import re


def processes(token):
    """Their ids, without ours."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if token.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


def is_fdg_run(process):
    """Not mpirun or a shell, whose command lines hold the same words."""
    try:
        return "fdg-run" in os.path.basename(os.readlink(f"/proc/{process}/exe"))
    except OSError:
        return False


def workers_of(token):
    """Those that are ranks of such a run."""
    of_run = processes(token)
    return [p for p in processes("--worker") if p in of_run and is_fdg_run(p)]


def shared_memory():
    return set(os.listdir("/dev/shm"))


def in_use(name):
    """By a process that is alive: another run's."""
    owner = re.match(r"(?:mpirun|fdg)-(\d+)-", name)
    if owner and os.path.exists(f"/proc/{owner.group(1)}"):
        return True
    for maps in pathlib.Path("/proc").glob("[0-9]*/maps"):
        try:
            if f"/dev/shm/{name}\n" in maps.read_text():
                return True
        except OSError:
            pass
    return False


def left_in_shared_memory(before):
    """What nobody uses that was not there before."""
    return {name for name in shared_memory() - before if not in_use(name)}
