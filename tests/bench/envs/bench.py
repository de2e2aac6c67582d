"""Environment steps per second beside Gymnasium's SyncVectorEnv and EnvPool, the sides taking turns.

    .venv/bin/python tests/bench/envs/bench.py build/bin/env_bench [PYTHON_WITH_ENVPOOL] [--only NAME] [--json FILE]

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install envpool

Pinned to as many cores as a case has threads; Gymnasium has one. Five turns a side. Prints a table, a row for each peer:
medians, their range, ratios of medians with their bars; and writes it as JSON. CartPole and HalfCheetah are compared with
EnvPool. Where other work runs beside, rates by CPU time (of all threads) say more than those by the clock.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("tool")
parser.add_argument("envpool", nargs="?")
parser.add_argument("--only", metavar="NAME", help="cases of this environment")
parser.add_argument("--json")
OPTIONS = parser.parse_args()  # first: --help needs no package

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from table import Table, median_of  # noqa: E402

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


def turns_of(options, name, rows, threads):
    """Of each side its rates in every turn."""
    sides = {"FDG": [], "SyncVectorEnv": [], "EnvPool": []}
    for _ in range(TURNS):
        sides["FDG"].append(rates_of([options.tool, name, str(rows), str(SECONDS)], name, threads))
        if threads == 1:
            sides["SyncVectorEnv"].append(gymnasium_rates(name, rows))
        if options.envpool and name in ("CartPole-v1", "HalfCheetah-v5"):
            script = os.path.join(HERE, "envpool_rate.py")
            command = [options.envpool, "-W", "ignore", script, name, str(rows), str(threads), str(SECONDS)]
            sides["EnvPool"].append(rates_of(command, name, threads))
    return sides


def main():
    options = OPTIONS
    cores = sorted(os.sched_getaffinity(0), reverse=True)
    print(f"gymnasium {gymnasium.__version__}, numpy {np.__version__}; median (range) of {TURNS}")
    table = Table(digits=0)
    cases = [case for case in CASES if options.only in (None, case[0])]
    if not cases:
        parser.error(f"--only {options.only}: there are cases of {', '.join(sorted({case[0] for case in CASES}))}")
    for name, rows, threads, bar in cases:
        os.sched_setaffinity(0, set(cores[:threads]))
        sides = turns_of(options, name, rows, threads)
        for which, unit in enumerate(("steps/s", "steps by CPU second")):
            rates = {side: median_of([turn[which] for turn in turns]) for side, turns in sides.items() if turns}
            ours = rates.pop("FDG")
            what = f"{name}, {rows} rows, {threads} thread{'s' if threads > 1 else ''}"
            for side, theirs in rates.items():
                ratio, least = ours[0] / theirs[0], bar if side == "EnvPool" else None
                table.row(what, unit, ours, theirs, side, f"≥ {least} ×" if least else "–", ratio,
                          ratio >= least if least else None)
            if not rates:
                table.row(what, unit, ours, None, "", "–")
    if options.json:
        table.write(options.json)


main()
