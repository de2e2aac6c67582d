"""Any file at all ends with messages: no crash, no failed check, no hang.

Runs fdgc's corridor on the stub library over strange files and over programs of this repository that are changed at
random, the same ones for the same seed. A few in CI; more by hand:

usage: any_file_test.py SPLIT_CHECK HEADER PRECOMPILED SOURCE_FOLDER [--count N] [--seed S] [--fdgc FDGC]

With --fdgc the programs of algorithms/ and tests/accept are changed too, and fdgc writes their code (--emit=cpp).
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

parser = argparse.ArgumentParser()
parser.add_argument("split_check")
parser.add_argument("header")
parser.add_argument("precompiled")
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("--count", type=int, default=60)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--fdgc")
ARGS = parser.parse_args()
TIMEOUT = 120  # for one file on a loaded machine; none takes seconds on a free one

CONFIG = "struct Config { int64_t steps = 10; int64_t envs = 4; };\n"
PARTS = """  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
"""
CROSS = "  fdg::partition(fdg::gather, obs);\n  actor.act(obs);\n"


def program(statements, before="", after=""):
    return (CONFIG + before + "\nvoid train(fdg::Run& run, const Config& cfg) {\n" + PARTS + statements + CROSS +
            "}\nFDG_PROGRAM(train)\n" + after)


def run_file(path, fdgc=False):
    command = ([ARGS.fdgc, path, "--emit=cpp"] if fdgc else
               [ARGS.split_check, path, ARGS.header, ARGS.precompiled, "cpp"])
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return None, "it does not end"
    return done.returncode, (done.stderr + done.stdout[:200]).decode(errors="replace")


STRANGE = {  # name → text, expected exit codes
    "empty": ("", {2}),
    "blank": ("\n \t\n", {2}),
    "zeros": ("int x;\0", {2}),
    "bytes": (bytes(range(1, 256)) * 40, {1}),
    "text": ("Once upon a time there was a compiler.\n", {1}),
    "json": ('{"a": [1, 2, {"b": null}]}\n', {1}),
    "braces": ("{" * 5000, {1}),
    "parentheses": ("int x = " + "(" * 5000, {1}),
    "one_quote": ('"', {1}),
    "open_comment": ("/* never closed", {1}),
    "open_raw_string": ('auto x = R"x(', {1}),
    "half_a_program": (program("")[:230], {1}),
    "includes_itself": ('#include __FILE__\n', {1}),
    "includes_nothing": ('#include "no/such/file.h"\n' + program(""), {1}),
    "library_part": ("#include <vector>\nint f() { return 3; }\n", {1}),
    "no_newline_at_end": (program("").rstrip(), {0}),
    "dos_lines": (program("").replace("\n", "\r\n"), {0}),
    "byte_order_mark": ("\ufeff" + program(""), {0}),
    "foreign_names": (program('  double größe = envs.finishedReturns(); run.log("größe_π", größe);\n'), {0}),
    "long_line": (program("  double x = envs.finishedReturns() " + "+ 1 " * 3000 + ';\n  run.log("x", x);\n'), {0}),
    "long_name": (program(f"  double {'x' * 20000} = envs.finishedReturns(); run.log(\"x\", {'x' * 20000});\n"), {0}),
    "long_string": (program('  run.log("' + "x" * 60000 + '", envs.finishedReturns());\n'), {0}),
    "deep_blocks": (program("{" * 200 + 'run.log("x", envs.finishedReturns());' + "}" * 200 + "\n"), {0}),
    "deep_ifs": (program("if (cfg.steps > 3) {" * 120 + 'run.log("x", envs.finishedReturns());' + "}" * 120 + "\n"), {0}),
    "deep_loops": (program("".join(f"for (int64_t i{n} = 0; i{n} < 2; ++i{n}) {{" for n in range(16)) +
                           'run.log("x", envs.finishedReturns());' + "}" * 16 + "\n"), {0}),
    "deep_lambdas": (program("auto f = " + "[&] { return " * 40 + "envs.finishedReturns()" + "; }()" * 40 +
                             ';\n  run.log("x", f);\n'), {0, 1}),
    "deep_templates": (program("", before="template <int N> struct T { using type = typename T<N - 1>::type; };\n"
                               "template <> struct T<0> { using type = int; };\nT<5000>::type x;\n"), {1}),
    "deep_calls": (program("", before="constexpr int f(int n) { return n == 0 ? 0 : f(n - 1); }\n"
                           "static_assert(f(100000) == 0);\n"), {1}),
    "many_statements": (program("".join(f"  double x{n} = envs.finishedReturns() + {n};\n" for n in range(1500)) +
                                "".join(f"  fdg::partition(fdg::broadcast, x{n});\n" for n in range(0, 1500, 10)) +
                                "".join(f'  run.log("x", x{n} + actor.values().size(0));\n' for n in range(0, 1500, 10))),
                        {0}),
    "five_thousand_statements": (program("  int64_t n = 0;\n" + "  n += cfg.steps;\n" * 2500 +
                                         "  obs = envs.step(obs).observation;\n" * 2500 + '  run.log("n", n);\n'), {0}),
    "many_cases": (program("  switch (cfg.steps) {\n" + "".join(
        f'    case {n}: run.log("x", envs.finishedReturns()); break;\n' for n in range(400)) + "  }\n"), {0}),
    "many_else_ifs": (program("".join(f'  if (cfg.steps == {n}) {{ run.log("x", envs.finishedReturns()); }} else\n'
                                      for n in range(150)) + "  {}\n"), {0}),
    "no_entry": (CONFIG, {1}),
    "empty_entry": (CONFIG + "void train(fdg::Run& run, const Config& cfg) {}\nFDG_PROGRAM(train)\n", {0}),
    "only_declarations": (CONFIG + "void train(fdg::Run& run, const Config& cfg) { int64_t x = 1; }\n", {0}),
    "two_entries": (program("") + "FDG_PROGRAM(train)\n", {1}),
    "entry_lambda": (CONFIG + "auto train = [](fdg::Run&, const Config&) {};\nFDG_PROGRAM(train)\n", {1}),
    "entry_constexpr": (CONFIG + "constexpr void train(fdg::Run& run, const Config& cfg) {}\nFDG_PROGRAM(train)\n", {0}),
    "entry_consteval": (CONFIG + "consteval void train(fdg::Run& run, const Config& cfg) {}\nFDG_PROGRAM(train)\n",
                        {0, 1}),
    "entry_extern_c": (CONFIG + 'extern "C" void train(fdg::Run& run, const Config& cfg) {}\nFDG_PROGRAM(train)\n',
                       {0, 1}),
    "entry_deleted": (CONFIG + "void train(fdg::Run& run, const Config& cfg) = delete;\nFDG_PROGRAM(train)\n", {1}),
    "entry_coroutine": ("#include <coroutine>\n" + CONFIG +
                        "void train(fdg::Run& run, const Config& cfg) { co_return; }\nFDG_PROGRAM(train)\n", {1}),
    "entry_nothing": (CONFIG + "FDG_PROGRAM()\n", {1}),
    "entry_expression": (program("") .replace("FDG_PROGRAM(train)", "FDG_PROGRAM(1 + 2)"), {1}),
    "entry_in_function": (CONFIG + "void f() { FDG_PROGRAM(g) }\n", {1}),
    "entry_recursive": (program("  train(run, cfg);\n"), {0, 1}),
    "no_config_fields": ("struct Config {};\nvoid train(fdg::Run& run, const Config& cfg) {}\nFDG_PROGRAM(train)\n", {0}),
    "config_of_itself": ("struct Config { std::vector<Config> inner; const Config* next = nullptr; };\n"
                         "void train(fdg::Run& run, const Config& cfg) {}\nFDG_PROGRAM(train)\n", {0}),
    "config_standard": ("void train(fdg::Run& run, const std::string& cfg) {}\nFDG_PROGRAM(train)\n", {0, 1}),
    "config_of_library": ("void train(fdg::Run& run, const torch::Tensor& cfg) {}\nFDG_PROGRAM(train)\n", {0, 1}),
    "concepts": (program("  run.log(\"x\", twice(envs.finishedReturns()));\n",
                         before="template <class T> concept Number = requires(T t) { t + t; };\n"
                         "Number auto twice(Number auto x) { return x + x; }\n"), {0}),
    "coroutines": (program("", before="#include <coroutine>\nstruct Task { struct promise_type {\n"
                           "Task get_return_object() { return {}; } std::suspend_never initial_suspend() { return {}; }\n"
                           "std::suspend_never final_suspend() noexcept { return {}; } void return_void() {}\n"
                           "void unhandled_exception() {} }; };\nTask f() { co_return; }\n"), {0}),
    "modules": ("export module program;\n" + program(""), {0, 1}),
    "default_lambda": (program("  run.log(\"x\", f() + envs.finishedReturns());\n",
                               before="double f(double x = [] { return 3.0; }()) { return x; }\n"), {0}),
    "line_directives": (program('#line 7 "other.cpp"\n  run.log("x", envs.finishedReturns());\n#line 90000\n'), {0}),
    "pragmas": (program('#pragma GCC diagnostic push\n#pragma unknown thing\n  run.log("x", envs.finishedReturns());\n'
                        "#pragma GCC diagnostic pop\n#pragma clang loop unroll(full)\n"
                        "  for (int i = 0; i < 3; ++i) { obs = envs.reset(); }\n"), {0}),
    "conditional_text": (program("#if 0\n  nonsense(\n#elif 1\n  run.log(\"x\", envs.finishedReturns());\n#else\n  ]\n#endif\n"),
                         {0}),
    "define_inside": (program("#define K 3\n  run.log(\"x\", envs.finishedReturns() + K);\n#undef K\n"), {1}),
    "dead_annotations": (program("  if (false) { fdg::partition(fdg::gather, obs); }\n  if constexpr (false) {\n"
                                 "    fdg::partition(fdg::gather, obs);\n  }\n"), {0, 1}),
    "annotation_after_return": (program("  return;\n"), {0, 1}),
    "annotation_after_endless_loop": (program("  while (true) {}\n"), {0, 1}),
    "annotation_of_nothing": (program("  fdg::partition();\n  fdg::partition(fdg::gather);\n"), {1}),
    "annotation_of_everything": (program("  fdg::partition(fdg::gather, run, cfg, envs, 3, nullptr, train);\n"), {1}),
    "macro_makes_all": ("#define ALL " + program("").replace("\n", " ") + "\nALL\n", {1}),
    "macro_names": (program("  OBS;\n  P(OBS)\n", before="#define OBS obs\n#define P(x) fdg::partition(fdg::gather, x);\n"),
                    {0, 1}),
    "macro_unbalanced": (program("  BEGIN run.log(\"x\", envs.finishedReturns()); END\n",
                                 before="#define BEGIN if (cfg.steps > 3) {\n#define END }\n"), {1}),
    "digraphs": (program("  int64_t a<:3:> = <% 1, 2, 3 %>; run.log(\"x\", a<:0:> + envs.finishedReturns());\n"), {0}),
    "keywords_as_operators": (program("  if (cfg.steps > 3 and not (cfg.envs bitand 1)) { obs = envs.reset(); }\n"), {0}),
    "comma_operator": (program("  (void)(envs.reset(), envs.reset());\n"), {0}),
    "local_class": (program("  struct L { double f() { return 1; } };\n  L l;\n  run.log(\"x\", l.f() + envs.finishedReturns());\n"),
                    {0}),
    "generic_lambda": (program("  auto f = []<class T>(T x) requires true { return x; };\n"
                               "  run.log(\"x\", f(envs.finishedReturns()));\n"), {0}),
    "recursive_lambda": (program("  std::function<double(double)> f = [&f](double x) { return x < 1 ? x : f(x - 1); };\n"
                                 "  run.log(\"x\", f(envs.finishedReturns()));\n"), {0, 1}),
    "placement_new": (program("  alignas(8) char room[64];\n  auto* p = new (room) int64_t(3);\n"
                              "  run.log(\"x\", *p + envs.finishedReturns());\n", before="#include <new>\n"), {0, 1}),
    "variable_length_array": (program("  int64_t a[cfg.steps];\n  a[0] = 1;\n"
                                      "  run.log(\"x\", a[0] + envs.finishedReturns());\n"), {0, 1}),
    "decltypes": (program("  decltype(auto) x = (obs);\n  decltype(obs) y = x;\n  y = envs.step(y).observation;\n"), {0, 1}),
    "references_to_references": (program("  auto&& a = obs; auto& b = a; const auto& c = b;\n  a = envs.step(c).reward;\n"),
                                 {0, 1}),
    "unused_results": (program("  envs.finishedReturns(); 3; obs; (void)cfg; nullptr;\n"), {0}),
    "switch_of_nothing": (program("  switch (cfg.steps) {}\n  switch (cfg.steps) { default:; }\n"), {0}),
    "loops_of_nothing": (program("  for (;;) break;\n  while (false);\n  do; while (false);\n  for (auto x : {1, 2});\n"),
                         {0}),
}
for name, code in {"asm_at_top": 'asm("nop");\n', "attribute": "[[deprecated]] int f();\n", "using": "using namespace std;\n",
                   "namespace_alias": "namespace f = fdg;\n", "own_tensor": "struct Tensor {};\n",
                   "own_run": "namespace mine { struct Run {}; void partition(int) {} }\n",
                   "main": "int main() { return 0; }\n", "operators": "struct A { A operator,(A); A operator&(); } a;\n",
                   "volatile": "volatile int v;\n", "thread": "#include <thread>\nthread_local int t = 0;\n",
                   "bit_cast": "#include <bit>\nstatic_assert(std::bit_cast<float>(0) == 0);\n"}.items():
    STRANGE["before_" + name] = (program("", before=code), {0})


class StrangeFiles(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_strange_files(self):
        files = []
        for name, (text, codes) in STRANGE.items():
            path = self.folder / f"{name}.cpp"
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            files.append((path, codes))
        with ThreadPoolExecutor(2) as pool:
            for (path, codes), (code, said) in zip(files, pool.map(lambda file: run_file(file[0]), files)):
                with self.subTest(path.stem):
                    self.assertIn(code, codes, said[-1500:])

    def test_strange_names(self):
        for name in ["a b.cpp", "it's.cpp", 'a"b.cpp', "größe.cpp", "-x.cpp", "a\\b.cpp", "%s.cpp", "a\nb.cpp"]:
            path = self.folder / name
            path.write_text(program(""))
            with self.subTest(name):
                code, said = run_file(path)
                self.assertEqual(code, 0, said[-1500:])

    def test_what_is_no_file(self):
        (self.folder / "folder.cpp").mkdir()
        (self.folder / "dangling.cpp").symlink_to(self.folder / "nothing.cpp")
        for name in ["folder.cpp", "dangling.cpp", "nothing.cpp", ""]:
            with self.subTest(name):
                self.assertEqual(run_file(self.folder / name)[0], 2)


def tokens(text):
    return re.findall(r"\w+|\s+|\"[^\"\n]*\"|->|::|\+=|==|&&|.", text, re.S)


WRAPS = ["if (cfg.steps > 3) {{ {} }}", "for (int64_t q = 0; q < 3; ++q) {{ {} }}", "{{ {} }}", "[&] {{ {} }}();",
         "while (true) {{ {} break; }}", "do {{ {} }} while (false);", "try {{ {} }} catch (...) {{}}",
         "switch (cfg.steps) {{ case 1: {} break; default: break; }}", "{} {}", "if (run.rows(3).begin == 0) {{ {} }}",
         "#define W {}\n  W", "auto f = [&] {{ {} }}; f(); f();", "if (false) {{ {} }} else {{ {} }}"]
INSERTS = ["break;", "continue;", "return;", "goto x;", "x:", ";", "{", "}", "throw 1;", "fdg::partition(fdg::gather, obs);",
           "fdg::partition(fdg::reduce_mean.loose(), weights);", "obs.fill_(1);", "auto& alias = obs;", "static int64_t s = 0;",
           "case 3:", "else", "obs = std::move(obs);", "int64_t obs = 3;", 'run.log("x", 1.0);', "auto copy = actor;"]


def change(text, rng):
    """One to four changes: of tokens, of lines, of statements."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        kind = rng.randrange(8)
        at = rng.randrange(len(lines))
        if kind == 0:
            lines[at] = ""
        elif kind == 1:
            lines.insert(rng.randrange(len(lines)), lines[at])
        elif kind == 2:
            lines.insert(at, lines.pop(rng.randrange(len(lines))))
        elif kind == 3:
            lines[at] = rng.choice(WRAPS).replace("{}", lines[at]).replace("{{", "{").replace("}}", "}")
        elif kind == 4:
            lines.insert(at, rng.choice(INSERTS))
        else:
            all_tokens = tokens(text)
            words = [i for i, t in enumerate(all_tokens) if not t.isspace()]
            if words:
                i, j = rng.choice(words), rng.choice(words)
                if kind == 5:
                    all_tokens[i] = all_tokens[j]
                elif kind == 6:
                    all_tokens[i] = ""
                else:
                    all_tokens[i], all_tokens[j] = all_tokens[j], all_tokens[i]
            lines = "".join(all_tokens).split("\n")
        text = "\n".join(lines)
    return text


