"""What real LibTorch can do behind fdgc's back: each line of libtorch/*.cpp with `// refused: message` must get that
error or warning, and no other line any.

usage: libtorch_test.py FDGC FOLDER
"""
import pathlib
import re
import subprocess
import sys
import unittest

FDGC, FOLDER = sys.argv[1:3]


class LibTorch(unittest.TestCase):
    def test_each_program(self):
        for program in sorted(pathlib.Path(FOLDER).glob("*.cpp")):
            with self.subTest(program=program.name):
                wanted = {(number, message) for number, line in enumerate(program.read_text().splitlines(), 1)
                          for message in re.findall(r"// refused: (\w+)", line)}
                done = subprocess.run([FDGC, program, "--emit=graph"], text=True, capture_output=True, timeout=120,
                                      check=False)
                said = re.findall(r"^[^\n]*:(\d+):\d+: (?:error|warning): .*\[(\w+)\]$", done.stderr, re.M)
                self.assertEqual({(int(number), message) for number, message in said}, wanted, done.stderr)


unittest.main(argv=sys.argv[:1])
