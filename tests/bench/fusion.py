"""What fusing replicas gives: Ape-X's workers, 1 to 64 of them, fused and separate on one rank, and on ranks of their own.

Usage: fusion.py FDG_RUN APEX_PLAN [REPEATS] [MOST_RANKS]
A learner has a rank of its own that takes what the workers send; nothing is learned, 64 environments are stepped. Prints
the loop's iterations/s (median, least, most of the repeats; the three in turn) and what fusing gives. Workers on more
ranks than MOST_RANKS (8) are left out. The weights must be the same however the workers are placed.
"""

import argparse
import filecmp
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

STEPS = 4000
POLICY = """\
name: {name}
fuse: {fuse}
groups:
  worker:  {{fragments: [environment, actor], replicas: {replicas}}}
  learner: {{fragments: rest, replicas: 1}}
"""


def rate(fdg_run, plan, folder, name, replicas):
    """Iterations/s between the first and the last thing logged."""
    policy = folder / f"{name}.yaml"
    policy.write_text(POLICY.format(name=name, fuse="false" if name == "separate" else "true", replicas=replicas))
    out = folder / f"{name}-{replicas}"
    shutil.rmtree(out, ignore_errors=True)
    ranks = replicas + 1 if name == "ranks" else 2
    subprocess.run([fdg_run, "--policy", policy, "-n", str(ranks), "--oversubscribe", "--quiet", "--set", "envs=64",
                    "--set", f"steps={STEPS}", "--set", "warmup=1000000", "--set", "replay.capacity=1000000",
                    "--set", "eval_every=1000000", "--out", out, plan],
                   check=True)
    points = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    points = [point for point in points if point["key"] == "train/return"]
    first, last = points[0], points[-1]
    return (last["iteration"] - first["iteration"]) / (last["seconds"] - first["seconds"])


def shown(rates):
    return f"{statistics.median(rates):,.0f} ({min(rates):,.0f}–{max(rates):,.0f})" if rates else "–"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fdg_run")
    parser.add_argument("plan")
    parser.add_argument("repeats", type=int, nargs="?", default=5)
    parser.add_argument("most_ranks", type=int, nargs="?", default=8)
    asked = parser.parse_args()
    fdg_run, plan, repeats, most_ranks = asked.fdg_run, asked.plan, asked.repeats, asked.most_ranks
    print("| replicas | fused | separate | on ranks of their own | fused / separate |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for replicas in (1, 2, 4, 8, 16, 32, 64):
            names = ["fused", "separate"] + (["ranks"] if replicas <= most_ranks else [])
            rates = {"fused": [], "separate": [], "ranks": []}
            for _ in range(repeats):
                for name in names:
                    rates[name].append(rate(fdg_run, plan, folder, name, replicas))
            ratio = statistics.median(a / b for a, b in zip(rates["fused"], rates["separate"]))
            print(f"| {replicas} | {shown(rates['fused'])} | {shown(rates['separate'])} | {shown(rates['ranks'])} | "
                  f"{ratio:.2f} |", flush=True)
            for name in names:
                if not filecmp.cmp(folder / f"fused-{replicas}/model.safetensors",
                                   folder / f"{name}-{replicas}/model.safetensors", shallow=False):
                    sys.exit(f"{replicas} replicas, {name}: the weights differ")


if __name__ == "__main__":
    main()
