"""What fdgc costs: seconds for each program, against clang++ -c of the same file with the same
precompiled header.

Usage: compile.py FDGC [REPEATS [PROGRAM.cpp …]]     (default: 3, and every program in algorithms/)
Prints a table: wall seconds and processor seconds (all processes together; they hardly depend on what
else the machine does) of both, in turn, medians; the ratios; the longest steps; and whether two plans have
the same bytes.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fdgc", type=pathlib.Path)
    parser.add_argument("repeats", type=int, nargs="?", default=3)
    parser.add_argument("programs", type=pathlib.Path, nargs="*")
    asked = parser.parse_args()
    fdgc, repeats = asked.fdgc.resolve(), asked.repeats
    root = pathlib.Path(__file__).resolve().parents[2]
    programs = asked.programs or sorted((root / "algorithms").glob("*.cpp"))
    tools = json.loads((fdgc.parent.parent / "share/fdg/toolchain.json").read_text())
    all_same = True
    print("program     clang++ -c: wall   cpu    fdgc: wall   cpu    ratio: wall   cpu   bytes  longest steps")
    for program in programs:
        clang, plan = [], []
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for _ in range(repeats):
                clang.append(timed([tools["clang"], *tools["flags"], "-include-pch", tools["precompiled"], "-w",
                                    "-c", program, "-o", folder / "plain.o"]))
                plan.append(timed([fdgc, program, "-o", folder / f"{len(plan) % 2}.plan", "--time-steps"]))
            same = repeats < 2 or (folder / "0.plan").read_bytes() == (folder / "1.plan").read_bytes()
        all_same &= same
        plain_wall, plain_cpu = (statistics.median(t[i] for t in clang) for i in (0, 1))
        wall, cpu = (statistics.median(t[i] for t in plan) for i in (0, 1))
        steps = sorted((line.split() for line in plan[-1][2].splitlines() if " s  " in line),
                       key=lambda step: -float(step[0]))[:3]
        print(f"{program.stem:12}{plain_wall:16.2f}{plain_cpu:6.2f}{wall:14.2f}{cpu:6.2f}"
              f"{wall / plain_wall:15.2f}{cpu / plain_cpu:6.2f}   {'same ' if same else 'DIFFER'}  "
              + ", ".join(f"{name} {float(seconds):.2f}" for seconds, _, name in steps))
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
