"""Environment steps per second beside Gymnasium's SyncVectorEnv and EnvPool, the sides taking turns.

    .venv/bin/python tests/bench/envs/bench.py build/bin/env_bench [PYTHON_WITH_ENVPOOL]

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install envpool

Pinned to as many cores as a case has threads; Gymnasium has one. Five turns a side; printed are the medians, their
range, and ratios of medians with their bars. CartPole and HalfCheetah are compared with EnvPool. Where other work
runs beside, rates by CPU time (of all threads) say more than those by the clock.
"""
import os
import statistics
import subprocess
import sys
import time

import gymnasium
import numpy as np

TURNS, SECONDS = 5, 0.7
HERE = os.path.dirname(os.path.abspath(__file__))
# Name, rows, threads, least ratio to EnvPool.
CASES = [
    ("CartPole-v1", 8, 1, 10), ("CartPole-v1", 256, 1, 10),
    ("Pendulum-v1", 8, 1, None), ("Pendulum-v1", 256, 1, None),
    ("Acrobot-v1", 8, 1, None), ("Acrobot-v1", 256, 1, None),
    ("LunarLander-v3", 8, 1, None),
    ("HalfCheetah-v5", 8, 1, None), ("HalfCheetah-v5", 256, 1, None),
    ("HalfCheetah-v5", 8, 2, 1.1), ("HalfCheetah-v5", 256, 2, 1.1),
]


def gymnasium_rates(name, rows):
    envs = gymnasium.make_vec(
        name, rows, vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP},
    )
    envs.reset(seed=1)
    envs.action_space.seed(2)
    actions = [envs.action_space.sample() for _ in range(64)]
    steps, begin, cpu, taken = 0, time.perf_counter(), time.process_time(), 0.0
    while taken < SECONDS:
        for action in actions:
            envs.step(action)
            steps += rows
            if rows > 64 and time.perf_counter() - begin > SECONDS:
                break
        taken = time.perf_counter() - begin
    spent = time.process_time() - cpu
    envs.close()
    return steps / taken, steps / spent


def rates_of(command, name, threads):
    """By the clock, and by the CPU time of all threads."""
    out = subprocess.run(command, check=True, capture_output=True, text=True,
                         env={**os.environ, "FDG_ENV_THREADS": str(threads)})
    words = out.stdout.split()
    assert name != "CartPole-v1" or float(words[3]) > 0, "no episode ended: nothing was stepped"
    return float(words[0]), float(words[1])


def text(rates):
    return f"{statistics.median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})"


def main():
    tool, envpool = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    cores = sorted(os.sched_getaffinity(0), reverse=True)
    print(f"gymnasium {gymnasium.__version__}, numpy {np.__version__}; median (range) of {TURNS}")
    for name, rows, threads, bar in CASES:
        os.sched_setaffinity(0, set(cores[:threads]))
        sides = {"FDG": [], "SyncVectorEnv": [], "EnvPool": []}
        for _ in range(TURNS):
            sides["FDG"].append(rates_of([tool, name, str(rows), str(SECONDS)], name, threads))
            if threads == 1:
                sides["SyncVectorEnv"].append(gymnasium_rates(name, rows))
            if envpool and name in ("CartPole-v1", "HalfCheetah-v5"):
                script = os.path.join(HERE, "envpool_rate.py")
                command = [envpool, "-W", "ignore", script, name, str(rows), str(threads), str(SECONDS)]
                sides["EnvPool"].append(rates_of(command, name, threads))
        for which, unit in enumerate(("steps/s", "steps by CPU second")):
            rates = {side: [turn[which] for turn in turns] for side, turns in sides.items() if turns}
            line = f"{name}, {rows} rows, {threads} threads, {unit}: FDG {text(rates.pop('FDG'))}"
            ours = statistics.median(turn[which] for turn in sides["FDG"])
            for side, theirs in rates.items():
                line += f"; {side} {text(theirs)}: {ours / statistics.median(theirs):.1f} x"
            print(line + (f" (bar {bar} x)" if bar and envpool else ""), flush=True)


main()
