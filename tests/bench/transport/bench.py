"""Ranks of one machine beside MPI_Allreduce, memcpy and fewer ranks, the sides taking turns; and how soon a death is known.

    ninja -C build fdgc fdg-run ranks_bench && .venv/bin/python tests/bench/transport/bench.py build [ROW…] [--reads N] [--json FILE]

ROW: reduction newest crowd death; all by default. reduction: a boundary's reduce_sum over shared memory, 2 and 4 ranks.
newest: reads of 13 MB while they are written without a pause, --reads N of them (500), and how many were torn. crowd: 8 ranks
on the first two cores against 2 with the same rows, at two lengths of an iteration. death: ranks kill themselves; when the last
of the others knows. Prints a table: medians of the turns and their range, what they are beside the peer's, the bar; and
writes it as JSON. What arrives is checked.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from table import Table, median_of  # noqa: E402

TURNS = 5
MPI_OPTIONS = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "coll", "^han,cuda"]
# Milliseconds of work that each of 2 ranks has in an iteration: most that 8 ranks may take of theirs, and iterations.
CROWD_BARS = {1.5: (1.2, 400), 0.15: (1.5, 2000)}


class Bench:
    def __init__(self, build, reads):
        self.build, self.reads, self.table = build, reads, Table(digits=3)
        self.folder = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.folder.name)
        cache = (build / "CMakeCache.txt").read_text()
        self.mpirun = re.search(r"^FDG_MPI_ROOT:\w+=(.*)$", cache, re.MULTILINE)[1] + "/bin/mpirun"

    def tool(self, ranks, *what, more=(), check=True):
        command = [self.mpirun, *MPI_OPTIONS, *more, "-n", str(ranks), self.build / "bin/ranks_bench", *what]
        out = subprocess.run(command, check=check, stdout=subprocess.PIPE, text=True,
                             stderr=None if check else subprocess.DEVNULL).stdout
        return [json.loads(line) for line in out.splitlines() if line.startswith("{")]

    def reduction(self):
        for ranks in (2, 4):
            for found in self.tool(ranks, "reduction"):
                ratio = found["ours"][0] / found["theirs"][0]
                self.table.row(found["what"], "ms", found["ours"], found["theirs"], "MPI_Allreduce", "≤ 0.6 ×", ratio, ratio <= 0.6)

    def newest(self):
        found = self.tool(2, "newest", str(self.reads))[0]
        ratio = found["ours"][0] / found["theirs"][0]
        self.table.row(f"{found['what']}, {found['torn']} torn", "ms", found["ours"], found["theirs"], "memcpy",
                       "≤ 1.3 ×, none torn", ratio, ratio <= 1.3 and found["torn"] == 0)

    def death(self):
        times = []
        while len(times) < TURNS:
            found = self.tool(6, "death", more=["--with-ft", "ulfm"], check=False)  # those that die make it fail
            times += found[0]["all"]
        times = median_of(times)
        self.table.row("a dead rank of 6 is known to all", "ms", times, None, "", "≤ 100 ms", None, times[2] <= 100)

    def iteration(self, plan, policy, rounds, iterations):
        """Milliseconds of one, as the program itself saw it, and what it learned."""
        out = self.out / f"run-{len(list(self.out.iterdir()))}"
        subprocess.run([self.build / "bin/fdg-run", "--quiet", *policy, "--out", out, "--set", f"rounds={rounds}", "--set",
                        f"iterations={iterations}", plan], check=True)
        return json.loads((out / "log.jsonl").read_text())["value"], (out / "model.safetensors").read_bytes()

    def crowd(self):
        plan = self.out / "crowd.plan"
        subprocess.run([self.build / "bin/fdgc", pathlib.Path(__file__).with_name("crowd.cpp"), "-o", plan], check=True)
        everywhere = os.sched_getaffinity(0)
        os.sched_setaffinity(0, sorted(everywhere)[:2])
        alone = [self.iteration(plan, ["--policy", "single"], 50_000, 150)[0] for _ in range(TURNS)]
        by_round = min(alone) / 50_000 / 2  # of the half of the rows
        for work, (most, iterations) in CROWD_BARS.items():
            times, models = {2: [], 8: []}, set()
            for _ in range(TURNS):
                for ranks in times:
                    spent, model = self.iteration(plan, ["--policy", "dp-c", "-n", str(ranks)], round(work / by_round),
                                                  iterations)
                    times[ranks].append(spent)
                    models.add(model)
            assert len(models) == 1, "the weights differ"
            eight, two = median_of(times[8]), median_of(times[2])
            self.table.row(f"8 ranks on 2 cores, {work} ms of work an iteration", "ms", eight, two, "2 ranks", f"≤ {most} ×",
                           eight[0] / two[0], eight[0] <= most * two[0])
        os.sched_setaffinity(0, everywhere)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("rows", nargs="*", default=["reduction", "newest", "crowd", "death"])
    parser.add_argument("--reads", type=int, default=500)
    parser.add_argument("--json")
    args = parser.parse_args()
    bench = Bench(args.build, args.reads)
    for name in args.rows:
        getattr(bench, name)()
    if args.json:
        bench.table.write(args.json)


main()
