"""The Ape-X pair: transitions accepted and batches drawn in a second, bytes on the wire, memory.

    build/bin/fdgc tests/bench/apex_pair/apex_pair.cpp -o /tmp/pair.plan
    python3 tests/bench/apex_pair/bench.py build/bin/fdg-run /tmp/pair.plan --seconds 20 --feeders 1,2,8 --repeats 1 \
        [--json FILE]

Feeders, replay and learner are real ranks. Messages of 50 three-step transitions with two stacks of 4 x 84 x 84
bytes, each frame once; batches of 512; a learner that returns priorities at once. Buffer and learner are on one rank
(together), or each on its own (apart), as under policy apex. Prints a table and writes it as JSON: rates from the end of
the first fifth, when the replay has come round, to the end of the run, and bytes of wire a transition (medians of the
repeats and their range); and the memory of all ranks at the end of the last run, with its least and most since that fifth.
Every batch is checked in part: a wrong frame ends the run.
"""
import argparse
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from table import Table, median_of  # noqa: E402

MESSAGES_A_BATCH = 8  # that the feeders' windows hold together

POLICY = """\
name: {name}
groups:
  feeder:  {{fragments: [actor], replicas: {feeders}}}
{rest}
boundaries:
  experience: {{mode: drain, window: {window}, ahead: any, behind: any}}
  batch: {{window: 2}}
stop: learner
"""
REST = {"together": "  learner: {fragments: [buffer, learner]}",
        "apart": "  buffer: {fragments: [buffer]}\n  learner: {fragments: [learner]}"}


def memory(process):
    """Bytes that the ranks hold, what they share counted once; process is fdg-run."""
    total, waiting = 0, [process]
    while waiting:
        pid = waiting.pop()
        try:
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                waiting += (task / "children").read_text().split()
            total += int(re.search(r"Pss: +(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text())[1]) << 10
        except OSError:
            pass  # it has just ended
    return total


def rates(log, begin):
    """Of both counters: how much they grew a second since `begin`."""
    result = {}
    for key in ("accepted", "batches"):
        points = [p for p in log if p["key"] == key and p["seconds"] >= begin]
        result[key] = (points[-1]["value"] - points[0]["value"]) / (points[-1]["seconds"] - points[0]["seconds"])
    return result


def run(options, folder, name, feeders):
    policy, out = folder / "policy.yaml", folder / "out"
    policy.write_text(POLICY.format(name=name, feeders=feeders, rest=REST[name],
                                    window=max(2, MESSAGES_A_BATCH // feeders)))
    command = [options.fdg_run, "--policy", policy, "--oversubscribe", "--set", f"feeders={feeders}", "--out", out]
    process = subprocess.Popen([*command, options.plan], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    begin, sizes = time.monotonic(), []
    while process.poll() is None and time.monotonic() - begin < options.seconds:
        time.sleep(1)
        sizes.append(memory(process.pid))
    process.send_signal(signal.SIGINT)
    table = process.communicate()[0]
    assert process.returncode == 130, table
    log = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    shutil.rmtree(out)
    messages, size, unit = re.search(r"experience +[\d,]+ +([\d,]+) +([\d.]+) (\w+)", table).groups()
    late = sizes[len(sizes) // 5:]
    kilobytes = float(size) * {"MB": 1e3, "GB": 1e6, "TB": 1e9}[unit]
    return {**rates(log, options.seconds / 5), "wire": kilobytes / 50 / int(messages.replace(",", "")),
            "memory": (late[-1] / 1e9, min(late) / 1e9, max(late) / 1e9)}


def report(table, where, runs):
    accepted, batches, wire = (median_of([run[key] for run in runs]) for key in ("accepted", "batches", "wire"))
    table.row(f"{where}: accepted", "transitions/s", accepted, None, "", "≥ 100,000", None, accepted[0] >= 100_000)
    table.row(f"{where}: drawn", "batches/s", batches, None, "", "≥ 100", None, batches[0] >= 100)
    table.row(f"{where}: on the wire", "KB a transition", wire, None, "", "≤ 8.2", None, wire[2] <= 8.2)
    table.row(f"{where}: memory of all ranks", "GB", runs[-1]["memory"], None, "", "–")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fdg_run")
    parser.add_argument("plan")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--feeders", default="1,2,8")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--placed", default=",".join(REST))
    parser.add_argument("--json")
    options = parser.parse_args()
    names = options.placed.split(",")
    table = Table(digits=2)
    with tempfile.TemporaryDirectory() as folder:
        for feeders in map(int, options.feeders.split(",")):
            turns = [[run(options, pathlib.Path(folder), name, feeders) for name in names]
                     for _ in range(options.repeats)]
            for name, runs in zip(names, zip(*turns)):
                report(table, f"{feeders} feeder{'s' if feeders > 1 else ''}, buffer and learner {name}", runs)
    if options.json:
        table.write(options.json)


main()
