"""What a terminal shows when Tab is pressed, in bash and, where it is installed, in zsh: the script sourced as its first
line says, nothing else set up.

usage: terminal_test.py FOLDER_OF_SCRIPTS FDGC FDG_RUN
"""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time
import unittest

SCRIPTS, FDGC, FDG_RUN = map(pathlib.Path, sys.argv[1:4])


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, command, folder):
        self.text = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            tools = os.pathsep.join({str(FDGC.parent), str(FDG_RUN.parent)})
            os.chdir(folder)
            os.execvpe(command[0], command, {**os.environ, "TERM": "dumb", "PS1": "> ", "HOME": str(folder),
                                             "PATH": tools + os.pathsep + os.environ["PATH"]})

    def type(self, keys):
        self.text = ""
        os.write(self.terminal, keys.encode())

    def shows(self, pattern):
        """Whether what it prints since the last keys comes to match."""
        end = time.monotonic() + 60
        while not re.search(pattern, self.text) and time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                self.text += os.read(self.terminal, 65536).decode(errors="replace").replace("\r", "")
        return bool(re.search(pattern, self.text))

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


class Completion(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("program.cpp", "odd name.cpp", "notes.txt", "run.plan", "my.yaml"):
            (self.folder / name).touch()
        (self.folder / "inner").mkdir()

    def open(self, command, script):
        terminal = Terminal(command, self.folder)
        self.addCleanup(terminal.close)
        terminal.type(f"source {SCRIPTS / script}; echo rea''dy\n")
        self.assertTrue(terminal.shows("ready"), terminal.text)
        return terminal

    def completes(self, terminal, line, pattern):
        terminal.type(line + "\t\t\t")
        self.assertTrue(terminal.shows(pattern), f"{line!r} and Tab show {terminal.text!r}, not {pattern!r}")
        terminal.type("\x15echo d''one\n")
        self.assertTrue(terminal.shows("done"), terminal.text)

    def test_bash(self):
        bash = self.open(["bash", "--norc", "--noprofile", "-i"], "fdg.bash")
        bash.type("complete -p fdgc fdg-run\n")
        self.assertTrue(bash.shows("complete -F _fdgc fdgc\ncomplete -F _fdg_run fdg-run"), bash.text)
        self.completes(bash, "fdgc --emit=gr", "emit=graph ")
        self.completes(bash, "fdgc --em", r"emit=(?s:.*)\bcoverage\b")
        self.completes(bash, "fdgc p", "fdgc program.cpp ")
        self.completes(bash, "fdgc o", r"fdgc odd\\ name.cpp ")
        self.completes(bash, "fdgc inn", "fdgc inner/")
        self.completes(bash, "fdg-run r", "fdg-run run.plan ")
        self.completes(bash, "fdg-run --expl", "--explain")
        self.completes(bash, "fdg-run --policy dp-", r"dp-a\s+dp-b")

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        zsh = self.open(["zsh", "-f", "-i"], "fdg.zsh")
        self.completes(zsh, "fdgc --emit=gr", "emit=graph")
        self.completes(zsh, "fdgc --em", r"--emit=coverage(?s:.*)--emit=html")
        self.completes(zsh, "fdgc p", "fdgc program.cpp")
        self.completes(zsh, "fdgc o", r"fdgc odd\\ name.cpp")
        self.completes(zsh, "fdg-run r", "fdg-run run.plan")
        self.completes(zsh, "fdg-run --policy dp-", r"dp-a\s+dp-b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
