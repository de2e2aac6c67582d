"""The Python module beside cpprb, the sides taking turns in one process.

    CXX=clang++-19 pip install ./python cpprb && python tests/bench/replay/python_bench.py

2^20 transitions of CartPole, batches of 512, one core, five turns a side; printed are the median of the turns' medians
and their range. A cycle is add, sample and update, as a training loop does them.
"""
import importlib.metadata
import os
import statistics
import time

import cpprb
import numpy as np

from fdg_replay import PrioritizedReplay

CAPACITY, BATCH, CALLS, TURNS = 1 << 20, 512, 200, 5


def timed(call):
    seconds = []
    for i in range(CALLS):
        begin = time.perf_counter()
        call(i)
        seconds.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(seconds)


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


def text(values):
    return f"{statistics.median(values):7.1f} us ({min(values):.1f} to {max(values):.1f})"


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
    for what in turns[0][0]:
        ours, theirs = [turn[0][what] for turn in turns], [turn[1][what] for turn in turns]
        ratio = statistics.median(theirs) / statistics.median(ours)
        print(f"{what:7} FDG {text(ours)}   cpprb {importlib.metadata.version('cpprb')} {text(theirs)}   {ratio:.1f} x")


main()
