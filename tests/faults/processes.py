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


def workers_of(token):
    """Those that are ranks of such a run."""
    return [p for p in processes("--worker") if p in processes(token)
            and "fdg-run" in os.path.basename(os.readlink(f"/proc/{p}/exe"))]
