"""However a run ends, no process and no shared memory is left, and the exit code says how it ended.

Usage: ending_test.py FDG_RUN FOLDER_OF_PLANS
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from processes import left_in_shared_memory, processes, shared_memory, workers_of

FDG_RUN, PLANS = sys.argv[1:3]
LONG = ["--set", "steps=100000000", "--set", "warmup=200", "--set", "eval_every=960"]


class Ending(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = self.folder.name + "/run"
        self.temporary = pathlib.Path(self.folder.name, "tmp")
        self.temporary.mkdir()
        self.before = shared_memory()

    def tearDown(self):
        self.folder.cleanup()

    def start(self, *options):
        command = [FDG_RUN, *options, "--out", self.out, *LONG, f"{PLANS}/apex.plan"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, "TMPDIR": str(self.temporary)})

    def wait_until_it_runs(self, run):
        """Until the log has a loss: every fragment is at work then."""
        log = pathlib.Path(self.out, "log.jsonl")
        for _ in range(600):
            if log.exists() and "loss" in log.read_text():
                return
            self.assertIsNone(run.poll(), "the run ended early")
            time.sleep(0.1)
        self.fail("the run did not get going")

    def assert_nothing_is_left(self):
        """Neither by FDG nor by Open MPI."""
        for _ in range(100):
            if not processes(self.out):
                break
            time.sleep(0.1)
        self.assertEqual(processes(self.out), [])
        self.assertEqual(left_in_shared_memory(self.before), set())
        self.assertEqual([file for file in self.temporary.rglob("*") if not file.name.startswith("fdg-run-")], [])

    def assert_is_not_overwritten(self, policy):
        before = pathlib.Path(self.out, "log.jsonl").read_bytes()
        again = self.start(*policy)
        said = again.communicate(timeout=60)[0]
        self.assertEqual(again.returncode, 2, said)
        self.assertIn("holds a run already", said)
        self.assertEqual(pathlib.Path(self.out, "log.jsonl").read_bytes(), before)

    def workers(self):
        return workers_of(self.out)

    def test_ctrl_c(self):
        for policy in (["--policy", "apex", "--replicas", "2"], ["--policy", "dp-a", "--replicas", "2"],
                       ["--policy", "single"]):
            with self.subTest(policy=policy):
                self.out = f"{self.folder.name}/{policy[1]}"
                run = self.start(*policy)
                self.wait_until_it_runs(run)
                run.send_signal(signal.SIGINT)
                self.assertEqual(run.wait(timeout=20), 130)
                self.assert_nothing_is_left()
                self.assertTrue(pathlib.Path(self.out, "log.jsonl").read_text().endswith("\n"))
                run.stdout.close()
                self.assert_is_not_overwritten(policy)

    def test_ctrl_c_twice(self):
        run = self.start("--policy", "dp-a", "--replicas", "2")
        self.wait_until_it_runs(run)
        os.kill(sorted(self.workers())[0], signal.SIGSTOP)  # so that the first is not enough
        run.send_signal(signal.SIGINT)
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(timeout=5), 130)
        self.assert_nothing_is_left()
        run.stdout.close()

    def test_terminate(self):
        run = self.start("--policy", "apex", "--replicas", "2")
        self.wait_until_it_runs(run)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(timeout=20), 143)
        self.assert_nothing_is_left()
        run.stdout.close()

    def test_a_killed_rank_ends_the_run(self):
        run = self.start("--policy", "dp-a", "--replicas", "2")
        self.wait_until_it_runs(run)
        os.kill(sorted(self.workers())[-1], signal.SIGKILL)
        self.assertEqual(run.wait(timeout=20), 1)
        self.assert_nothing_is_left()
        run.stdout.close()

    def test_a_stopped_rank_is_named(self):
        run = self.start("--policy", "dp-a", "--replicas", "2", "--stuck-after", "3")
        self.wait_until_it_runs(run)
        os.kill(sorted(self.workers())[-1], signal.SIGSTOP)
        said = run.communicate(timeout=30)[0]
        self.assertEqual(run.returncode, 1, said)
        self.assertIn("--stuck-after", said)
        self.assertRegex(said, "waits for|has heard nothing of")
        self.assert_nothing_is_left()

    def test_a_killed_mpirun_leaves_nothing_that_a_later_run_could_meet(self):
        run = self.start("--policy", "dp-a", "--replicas", "2")
        self.wait_until_it_runs(run)
        mpirun, = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        os.kill(int(mpirun), signal.SIGKILL)
        said = run.communicate(timeout=20)[0]
        self.assertEqual(run.returncode, 1, said)
        self.assertIn("mpirun was killed by signal 9", said)
        self.assert_nothing_is_left()
        self.assertEqual(os.listdir(self.temporary), [])

    def test_a_killed_launcher_takes_its_ranks_along(self):
        run = self.start("--policy", "dp-a", "--replicas", "2")
        self.wait_until_it_runs(run)
        run.kill()
        run.wait()
        self.assert_nothing_is_left()
        run.stdout.close()

    def test_memory_stays_bounded_under_apex(self):
        """Actors are never slowed by a full queue into growing one: resident memory levels off."""
        run = self.start("--policy", "apex", "--replicas", "2", "--set", "replay.capacity=2000")
        self.wait_until_it_runs(run)

        def resident():
            total = 0
            for worker in self.workers():
                status = pathlib.Path(f"/proc/{worker}/status").read_text()
                total += int(re.search(r"VmRSS:\s+(\d+)", status).group(1))
            return total

        def lines():
            return pathlib.Path(self.out, "log.jsonl").read_text().count("\n")

        def wait_for_lines(more):
            goal = lines() + more
            while lines() < goal:
                self.assertIsNone(run.poll(), "the run ended early")
                time.sleep(0.1)

        wait_for_lines(3000)
        first = resident()
        wait_for_lines(6000)
        grown = resident() - first
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(timeout=20), 130)
        run.stdout.close()
        self.assertLess(grown, 30_000, "kB more after twice as many iterations again")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
