"""Rank 0 never waits: log and checkpoints come nevertheless, one checkpoint is unfinished at most, and a signal loses nothing.

Usage: busy_test.py FDG_RUN PLAN
"""

import re
import signal
import sys
import time
import unittest

from faulty_runs import FaultyRuns

FDG_RUN, PLAN = sys.argv[1:3]
BUSY = ["--set", "steps=1000000", "--set", "work_ms=10"]


class Busy(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def setUp(self):
        super().setUp()
        policy = self.top / "forward.yaml"
        policy.write_text("groups:\n  source: {fragments: [environment]}\n  sink: {fragments: rest}\n")
        self.policy = ["--policy", policy]
        self.kept = self.top / "kept"

    def whole(self):
        return sorted(f.name for f in self.kept.glob("iteration-*"))

    def unfinished(self):
        return [f.name for f in self.kept.glob(".*iteration-*")]

    def test_the_log_comes_and_is_whole_after_a_signal(self):
        run = self.start(*self.policy, *BUSY, quiet=False)
        self.wait_for(lambda: self.logged() > 100, run)
        run.send_signal(signal.SIGTERM)
        said = self.ends(run, 143, "stopped by the user")
        self.assertGreater(int(re.search(r"\n *environment +\d+ +\d+ +(\d+) %", said).group(1)), 50, "of its time at work")
        learned = int(re.search(r"\n *learner +\d+ +(\d+)", said).group(1))
        self.assertGreaterEqual(self.logged(), learned - 1)  # the last one may have been under way

    def test_a_signal_makes_a_last_checkpoint(self):
        run = self.start(*self.policy, *BUSY, "--checkpoint", self.kept, "--every", "50")
        self.wait_for(lambda: len(self.whole()) == 2, run)
        before = self.whole()
        run.send_signal(signal.SIGTERM)
        said = self.ends(run, 143)
        self.assertGreater(self.whole()[-1], before[-1])
        self.assertEqual(self.unfinished(), [])
        self.assertNotIn("could not be made", said)

    def test_one_checkpoint_is_unfinished_at_most(self):
        for policy in (self.policy, ["--policy", "single"]):
            with self.subTest(policy=policy):
                kept = self.kept = self.top / f"kept-{len(policy[1:])}-{self.runs}"
                run = self.start(*policy, "--set", "steps=1200", "--checkpoint", kept, "--every", "20")
                most = 0
                while run.poll() is None:
                    most = max(most, len(self.unfinished()))
                    time.sleep(0.001)
                self.ends(run, 0)
                self.assertLessEqual(most, 1)
                self.assertEqual(self.whole(), ["iteration-000001160", "iteration-000001180"])

    def test_a_last_checkpoint_that_could_not_be_made_is_told(self):
        run = self.start(*self.policy, *BUSY, "--set", "hang_at=105", "--checkpoint", self.kept, "--every", "100")
        self.wait_for(self.whole, run)
        run.send_signal(signal.SIGTERM)
        self.ends(run, 143, r"a last checkpoint could not be made in 8 s; the one to go on from is \S+iteration-000000100", 20)
        self.assertEqual(self.unfinished(), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
