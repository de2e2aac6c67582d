"""Two buffers beside each other in one process, in turn: what their calls cost, what a training with them takes.

A training is measured in processor time: other programs on the machine do not count, and all of it is one process.
"""
import statistics
import time

TURNS, CALLS, CAPACITY, BATCH = 5, 50, 1 << 17, 512


def text(values, unit):
    return f"{statistics.median(values):9.1f} {unit} ({min(values):.1f} to {max(values):.1f})"


def timed(call):
    seconds = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(seconds)


def row(what, ours, theirs, unit):
    ratio = f"{statistics.median(theirs) / statistics.median(ours):.2f} x" if unit else ""
    print(f"{what:22} FDG {text(ours, unit)}   its own {text(theirs, unit)}   {ratio}", flush=True)


def compare(fdg, own, calls, train):
    """calls(kind, capacity, batch): by name; train(kind, seed): seconds and the return reached."""
    sides = [calls(kind, CAPACITY, BATCH) for kind in (fdg, own)]
    turns = [[{name: timed(call) for name, call in side.items()} for side in sides] for _ in range(TURNS)]
    for name in sides[0]:
        row(name, *([turn[s][name] for turn in turns] for s in (0, 1)), "us")
    runs = [[train(kind, seed) for kind in (fdg, own)] for seed in range(3)]
    row("training", *([run[s][0] for run in runs] for s in (0, 1)), "s")
    row("return", *([run[s][1] for run in runs] for s in (0, 1)), "")
