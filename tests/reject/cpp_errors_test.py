"""Errors and warnings of C++ itself are shown once, at the user's line, as clang shows them.

usage: cpp_errors_test.py SPLIT_CHECK HEADER PRECOMPILED
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SPLIT_CHECK, HEADER, PRECOMPILED = sys.argv[1:4]
TOP = """struct Config { int64_t steps = 10; int64_t envs = 4; };
"""
HEAD = """void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
"""
TAIL = """  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
"""


class CppErrors(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def said(self, code, inside="", before="", flags=(), header=None):
        if header is not None:
            (self.folder / "mine.h").write_text(header)
        program = self.folder / "program.cpp"
        program.write_text(TOP + before + HEAD + inside + TAIL)
        done = subprocess.run([SPLIT_CHECK, program, HEADER, PRECOMPILED, "cpp", *flags], text=True, capture_output=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def once(self, said, file, line, level, text):
        """`text` is said once, there, and nothing else of its level or of fdgc."""
        shown = [f"{pathlib.Path(f).name}:{n}: {what}" for f, n, what in
                 re.findall(rf"^(.*?):(\d+):\d+: (?:fatal )?{level}: (.*)$", said, re.M)]
        self.assertEqual([s for s in shown if text in s], [s for s in shown if s.startswith(f"{file}:{line}: ")], said)
        self.assertEqual(len(shown), 1, said)
        self.assertNotIn("bug of fdgc", said)
        self.assertNotIn("fdg_", said)

    def test_syntax(self):
        self.once(self.said(1, "  double x = 3\n"), "program.cpp", 6, "error", "expected ';'")

    def test_type(self):
        self.once(self.said(1, "  torch::Tensor x = envs;\n"), "program.cpp", 6, "error", "no viable conversion")

    def test_unknown_name(self):
        self.once(self.said(1, "  obs = envs.rest();\n"), "program.cpp", 6, "error", "no member named 'rest'")

    def test_missing_include(self):
        self.once(self.said(1, before='#include "not_there.h"\n'), "program.cpp", 2, "error", "file not found")

    def test_helper(self):
        self.once(self.said(1, before="int f() { return nothing; }\n"), "program.cpp", 2, "error", "undeclared identifier")

    def test_template_of_the_user(self):
        said = self.said(1, "  twice(obs);\n", before="template <class T>\nvoid twice(T x) {\n  x.two();\n}\n")
        self.once(said, "program.cpp", 4, "error", "no member named 'two'")
        self.assertIn("program.cpp:10:", said)
        self.assertIn("requested here", said)

    def test_template_of_the_library(self):
        said = self.said(1, "  std::vector<int> list;\n  list.emplace_back(obs);\n")
        self.assertEqual(len(re.findall(r" error: ", said)), 1, said)
        self.assertIn("program.cpp:7:", said)

    def test_header_of_the_user(self):
        said = self.said(1, before='#include "mine.h"\n', header="inline int f() {\n  return 1 +;\n}\n")
        self.once(said, "mine.h", 2, "error", "expected expression")

    def test_failed_assertion(self):
        self.once(self.said(1, "  static_assert(sizeof(int) == 3, \"three\");\n"), "program.cpp", 6, "error",
                  "static assertion failed")

    def test_unfinished_file(self):
        self.assertEqual(len(re.findall(r"expected '}'", self.said(1, "  {\n"))), 1)

    def test_warnings(self):
        unused = "  int unused = 3;\n"
        self.once(self.said(0, unused, flags=["-Wall"]), "program.cpp", 6, "warning", "unused variable 'unused'")
        self.assertEqual(re.findall(r"warning: .*", self.said(0, unused)), [])
        self.once(self.said(1, unused, flags=["-Wall", "-Werror"]), "program.cpp", 6, "error", "unused variable 'unused'")

    def test_warnings_of_helpers_and_headers(self):
        said = self.said(0, before="static int f() { return 3; }\n", flags=["-Wall", "-Wextra"])
        self.once(said, "program.cpp", 2, "warning", "unused function 'f'")
        said = self.said(0, before='#include "mine.h"\n', header="inline int g(int a) {\n  int b = 3;\n  return a;\n}\n",
                         flags=["-Wall"])
        self.once(said, "mine.h", 2, "warning", "unused variable 'b'")

    def test_what_fdgc_itself_needs_gives_no_warning(self):
        self.assertNotIn("warning", self.said(0, flags=["-Wall", "-Wextra", "-Wpedantic"]))

    def test_unknown_warning_flag_is_said_once(self):
        said = self.said(0, flags=["-Wno-such-thing", "-Wsuch"])
        self.assertEqual(said.count("unknown warning option '-Wsuch'"), 1, said)

    def test_flags_that_clang_does_not_take(self):
        for flag in ["-fbogus", "--bogus", "-std=c++99", "-mcpu=none"]:
            self.assertIn("clang does not take the flags after --", self.said(2, flags=[flag]))


unittest.main(argv=sys.argv[:1])
