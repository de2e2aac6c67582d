"""Replicas as threads of one process: they fail, end and go on as ranks do, in one process without mpirun.

Usage: threads_test.py FDG_RUN PLAN MPIRUN
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from faulty_runs import FaultyRuns
from processes import processes

FDG_RUN, PLAN, MPIRUN = sys.argv[1:4]
ENDLESS = ["--set", "steps=100000000"]
THREADS = ["--policy", "threads", "--replicas", "2"]
ON = {"environment": "[01]", "actor": "[01]", "evaluator": "2", "buffer": "3", "learner": "[45]"}
DRAINED = """\
groups:
  worker: {fragments: [environment, actor], replicas: 2, in: threads}
  evaluator: {fragments: [evaluator], in: threads}
  buffer: {fragments: [buffer], in: threads}
  learner: {fragments: [learner], in: threads}
boundaries:
  experience: {mode: drain, ahead: any, behind: any}
  weights: {mode: newest}
stop: learner
"""
CALLED = DRAINED.replace("mode: drain", "mode: inline")


class Threads(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def begun(self, *options, quiet=True, lines=50):
        run = self.start(*options, *ENDLESS, quiet=quiet)
        self.wait_for(lambda: self.logged() >= lines, run)
        return run

    def asynchronous(self, text=DRAINED):
        policy = self.top / ("called.yaml" if "inline" in text else "apart.yaml")
        policy.write_text(text)
        return ["--policy", policy]

    def test_it_is_one_process(self):
        run = self.begun(*THREADS)
        self.assertEqual(processes(str(self.out)), [run.pid])
        self.assertGreaterEqual(len(os.listdir(f"/proc/{run.pid}/task")), 6)
        self.assertNotIn("/dev/shm/fdg", pathlib.Path(f"/proc/{run.pid}/maps").read_text())
        run.send_signal(signal.SIGINT)
        self.ends(run, 130)

    def test_what_waits_sleeps(self):
        """While one thread of six computes, the others take no time."""
        run = self.begun(*THREADS, "--set", "pause_us=2000000", lines=1)

        def seconds():
            return sum(map(int, pathlib.Path(f"/proc/{run.pid}/stat").read_text().rsplit(")")[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")
        before = seconds()
        time.sleep(4)
        self.assertLess(seconds() - before, 0.8)
        run.send_signal(signal.SIGINT)
        self.ends(run, 130)

    def test_an_exception_is_told_with_its_place(self):
        for policy in (THREADS, self.asynchronous(), self.asynchronous(CALLED)):
            for role, thread in ON.items():
                with self.subTest(policy=policy, role=role):
                    run = self.start(*policy, *ENDLESS, "--set", f"fail_in={role}")
                    on = thread if policy == THREADS else r"\d"
                    said = self.ends(run, 1, rf"the run failed on thread {on}: fragment {role}, replica \d+, iteration \d+: "
                                             rf"the {role} is out of order", 10)
                    self.assertEqual(said.count("the run failed"), 1, said)

    def test_an_estimate_says_what_it_takes_for_drained(self):
        timings = self.top / "timings.json"
        self.ends(self.start("--timings", timings, "--set", "steps=100"), 0)
        cluster = self.top / "cluster.yaml"
        cluster.write_text("nodes: [{cores: 8}]")
        for text, says in ((CALLED, True), (DRAINED, False)):
            said = subprocess.run([FDG_RUN, *self.asynchronous(text), "--dry-run", "--cluster", cluster, "--timings", timings,
                                   PLAN], capture_output=True, text=True, check=True).stdout
            self.assertIn("one iteration takes", said)
            self.assertEqual("takes experience as drained, which is inline" in said, says, said)

    def test_what_fails_in_a_call_is_told_of_its_sender_and_its_boundary(self):
        run = self.start(*self.asynchronous(CALLED), *ENDLESS, "--set", "fail_in=adding")
        self.ends(run, 1, r"thread [01]: fragment environment, replica [01], iteration \d+: line \d+: experience, called "
                          r"inline: the adding is out of order")

    def test_senders_call_until_the_end(self):
        """Whoever ends first, at whatever moment: the run ends, and under stop: all each row that was sent was added."""
        ends_together = CALLED.replace("stop: learner", "stop: all")
        for text, rounds in ((CALLED, 10), (ends_together, 10), (ends_together.replace("any", "2"), 5)):
            for steps in range(40, 40 + 7 * rounds, 7):
                run = self.start(*self.asynchronous(text), "--set", f"steps={steps}", "--set", "pause_us=0", quiet=False)
                said = self.ends(run, 0)
                sent = [line.split()[1] for line in said.splitlines() if line.split()[:1] == ["experience"]]
                if "stop: all" in text:
                    self.assertEqual(sent, [str(2 * steps)], said)

    def test_checkpoints_while_senders_call(self):
        steps = ["--set", "steps=4000", "--set", "pause_us=500"]
        kept, out = self.top / "kept", self.top / "called"
        run = self.start(*self.asynchronous(CALLED), *steps, "--checkpoint", kept, "--every", "50", "--out", out)
        seen = set()
        self.wait_for(lambda: seen.update(f.parent.name for f in kept.glob("[!.]*/checkpoint.json")) or len(seen) > 2, run)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        subprocess.run([FDG_RUN, "--quiet", "--resume", kept], check=True, timeout=60)
        points = map(json.loads, (out / "log.jsonl").read_text().splitlines())
        self.assertEqual({point["iteration"] for point in points if point["key"] == "weight"}, set(range(4000)))

    def test_what_was_logged_before_an_exception_is_not_lost(self):
        run = self.start(*THREADS, *ENDLESS, "--set", "fail_in=learner", "--set", "fail_at=300")
        self.ends(run, 1, "learner is out of order")
        self.assertGreaterEqual(self.logged(), 295)

    def test_a_number_that_is_none_is_told(self):
        run = self.start(*THREADS, *ENDLESS, "--set", "fail_in=learner", "--set", "fail_how=nan")
        self.ends(run, 1, r"grads.*replica 1.*not finite")

    def test_signals(self):
        for policy in (THREADS, self.asynchronous(), self.asynchronous(CALLED)):
            for sent, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
                with self.subTest(policy=policy, signal=sent):
                    run = self.begun(*policy, quiet=False)
                    run.send_signal(sent)
                    said = self.ends(run, code, "stopped by the user")
                    self.assertEqual(said.count("stopped by the user"), 1, said)
                    self.assertTrue((self.out / "log.jsonl").read_text().endswith("\n"))

    def test_killed_and_resumed_it_ends_as_if_it_had_not_been(self):
        steps = ["--set", "steps=600"]
        self.ends(self.start(*THREADS, *steps), 0, seconds=60)
        straight = self.results()
        self.ends(self.start("--policy", "shared-replay", "--replicas", "2", *steps), 0, seconds=60)
        self.assertEqual(straight, self.results(), "threads and ranks give the same")
        kept, out = self.top / "kept", self.top / "killed"
        run = self.start(*THREADS, *steps, "--checkpoint", kept, "--every", "100", "--out", out)
        self.wait_for(lambda: list(kept.glob("[!.]*/checkpoint.json")), run)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        subprocess.run([FDG_RUN, "--quiet", "--resume", kept], check=True, timeout=60)
        self.out = out
        self.assertEqual(straight, self.results())

    def test_an_interrupted_run_makes_a_last_checkpoint(self):
        steps = ["--set", "steps=3000"]  # it goes on for 0.3 s yet
        self.ends(self.start(*THREADS, *steps), 0, seconds=60)
        straight = self.results()
        kept, out = self.top / "kept", self.top / "stopped"
        run = self.start(*THREADS, *steps, "--checkpoint", kept, "--every", "1h", "--out", out)
        self.wait_for(lambda: self.logged() > 20, run)
        run.send_signal(signal.SIGTERM)
        self.ends(run, 143)
        self.assertEqual(len(list(kept.glob("[!.]*/checkpoint.json"))), 1)
        subprocess.run([FDG_RUN, "--quiet", "--resume", kept], check=True, timeout=60)
        self.out = out
        self.assertEqual(straight, self.results())

    def test_a_stuck_run_names_who_waits(self):
        run = self.start(*THREADS, *ENDLESS, "--set", "pause_us=100000000", "--stuck-after", "2s")
        self.ends(run, 1, r"(?s)the run failed on thread \d: nothing has moved for 2 s.*waits for", 20)

    def test_what_is_for_processes_is_refused(self):
        self.ends(self.start(*THREADS, "--carrier", "mpi"), 2, "threads.yaml says in: threads.*leave --carrier mpi")
        call = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
        self.ends(self.start(*THREADS, before=[*call, "2"]), 2, "start fdg-run by itself", 60)
        self.ends(self.start(*THREADS, "--set", "steps=100", before=[*call, "1"]), 0, seconds=60)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
