"""The door of fdgc: exit codes, sentences, the sequential executable, the same bytes twice.

usage: door_test.py FDGC FDG_RUN FOLDER_OF_PROGRAMS
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FDGC, FDG_RUN, PROGRAMS = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PROGRAM = PROGRAMS / "actor_learner.cpp"
CLANG = json.loads((pathlib.Path(FDGC).resolve().parents[1] / "share/fdg/toolchain.json").read_text())["clang"]


def fdgc(*args):
    return subprocess.run([FDGC, *map(str, args)], text=True, capture_output=True, timeout=240, check=False)


class Door(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def refused(self, code, sentence, *args):
        done = fdgc(*args)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(sentence, done.stderr)

    def test_wrong_calls_are_sentences(self):
        self.refused(2, "which program?")
        self.refused(2, "there is no such file", self.folder / "nothing.cpp")
        self.refused(2, "is empty", self.write("empty.cpp", "  \n"))
        self.refused(2, "is a folder", self.folder)
        self.refused(2, "is not a C++ source file", self.write("program.py", "x = 1"))
        self.refused(2, "is not text", self.write("bytes.cpp", "int x;\0"))
        self.refused(2, "fdgc's own business", PROGRAM, "--", "-c")
        self.refused(2, "takes one source file", PROGRAM, "--", "other.cpp")
        self.refused(2, "unknown argument: '-fbogus'", PROGRAM, "--", "-fbogus")
        self.refused(2, "there is no such step", PROGRAM, "--dump-after=Nothing")
        self.refused(2, "--sequential makes an executable", PROGRAM, "--sequential", "--emit=graph")

    def test_odd_options_are_refused(self):
        for option in ("--entry=", "-o=", "--dump-after=", "--Werror="):
            self.refused(2, "has an empty value", PROGRAM, "--emit=graph", option)
        self.refused(2, "has an empty value", PROGRAM, "--emit=graph", "--entry", "")
        self.refused(2, "--emit is given 2 times", PROGRAM, "--emit=graph", "--emit=cpp")
        self.refused(2, "--entry is given 2 times", PROGRAM, "--emit=graph", "--entry=a", "--entry=b")
        self.refused(2, "-o is given 2 times", PROGRAM, "--emit=graph", "-o", "a", "-o", "b")
        self.refused(2, "--partition is given 2 times", PROGRAM, "--emit=graph", "--partition=annotated",
                     "--partition=components")
        self.refused(2, "--help lists what each option takes", PROGRAM, "--emit=pictures")
        self.refused(2, "only texts go to standard output", PROGRAM, "-o", "-")
        self.refused(2, "--sequential cuts nowhere", PROGRAM, "--sequential", "--partition=components")
        self.assertEqual(fdgc(PROGRAM, "--emit=graph", "-o", "-").returncode, 0)

    def test_a_named_module_is_imported(self):
        """Its functions count as unknown, like those of any library without source; marks help."""
        flags = ["-std=c++20", "-fclang-abi-compat=17", f"-I{pathlib.Path(__file__).parents[2] / 'include'}"]
        module = self.write("scales.cppm", """module;
#include "fdg/marks.h"
export module scales;
export FDG_PURE double twice(double x);
double twice(double x) { return 2 * x; }
""")
        compiled = self.folder / "scales.pcm"
        subprocess.run([CLANG, *flags, "--precompile", module, "-o", compiled], check=True, timeout=120)
        subprocess.run([CLANG, "-fPIC", "-c", compiled, "-o", self.folder / "scales.o"], check=True, timeout=120)
        program = self.write("imports.cpp", """#include "fdg/fdg.h"
import scales;
struct Config { int64_t n = 3; };
class FDG_ROLE("actor") Actor { public: double act(double x) { return last_ += twice(x); } double last_ = 0; };
class FDG_ROLE("critic") Critic { public: double judge(double x) { return x + 1; } };
void train(fdg::Run& run, const Config& cfg) {
  Actor actor;
  Critic critic;
  for (int64_t i = 0; i < cfg.n; ++i) {
    double x = actor.act(i);
    fdg::partition(fdg::broadcast, x);
    run.log("x", critic.judge(twice(x)));
  }
}
FDG_PROGRAM(train)
""")
        linked = ["--", f"-fmodule-file=scales={compiled}", f"-Wl,{self.folder / 'scales.o'}"]
        plan = self.folder / "imports.plan"
        done = fdgc(program, "-o", plan, *linked)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run([FDG_RUN, "--quiet", "--verify", "3", plan], check=True, cwd=self.folder, timeout=240)

    def test_errors_of_the_program_are_shown_once(self):
        done = fdgc(self.write("bad.cpp", "int f() { return unknown; }\n"))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("use of undeclared identifier"), 1)

    def test_a_gradient_history_does_not_cross(self):
        """Even where the value only moves: the plan must mean the same under every policy."""
        plan = self.folder / "history.plan"
        program = """\
