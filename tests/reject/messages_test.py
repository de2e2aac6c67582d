"""Every message of compiler/Diagnostics.def is shown by a program in tests/reject/cases, or in tests/unit/compiler
where messages about programs without annotations are checked, and has a paragraph in docs/diagnostics.md.

usage: messages_test.py SPLIT_CHECK HEADER PRECOMPILED SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

SPLIT_CHECK, HEADER, PRECOMPILED, SOURCE = sys.argv[1:5]
ROOT = pathlib.Path(SOURCE)
CASES = sorted([*(ROOT / "tests/reject/cases").glob("*.cpp"), *(ROOT / "tests/unit/compiler").glob("*.cpp")])
MESSAGES = dict(re.findall(r"^FDG_MESSAGE\((\w+), (\w+),", (ROOT / "compiler/Diagnostics.def").read_text(), re.M))


def flags_of(case):
    return re.findall(r"^// flags: (.*)$", case.read_text(), re.M)


def shown_by(case):
    flags = [flag for line in flags_of(case) for flag in line.split()]
    done = subprocess.run([SPLIT_CHECK, case, HEADER, PRECOMPILED, "graph", *flags], text=True,
                          capture_output=True, timeout=120, check=False)
    return set(re.findall(r"(?:error|warning|remark): .*\[(\w+)\]$", done.stderr, re.M))


class Messages(unittest.TestCase):
    def test_each_message_is_shown_by_a_case(self):
        with ThreadPoolExecutor(2) as pool:
            shown = set().union(*pool.map(shown_by, CASES))
        wanted = {name for name, level in MESSAGES.items() if level != "note"}
        self.assertGreaterEqual(len(wanted), 60)
        self.assertEqual(sorted(wanted - shown), [])

    def test_each_message_has_a_paragraph(self):
        text = (ROOT / "docs/diagnostics.md").read_text()
        headings = re.findall(r"^### (\w+)\n([^#\n].*)", text, re.M)
        self.assertEqual([name for name, _ in headings],
                         [name for name, level in MESSAGES.items() if level != "note"])

    def test_as_many_cases_that_must_stay_silent(self):
        silent = [case for case in CASES if case.name.startswith("near_miss_")]
        wanted = [name for name, level in MESSAGES.items() if level in ("error", "warning")]
        self.assertGreaterEqual(len(silent), len(wanted))


unittest.main(argv=sys.argv[:1])
