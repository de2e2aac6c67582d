"""Ranks on two machines that share nothing but the plan: channels, training, its files, and how it ends.

Usage: nodes_test.py FDG_RUN MPIRUN FDG_CONFORMANCE PLAN_OF_APEX      (exit code 77: no rights to make namespaces)
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from cluster import Cluster, Unable

sys.path.append(str(pathlib.Path(__file__).parents[1] / "faults"))
from processes import is_fdg_run, processes  # noqa: E402

FDG_RUN, MPIRUN, CONFORMANCE, PLAN = sys.argv[1:5]
SMALL = ["--set", "warmup=40", "--set", "batch=32", "--set", "eval_every=96"]


class Nodes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.private = self.folder.name + "/private"
        os.mkdir(self.private)
        self.cluster = self.enterContext(Cluster(MPIRUN, self.private))

    def call(self, ranks, *program):
        done = subprocess.run(self.cluster.command(ranks, program), capture_output=True, text=True, timeout=280,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_there_are_two_machines_that_share_no_folder(self):
        pathlib.Path(self.private, "here").touch()
        said = self.call(2, "bash", "-c", f"echo $(hostname) $(ls {self.private})").split("\n")
        self.assertEqual(sorted(line for line in said if line),
                         [f"{self.cluster.name}a here", f"{self.cluster.name}b"])

    def test_the_suite_of_the_carriers(self):
        for carrier in ("mpi", "shared"):
            with self.subTest(carrier=carrier):
                self.assertIn("PASSED", self.call(4, CONFORMANCE, f"--carrier={carrier}"))

    def test_equal_to_the_sequential_run(self):
        for policy in (["dp-a", "--replicas", "2"], ["dp-b", "--replicas", "3"]):
            said = self.call(int(policy[-1]) + 1, FDG_RUN, "--policy", *policy, "--verify", "100", *SMALL, PLAN)
            self.assertIn("equal to the sequential run, bit for bit", said)

    def test_the_run_is_written_where_rank_0_is(self):
        for policy, ranks in (("apex", 4), ("dp-a", 2)):
            with self.subTest(policy=policy):
                out = f"{self.private}/{policy}"
                self.call(ranks, FDG_RUN, "--quiet", "--policy", policy, "--replicas", "1", "--out", out, "--set",
                          "steps=600", *SMALL, PLAN)
                keys = {json.loads(line)["key"] for line in pathlib.Path(out, "log.jsonl").read_text().splitlines()}
                self.assertIn("loss", keys)
                self.assertTrue(pathlib.Path(out, "model.safetensors").exists())

    def test_a_killed_rank_ends_all_of_both_machines(self):
        out = self.private + "/run"
        run = subprocess.Popen(self.cluster.command(3, [FDG_RUN, "--quiet", "--policy", "dp-a", "--replicas", "2", "--out",
                                                        out, "--set", "steps=100000000", *SMALL, PLAN]),
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log = pathlib.Path(out, "log.jsonl")
        self.wait_for(lambda: log.exists() and "loss" in log.read_text(), 60)
        os.kill(self.ranks(out)[-1], signal.SIGKILL)
        begun = time.monotonic()
        said = run.communicate(timeout=20)[0]
        self.assertNotEqual(run.returncode, 0)
        self.assertLess(time.monotonic() - begun, 10, said)
        self.wait_for(lambda: not self.ranks(out), 10)

    @staticmethod
    def ranks(out):
        return [process for process in processes(out) if is_fdg_run(process)]

    def wait_for(self, condition, seconds):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "it takes too long")
            time.sleep(0.1)


def main():
    try:
        with Cluster(MPIRUN, "/"):
            pass
    except Unable as why:
        print(f"skipped: {why}")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], "-v"])


if __name__ == "__main__":
    main()
