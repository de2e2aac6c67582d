"""Environment steps per second beside Gymnasium's SyncVectorEnv, the sides taking turns.

    .venv/bin/python tests/bench/envs/bench.py build/bin/env_bench

One thread each, pinned to one core. Five turns a side; printed are the median and the range.
"""
import os
import statistics
import subprocess
import sys
import time

import gymnasium
import numpy as np

TURNS, SECONDS = 5, 1.0
CASES = [(name, rows) for name in ("CartPole-v1", "Pendulum-v1", "Acrobot-v1") for rows in (8, 256)]


def theirs(name, rows):
    envs = gymnasium.make_vec(
        name, rows, vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP},
    )
    envs.reset(seed=1)
    envs.action_space.seed(2)
    actions = [envs.action_space.sample() for _ in range(64)]
    steps, begin, taken = 0, time.perf_counter(), 0.0
    while taken < SECONDS:
        for action in actions:
            envs.step(action)
            steps += rows
            if rows > 64 and time.perf_counter() - begin > SECONDS:
                break
        taken = time.perf_counter() - begin
    envs.close()
    return steps / taken


def ours(tool, name, rows):
    out = subprocess.run([tool, name, str(rows), str(SECONDS)], check=True, capture_output=True, text=True)
    words = out.stdout.split()
    assert name != "CartPole-v1" or float(words[2]) > 0, "no episode ended: nothing was stepped"
    return float(words[0])


def text(rates):
    return f"{statistics.median(rates):12,.0f} ({min(rates):,.0f} to {max(rates):,.0f})"


def main():
    tool = sys.argv[1]
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"gymnasium {gymnasium.__version__}, numpy {np.__version__}, steps/s: median (range) of {TURNS}")
    for name, rows in CASES:
        mine, others = [], []
        for _ in range(TURNS):
            mine.append(ours(tool, name, rows))
            others.append(theirs(name, rows))
        ratio = statistics.median(mine) / statistics.median(others)
        print(f"{name:12} {rows:4} rows   FDG {text(mine)}   SyncVectorEnv {text(others)}   {ratio:.0f} x", flush=True)


main()
