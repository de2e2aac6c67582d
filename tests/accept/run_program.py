"""One accepted program: checked as text, built as a plan without a warning, run and compared with the sequential run.

usage: run_program.py FDGC FDG_RUN FILECHECK PROGRAM.cpp

Comments in the program say what must hold:
  // CHECK…:      FileCheck lines against the graph and the coverage
  // POLICY: x    also under this policy (a name, or a file of this folder); `single`, and every fragment on a
                  rank of its own, always are
  // RUNS: x.yaml    runs to its end under this policy of this folder (loosened: nothing to compare with)
  // SAME: x.yaml …  loosened under this policy of this folder, with these options, it logs what it logs in order
  // ITERATIONS: n   iterations to compare (default 30)
  // REFUSED: {…} => text   this policy (YAML on one line) is refused with this sentence
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from apart import apart

FDGC, FDG_RUN, FILECHECK, PROGRAM = sys.argv[1:5]


def directives(text, name):
    return re.findall(r"^// " + name + r": (.*)$", text, re.MULTILINE)


def run(command, **options):
    """Runs a command; ends the test with everything it said if it fails."""
    done = subprocess.run(command, text=True, capture_output=True, timeout=240, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def check_refused(folder, plan, policy, sentence):
    file = pathlib.Path(folder) / "refused.yaml"
    file.write_text(policy + "\n")
    asked = subprocess.run([FDG_RUN, "--dry-run", "--policy", file, plan], text=True, capture_output=True, timeout=60,
                           check=False)
    if asked.returncode == 0 or sentence not in asked.stderr + asked.stdout:
        sys.exit(f"{policy}\nmust be refused with: {sentence}\nexit code {asked.returncode}\n{asked.stdout}\n{asked.stderr}")


def check_warnings(folder, source):
    """The generated code must be as clean as the program."""
    toolchain = json.loads((pathlib.Path(FDGC).parent.parent / "share/fdg/toolchain.json").read_text())
    generated = pathlib.Path(folder) / "generated.cpp"
    run([FDGC, source, "--emit=cpp", "-o", generated])
    run([toolchain["clang"], *toolchain["flags"], "-include-pch", toolchain["precompiled"], "-Wall", "-Wextra",
         "-Werror", "-fsyntax-only", "-iquote", source.parent, generated])


def logged(folder, name, plan, *options):
    out = pathlib.Path(folder) / name
    shutil.rmtree(out, ignore_errors=True)
    run([FDG_RUN, "--quiet", "--out", out, *options, plan], cwd=folder)
    points = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return [(point["key"], point["index"], point["value"]) for point in points]


def check_same(folder, plan, policy, options):
    wanted = logged(folder, "in_order", plan)
    got = logged(folder, "loosened", plan, "--policy", policy, *options)
    if not wanted or got != wanted:
        sys.exit(f"{policy} {options}: logged {got}, in order {wanted}")


def results(folder):
    """What was logged, without the times, and what was saved."""
    log = [{k: v for k, v in json.loads(line).items() if k != "seconds"}
           for line in (folder / "log.jsonl").read_text().splitlines()]
    return log, {file.name: file.read_bytes() for file in folder.glob("*.safetensors")}


def check_resume(folder, plan, policy, manifest):
    """A run that goes on from an earlier checkpoint ends as the one that was not interrupted."""
    folder = pathlib.Path(folder)
    loops = [l for l in manifest["loops"] if l["parent"] < 0 and l["has_boundary"]]
    if not loops or not all(loop["resumable"]["holds"] for loop in loops):
        return
    run([FDG_RUN, "--quiet", "--policy", policy, "--out", folder / "out", "--checkpoint", folder / "kept", "--every", "2",
         plan])
    straight = results(folder / "out")
    if straight[1]:
        run([FDG_RUN, "--quiet", "--out", folder / "together", plan])
        if results(folder / "together") != straight:
            sys.exit(f"under {policy} it logs or saves otherwise than under single:\n{straight[0]}")
        shutil.rmtree(folder / "together")
    kept = sorted(path.parent for path in (folder / "kept").glob("*/checkpoint.json"))
    in_step = len(manifest["rate_classes"]) == 1
    if in_step and not kept and max((line["iteration"] for line in straight[0]), default=0) >= 4:
        sys.exit(f"under {policy} --every 2 kept no checkpoint")
    if kept:
        run([FDG_RUN, "--quiet", "--resume", kept[0]])
        if results(folder / "out") != straight:
            sys.exit(f"resumed from {kept[0].name} under {policy}, the run ends otherwise:\n"
                     f"{results(folder / 'out')[0]}\ninstead of\n{straight[0]}")
        print(policy, f"resumed from {kept[0].name}: equal")
    shutil.rmtree(folder / "out")
    shutil.rmtree(folder / "kept", ignore_errors=True)


def main():
    source = pathlib.Path(PROGRAM)
    text = source.read_text()
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder) / (source.stem + ".plan")
        built = run([FDGC, PROGRAM, "-o", plan, "-Rfdg", "--dump-after=SplitProgram", "--", "-Wall", "-Wextra", "-Werror"])
        check_warnings(folder, source)
        if "CHECK" in text:
            run([FILECHECK, "--dump-input-context=40", PROGRAM], input=built.stderr)
        manifest = json.loads(run([FDGC, PROGRAM, "--emit=manifest"]).stdout)
        every_rank = apart(pathlib.Path(folder), manifest["fragments"])
        iterations = (directives(text, "ITERATIONS") or ["30"])[0]
        for policy in ["single", every_rank] + [
            source.parent / name if name.endswith(".yaml") else name for name in directives(text, "POLICY")
        ]:
            verified = run([FDG_RUN, "--verify", iterations, "--policy", policy, plan], cwd=folder)
            print(policy, verified.stdout.strip().splitlines()[-1] if verified.stdout.strip() else "")
        check_resume(folder, plan, every_rank, manifest)
        for refused in directives(text, "REFUSED"):
            check_refused(folder, plan, *refused.split(" => ", 1))
        for same in directives(text, "SAME"):
            check_same(folder, plan, source.parent / same.split()[0], same.split()[1:])
        for policy in directives(text, "RUNS"):
            run([FDG_RUN, "--quiet", "--policy", source.parent / policy, plan], cwd=folder)


main()
