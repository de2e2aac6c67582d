"""The processes whose command line holds a token, such as the run's own folder."""

import os
import pathlib


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
