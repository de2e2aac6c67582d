"""The Python module beside cpprb, the sides taking turns in one process.

    CXX=clang++-19 pip install ./python cpprb && python tests/bench/replay/python_bench.py [--json FILE]

2^20 transitions of CartPole, batches of 512, one core, five turns a side. Prints a table: the median of the turns' medians
and their range, and how much longer cpprb takes; and writes it as JSON. A cycle is add, sample and update, as a training
loop does them.
"""
import argparse
import importlib.metadata
import os
import pathlib
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--json")
OPTIONS = parser.parse_args()  # first: --help needs no peer

import cpprb  # noqa: E402
import numpy as np  # noqa: E402

from fdg_replay import PrioritizedReplay  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from table import Table, median_of, timed_us  # noqa: E402

CAPACITY, BATCH, CALLS, TURNS = 1 << 20, 512, 200, 5


def timed(call):
    return timed_us(call, CALLS)


class Ours:
    def __init__(self):
        self.replay = PrioritizedReplay(CAPACITY, {
            "obs": ((4,), np.float32), "act": ((), np.int64), "rew": ((), np.float32),
            "next_obs": ((4,), np.float32), "done": ((), np.float32)})

    def add(self, rows, priorities=None):
        self.replay.add(errors=priorities, **rows)

    def sample(self):
        return self.replay.sample(BATCH)

    def update(self, batch, errors):
        self.replay.update(batch["slots"], batch["generations"], errors)


class Cpprb:
    def __init__(self):
        self.replay = cpprb.PrioritizedReplayBuffer(CAPACITY, {
            "obs": {"shape": 4}, "act": {"dtype": np.int64}, "rew": {}, "next_obs": {"shape": 4}, "done": {}}, alpha=0.6)

    def add(self, rows, priorities=None):
        self.replay.add(**rows, priorities=priorities)

    def sample(self):
        return self.replay.sample(BATCH, beta=0.4)

    def update(self, batch, errors):
        self.replay.update_priorities(batch["indexes"], errors)


def times(side, rows, errors):
    def cycle(i):
        side.add(rows)
        side.update(side.sample(), errors[i])

    batches = [side.sample() for _ in range(CALLS)]
    return {"add": timed(lambda _: side.add(rows)), "sample": timed(lambda _: side.sample()),
            "update": timed(lambda i: side.update(batches[i], errors[i])), "cycle": timed(cycle)}


def main():
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    draw = np.random.default_rng(1)
    rows = {"obs": draw.random((BATCH, 4), np.float32), "act": draw.integers(2, size=BATCH),
            "rew": np.ones(BATCH, np.float32), "next_obs": draw.random((BATCH, 4), np.float32),
            "done": np.zeros(BATCH, np.float32)}
    errors = draw.random((CALLS, BATCH)) + 1e-6
    sides = Ours(), Cpprb()
    for side in sides:
        for _ in range(CAPACITY // BATCH):
            side.add(rows, draw.random(BATCH))
    turns = [[times(side, rows, errors) for side in sides] for _ in range(TURNS)]
    table = Table(digits=1)
    for what in turns[0][0]:
        ours, theirs = (median_of([turn[side][what] for turn in turns]) for side in (0, 1))
        table.row(what, "µs", ours, theirs, f"cpprb {importlib.metadata.version('cpprb')}", "–", theirs[0] / ours[0])
    if OPTIONS.json:
        table.write(OPTIONS.json)


main()