#include <fdg/fdg.h>
struct Config {};
class FDG_ROLE("encoder") Encoder {
 public:
  torch::Tensor forward() { return scale_ * 2; }
 private:
  torch::Tensor scale_ = torch::ones({1}).requires_grad_(true);
};
class FDG_ROLE("head") Head {
 public:
  void learn(torch::Tensor y) { y.sum().backward(); }
};
void train(fdg::Run& run, const Config&) {
  Encoder encoder;
  Head head;
  for (int64_t i = 0; i < 3; ++i) {
    auto y = encoder.forward()SUFFIX;
    fdg::partition(fdg::broadcast, y);
    head.learn(y.clone().requires_grad_(true));
  }
}
FDG_PROGRAM(train)
"""
        for suffix, code in [("", 1), (".detach()", 0)]:
            built = fdgc(self.write("history.cpp", program.replace("SUFFIX", suffix)), "-o", plan)
            self.assertEqual(built.returncode, 0, built.stderr)
            ran = subprocess.run([FDG_RUN, "--quiet", "--out", self.folder / f"run{code}", plan], text=True,
                                 capture_output=True, timeout=100, check=False)
            self.assertEqual(ran.returncode, code, ran.stderr)
            if code == 1:
                self.assertIn("line 18: y carries the history of its computation", ran.stderr)
                self.assertIn("y.detach()", ran.stderr)

    def test_warnings_are_shown_once(self):
        text = PROGRAM.read_text().replace("void train(", "static int idle() { return 3; }\nvoid train(")
        text = text.replace('#include "parts.h"', f'#include "{PROGRAMS}/parts.h"')
        done = fdgc(self.write("warned.cpp", text), "-o", self.folder / "warned.plan", "--", "-Wall", "-Wextra")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("warning:"), 1, done.stderr)
        self.assertIn("unused function 'idle'", done.stderr)

    def test_checks_by_macros_are_statements(self):
        program = self.write("checks.cpp", """#include <cassert>
#include "fdg/fdg.h"
#define BOTH(a, b) do { (a) += 1; (b) += 2; } while (false)
struct Config { int64_t n = 1; };
class FDG_ROLE("actor") Actor { public: int64_t act(int64_t x) { return last_ += x; } int64_t last_ = 0; };
void train(fdg::Run& run, const Config& cfg) {
  Actor actor;
  int64_t a = 0, b = 0;
  for (int64_t i = 0; i < 3; ++i) {
    TORCH_CHECK(i < 3, "too far: ", i);
    assert(i < 3);
    BOTH(a, b);
#pragma clang loop unroll(full)
    for (int64_t k = 0; k < 2; ++k) { a += actor.act(k); }
  }
  run.log("x", a + b);
}
FDG_PROGRAM(train)
""")
        self.assertEqual(fdgc(program, "-o", self.folder / "checks.plan").stderr, "")
        self.assertEqual(self.logged(program), [("x", 18)])

    def logged(self, program, *sets):
        """What the sequential executable logs."""
        executable = self.folder / "logged"
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        done = fdgc(program, "--sequential", "-o", executable)
        self.assertEqual(done.returncode, 0, done.stderr)
        options = [word for each in sets for word in ("--set", each)]
        subprocess.run([executable, "--quiet", *options, "--out", out], check=True, timeout=240)
        lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
        return [(line["key"], line["value"]) for line in lines]

    def test_config_fields_of_all_kinds(self):
        program = self.write("fields.cpp", """#include "fdg/fdg.h"
