"""Runs the plainly compiled example and checks that it learned: custom_env_learns.py PROGRAM FOLDER"""
import json
import subprocess
import sys

program, folder = sys.argv[1:]
subprocess.run([program, "--seed", "1", "--out", folder, "--quiet"], check=True)
with open(f"{folder}/log.jsonl", encoding="utf-8") as log:
    points = [json.loads(line) for line in log]
returns = [point["value"] for point in points if point["key"] == "train/return"]
first, last = returns[:100], returns[-200:]
before, after = sum(first) / len(first), sum(last) / len(last)
print(f"mean return {before:.2f} at first, {after:.2f} in the end")
# The parcel is 3.3 steps away on average, a gust costs about half a step, and 5 % of actions explore.
assert after > 0.75, f"Courier was not learned: mean return {after:.2f}"
# Played greedily, without exploration.
played = [point["value"] for point in points if point["key"] == "eval/return"]
assert len(played) == 10 and played[-1] > 0.75, f"the evaluator got {played}"
assert before < 0.5, f"Courier needs no learning: mean return {before:.2f}"
