"""on_failure: continue: what a run does without needed ranks, and without others.

Usage: continue_test.py FDG_RUN PLAN MPIRUN [--all]      (without --all: a selection for every day)
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

from faulty_runs import FaultyRuns

FDG_RUN, PLAN, MPIRUN = sys.argv[1:4]
ALL = "--all" in sys.argv
ENDLESS = ["--set", "steps=100000000"]
POLICY = """groups:
  worker: {fragments: [environment, actor], replicas: fill}
  evaluator: {fragments: [evaluator]}
  buffer: {fragments: [buffer]}
  learner: {fragments: [learner]}
boundaries:
  experience: {mode: drain, window: 3%s}
  batch: {window: 16}
  weights: {mode: newest}
stop: %s
on_failure: continue
"""
# The ranks of three workers: rank 0 is one that is needed.
BUFFER, WORKERS, EVALUATOR, LEARNER = 0, [1, 2, 4], 3, 5
LONGEST_PAUSE = 2


class Continue(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def policy(self, paces=", pack: 50, ahead: any, behind: any", stop="learner"):
        path = self.top / "continue.yaml"
        path.write_text(POLICY % (paces, stop))
        return path

    def started(self, *options, workers=3, policy=None, **how):
        run = self.start("--policy", policy or self.policy(), "--replicas", workers, *options, **how)
        self.wait_for(lambda: self.logged() > 50, run)
        return run

    def pause_after(self, point):
        """The longest time between two lines of the learner from that one on, as it says itself."""
        lines = [json.loads(line) for line in (self.out / "log.jsonl").read_text().splitlines()]
        times = [line["seconds"] for line in lines if line["key"] == "weight"][point:]
        return max(b - a for a, b in zip(times, times[1:]))

    def test_the_others_go_on_without_a_worker(self):
        for carrier in ["auto", "mpi"] if ALL else ["auto"]:
            for victim in WORKERS if ALL else WORKERS[:1]:
                with self.subTest(carrier=carrier, victim=victim):
                    run = self.started("--set", "steps=3000", "--carrier", carrier, quiet=False)
                    point = self.logged() - 5
                    os.kill(self.rank(victim), signal.SIGKILL)
                    said = self.ends(run, 0, rf"fdg-run: rank {victim} \(process \d+ on .*\) has died; the run goes on "
                                             r"without worker replica \d of 3", 120)
                    self.assertEqual(self.logged(), 3000)
                    self.assertGreater(self.logged("score"), 1)
                    self.assertTrue((self.out / "model.safetensors").exists())
                    self.assertLessEqual(self.pause_after(point), LONGEST_PAUSE)
                    self.assertRegex(said, rf"finished after 3,000 iterations.*\nafter .* s: rank {victim} .* has died")
                    self.assertRegex(said, r"(?m)^ *actor +3, 1 lost")

    def test_one_after_the_other_until_nobody_is_left(self):
        # So many rows that their tensors are pieces of their own, of which a dead rank leaves some behind.
        run = self.started(*ENDLESS, "--carrier", "mpi", "--set", "envs=12000")
        for victim, how in zip(WORKERS, [signal.SIGSEGV, signal.SIGKILL, signal.SIGKILL]):
            reached = self.logged()
            self.wait_for(lambda: self.logged() > reached + 20, run)
            os.kill(self.rank(victim), how)
        said = self.ends(run, 1, r"the run failed: rank 4 .* which ran worker replica \d of 3, and nobody of group worker")
        self.assertEqual(said.count("the run goes on without worker"), 2, said)

    def test_two_at_once(self):
        run = self.started("--set", "steps=1500")
        for victim in [self.rank(rank) for rank in WORKERS[1:]]:
            os.kill(victim, signal.SIGKILL)
        said = self.ends(run, 0, "", 120)
        self.assertEqual(said.count("has died; the run goes on"), 2, said)

    def test_who_paces_the_learner_holds_it_no_longer(self):
        run = self.started("--set", "steps=30000", "--set", "pause_us=0",
                           policy=self.policy(", ahead: 8, behind: 8"), workers=2)
        os.kill(self.rank(1), signal.SIGKILL)
        self.ends(run, 0, "goes on without worker", 120)
        self.assertEqual(self.logged(), 30000)

    def test_without_a_stop_group(self):
        run = self.started("--set", "steps=3000", policy=self.policy(", ahead: 8, behind: 8", stop="all"), workers=2)
        os.kill(self.rank(1), signal.SIGKILL)
        self.ends(run, 0, "goes on without worker", 120)
        self.assertEqual(self.logged(), 3000)

    def test_a_rank_that_is_needed_ends_the_run(self):
        for rank, work in [(LEARNER, "learner"), (BUFFER, "buffer and kept the log")]:
            with self.subTest(work=work):
                run = self.started(*ENDLESS)
                os.kill(self.rank(rank), signal.SIGKILL)
                said = self.ends(run, 1, rf"the run failed: rank {rank} \(process \d+ on .*\) has died, and the run "
                                         rf"cannot go on without it: it ran {work}\n")
                self.assertEqual(said.count("fdg-run:"), 1, said)

    def test_who_died_is_told_though_who_would_tell_it_is_stopped(self):
        run = self.started(*ENDLESS)
        os.kill(self.rank(1), signal.SIGSTOP)  # the first of the survivors
        os.kill(self.rank(BUFFER), signal.SIGKILL)
        said = self.ends(run, 1, r"the run failed: rank 0 \(process \d+ on .*\) has died, and the run cannot go on without it")
        self.assertEqual(said.count("fdg-run:"), 1, said)

    def test_the_only_evaluator_ends_the_run(self):
        run = self.started(*ENDLESS)
        os.kill(self.rank(EVALUATOR), signal.SIGKILL)
        self.ends(run, 1, "which ran evaluator, and nobody of group evaluator is left")

    def test_all_at_once(self):
        run = self.started(*ENDLESS, workers=1)
        for process in [self.rank(rank) for rank in range(4)]:
            os.kill(process, signal.SIGKILL)
        self.ends(run, 1, "fdg-run: all ranks died before the run had ended")

    def test_an_exception_of_a_worker_is_its_death(self):
        run = self.start("--policy", self.policy(), "--replicas", "2", *ENDLESS, "--set", "fail_in=actor", "--set",
                         "fail_at=2000")
        said = self.ends(run, 1, "nobody of group worker is left", 60)
        self.assertEqual(len(re.findall(r"rank \d failed: fragment actor, replica \d, iteration 1999: the actor", said)), 2)

    def test_an_exception_of_the_learner_ends_the_run(self):
        run = self.start("--policy", self.policy(), "--replicas", "2", *ENDLESS, "--set", "fail_in=learner")
        self.ends(run, 1, "(?s)rank 4: fragment learner, replica 0, iteration 49: the learner is out of order", 60)

    def test_a_stopped_rank_is_not_dead(self):
        run = self.started("--set", "steps=2500")
        process = self.rank(WORKERS[0])
        os.kill(process, signal.SIGSTOP)
        reached = self.logged()
        self.wait_for(lambda: self.logged() > reached + 500, run)
        os.kill(process, signal.SIGCONT)
        self.assertNotIn("died", self.ends(run, 0, "", 120))

    def test_who_waits_for_a_stopped_rank_ends_the_run(self):
        run = self.started(*ENDLESS, "--stuck-after", "3s")
        os.kill(self.rank(LEARNER), signal.SIGSTOP)
        self.ends(run, 1, r"(?s)--stuck-after.*waits (for|until)", 40)

    def test_interrupted(self):
        for victim in [None, WORKERS[0]]:
            with self.subTest(victim=victim):
                run = self.started(*ENDLESS, quiet=False)
                if victim is not None:
                    os.kill(self.rank(victim), signal.SIGKILL)
                    reached = self.logged()
                    self.wait_for(lambda: self.logged() > reached + 100, run)
                run.send_signal(signal.SIGINT)
                self.ends(run, 130, "stopped by the user")

    def test_checkpoints_go_on_and_bring_the_lost_ones_back(self):
        kept = self.top / "kept"
        run = self.started(*ENDLESS, "--checkpoint", kept, "--every", "1s", policy=self.policy(", ahead: 16, behind: 16"))

        def newest():
            records = [json.loads(file.read_text()) for file in kept.glob("iteration-*/checkpoint.json")]
            return max(records, key=lambda record: record["number"], default={"number": 0})

        def fragments():
            return len(newest().get("fragments", []))

        self.wait_for(lambda: fragments() == 9, run)
        os.kill(self.rank(WORKERS[0]), signal.SIGKILL)
        self.wait_for(lambda: fragments() == 7, run)
        run.send_signal(signal.SIGINT)
        self.ends(run, 130, "goes on without worker", 30)
        before = newest()["number"]
        lines = self.logged()
        run.stdout.close()
        run = subprocess.Popen([FDG_RUN, "--resume", kept, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
        self.addCleanup(run.kill)
        self.wait_for(lambda: self.logged() > lines + 50, run)
        self.wait_for(lambda: newest()["number"] > before + 1 and fragments() == 9, run)
        run.send_signal(signal.SIGINT)
        self.ends(run, 130, "", 30)

    def refused(self, *says, **how):
        run = self.start("--policy", how.pop("policy", None) or self.policy(), *how.pop("options", []), **how)
        said = self.ends(run, 2, "", 60)
        for text in says:
            self.assertIn(text, said)

    def test_where_every_rank_is_needed_it_is_refused(self):
        ordered = self.top / "ordered.yaml"
        ordered.write_text("groups:\n  worker: {fragments: [environment, actor], replicas: 2}\n"
                           "  learner: {fragments: rest}\non_failure: continue\n")
        self.refused("ordered.yaml:4:13: on_failure: continue, but every rank of this run is needed (group worker: boundary",
                     "is ordered, so learner waits until actor has taken each message", policy=ordered)
        self.refused("it shares its ranks with groups that are needed", options=["-n", "1"])

    def test_without_ulfm_it_is_refused(self):
        other = shutil.which("mpirun.openmpi")
        if other is not None:
            self.refused("on_failure: continue needs Open MPI 5", "4.1", options=["--replicas", "2"],
                         environment={**os.environ, "FDG_MPIRUN": other})
        self.out = self.top / "own"
        own = subprocess.run([MPIRUN, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "5", FDG_RUN,
                              "--policy", self.policy(), "--out", self.out, PLAN], capture_output=True, text=True,
                             timeout=60, check=False)
        self.assertEqual(own.returncode, 2, own.stderr)
        self.assertIn("start it with mpirun --with-ft ulfm --mca coll ^han,cuda", own.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[4 + ALL:]])
