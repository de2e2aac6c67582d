"""Large reductions between ranks: the same weights on any number, and what a rank meets within one is told and ends the run.

Usage: folded_test.py FDG_RUN PLAN
"""

import os
import signal
import subprocess
import sys
import unittest

from faulty_runs import FaultyRuns
from processes import left_in_shared_memory, shared_memory

FDG_RUN, PLAN = sys.argv[1:3]
ENDLESS = ["--set", "steps=100000000"]


def ranks(number):
    return ["--policy", "dp-c", "-n", str(number)]


class Folded(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def setUp(self):
        super().setUp()
        self.before = shared_memory()

    def tearDown(self):
        self.assertEqual(left_in_shared_memory(self.before), set())

    def started(self, *options):
        run = self.start(*ranks(3), *ENDLESS, *options)
        self.wait_for(lambda: self.logged() > 5, run)
        return run

    def test_any_number_of_ranks_finds_the_same(self):
        results = []
        for policy in (["--policy", "single"], ranks(2), ranks(3), ["--policy", "dp-c", "-n", "2", "--replicas", "4"]):
            self.ends(self.start(*policy), 0, seconds=60)
            results.append(self.results())
            self.assertEqual(results[-1], results[0], policy)

    def test_with_little_shared_memory_as_well(self):
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no rights to unshare")
        self.ends(self.start("--policy", "single"), 0, seconds=60)
        expected = self.results()
        for size in ("1m", "3m"):  # too little for folds; little for them
            self.ends(self.start(*ranks(3), before=[
                "unshare", "--mount", "bash", "-c", f'mount -t tmpfs -o size={size} none /dev/shm && exec "$0" "$@"']), 0, seconds=60)
            self.assertEqual(self.results(), expected, size)

    def test_a_killed_rank_ends_the_run(self):
        run = self.started()
        os.kill(self.rank(2), signal.SIGKILL)
        self.ends(run, 1, "rank 2")

    def test_a_stopped_rank_is_named_by_those_that_wait(self):
        run = self.started("--stuck-after", "2s")
        victim = self.rank(1)
        os.kill(victim, signal.SIGSTOP)
        self.addCleanup(lambda: os.path.exists(f"/proc/{victim}") and os.kill(victim, signal.SIGKILL))
        self.ends(run, 1, r"(?s)--stuck-after.*waits for grads \(line \d+\) from learner replica 1", 20)

    def test_a_signal_ends_it(self):
        run = self.started()
        run.send_signal(signal.SIGTERM)
        self.ends(run, 143)

    def test_a_term_that_is_not_finite_names_its_replica(self):
        run = self.start(*ranks(3), *ENDLESS, "--set", "nan_step=7", "--set", "nan_row=5")
        self.ends(run, 1, "grads: the term of replica 1 in a reduction is not finite", 20)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
