"""Our sum tree and prioritized replay beside those of cpprb and TorchRL, the sides taking turns.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install cpprb numpy torch==2.11.0 torchrl==0.12.0
    ninja -C build replay_bench && /tmp/peers/bin/python tests/bench/replay/bench.py build/bin/replay_bench [SLOTS]

2^20 transitions of CartPole, batches of 512, one thread pinned to one core, five turns a side; printed are the
median of the turns' medians and their range. cpprb's tree is reached through its buffer only. What is not installed
is left out.
"""
import importlib.metadata
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

CAPACITY = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 20
BATCH, BATCHES, TURNS = 512, 200, 5
BARS = {"set_ns": 38, "find_ns": 50, "add_us": 10, "update_us": 25, "sample_us": 50}  # at 2^20 slots
if CAPACITY > 1 << 20:
    BARS = {"add_us": 0.4 * BATCH, "update_us": 60, "sample_us": 120}


def timed(call):
    seconds = []
    for i in range(BATCHES):
        begin = time.perf_counter()
        call(i)
        seconds.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(seconds)


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


def ours(tool, what):
    out = subprocess.run([tool, what, str(CAPACITY)], check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def row(what, key, values):
    bar = f", must be at most {BARS[key]:g}" if key in BARS else ""
    return f"{what} {key:10} FDG {text(values)}{bar}"


def text(values):
    return f"{statistics.median(values):8.1f} ({min(values):.1f} to {max(values):.1f})"


def main():
    tool = sys.argv[1]
    peers = [peer for peer in (cpprb, torchrl) if importlib.util.find_spec(peer.__name__)]
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    draw = np.random.default_rng(1)
    tree, their_tree, mine, others = [], [], [], {peer: [] for peer in peers}
    for _ in range(TURNS):
        tree.append(ours(tool, "tree"))
        if torchrl in peers:
            their_tree.append(torchrl_tree(draw))
        mine.append(ours(tool, "buffer"))
        for peer in peers:
            others[peer].append(peer(draw))
    for key in ("set_ns", "find_ns"):
        print(row("tree", key, [t[key] for t in tree]), end="")
        if their_tree:
            print(f"   torchrl, float32 {text([t[key] for t in their_tree])}", end="")
        print()
    for key in ("add_us", "update_us", "sample_us", "cycle_us"):
        a = [m[key] for m in mine]
        print(row("buffer", key, a), end="")
        for peer in peers:
            b = [o[key] for o in others[peer]]
            ratio = statistics.median(b) / statistics.median(a)
            print(f"   {peer.__name__} {importlib.metadata.version(peer.__name__)} {text(b)}   {ratio:.1f} x", end="")
        print(flush=True)


main()