namespace mine {
enum class Kind { fast, slow };
enum Old { left = 3, right = 5 };
struct Base { int64_t steps = 1; };
struct Inner { Inner() = default; double rate = 0.5; std::optional<Kind> kind; };
struct Holder {
  struct Config : Base {
    Kind kind = Kind::fast;
    Old old = left;
    std::optional<double> limit;
    std::optional<std::string> name = "none so far";
    Inner inner;
    uint8_t small = 1;
    const int64_t fixed = 7;
    std::vector<std::string> names;
   private:
    int64_t hidden_ = 0;
  };
};
class FDG_ROLE("actor") Actor { public: double act(double x) { return last_ += x; } double last_ = 0; };
void train(fdg::Run& run, const Holder::Config& cfg) {
  Actor actor;
  run.log("kind", actor.act(0) + static_cast<double>(cfg.kind));
  run.log("old", static_cast<double>(cfg.old));
  run.log("limit", cfg.limit.value_or(-1));
  run.log("name", static_cast<double>(cfg.name.value_or("").size()));
  run.log("rate", cfg.inner.rate);
  run.log("inner", cfg.inner.kind ? static_cast<double>(*cfg.inner.kind) : -1.0);
  run.log("steps", static_cast<double>(cfg.steps));
}
}  // namespace mine
FDG_PROGRAM(mine::train)
""")
        manifest = json.loads(fdgc(program, "--emit=manifest").stdout)
        self.assertEqual({f["name"]: f["type"] for f in manifest["config"]},
                         {"kind": "enum", "old": "enum", "limit": "optional float", "name": "optional string",
                          "inner.rate": "float", "inner.kind": "optional enum", "small": "int", "steps": "int"})
        self.assertEqual(self.logged(program), [("kind", 0), ("old", 3), ("limit", -1), ("name", 11), ("rate", 0.5),
                                                ("inner", -1), ("steps", 1)])
        self.assertEqual(self.logged(program, "kind=slow", "old=right", "limit=2.5", "name=none", "inner.rate=1",
                                     "inner.kind=slow", "steps=4"),
                         [("kind", 1), ("old", 5), ("limit", 2.5), ("name", 0), ("rate", 1), ("inner", 1), ("steps", 4)])
        for wrong, sentence in {"kind=quick": "kind takes one of fast, slow, not quick",
                                "inner.kind=quick": "inner.kind takes one of fast, slow",
                                "limit=much": "limit takes a number", "fixed=3": "no such field"}.items():
            done = subprocess.run([self.folder / "logged", "--set", wrong], text=True, capture_output=True, timeout=60,
                                  check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(sentence, done.stderr)
        self.assertEqual(fdgc(program, "-o", self.folder / "fields.plan").stderr, "")

    def test_missing_library(self):
        self.refused(2, "there is no library nosuch", PROGRAM, "-o", self.folder / "x.plan", "--", "-lnosuch")

    def test_missing_definition_is_the_programs(self):
        program = self.write("missing.cpp", """#include "fdg/fdg.h"