class ChangedPrograms(unittest.TestCase):
    def check(self, sources, fdgc):
        rng = random.Random(ARGS.seed)
        texts = [change(rng.choice(sources).read_text(), rng) for _ in range(ARGS.count)]
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            # Beside the original's headers: programs of tests/accept include theirs.
            paths = []
            for i, text in enumerate(texts):
                path = pathlib.Path(folder) / f"changed{i}.cpp"
                path.write_text(text)
                paths.append(path)
            for path, (code, said) in zip(paths, pool.map(lambda p: run_file(p, fdgc), paths)):
                with self.subTest(path.stem):
                    self.assertIn(code, {0, 1, 2}, f"{said[-1500:]}\n{path.read_text()}")

    def test_on_the_stub_library(self):
        self.check(sorted((ARGS.source / "tests/reject/cases").glob("*.cpp")) +
                   sorted((ARGS.source / "tests/unit/compiler").glob("*.cpp")), False)

    @unittest.skipUnless(ARGS.fdgc, "needs --fdgc")
    def test_with_torch(self):
        programs = sorted((ARGS.source / "tests/accept").glob("*.cpp")) + sorted((ARGS.source / "algorithms").glob("*.cpp"))
        with tempfile.TemporaryDirectory() as folder:
            sources = []
            for source in programs:
                copy = pathlib.Path(folder) / source.name
                copy.write_text(re.sub(r'#include "(?=parts|envs)', f'#include "{source.parent}/', source.read_text()))
                sources.append(copy)
            self.check(sources, True)


unittest.main(argv=sys.argv[:1])
