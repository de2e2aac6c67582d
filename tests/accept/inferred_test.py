"""A program whose annotations were taken out: cut along its components, it still runs like the sequential run.

usage: inferred_test.py FDGC FDG_RUN PROGRAM.cpp [fdg-run options for short runs]

1. Without annotations the program has as many fragments as can be. In one process it logs what the plain
   executable of the same source logs; under `dp-a` (where it has environments and actors that can be replicated) and
   with every fragment on a rank of its own it equals its sequential run. What takes replicas as it was written
   takes them without annotations as well.
2. `--fix` writes the annotations: the same plan apart from lines, and a second `--fix` changes nothing.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from apart import apart

FDGC, FDG_RUN, PROGRAM = sys.argv[1:4]
OPTIONS = sys.argv[4:]


def run(command, **options):
    done = subprocess.run(command, text=True, capture_output=True, timeout=280, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def without_annotations(text):
    """The same program; what governs an annotation alone governs an empty statement."""
    kept, place = "", 0
    for call in re.finditer(r"fdg::partition\(", text):
        if text[text.rfind("\n", 0, call.start()) + 1:call.start()].lstrip().startswith("//"):
            continue
        end, depth = call.end(), 1
        while depth > 0:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        end = text.index(";", end) + 1
        kept += text[place:call.start()]
        kept += "" if kept.rstrip()[-1] in ";{}" or re.search(r"//[^\n]*\s*$", kept) else ";"
        place = end
    return kept + text[place:]


def manifest(program, *options):
    return json.loads(run([FDGC, program, "--emit=manifest", *options]).stdout)


def without_lines(value):
    """What two sources that differ in line breaks have in common."""
    if isinstance(value, dict):
        return {key: without_lines(part) for key, part in value.items()
                if key not in ("line", "lines", "source", "source_hash")}
    if isinstance(value, list):
        return [without_lines(part) for part in value]
    return re.sub(r"line \d+", "line", value) if isinstance(value, str) else value


def takes_replicas(fragments):
    """dp-a means something: there are environments and actors, something else, and they may be replicated."""
    roles = {role for f in fragments for role in f["roles"]}
    replicated = [f for f in fragments if {"environment", "actor"} & set(f["roles"])]
    return {"environment", "actor"} <= roles and len(replicated) < len(fragments) and \
        all(f["replicable"]["holds"] for f in replicated)


def policies(folder, fragments):
    """Every fragment on a rank of its own; dp-a where it means something."""
    return [["--policy", apart(folder, fragments)]] + ([["--policy", "dp-a", "--replicas", "2"]] if takes_replicas(fragments) else [])


def logged(folder):
    lines = (folder / "log.jsonl").read_text().splitlines()
    return [(json.loads(line)["key"], json.loads(line)["value"]) for line in lines]


def depends_on_replicas(verify, folder):
    """The program as it was written is no other: it logs a sum over its own rows, say."""
    plan = folder / "written.plan"
    run([FDGC, PROGRAM, "-o", plan])
    return subprocess.run([*verify, plan], cwd=folder, capture_output=True, timeout=280, check=False).returncode != 0


def main():
    source = pathlib.Path(PROGRAM)
    text = without_annotations(source.read_text())
    flags = ["--", f"-I{source.parent}"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, plan = folder / source.name, folder / "program.plan"
        program.write_text(text)
        made = run([FDGC, program, "-o", plan, "-Rfdg", *flags])
        inferred = manifest(program, *flags)
        fragments = inferred["fragments"]
        print([f["name"] for f in fragments], [f["components"] for f in fragments])
        if len(fragments) < 2 and "cannot be cut" not in made.stderr:
            assert sum(len(f["components"]) for f in fragments) < 2, made.stderr

        written = manifest(PROGRAM)["fragments"]
        assert takes_replicas(fragments) or not takes_replicas(written), "only as it was written it takes replicas"
        run([FDGC, "--sequential", program, "-o", folder / "plain", *flags])
        run([folder / "plain", "--quiet", "--out", folder / "sequential", *OPTIONS])
        run([FDG_RUN, "--policy", "single", "--quiet", "--out", folder / "single", *OPTIONS, plan])
        assert logged(folder / "single") == logged(folder / "sequential"), "the plan logs something else"
        for policy in policies(folder, fragments):
            verify = [FDG_RUN, *policy, "--verify", "30", *OPTIONS]
            done = subprocess.run([*verify, plan], cwd=folder, text=True, capture_output=True, timeout=280, check=False)
            if done.returncode != 0 and not (policy[1] == "dp-a" and depends_on_replicas(verify, folder)):
                sys.exit(f"{policy}\n{done.stdout}\n{done.stderr}")

        run([FDGC, program, "--fix", *flags])
        fixed = program.read_text()
        assert (fixed != text) == (len(fragments) > 1), fixed
        annotated = manifest(program, "--partition=annotated", *flags)
        assert without_lines(annotated) == without_lines(inferred), fixed
        run([FDGC, program, "--fix", *flags])
        assert program.read_text() == fixed, "a second --fix changes the program again"


main()
