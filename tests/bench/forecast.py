"""What --dry-run estimates against what a run takes: PPO under dp-a and dp-c over slower and slower networks.

Usage: forecast.py FDG_RUN PPO_PLAN [SECONDS]
Takes timings from two short runs, then for every latency a measured run and an estimate of both policies, all on this
machine over MPI. Of a run counts the iteration that a fifth of the others are faster than: other work on the machine only makes it slower.
Prints both curves and where they cross; fails if the estimated crossing is off by more than 25 %.
SECONDS (default 4) is how long a measured run takes.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

LATENCIES = [0, 1, 2, 3, 5]  # ms
CALLS = {"dp-a": ["--policy", "dp-a", "--replicas", "2", "-n", "3"], "dp-c": ["--policy", "dp-c", "-n", "2"]}
# A learner that is worth sharing, and few reductions an iteration: the crossing lies within the latencies.
PROGRAM = ["--set", "envs=48", "--set", "horizon=64", "--set", "epochs=2", "--set", "minibatches=2",
           "--set", "ppo.hidden=256,256"]
CLUSTER = """\
nodes: [{{cores: 2, ranks: 3}}]
within: {{latency: {latency:.3f}ms, bandwidth: 2GB/s}}
"""
BASE = 0.05  # ms of a message between two busy processes


def run(fdg_run, plan, *options):
    return subprocess.run([fdg_run, *PROGRAM, *options, plan], check=True, text=True, capture_output=True).stdout


def measured(fdg_run, plan, call, folder, latency, iterations):
    out = folder / f"{call[1]}-{latency}"
    run(fdg_run, plan, *call, "--quiet", "--out", str(out), "--timeline", str(out) + ".json", "--set", f"iterations={iterations}",
        *(["--inject-latency", f"{latency}ms"] if latency else ["--carrier", "mpi"]))
    starts = {}  # of the learner's iterations, microseconds
    trace = json.loads(pathlib.Path(str(out) + ".json").read_text())
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace if e["name"] == "thread_name"}
    for event in trace:
        if event["ph"] == "X" and threads[event["pid"], event["tid"]] == "learner 0":
            number = event["args"]["iteration"]
            starts[number] = min(event["ts"], starts.get(number, event["ts"]))
    starts = [starts[number] for number in sorted(starts)]
    return statistics.quantiles([b - a for a, b in zip(starts[3:], starts[4:])], n=10)[1] / 1e3


def estimated(fdg_run, plan, call, folder, latency):
    cluster = folder / "cluster.yaml"
    cluster.write_text(CLUSTER.format(latency=latency + BASE))
    text = run(fdg_run, plan, *call, "--dry-run", "--carrier", "mpi", "--cluster", str(cluster), "--timings", str(folder / "all.json"),
               "--timings", str(folder / "half.json"))
    number, unit = re.search(r"one iteration takes ([\d.]+) (s|ms|µs)", text).groups()
    return float(number) * {"s": 1e3, "ms": 1, "µs": 1e-3}[unit]


def crossing(curves):
    """Where dp-c, better on a fast network, becomes worse than dp-a; of straight lines through the points."""
    gaps = [c - a for a, c in zip(curves["dp-a"], curves["dp-c"])]
    mean = sum(LATENCIES) / len(LATENCIES)
    slope = (sum((x - mean) * g for x, g in zip(LATENCIES, gaps)) / sum((x - mean) ** 2 for x in LATENCIES))
    return mean - sum(gaps) / len(gaps) / slope


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fdg_run")
    parser.add_argument("plan")
    parser.add_argument("seconds", type=float, nargs="?", default=4)
    asked = parser.parse_args()
    fdg_run, plan, seconds = asked.fdg_run, asked.plan, asked.seconds
    real, thought = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run(fdg_run, plan, "--quiet", "--out", str(folder / "all"), "--set", "iterations=20", "--timings",
            str(folder / "all.json"))
        run(fdg_run, plan, *CALLS["dp-c"], "--quiet", "--out", str(folder / "half"), "--set", "iterations=20",
            "--timings", str(folder / "half.json"))
        for name, call in CALLS.items():
            thought[name] = [estimated(fdg_run, plan, call, folder, ms) for ms in LATENCIES]
            counts = [max(20, round(seconds * 1e3 / ms)) for ms in thought[name]]
            real[name] = [measured(fdg_run, plan, call, folder, ms, n) for ms, n in zip(LATENCIES, counts)]
    print("latency [ms]  " + "  ".join(f"{ms:>7}" for ms in LATENCIES))
    for name in CALLS:
        print(f"{name} measured " + "  ".join(f"{ms:7.1f}" for ms in real[name]) + "  ms an iteration")
        print(f"{name} estimate " + "  ".join(f"{ms:7.1f}" for ms in thought[name]))
    here, there = crossing(real), crossing(thought)
    print(f"they cross at {here:.2f} ms, estimated {there:.2f} ms: {(there / here - 1) * 100:+.0f} %")
    return 0 if abs(there / here - 1) <= 0.25 else 1


if __name__ == "__main__":
    sys.exit(main())
