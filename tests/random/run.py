"""Random programs: generated, split by fdgc, run, and compared with the sequential run.

usage: run.py [--build DIR] [--count N] [--seed S] [--first I] [--jobs J] [--mpi N] [--shrink N]

Of ten programs six are legal by construction (generate.py): fdgc must accept them. Two have been changed at random
(wild.py): fdgc may refuse them. Two have a known fault (faults.py): fdgc must say which. What is accepted is run as
it was written, as fdgc's sequential copy, and as fragments in one thread, and must do the same bit for bit; the
generated code must compile without a warning. Some of them also run over MPI, every fragment on a rank of its own.
The same seed gives the same programs. What fails is made smaller and printed, ready for tests/accept or tests/reject.
The exit code is 0 only if nothing failed.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import sys
import tempfile
import time

import faults
import generate
import program as programs
import shrink
import wild
from judge import Judge

BATCH = 150


def make(seed, index):
    """The index-th program of a seed."""
    name, number = f"p{index}", seed * 1_000_003 + index
    if index % 10 in (3, 7):
        return wild.wild(name, number)
    if index % 10 in (1, 5):
        return faults.illegal(name, number // 5)
    return generate.legal(name, number)


def judge_batch(build, folder, seed, first, last):
    batch = [make(seed, i) for i in range(first, last)]
    return batch, Judge(build, folder).judge(batch, f"batch_{seed}_{first}")


class Tally:
    def __init__(self):
        self.count = collections.Counter()
        self.failures = []
        self.for_mpi = []

    def add(self, batch, outcomes):
        for program in batch:
            outcome = outcomes[program.name]
            self.count[f"{program.kind} {outcome.status}"] += 1
            fault = outcome.fault(program)
            if fault:
                self.failures.append((program, fault))
                print(f"{program.name} ({program.kind} {program.about}): {fault}", flush=True)
            elif outcome.status == "equal" and outcome.text.endswith("all") and not outcome.text.startswith("1 "):
                self.for_mpi.append(program)


def check_mpi(judge, tally, wanted):
    step = max(1, len(tally.for_mpi) // max(1, wanted))
    for program in tally.for_mpi[::step][:wanted]:
        said = judge.over_mpi(programs.standalone(program).replace("../random/", "tests/random/"), program.name)
        tally.count["over MPI " + ("equal" if said is None else "differs")] += 1
        if said is not None:
            tally.failures.append((program, "over MPI: " + said))
            print(f"{program.name}: over MPI: {said}", flush=True)


def show(judge, failures, most):
    for program, fault in failures[:most]:
        smallest = program if fault.startswith("over MPI") else shrink.shrink(program, fault, judge)
        print(f"\n// {program.name}, {program.kind} {program.about}: {fault}\n{programs.standalone(smallest)}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="index of the first program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mpi", type=int, default=3, help="so many also over MPI")
    parser.add_argument("--shrink", type=int, default=3, help="so many failures are made smaller")
    return parser.parse_args()


def main():
    args = arguments()
    start, tally = time.time(), Tally()
    with tempfile.TemporaryDirectory() as folder:
        end = args.first + args.count
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            batches = [pool.submit(judge_batch, args.build, folder, args.seed, first, min(first + BATCH, end))
                       for first in range(args.first, end, BATCH)]
            for done in concurrent.futures.as_completed(batches):
                tally.add(*done.result())
        judge = Judge(args.build, folder)
        check_mpi(judge, tally, args.mpi)
        show(judge, tally.failures, args.shrink)
    print(f"\nseed {args.seed}, programs {args.first} to {end - 1}, {time.time() - start:.0f} s")
    for what, count in sorted(tally.count.items()):
        print(f"{count:7d} {what}")
    print(f"{len(tally.failures)} failed")
    sys.exit(1 if tally.failures else 0)


if __name__ == "__main__":
    main()
