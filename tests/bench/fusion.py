"""What fusing replicas gives: 8 replicas of Ape-X's workers on 2 ranks, fused and separate, in turn.

Usage: fusion.py FDG_RUN APEX_PLAN [REPEATS]
Prints the wall seconds of both sides (median, least, most), their ratio, and whether the weights agree.
"""

import filecmp
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

POLICY = """\
name: {name}
fuse: {fuse}
groups:
  worker:  {{fragments: [environment, actor], replicas: 8}}
  learner: {{fragments: rest, replicas: 1}}
"""


def main():
    fdg_run, plan = sys.argv[1:3]
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seconds = {"fused": [], "separate": []}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in seconds:
            (folder / f"{name}.yaml").write_text(
                POLICY.format(name=name, fuse="true" if name == "fused" else "false"))
        for _ in range(repeats):
            for name in seconds:
                start = time.perf_counter()
                subprocess.run([fdg_run, "--policy", folder / f"{name}.yaml", "-n", "3", "--quiet",
                                "--set", "envs=64", "--set", "steps=30000", "--set", "warmup=1000000",
                                "--set", "eval_every=1000000", "--out", folder / name, plan], check=True)
                seconds[name].append(time.perf_counter() - start)
        same = filecmp.cmp(folder / "fused/model.safetensors", folder / "separate/model.safetensors",
                           shallow=False)
    for name, times in seconds.items():
        print(f"{name:9} {statistics.median(times):6.2f} s  ({min(times):.2f} to {max(times):.2f})")
    ratios = [b / a for a, b in zip(seconds["fused"], seconds["separate"])]
    print(f"separate / fused: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), "
          f"weights {'the same' if same else 'DIFFER'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
