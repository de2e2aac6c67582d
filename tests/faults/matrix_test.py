"""What goes wrong × where × policy: every run ends or goes on as docs/runtime.md says, in time, saying why, and leaves nothing.

Usage: matrix_test.py FDG_RUN PLAN [--all]      (without --all: a selection for every day)
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from faulty_runs import FaultyRuns

FDG_RUN, PLAN = sys.argv[1:3]
ALL = "--all" in sys.argv
ENDLESS = ["--set", "steps=100000000"]
# Where each role runs, alone or with others.
POLICIES = {
    "apex": (["--policy", "apex", "--replicas", "1"], {"environment": 0, "actor": 0, "evaluator": 1, "buffer": 2, "learner": 3}),
    "dp-a": (["--policy", "dp-a", "--replicas", "2"], {"environment": 0, "actor": 1, "evaluator": 2, "buffer": 2, "learner": 2}),
    "shared-replay": (["--policy", "shared-replay", "--replicas", "2"],
                      {"environment": 0, "actor": 1, "evaluator": 2, "buffer": 3, "learner": 5}),
    "dp-b": (["--policy", "dp-b", "--replicas", "1"], {"environment": 0, "actor": 1, "evaluator": 1, "buffer": 1, "learner": 1}),
}
ROLES = ["environment", "actor", "evaluator", "buffer", "learner"]


def some(every_day, everything):
    return everything if ALL else every_day


class Matrix(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def test_an_exception_is_told_with_its_place(self):
        for policy in some(["apex"], POLICIES):
            for role in ROLES:
                with self.subTest(policy=policy, role=role):
                    run = self.start(*POLICIES[policy][0], *ENDLESS, "--set", f"fail_in={role}")
                    self.ends(run, 1, rf"fragment {role}, replica \d+, iteration \d+: the {role} is out of order", 30)

    def test_what_was_logged_before_an_exception_is_not_lost(self):
        for policy in (["--policy", "single"], POLICIES["dp-a"][0]):
            with self.subTest(policy=policy):
                run = self.start(*policy, *ENDLESS, "--set", "fail_in=learner", "--set", "fail_at=300")
                self.ends(run, 1, "learner is out of order", 30)
                self.assertGreaterEqual(self.logged(), 295)

    def test_a_killed_rank(self):
        for policy in some(["apex", "shared-replay"], POLICIES):
            for role in some(ROLES if policy == "apex" else ["environment", "learner"], ROLES):
                with self.subTest(policy=policy, role=role):
                    run = self.start(*POLICIES[policy][0], *ENDLESS)
                    self.wait_for(lambda: self.logged() > 50, run)
                    number = POLICIES[policy][1][role]
                    os.kill(self.rank(number), signal.SIGKILL)
                    self.ends(run, 1, rf"rank {number} \(process \d+ on .*\) was killed by signal 9")

    def test_a_stopped_rank_is_named(self):
        for policy in some(["dp-a"], POLICIES):
            for role in some(["environment", "learner"], ROLES):
                with self.subTest(policy=policy, role=role):
                    run = self.start(*POLICIES[policy][0], *ENDLESS, "--stuck-after", "3s")
                    self.wait_for(lambda: self.logged() > 50, run)
                    process = self.rank(POLICIES[policy][1][role])
                    os.kill(process, signal.SIGSTOP)
                    others_go_on = policy == "apex" and role in ("environment", "actor", "evaluator")
                    if others_go_on:
                        before = self.logged()
                        self.wait_for(lambda: self.logged() > before + 100, run)
                        os.kill(process, signal.SIGCONT)
                        run.send_signal(signal.SIGINT)
                        self.ends(run, 130, "")
                    else:
                        self.ends(run, 1, r"(?s)--stuck-after.*(waits for|has heard nothing of)", 15)

    def test_a_rank_that_was_stopped_for_a_while_goes_on(self):
        for policy in some(["dp-a"], POLICIES):
            for role in some(["learner"], ROLES):
                with self.subTest(policy=policy, role=role):
                    run = self.start(*POLICIES[policy][0], "--set", "steps=2500")
                    self.wait_for(lambda: self.logged() > 50, run)
                    process = self.rank(POLICIES[policy][1][role])
                    os.kill(process, signal.SIGSTOP)
                    time.sleep(2)  # 30 s: table_test.py
                    os.kill(process, signal.SIGCONT)
                    self.ends(run, 0, "", 60)
                    self.assertEqual(self.logged(), 2500)

    def test_a_number_that_is_none_is_told_on_all_replicas(self):
        """One learner of two finds it: nobody is left waiting in the reduction, and that one is named."""
        for policy in ("dp-c", "shared-replay"):
            with self.subTest(policy=policy):
                run = self.start("--policy", policy, "--replicas", "2", *ENDLESS, "--set", "fail_in=learner", "--set",
                                 "fail_how=nan")
                self.ends(run, 1, r"grads.*replica 1.*not finite", 30)

    def test_a_number_that_is_none_is_told_by_a_single_learner(self):
        for policy in some(["dp-a"], ["single", "dp-a", "dp-b"]):
            with self.subTest(policy=policy):
                run = self.start("--policy", policy, *ENDLESS, "--set", "fail_in=learner", "--set", "fail_how=nan")
                self.ends(run, 1, r"fragment .*learner.*grads.*not finite", 30)

    def small_disk(self):
        disk = self.top / "disk"
        disk.mkdir(exist_ok=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no rights to mount")
        self.addCleanup(subprocess.run, ["umount", disk], check=False)
        return disk

    def test_a_full_disk_under_the_log(self):
        disk = self.small_disk()
        for policy in some(["single", "dp-a"], ["single", *POLICIES]):
            with self.subTest(policy=policy):
                options = POLICIES[policy][0] if policy in POLICIES else []
                out = disk / policy
                run = self.start(*options, *ENDLESS, "--out", out)
                said = self.ends(run, 1, r"cannot write .*log\.jsonl: No space left on device", 40)
                self.assertEqual(said.count("cannot write"), 1, said)
                shutil.rmtree(out)

    def test_a_full_disk_under_checkpoints(self):
        disk = self.small_disk()
        for policy in some(["dp-a"], ["single", *POLICIES]):
            with self.subTest(policy=policy):
                options = POLICIES[policy][0] if policy in POLICIES else []
                (disk / "filler").write_bytes(bytes(60 << 10))
                run = self.start(*options, *ENDLESS, "--checkpoint", disk / policy, "--every", "100")
                self.ends(run, 1, r"cannot write .*: No space left on device", 40)
                (disk / "filler").unlink()
                shutil.rmtree(disk / policy, ignore_errors=True)

    def test_full_shared_memory(self):
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no rights to unshare")
        for size in some(["16k"], ["4k", "16k", "8m"]):
            with self.subTest(size=size):
                run = self.start(*POLICIES["dp-a"][0], "--set", "steps=50", before=[
                    "unshare", "--mount", "bash", "-c", f'mount -t tmpfs -o size={size} none /dev/shm && exec "$0" "$@"'])
                said = run.communicate(timeout=60)[0]
                if run.returncode != 0:
                    self.assertRegex(said, r"(?i)shared memory|/dev/shm|No space left")

    def test_restarted(self):
        policy = self.top / "restart.yaml"
        policy.write_text("groups:\n  worker: {fragments: [environment, actor], replicas: 2}\n  learner: {fragments: rest}\n"
                          "on_failure: restart\n")
        straight = self.start("--policy", "dp-a", "--replicas", "2", "--set", "steps=3000")
        self.ends(straight, 0, "", 60)
        expected = self.results()
        for role in some(["learner"], ["environment", "actor", "learner"]):
            with self.subTest(role=role):
                kept = self.top / f"kept-{role}"
                run = self.start("--policy", policy, "--set", "steps=3000", "--checkpoint", kept, "--every", "200")
                self.wait_for(lambda: self.logged() > 800, run)
                os.kill(self.rank({"environment": 0, "actor": 1, "learner": 2}[role]), signal.SIGKILL)
                self.ends(run, 0, "restarting all ranks from", 60)
                self.assertEqual(self.results(), expected)

    def test_what_fails_again_and_again_ends(self):
        policy = self.top / "restart.yaml"
        policy.write_text("groups:\n  worker: {fragments: [environment, actor]}\n  learner: {fragments: rest}\n"
                          "on_failure: restart\n")
        run = self.start("--policy", policy, *ENDLESS, "--checkpoint", self.top / "kept", "--every", "20", "--set",
                         "fail_in=buffer", "--set", "fail_at=400")
        said = self.ends(run, 1, "(?s)buffer is out of order.*have failed before the next checkpoint", 60)
        self.assertLessEqual(len(re.findall("restarting all ranks", said)), 6)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
