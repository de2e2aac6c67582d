"""--fix: every fix-it makes its program accepted, and nothing else is changed.

usage: fix_test.py SPLIT_CHECK STUB.h STUB.pch FOLDER_OF_CASES
"""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

SPLIT_CHECK, STUB, PCH, CASES = map(os.path.abspath, sys.argv[1:5])
START = """\
struct Config { int64_t steps = 10; int64_t envs = 4; };
"""
COMPONENTS = """\
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Learner learner({}, run.stream("learner"));
"""


def program(body, before=""):
    return f"{START}{before}void train(fdg::Run& run, const Config& cfg) {{\n{COMPONENTS}{body}}}\nFDG_PROGRAM(train)\n"


class Fix(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, text, name="program.cpp"):
        (self.folder / name).write_text(text)
        return self.folder / name

    def check(self, file, emit, cwd=None):
        return subprocess.run([SPLIT_CHECK, file, STUB, PCH, emit], text=True, capture_output=True, timeout=60,
                              check=False, cwd=cwd)

    def fixed(self, file):
        """Fixes once; a second time must change nothing, and the result must be accepted."""
        self.check(file, "fix")
        text = file.read_text()
        done = self.check(file, "quiet")
        self.assertEqual(done.returncode, 0, text + done.stderr)
        self.check(file, "fix")
        self.assertEqual(file.read_text(), text)
        return text

    def fragments(self, file):
        return [line.split(":")[0] for line in self.check(file, "graph").stdout.splitlines()
                if line.startswith("fragment ")]

    def test_every_case_with_a_fix(self):
        for name in ["two_components_joined", "annotation_unused", "annotation_of_free", "annotation_value_twice",
                     "cross_reference", "cross_binding", "moves_crossed", "writes_crossed", "writes_crossed_compound",
                     "writes_crossed_element", "writes_crossed_next", "reduces_whole", "reference_across",
                     "entry_not_found"]:
            with self.subTest(name):
                text = pathlib.Path(CASES, f"{name}.cpp").read_text()
                file = self.write(text)
                self.assertEqual(self.check(file, "quiet").returncode, 1)
                self.assertNotEqual(self.fixed(file), text)
        with self.subTest("latest_without_effect"):
            text = pathlib.Path(CASES, "latest_without_effect.cpp").read_text()
            self.assertIn("show(double x)", self.fixed(self.write(text)))

    def test_lines_end_as_they_did(self):
        text = pathlib.Path(CASES, "two_components_joined.cpp").read_text()
        file = self.folder / "program.cpp"
        file.write_bytes(text.replace("\n", "\r\n").encode())
        self.check(file, "fix")
        fixed = file.read_bytes()
        self.assertGreater(fixed.count(b"\n"), text.count("\n"))
        self.assertEqual(fixed.count(b"\r\n"), fixed.count(b"\n"))

    def test_an_annotation_behind_the_use_goes_in_front_of_it(self):
        text = self.fixed(self.write(program("""\
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  auto weights = learner.weights();
  actor.load(weights);
  fdg::partition(fdg::broadcast, weights);
""")))
        self.assertIn("""\
  auto weights = learner.weights();
  fdg::partition(fdg::broadcast, weights);
  actor.load(weights);
}
""", text)

    def test_one_of_several_values_goes(self):
        text = self.fixed(self.write(program("""\
  torch::Tensor obs = envs.reset();
  auto loss = learner.loss();
  fdg::partition(fdg::gather, obs, loss);
  actor.act(obs);
""")))
        self.assertIn("fdg::partition(fdg::gather, obs);", text)

    def test_names_do_not_collide(self):
        text = self.fixed(self.write(program("""\
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  {
    int64_t weights = 1;
    struct weights2 { int64_t x; };
    actor.load(learner.weights());
    run.log("x", weights + weights2{1}.x);
  }
""", "#define weights3 1\n")))
        self.assertIn("auto weights4 = learner.weights();", text)
        self.assertIn("actor.load(weights4);", text)

    def test_a_statement_alone_gets_braces(self):
        file = self.write(program("""\
  torch::Tensor obs = envs.reset();
  for (int64_t i = 0; i < cfg.steps; ++i)
    if (i % 2 == 0)
      obs = envs.step(actor.act(obs)).observation;
    else
      actor.load(learner.weights());  // now and then
"""))
        self.fixed(file)
        self.assertEqual(self.fragments(file), ["fragment environment", "fragment actor", "fragment learner"])

    def test_what_cannot_be_taken_apart_stays(self):
        """Each of these joins; the program is one fragment or two, and is accepted."""
        for body in ["if (cfg.steps > 3 && learner.loss() > envs.finishedReturns()) { run.log(\"x\", 1); }",
                     "do { if (cfg.steps > 3) { continue; } actor.load({}); } while (learner.loss() < envs.finishedReturns());",
                     "const auto both = [&] { actor.load(learner.weights()); }; both();"]:
            with self.subTest(body):
                text = program("  actor.act(envs.reset());\n  " + body + "\n")
                file = self.write(text)
                self.assertEqual(self.check(file, "quiet").returncode, 0, self.check(file, "graph").stderr)
                self.assertIn("stay in one fragment", self.check(file, "graph").stderr)
                self.assertIn(body, self.fixed(file))

    def test_macros_are_left_alone(self):
        macros = """\
#define GATHER(x) fdg::partition(fdg::gather, x)
#define LOAD(to, from) to.load(from.weights())
"""
        text = program("  torch::Tensor obs = envs.reset();\n  GATHER(obs);\n  LOAD(actor, learner);\n", macros)
        file = self.write(text)
        self.check(file, "fix")
        self.assertEqual(file.read_text(), text)

    def test_other_files_are_left_alone(self):
        show = "inline void {}(long x) {{ std::printf(\"%d\\n\", x); }}\n"
        header = self.write("#include <cstdio>\n" + show.format("there"), "show.h")
        before = header.read_text()
        file = self.write('#include "show.h"\n' + show.format("here") + program("  actor.act(envs.reset());\n"))
        text = self.fixed(file)
        self.assertIn("%ld", text)
        self.assertIn("fdg::partition(fdg::gather, reset);", text)
        self.assertEqual(header.read_text(), before)

    def test_a_relative_path_and_a_link(self):
        (self.folder / "deep").mkdir()
        file = self.write(program("  actor.act(envs.reset());\n"), "deep/program.cpp")
        file.chmod(0o640)
        (self.folder / "link.cpp").symlink_to("deep/program.cpp")
        self.assertEqual(self.check("link.cpp", "fix", cwd=self.folder).returncode, 0)
        self.assertIn("fdg::partition", file.read_text())
        self.assertTrue((self.folder / "link.cpp").is_symlink())
        self.assertEqual(stat.S_IMODE(os.stat(file).st_mode), 0o640)
        self.assertEqual(sorted(p.name for p in (self.folder / "deep").iterdir()), ["program.cpp"])

    def test_a_read_only_file_is_refused(self):
        text = program("  actor.act(envs.reset());\n")
        file = self.write(text)
        file.chmod(0o444)
        done = self.check(file, "fix")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is read-only, so --fix cannot change it", done.stderr)
        self.assertEqual(file.read_text(), text)

    def test_components_completes_the_annotations(self):
        file = self.write(program("""\
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather.loose(), obs);
  actor.act(obs);
  actor.load(learner.weights());
"""))
        self.assertEqual(self.check(file, "quiet").returncode, 1)
        lines = self.check(file, "components").stdout.splitlines()
        self.assertEqual([line.split(";")[0] for line in lines if line.startswith("boundary ")],
                         ["boundary obs: gather.loose environment -> actor",
                          "boundary weights: broadcast learner -> actor"])

    def test_what_separates_nothing_is_completed(self):
        """The annotations that are missing beside one that separates nothing are written on demand."""
        file = self.write(pathlib.Path(CASES, "separates_nothing.cpp").read_text())
        self.assertEqual(self.check(file, "quiet").returncode, 1)
        self.assertEqual(self.check(file, "fix-components").returncode, 0)
        self.assertEqual(self.check(file, "quiet").returncode, 0, file.read_text())
        self.assertEqual(self.fragments(file), ["fragment environment", "fragment actor"])

    def test_each_warning_is_shown_once(self):
        """The text is read again after each step of the cutting; what was shown of the file is not repeated."""
        body = """\
  torch::Tensor obs = envs.reset();
  if (auto weights = learner.weights(); cfg.steps > 3) {
    int64_t unused;
    actor.load(weights);
  }
  actor.load(learner.weights());
  actor.act(obs);
"""
        before = "void keep(FDG_LATEST int64_t n) { std::printf(\"%d\\n\", n); }\n"
        for emit in ["fix", "graph"]:
            with self.subTest(emit):
                file = self.write("#include <cstdio>\n" + program(body, before))
                said = subprocess.run([SPLIT_CHECK, file, STUB, PCH, emit, "-Wall"], text=True, capture_output=True,
                                      timeout=60, check=True).stderr
                for warning in ["unused variable 'unused'", "[-Wformat]", "[latest_without_effect]", "[header_opened]"]:
                    self.assertEqual(said.count(warning), 1, said)
                if emit == "fix":
                    self.assertIn("%ld", file.read_text())

    def test_lines_stay_where_they_are(self):
        """Without --fix the annotations stand on the lines of the file."""
        file = self.write(program("""\
  auto obs = envs
                 .reset();
  actor.act(obs);
  actor.load(learner
                 .weights());
  run.log("loss", learner.loss());
"""))
        text = self.check(file, "coverage").stdout
        line = file.read_text().splitlines().index('  run.log("loss", learner.loss());') + 1
        self.assertRegex(text, rf"\n{line}: .*run\.log")


unittest.main(argv=sys.argv[:1])
