"""Every word that fdgc writes into generated code is refused as the name of a macro (refused_macro_name).

usage: names_test.py SPLIT_CHECK HEADER PRECOMPILED SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

SPLIT_CHECK, HEADER, PRECOMPILED, SOURCE = sys.argv[1:5]
ROOT = pathlib.Path(SOURCE)
PROGRAMS = sorted((ROOT / "tests/unit/compiler").glob("*.cpp"))
KEYWORDS = set("""auto bool break case catch char class const constexpr continue co_await co_return default delete do double
else enum extern false float for goto if inline int long namespace new noexcept nullptr operator private public return
short signed sizeof static static_cast struct switch template this throw true try typedef typename unsigned using void while define
undef""".split())


def words(text):
    """Without comments, texts, and the names of types, which are the user's or a library's."""
    text = re.sub(r'//.*|"(\\.|[^"\\])*"|^#(?:line|include|pragma).*', " ", text, flags=re.M)
    text = re.sub(r"\b(?:rl|at|std|torch|c10|__gnu_cxx)(?:::\w+)+", " ", text)
    return set(re.findall(r"(?<![\w'.])[A-Za-z_]\w*", text)) | set(re.findall(r"\.([A-Za-z_]\w*)", text))


def generated(program):
    done = subprocess.run([SPLIT_CHECK, program, HEADER, PRECOMPILED, "cpp", "-w"], text=True, capture_output=True,
                          timeout=60, check=False)
    if done.returncode != 0:
        return set()
    given = words(program.read_text())
    return {word for word in words(done.stdout) - KEYWORDS
            if not word.startswith(("fdg", "__")) and word.rstrip("0123456789") not in given}


class Names(unittest.TestCase):
    def test_all_are_refused(self):
        with ThreadPoolExecutor(2) as pool:
            names = sorted(set().union(*pool.map(generated, PROGRAMS)))
        self.assertGreater(len(names), 20)
        source = (ROOT / "tests/unit/compiler/apex.cpp").read_text()
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program.cpp"
            program.write_text("".join(f"#define {name} {name}\n" for name in names) + source)
            done = subprocess.run([SPLIT_CHECK, program, HEADER, PRECOMPILED, "graph", "-ferror-limit=0"], text=True,
                                  capture_output=True, timeout=60, check=False)
        refused = re.findall(r"the macro `(\w+)` has a name that fdgc writes", done.stderr)
        self.assertEqual(sorted(set(names) - set(refused)), [])


unittest.main(argv=sys.argv[:1])
