"""Two learners of one replay learn Pendulum-v1 as one does, and the policy that they save is theirs both.

Usage: two_learners_test.py FDG_RUN PLAN CONFIG
"""

import json
import pathlib
import subprocess
import sys
import tempfile

FDG_RUN, PLAN, CONFIG = sys.argv[1:4]


def main():
    with tempfile.TemporaryDirectory() as out:
        run = pathlib.Path(out, "run")
        subprocess.run([FDG_RUN, "--policy", "shared-replay", "--replicas", "2", "--quiet", "--config", CONFIG, "--out", run,
                        PLAN], check=True, timeout=800)
        points = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
        assert (run / "model.safetensors").exists()
    returns = [point["value"] for point in points if point["key"] == "train/return"]
    assert returns[0] < -900, returns  # the policy knows nothing yet
    assert sum(returns[-3:]) / 3 >= -200, returns  # with the noise that it explores by


main()
