"""The door of fdg-run from outside: sentences, exit codes, runs of a small hand-made plan.

Usage: door_test.py FDG_RUN PLAN SITE_PACKAGES
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

FDG_RUN, PLAN, SITE = sys.argv[1:4]


class Door(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.cwd = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_door(self, *options, code=0, plan=PLAN):
        done = subprocess.run([FDG_RUN, *options, plan], cwd=self.cwd, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def points(self, folder):
        return [json.loads(line) for line in (self.cwd / folder / "log.jsonl").read_text().splitlines()]

    def test_wrong_calls_are_one_sentence_and_nothing_starts(self):
        for options, part in [(["--policy", "dpa"], 'there is no policy "dpa"; did you mean dp-a?'),
                              (["-n", "4"], "policy single has work for 1 rank"),
                              (["--replicas", "2"], "no group with replicas: fill"),
                              (["--set", "step=3"], "did you mean steps?"),
                              (["--set", "steps=x"], "steps takes an integer"),
                              (["--config", "none.yaml"], "cannot read the config none.yaml"),
                              (["--policy", "dp-b", "-n", "100000"], "100000 ranks on "),
                              (["--policy", "dp-a"], 'names "actor", which count does not have'),
                              (["--config", "/tmp"], "cannot read the config /tmp: Is a directory"),
                              (["--checkpoint", "/proc/x"], "cannot write in the folder /proc/x"),
                              (["--resume", "/tmp"], "there is no checkpoint.json in it"),
                              (["--out", "/proc/x"], "cannot make the folder /proc/x")]:
            done = self.run_door(*options, code=2)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stderr.count("fdg-run:"), 1, done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertFalse((self.cwd / "runs").exists())
        self.assertIn("No such file", self.run_door(plan="none.plan", code=2).stderr)
        for option in ("--timings", "--timeline"):  # not at the end of the run
            self.assertIn(f"cannot write /nope/x ({option})", self.run_door(option, "/nope/x", code=2).stderr)
        (self.cwd / "empty.yaml").touch()
        done = self.run_door("--dry-run", "--cluster", "empty.yaml", code=2)
        self.assertIn("--cluster empty.yaml: this file is empty", done.stderr)

    def test_explain_and_dry_run_start_nothing(self):
        text = self.run_door("--explain").stdout
        self.assertIn("environment", text)
        self.assertRegex(text, r"sizes +ints +1 +Some sizes")  # as the config has it, not the source
        text = self.run_door("--policy", "dp-b", "-n", "3", "--dry-run").stdout
        self.assertIn("3 ranks, 3 instances", text)
        self.assertIn("2 shared memory", text)
        self.assertFalse((self.cwd / "runs").exists())

    def test_a_cluster_that_is_described(self):
        cluster = self.cwd / "cluster.yaml"
        cluster.write_text("nodes: [{count: 2, cores: 2}]\nbetween: {latency: 50ms, bandwidth: 1GB/s}\n")
        dry = ["--policy", "dp-b", "--dry-run", "--cluster", "cluster.yaml"]
        text = self.run_door(*dry).stdout
        self.assertIn("2 nodes with 2 ranks each", text)
        self.assertIn("No estimate without timings", text)
        self.run_door("--quiet", "--timings", "t.json", "--set", "steps=20")
        text = self.run_door(*dry, "--timings", "t.json").stdout
        self.assertIn("Estimate", text)
        # Of the first three ranks, which send two rows or three, one is on the learner's node.
        self.assertRegex(text, r"value +1 +none +1 message, \d+ B +2 messages, \d+ B")
        self.assertIn("1 node with 1 rank", self.run_door(*dry, "-n", "1").stdout)
        for options, part in [([*dry, "-n", "9"], "has room for 4 ranks"),
                              (["--cluster", "cluster.yaml"], "describes a cluster for --dry-run"),
                              ([*dry, "--replicas", "7"], "wants 8 ranks"),
                              ([*dry, "--timings", "none.json"], "no such file"),
                              ([*dry, "--timings", "cluster.yaml"], "not a file that --timings wrote"),
                              (["--timings", "a", "--timings", "b"], "writes one file"),
                              (["--timings", "a", "--dry-run"], "add --cluster")]:
            self.assertIn(part, self.run_door(*options, code=2).stderr)
        cluster.write_text("nodes:\n  - {cores: none}\n")
        self.assertIn("cluster.yaml:2:13: cores takes", self.run_door(*dry, code=2).stderr)

    def test_single_runs_in_one_process_and_folders_count_up(self):
        done = self.run_door()
        self.assertIn("finished after 10 iterations", done.stdout)
        self.run_door("--set", "opt.rate=1", "--quiet")
        first, second = self.points("runs/count-001"), self.points("runs/count-002")
        self.assertEqual([p["value"] for p in first], [0.5 * (28 + 8 * i) for i in range(10)])
        self.assertEqual([p["value"] for p in second], [28.0 + 8 * i for i in range(10)])
        self.assertEqual([p["index"] for p in first], list(range(10)))
        record = json.loads((self.cwd / "runs/count-002/run.json").read_text())
        self.assertEqual(record["config"]["opt.rate"], "1")

    def test_ranks_give_what_one_process_gives(self):
        self.run_door("--out", "one", "--quiet")
        for n, carrier in [("2", "auto"), ("4", "auto"), ("3", "mpi")]:
            done = self.run_door("--policy", "dp-b", "-n", n, "--carrier", carrier, "--out", n, "--quiet")
            self.assertEqual(done.stdout + done.stderr, "")
            self.assertEqual([p["value"] for p in self.points(n)], [p["value"] for p in self.points("one")])
        self.run_door("--policy", "dp-b", "--replicas", "4", "-n", "2", "--out", "fused", "--quiet")
        self.assertEqual([p["value"] for p in self.points("fused")], [p["value"] for p in self.points("one")])

    def test_a_failure_is_said_once_and_is_exit_1(self):
        for options in [[], ["--policy", "dp-b", "-n", "3"]]:
            done = self.run_door("--set", "fail=true", "--out", f"failed{len(options)}", *options, code=1)
            self.assertEqual(done.stderr.count("the sink is full"), 1, done.stderr)
            self.assertNotIn("------", done.stderr)

    def test_a_number_that_is_thrown_is_told_with_its_place(self):
        for options in [[], ["--policy", "dp-b", "-n", "3"]]:
            done = self.run_door("--set", "number=true", *options, code=1)
            self.assertIn("fragment learner, replica 0, iteration 3: something was thrown", done.stderr)

    def test_what_computes_without_an_end_is_named(self):
        hangs = ["--set", "hang=true", "--stuck-after", "1s", "--quiet"]
        done = self.run_door(*hangs, "--out", "alone", code=1)
        self.assertIn("fragment learner, replica 0, iteration 3 has computed for 1 s", done.stderr)
        self.assertEqual([p["index"] for p in self.points("alone")], [0, 1, 2])
        done = self.run_door(*hangs, "--policy", "dp-b", "-n", "3", code=1)
        self.assertRegex(done.stderr, r"on rank \d: fragment learner, replica 0, iteration 3 has computed for 1 s")
        self.assertIn("nothing has moved for 1 s (--stuck-after)", done.stderr)

    def test_a_folder_is_of_one_run_at_a_time(self):
        run = self.endless()
        for options in [[], ["--policy", "dp-b", "-n", "2"]]:
            done = self.run_door("--out", "endless", *options, code=2)
            self.assertIn("another run is at work in the folder endless", done.stderr)
        run.kill()  # and the lock goes with it
        run.communicate(timeout=30)
        self.assertIn("holds a run already", self.run_door("--out", "endless", code=2).stderr)
        both = [subprocess.Popen([FDG_RUN, "--quiet", "--out", "both", PLAN], cwd=self.cwd, stderr=subprocess.DEVNULL)
                for _ in range(2)]
        self.assertEqual(sorted(run.wait(timeout=60) for run in both), [0, 2])
        self.assertEqual([p["index"] for p in self.points("both")], list(range(10)))

    def test_ranks_that_are_called_differently_are_refused(self):
        other = self.cwd / "other.plan"
        other.write_bytes(pathlib.Path(PLAN).read_bytes() + b"x")
        policy = self.cwd / "other.yaml"
        policy.write_text("groups: {learner: {fragments: [learner]}, rest: {fragments: [rest], with: learner}}\n")
        before = set(os.listdir("/dev/shm"))
        same = ["--policy", "dp-b", "--quiet", "--out", "x"]
        for options, plan, part in [(["--seed", "5"], PLAN, "its --seed is 5, rank 0's is 1"),
                                    (["--set", "steps=3"], PLAN, "its config field steps is 3, rank 0's is 10"),
                                    (["--carrier", "mpi"], PLAN, "its --carrier is mpi, rank 0's is auto"),
                                    (["-n", "3"], PLAN, "its -n is 3, rank 0's is none"),
                                    (["--policy", str(policy)], PLAN, "its policy is one with the checksum"),
                                    ([], other, "its plan is one with the checksum")]:
            call = [FDG_RUN, *same, PLAN]
            differs = [FDG_RUN, *(options + same[2:] if "--policy" in options else same + options), plan]
            done = subprocess.run([*self.mpirun(), "-n", "1", *call, ":", "-n", "1", *differs], cwd=self.cwd,
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("rank 1: " + part, done.stderr)
            self.assertFalse((self.cwd / "x").exists())
        self.assertEqual({name for name in set(os.listdir("/dev/shm")) - before if name.startswith("fdg")}, set())

    def mpirun(self):
        return [pathlib.Path(SITE).parents[2] / "bin/mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to",
                "none"]

    def test_under_mpirun_only_rank_0_speaks(self):
        command = [*self.mpirun(), "-n", "3", FDG_RUN, "--policy", "dp-b", "--out", "direct"]
        done = subprocess.run([*command, PLAN], cwd=self.cwd, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("finished after"), 1)
        wrong = subprocess.run([*command, "--set", "step=1", PLAN], cwd=self.cwd, capture_output=True, text=True,
                               timeout=60)
        self.assertEqual(wrong.returncode, 2)
        self.assertEqual(wrong.stderr.count("did you mean steps?"), 1, wrong.stderr)
        dry = subprocess.run([*command, "--dry-run", PLAN], cwd=self.cwd, capture_output=True, text=True, timeout=60)
        self.assertEqual(dry.stdout.count("3 ranks, 3 instances"), 1, dry.stdout + dry.stderr)

    def test_an_mpirun_that_cannot_run_says_why(self):
        mpirun = self.cwd / "mpirun"
        mpirun.write_text("#!/bin/sh\necho there is no home >&2\nexit 1\n")
        mpirun.chmod(0o755)
        done = subprocess.run([FDG_RUN, "--policy", "dp-b", "-n", "2", PLAN], cwd=self.cwd, capture_output=True, text=True,
                              timeout=60, env={**os.environ, "FDG_MPIRUN": str(mpirun)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("mpirun cannot run, it says:\nthere is no home", done.stderr)

    def test_tensorboard_reads_the_events(self):
        self.run_door("--out", "tb", "--quiet")
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
        events = EventAccumulator(str(self.cwd / "tb"))
        events.Reload()
        self.assertEqual(events.Tags()["scalars"], ["loss"])
        points = events.Scalars("loss")
        self.assertEqual([p.value for p in points], [0.5 * (28 + 8 * i) for i in range(10)])
        self.assertEqual([p.step for p in points], list(range(10)))

    def endless(self, *options):
        log = self.cwd / "endless/log.jsonl"
        log.unlink(missing_ok=True)
        run = subprocess.Popen([FDG_RUN, "--set", "steps=1000000000", "--out", "endless", *options, PLAN],
                               cwd=self.cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while run.poll() is None and not (log.exists() and log.stat().st_size > 0):
            time.sleep(0.05)
        self.assertIsNone(run.poll())
        return run

    def left_over(self):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "cwd") == str(self.cwd.resolve()) \
                        and b"fdg-run" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def assert_all_gone(self):
        deadline = time.monotonic() + 20
        while self.left_over() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.left_over(), [])

    def test_signals_end_the_run_with_their_code(self):
        for options in [[], ["--policy", "dp-b", "-n", "3"]]:
            for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
                run = self.endless(*options)
                run.send_signal(number)
                out, errors = run.communicate(timeout=30)
                self.assertEqual(run.returncode, code, errors)
                self.assertIn("stopped by the user", out, errors)
                self.assert_all_gone()
                self.assertTrue((self.cwd / "endless/log.jsonl").read_text().endswith("\n"))
                self.points("endless")

    def test_a_second_signal_ends_it_at_once(self):
        run = self.endless("--policy", "dp-b", "-n", "3")
        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=30)
        self.assertEqual(run.returncode, 130)
        self.assert_all_gone()

    def test_a_killed_door_leaves_no_orphans(self):
        run = self.endless("--policy", "dp-b", "-n", "3")
        run.kill()
        run.communicate(timeout=30)
        self.assert_all_gone()

    def test_a_killed_rank_ends_the_run(self):
        run = self.endless("--policy", "dp-b", "-n", "3")
        workers = [p for p in self.left_over()
                   if b"--worker" in pathlib.Path(f"/proc/{p}/cmdline").read_bytes()
                   and os.readlink(f"/proc/{p}/exe") == os.path.realpath(FDG_RUN)]
        self.assertEqual(len(workers), 3)
        os.kill(max(workers), signal.SIGKILL)
        _, errors = run.communicate(timeout=30)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(errors, "rank [0-2] .*(killed|signal 9)")
        self.assert_all_gone()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
