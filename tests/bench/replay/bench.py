"""Our sum tree and prioritized replay beside those of cpprb and TorchRL, the sides taking turns.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install cpprb numpy torch==2.11.0 torchrl==0.12.0
    ninja -C build replay_bench && /tmp/peers/bin/python tests/bench/replay/bench.py build/bin/replay_bench [SLOTS] [--json FILE]

2^20 transitions of CartPole, batches of 512, one thread pinned to one core, five turns a side. Prints a table, a row for
each peer: the median of the turns' medians and their range, how much longer the peer takes, the bar; and writes it as JSON.
cpprb's tree is reached through its buffer only. What is not installed is left out.
"""
import argparse
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("tool")
parser.add_argument("slots", type=int, nargs="?", default=1 << 20)
parser.add_argument("--json")
OPTIONS = parser.parse_args()  # first: --help needs no package

import numpy as np  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from table import Table, median_of, timed_us  # noqa: E402

CAPACITY = OPTIONS.slots
BATCH, BATCHES, TURNS = 512, 200, 5
BARS = {"set_ns": 38, "find_ns": 50, "add_us": 10, "update_us": 25, "sample_us": 50}  # at 2^20 slots
if CAPACITY > 1 << 20:
    BARS = {"add_us": 0.4 * BATCH, "update_us": 60, "sample_us": 120}
WHAT = {"set_ns": "sum tree, set a leaf", "find_ns": "sum tree, find a leaf", "add_us": "add 512", "update_us": "update 512",
        "sample_us": "sample 512", "cycle_us": "add, sample and update"}


def timed(call):
    return timed_us(call, BATCHES)


def cpprb(draw):
    import cpprb

    fields = {"obs": {"shape": 4}, "act": {"dtype": np.int64}, "rew": {}, "next_obs": {"shape": 4}, "done": {}}
    replay = cpprb.PrioritizedReplayBuffer(CAPACITY, fields, alpha=0.6)
    rows = {"obs": draw.random((BATCH, 4), np.float32), "act": draw.integers(2, size=BATCH),
            "rew": np.ones(BATCH), "next_obs": draw.random((BATCH, 4), np.float32), "done": np.zeros(BATCH)}
    for _ in range(CAPACITY // BATCH):
        replay.add(**rows, priorities=draw.random(BATCH))
    assert replay.get_stored_size() > CAPACITY - BATCH
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


def torchrl(draw):
    import torch
    from tensordict import TensorDict
    from torchrl.data import LazyTensorStorage, TensorDictPrioritizedReplayBuffer

    torch.set_num_threads(1)
    replay = TensorDictPrioritizedReplayBuffer(alpha=0.6, beta=0.4, storage=LazyTensorStorage(CAPACITY),
                                               batch_size=BATCH)
    rows = TensorDict({"obs": torch.rand(BATCH, 4), "act": torch.randint(2, (BATCH,)), "rew": torch.ones(BATCH),
                       "next_obs": torch.rand(BATCH, 4), "done": torch.zeros(BATCH)}, batch_size=[BATCH])
    for _ in range(CAPACITY // BATCH):
        replay.update_priority(replay.extend(rows), torch.from_numpy(draw.random(BATCH, np.float32)))
    assert len(replay) > CAPACITY - BATCH
    errors = torch.from_numpy(draw.random((BATCHES, BATCH), np.float32) + 1e-6)
    indexes = [replay.sample()["index"] for _ in range(BATCHES)]
    def cycle(i):
        replay.extend(rows)
        replay.update_priority(replay.sample()["index"], errors[i])

    return {
        "add_us": timed(lambda _: replay.extend(rows)),
        "sample_us": timed(lambda _: replay.sample()),
        "update_us": timed(lambda i: replay.update_priority(indexes[i], errors[i])),
        "cycle_us": timed(cycle),
    }


def torchrl_tree(draw):
    import torch
    from torchrl._torchrl import SumSegmentTreeFp32

    tree = SumSegmentTreeFp32(CAPACITY)
    tree[torch.arange(CAPACITY)] = torch.rand(CAPACITY)
    leaves = torch.from_numpy(draw.integers(CAPACITY, size=(BATCHES, BATCH)))
    values = torch.rand(BATCHES, BATCH)
    def put(i):
        tree[leaves[i]] = values[i]

    def find(i):
        tree.scan_lower_bound((torch.arange(BATCH) + values[i]) * (total / BATCH))

    set_us, total = timed(put), tree.query(0, CAPACITY)
    return {"set_ns": 1e3 * set_us / BATCH, "find_ns": 1e3 * timed(find) / BATCH}


def ours(what):
    out = subprocess.run([OPTIONS.tool, what, str(CAPACITY)], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def main():
    peers = [peer for peer in (cpprb, torchrl) if importlib.util.find_spec(peer.__name__)]
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    draw = np.random.default_rng(1)
    mine, others = [], {peer: [] for peer in peers}
    for _ in range(TURNS):
        mine.append({**ours("tree"), **ours("buffer")})
        for peer in peers:
            others[peer].append({**(torchrl_tree(draw) if peer is torchrl else {}), **peer(draw)})
    table = Table(digits=1)
    for key, what in WHAT.items():
        unit = {"ns": "ns", "us": "µs"}[key[-2:]]
        values, bar = median_of([turn[key] for turn in mine]), BARS.get(key)
        limit = {"bar": f"≤ {bar:g} {unit}" if bar else "–", "met": values[0] <= bar if bar else None}
        measured = [(peer.__name__, median_of([turn[key] for turn in turns])) for peer, turns in others.items()
                    if key in turns[0]]
        for name, theirs in measured:
            table.row(what, unit, values, theirs, f"{name} {importlib.metadata.version(name)}", ratio=theirs[0] / values[0],
                      **limit)
        if not measured:
            table.row(what, unit, values, None, "", **limit)
    if OPTIONS.json:
        table.write(OPTIONS.json)


main()