struct Config { int64_t n = 1; };
int64_t missing(int64_t x);
class FDG_ROLE("actor") Actor { public: int64_t act(int64_t x) { return last_ += missing(x); } int64_t last_ = 0; };
void train(fdg::Run& run, const Config& cfg) { Actor actor; run.log("x", actor.act(cfg.n)); }
FDG_PROGRAM(train)
""")
        self.refused(1, "declared but in no library", program, "-o", self.folder / "missing.plan")
        self.assertFalse((self.folder / "missing.plan").exists())

    def with_macro(self, macro):
        """The program of all these tests with a macro in front of it, which fdgc's own code meets too."""
        text = PROGRAM.read_text().replace('#include "parts.h"', f'#include "{PROGRAMS}/parts.h"\n{macro}')
        return self.write("macro.cpp", text)

    def test_generated_code_that_does_not_compile_is_our_bug(self):
        # The program has no coroutine, what fdgc generates from it does: clang takes the one and not the other.
        plan = self.folder / "macro.plan"
        done = fdgc(self.with_macro("#define co_await fetch"), "-o", plan)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("undeclared identifier 'fetch'", done.stderr)
        self.assertIn("This is a bug of fdgc, in its step CompileCode, not of the program", done.stderr)
        self.assertIn(f"kept as {plan}.cpp", done.stderr)
        self.assertIn("fdg_ports.receive(", (self.folder / "macro.plan.cpp").read_text())
        self.assertFalse(plan.exists())

    def test_macro_that_breaks_the_program_is_the_programs(self):
        done = fdgc(self.with_macro("#define learn unlearn"), "-o", self.folder / "macro.plan")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn("bug of fdgc", done.stderr)

    def test_crash_is_our_bug_and_names_the_step(self):
        """In an installation like this one whose compiler kills who starts it."""
        home = self.folder / "home"
        (home / "bin").mkdir(parents=True)
        (home / "share/fdg").mkdir(parents=True)
        shutil.copy(FDGC, home / "bin/fdgc")
        toolchain = json.loads((pathlib.Path(FDGC).parent.parent / "share/fdg/toolchain.json").read_text())
        headers = subprocess.run([toolchain["clang"], "-print-resource-dir"], text=True, capture_output=True, check=True)
        toolchain["flags"] += ["-resource-dir", headers.stdout.strip()]
        toolchain["clang"] = str(self.write("home/killer", "#!/bin/sh\nkill -SEGV $PPID\n"))
        (home / "killer").chmod(0o755)
        (home / "share/fdg/toolchain.json").write_text(json.dumps(toolchain))
        done = subprocess.run([home / "bin/fdgc", PROGRAM, "-o", self.folder / "x.plan"], text=True,
                              capture_output=True, timeout=240, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("this is a bug of fdgc, in its step CompileCode. Please report it", done.stderr)
        self.assertFalse((self.folder / "x.plan").exists())

    def test_same_program_same_bytes(self):
        plans = [self.folder / "a.plan", self.folder / "b.plan"]
        for plan in plans:
            self.assertEqual(fdgc(PROGRAM, "-o", plan).returncode, 0)
        self.assertEqual(plans[0].read_bytes(), plans[1].read_bytes())

    def test_texts(self):
        manifest = json.loads(fdgc(PROGRAM, "--emit=manifest").stdout)
        self.assertEqual(manifest["program"], "train")
        self.assertEqual([f["name"] for f in manifest["config"]], ["envs", "steps", "warmup", "sync"])
        self.assertIn("<svg", fdgc(PROGRAM, "--emit=svg").stdout)
        self.assertIn("fdgFragment_actor", fdgc(PROGRAM, "--emit=cpp").stdout)
        self.assertTrue(fdgc(PROGRAM, "--emit=html").stdout.startswith("<!DOCTYPE html>"))

    def test_compile_commands_collect_programs(self):
        commands = self.folder / "compile_commands.json"
        other = self.write("other.cpp", "int x;\n")
        for program in (PROGRAM, other, PROGRAM):
            done = fdgc(program, "--emit=compile-commands", "-o", commands, "--", "-DSMALL")
            self.assertEqual(done.returncode, 0, done.stderr)
        entries = json.loads(commands.read_text())
        self.assertEqual([entry["file"] for entry in entries], [str(other), str(PROGRAM.resolve())])
        done = subprocess.run([*entries[0]["arguments"], "-o", self.folder / "other.o"], cwd=entries[0]["directory"],
                              capture_output=True, check=False, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        notes = self.write("notes.json", "{}")
        self.refused(2, "is not a compile_commands.json", PROGRAM, "--emit=compile-commands", "-o", notes)

    def test_time_steps_say_where_it_goes(self):
        for what, step in (("graph", "SplitProgram"), ("svg", "DrawPicture"), ("html", "WritePage"),
                           ("cpp", "EmitFragments")):
            done = fdgc(PROGRAM, f"--emit={what}", "--time-steps")
            self.assertIn("ParseProgram", done.stderr)
            self.assertIn(step, done.stderr)

    def test_sequential_executable_logs_what_the_plan_logs(self):
        plan, executable = self.folder / "p.plan", self.folder / "p"
        self.assertEqual(fdgc(PROGRAM, "-o", plan).returncode, 0)
        self.assertEqual(fdgc(PROGRAM, "--sequential", "-o", executable).returncode, 0)
        options = ["--quiet", "--set", "steps=25"]
        subprocess.run([executable, *options, "--out", self.folder / "one"], check=True, timeout=240)
        subprocess.run([FDG_RUN, "--policy", "single", *options, "--out", self.folder / "two", plan], check=True,
                       timeout=240)

        def values(folder):
            lines = (self.folder / folder / "log.jsonl").read_text().splitlines()
            return [(json.loads(line)["key"], json.loads(line)["value"]) for line in lines]

        self.assertEqual(values("one"), values("two"))
        for out in ("one", "two"):  # nothing is overwritten, whoever wrote it
            again = subprocess.run([executable, *options, "--out", self.folder / out], capture_output=True, text=True,
                                   check=False, timeout=240)
            self.assertEqual(again.returncode, 2)
            self.assertIn("holds a run already", again.stderr)
        for number in ("001", "002"):
            subprocess.run([executable, *options], check=True, timeout=240, cwd=self.folder)
            self.assertEqual(len(list(self.folder.glob(f"runs/*-{number}/log.jsonl"))), 1, number)


unittest.main(argv=sys.argv[:1])
