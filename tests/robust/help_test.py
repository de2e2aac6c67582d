"""Every script that people call says by --help what it does, needs nothing for that, and refuses arguments it does not know.

Usage: help_test.py SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
SHELL = sorted(path for path in (SOURCE / "scripts").iterdir() if path.is_file())
PYTHON = [path for path in sorted((SOURCE / "tests/bench").rglob("*.py")) if path.name != "table.py"]
PYTHON += [SOURCE / "tests/learning/curves.py", SOURCE / "tests/equivalence/policy_table.py"]
HANDS_ON = {"build": "ninja", "test": "ctest"}  # to programs that refuse what they do not know


def call(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/")


class Help(unittest.TestCase):
    def test_scripts_say_what_their_first_lines_say(self):
        self.assertGreaterEqual(len(SHELL), 6)
        for script in SHELL:
            for option in ("--help", "-h"):
                done = call(script, option)
                self.assertEqual((done.returncode, done.stderr), (0, ""), script)
                first = script.read_text().splitlines()[1].removeprefix("# ")
                self.assertTrue(done.stdout.startswith(first + "\n"), f"{script}: {done.stdout}")
                self.assertNotIn("set -euo", done.stdout)

    def test_scripts_refuse_what_they_do_not_know(self):
        for script in SHELL:
            if script.name not in HANDS_ON and script.name != "learning":
                done = call(script, "--nonsense")
                self.assertEqual(done.returncode, 2, script)
                self.assertIn("--nonsense", done.stderr)

    def test_python_scripts_do_so_too(self):
        self.assertGreaterEqual(len(PYTHON), 12)
        for script in PYTHON:
            bare = (sys.executable, "-I", script)  # no site-packages of the user
            done = call(*bare, "--help")
            self.assertEqual(done.returncode, 0, f"{script}: {done.stderr}")
            first = script.read_text().splitlines()[0].strip('"')
            self.assertIn(first, done.stdout, script)
            wrong = call(*bare, *["1"] * 6, "--nonsense")
            self.assertEqual(wrong.returncode, 2, f"{script}: {wrong.stderr}")
            self.assertIn("usage:", wrong.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
