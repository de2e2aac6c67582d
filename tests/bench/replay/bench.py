"""Our sum tree and prioritized replay beside cpprb's, the sides taking turns.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install cpprb numpy
    ninja -C build replay_bench && /tmp/peers/bin/python tests/bench/replay/bench.py build/bin/replay_bench

2^20 transitions of CartPole, batches of 512, one thread pinned to one core, five turns a side; printed are the
median of the turns' medians and their range. cpprb's tree is reached through its buffer only.
"""
import importlib.metadata
import json
import os
import statistics
import subprocess
import sys
import time

import cpprb
import numpy as np

CAPACITY, BATCH, BATCHES, TURNS = 1 << 20, 512, 200, 5


def timed(call):
    seconds = []
    for i in range(BATCHES):
        begin = time.perf_counter()
        call(i)
        seconds.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(seconds)


def theirs(draw):
    fields = {"obs": {"shape": 4}, "act": {"dtype": np.int64}, "rew": {}, "next_obs": {"shape": 4}, "done": {}}
    replay = cpprb.PrioritizedReplayBuffer(CAPACITY, fields, alpha=0.6)
    rows = {"obs": draw.random((BATCH, 4), np.float32), "act": draw.integers(2, size=BATCH),
            "rew": np.ones(BATCH), "next_obs": draw.random((BATCH, 4), np.float32), "done": np.zeros(BATCH)}
    for _ in range(CAPACITY // BATCH):
        replay.add(**rows, priorities=draw.random(BATCH))
    assert replay.get_stored_size() == CAPACITY
    errors = draw.random((BATCHES, BATCH)) + 1e-6
    indexes = [replay.sample(BATCH, beta=0.4)["indexes"] for _ in range(BATCHES)]
    def cycle(i):
        replay.add(**rows)
        drawn = replay.sample(BATCH, beta=0.4)
        replay.update_priorities(drawn["indexes"], errors[i])

    return {
        "add_us": timed(lambda _: replay.add(**rows)),
        "sample_us": timed(lambda _: replay.sample(BATCH, beta=0.4)),
        "update_us": timed(lambda i: replay.update_priorities(indexes[i], errors[i])),
        "cycle_us": timed(cycle),
    }


def ours(tool, what):
    out = subprocess.run([tool, what, str(CAPACITY)], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def text(values):
    return f"{statistics.median(values):8.1f} ({min(values):.1f} to {max(values):.1f})"


def main():
    tool, version = sys.argv[1], importlib.metadata.version("cpprb")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    draw = np.random.default_rng(1)
    tree, mine, others = [], [], []
    for _ in range(TURNS):
        tree.append(ours(tool, "tree"))
        mine.append(ours(tool, "buffer"))
        others.append(theirs(draw))
    for key in ("set_ns", "find_ns"):
        print(f"tree {key:10} FDG {text([t[key] for t in tree])}")
    for key in ("add_us", "update_us", "sample_us", "cycle_us"):
        a, b = [m[key] for m in mine], [o[key] for o in others]
        ratio = statistics.median(b) / statistics.median(a)
        print(f"buffer {key:10} FDG {text(a)}   cpprb {version} {text(b)}   {ratio:.1f} x", flush=True)


main()
