"""A run that is killed and resumed ends as one that was never interrupted: log and weights, bit for bit.

Usage: resume_test.py FDG_RUN FOLDER_OF_PLANS
"""

import fcntl
import filecmp
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from processes import processes, workers_of

FDG_RUN, PLANS = sys.argv[1:3]

CONFIG = {
    "apex": (["--set", "warmup=200", "--set", "eval_every=96", "--set", "batch=32", "--set", "steps=3000"], "500"),
    "dqn": (["--set", "warmup=200", "--set", "batch=32", "--set", "steps=4000"], "500"),
    "sac": (["--set", "warmup=200", "--set", "batch=32", "--set", "steps=1500"], "200"),
    "fastsac": (["--set", "envs=8", "--set", "fastsac.policy_hidden=24,16", "--set", "fastsac.critic_hidden=24,16", "--set",
                 "warmup=200", "--set", "batch=32", "--set", "capacity=20000", "--set", "steps=1000"], "100"),
    "td3": (["--set", "warmup=200", "--set", "batch=32", "--set", "steps=1500"], "200"),
    "ddpg": (["--set", "warmup=200", "--set", "batch=32", "--set", "steps=1500"], "200"),
    "a2c": (["--set", "horizon=4", "--set", "iterations=1000"], "100"),
    "a3c": (["--set", "horizon=4", "--set", "iterations=1000"], "100"),
    "mappo": (["--set", "horizon=8", "--set", "epochs=2", "--set", "worlds=8", "--set", "iterations=200"], "20"),
    "ppo": (["--set", "horizon=16", "--set", "epochs=2", "--set", "minibatches=2", "--set", "iterations=60",
             "--set", "ppo.normalise_observations=true", "--set", "ppo.scale_rewards=true"], "10"),
}
DISTRIBUTED = {"apex": ["dp-a", "dp-b"], "dqn": ["dp-a", "dp-b"], "sac": ["dp-a"], "fastsac": ["shared-replay", "threads"],
               "a3c": ["dp-a"], "mappo": ["dp-a", "dp-c"], "ppo": ["dp-a", "dp-b", "dp-c", "dp-e"]}


def logged(folder):
    points = [json.loads(line) for line in pathlib.Path(folder, "log.jsonl").read_text().splitlines()]
    return [{k: v for k, v in point.items() if k != "seconds"} for point in points]


class Resume(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.top = pathlib.Path(self.folder.name)
        self.kept = self.top / "kept"

    def tearDown(self):
        self.folder.cleanup()

    def clear(self):
        for entry in self.top.iterdir():
            entry.unlink() if entry.is_file() else shutil.rmtree(entry)

    def run_to_end(self, *options, code=0):
        done = subprocess.run([FDG_RUN, *map(str, options)], capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def whole(self):
        return sorted(f for f in self.kept.glob("[!.]*/checkpoint.json")) if self.kept.exists() else []

    def kill_after(self, checkpoints, *options):
        """Starts a run and kills every process of it when it has made that many checkpoints."""
        run = subprocess.Popen([FDG_RUN, *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
        before = set(self.whole())
        seen = set()
        deadline = time.monotonic() + 100
        while len(seen) < checkpoints:
            seen.update(set(self.whole()) - before)
            self.assertLess(time.monotonic(), deadline, "no checkpoint was made")
            self.assertIsNone(run.poll(), "the run ended before it was killed")
            time.sleep(0.002)
        for process in processes(str(self.top)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        run.communicate(timeout=60)
        for _ in range(100):
            if not processes(str(self.top)):
                return
            time.sleep(0.1)
        self.fail("processes outlived the kill")

    def assert_same(self, one, other):
        self.assertEqual(logged(one), logged(other))
        self.assertTrue(filecmp.cmp(one / "model.safetensors", other / "model.safetensors", shallow=False))

    def killed_and_resumed(self, program, *policy, kills=1):
        config, every = CONFIG[program]
        plan = f"{PLANS}/{program}.plan"
        self.run_to_end(*policy, *config, "--quiet", "--out", self.top / "straight", plan)
        self.kill_after(1, *policy, *config, "--quiet", "--checkpoint", self.kept, "--every", every, "--out",
                        self.top / "killed", plan)
        for _ in range(kills - 1):
            self.kill_after(1, "--resume", self.kept, "--quiet")
        self.run_to_end("--resume", self.kept, "--quiet")
        self.assert_same(self.top / "straight", self.top / "killed")

    def test_on_one_rank(self):
        for program in CONFIG:
            with self.subTest(program):
                self.killed_and_resumed(program)
                self.clear()

    def test_under_policies(self):
        for program, policies in DISTRIBUTED.items():
            for policy in policies:
                with self.subTest(f"{program} {policy}"):
                    self.killed_and_resumed(program, "--policy", policy, "--replicas", "2")
                    self.clear()

    def test_a_run_goes_on_once_at_a_time(self):
        """While its folder or that of its checkpoints is another process's."""
        config, every = CONFIG["ppo"]
        self.run_to_end(*config, "--quiet", "--out", self.top / "straight", f"{PLANS}/ppo.plan")
        self.kill_after(1, *config, "--quiet", "--checkpoint", self.kept, "--every", every, "--out",
                        self.top / "killed", f"{PLANS}/ppo.plan")
        for folder in (self.kept, self.top / "killed"):
            with open(folder / ".lock", "w") as other:
                fcntl.flock(other, fcntl.LOCK_EX)
                said = self.run_to_end("--resume", self.kept, code=2)
                self.assertIn(f"another run is at work in the folder {folder}", said)
        ranks = open(self.kept / ".ranks", "w")  # of a fdg-run that was killed: they end a moment later
        fcntl.flock(ranks, fcntl.LOCK_EX)
        threading.Timer(1, ranks.close).start()
        self.run_to_end("--resume", self.kept, "--quiet")
        self.assertTrue(ranks.closed)
        self.assert_same(self.top / "straight", self.top / "killed")

    def test_checkpoints_by_time(self):
        """All fragments are asked, and still save at one iteration."""
        config, _ = CONFIG["ppo"]
        config = [*config[:-1], "iterations=8000"]
        policy = ["--policy", "dp-a", "--replicas", "2"]
        plan = f"{PLANS}/ppo.plan"
        self.run_to_end(*policy, *config, "--quiet", "--out", self.top / "straight", plan)
        self.kill_after(2, *policy, *config, "--quiet", "--checkpoint", self.kept, "--every", "0.2s", "--out",
                        self.top / "killed", plan)
        self.run_to_end("--resume", self.kept, "--quiet")
        self.assert_same(self.top / "straight", self.top / "killed")

    def test_an_interrupted_run_makes_a_last_checkpoint(self):
        config, _ = CONFIG["ppo"]
        config = [*config[:-1], "iterations=2000"]
        plan = f"{PLANS}/ppo.plan"
        for policy in [[], ["--policy", "dp-b", "--replicas", "2"]]:
            with self.subTest(policy=policy):
                self.run_to_end(*policy, *config, "--quiet", "--out", self.top / "straight", plan)
                run = subprocess.Popen([FDG_RUN, *policy, *config, "--quiet", "--checkpoint", self.kept, "--every", "1h",
                                        "--out", self.top / "stopped", plan])
                self.wait_for_lines(self.top / "stopped/log.jsonl", 100)
                run.send_signal(signal.SIGINT)
                self.assertEqual(run.wait(timeout=30), 130)
                self.assertEqual(len(self.whole()), 1)
                self.run_to_end("--resume", self.kept, "--quiet")
                self.assert_same(self.top / "straight", self.top / "stopped")
                self.clear()

    def wait_for_lines(self, log, lines):
        for _ in range(1000):
            if log.exists() and log.read_text().count("\n") >= lines:
                return
            time.sleep(0.02)
        self.fail("the run did not get going")

    def test_an_asynchronous_run_goes_on_where_it_was(self):
        """Not bit for bit, but nothing trained is lost: no second warm-up, the learner's counter goes on."""
        config = ["--set", "warmup=2000", "--set", "batch=32", "--set", "eval_every=96", "--set", "steps=100000000"]
        self.kill_after(2, "--policy", "apex", "--replicas", "2", *config, "--quiet", "--checkpoint", self.kept,
                        "--every", "2s", "--out", self.top / "run", f"{PLANS}/apex.plan")
        newest = json.loads(max(self.whole(), key=lambda f: json.loads(f.read_text())["number"]).read_text())
        at = {newest["fragment_names"][f["fragment"]]: f["iteration"] for f in newest["fragments"]}
        run = subprocess.Popen([FDG_RUN, "--resume", self.kept, "--quiet"])
        self.wait_for_lines(self.top / "run/log.jsonl", newest["log_lines"] + 200)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(timeout=30), 130)
        after = [p for p in logged(self.top / "run")[newest["log_lines"]:] if p["key"] == "loss"]
        self.assertGreaterEqual(after[0]["iteration"], at["learner"])
        self.assertLess(after[0]["iteration"], at["learner"] + 50)

    def test_a_restarting_run_survives_the_death_of_a_rank(self):
        config, every = CONFIG["ppo"]
        plan = f"{PLANS}/ppo.plan"
        policy = self.top / "policy.yaml"
        policy.write_text("groups:\n  worker: {fragments: [environment, actor], replicas: 2}\n"
                          "  learner: {fragments: rest, replicas: 1}\non_failure: restart\n")
        options = ["--policy", policy, *config, "--quiet", "--every", every]
        self.run_to_end(*options, "--checkpoint", self.top / "other", "--out", self.top / "straight", plan)
        run = subprocess.Popen([FDG_RUN, *map(str, options), "--checkpoint", self.kept, "--out", self.top / "killed", plan],
                               stderr=subprocess.PIPE, text=True)
        while not self.whole():
            self.assertIsNone(run.poll(), "the run ended before it was killed")
            time.sleep(0.002)
        os.kill(workers_of(str(self.top / "killed"))[-1], signal.SIGKILL)
        said = run.communicate(timeout=150)[1]
        self.assertEqual(run.returncode, 0, said)
        self.assertIn("was killed by signal 9", said)
        self.assertIn("restarting all ranks from", said)
        self.assert_same(self.top / "straight", self.top / "killed")

    def refused(self, says, *options, code=2):
        said = self.run_to_end(*options, code=code)
        for text in says:
            self.assertIn(text, said)

    def test_what_does_not_fit_is_refused(self):
        config, every = CONFIG["ppo"]
        plan = f"{PLANS}/ppo.plan"
        call = [*config, "--policy", "dp-a", "--replicas", "2", "--quiet", "--every", "20", "--checkpoint", self.kept]
        self.run_to_end(*call, "--out", self.top / "run", plan)
        log = (self.top / "run/log.jsonl").read_bytes()
        resume = ["--quiet", "--resume", self.kept]
        newest, before = sorted(path.parent for path in self.whole())[::-1]
        self.refused(["holds the checkpoints of a run already"], *call, "--out", self.top / "new", plan)
        self.refused(["its seed is 1", "says 2"], *resume, "--seed", "2")
        self.refused(["its horizon is 16", "says 32"], *resume, "--set", "horizon=32")
        other = self.top / "other.yaml"
        other.write_text("horizon: 32\n")
        self.refused(["its horizon is 16", "says 32"], *resume, "--config", other)
        self.refused(["made by 3 ranks", "places 4"], *resume, "--policy", "dp-a", "--replicas", "3")
        self.refused(["cannot resume", "policy single has no group with", "leave -n, --replicas and --policy out"], *resume, "--policy",
                     "single")
        self.refused(["fragment environment has 2 replicas", "here it has 4"], *resume, "--policy", "dp-a", "--replicas", "4",
                     "-n", "3")
        self.refused(["belongs to the program ppo", "apex"], *resume, f"{PLANS}/apex.plan")
        other = self.top / "elsewhere/log.jsonl"  # of another run
        other.parent.mkdir()
        other.write_text("".join(log.decode().splitlines(keepends=True)[:2]))
        self.refused(["holds 2 of the", "logged before the checkpoint"], *resume, "--out", other.parent)
        self.refused(["is not a folder of checkpoints"], "--resume", self.top / "nowhere")
        self.refused(["add --checkpoint"], "--every", "10s", plan)
        self.refused(["takes a time"], "--checkpoint", self.kept, "--every", "often", plan)
        self.refused(["leave --checkpoint"], "--verify", "3", "--checkpoint", self.kept, plan)
        self.assertEqual((self.top / "run/log.jsonl").read_bytes(), log)

        state = newest / "learner-0.safetensors"
        whole = state.read_bytes()
        state.write_bytes(whole[:-1])
        self.refused(["learner-0.safetensors has", f"--resume {before}"], *resume)
        middle = len(whole) // 2
        state.write_bytes(whole[:middle] + bytes(b ^ 1 for b in whole[middle:middle + 9]) + whole[middle + 9:])
        self.refused(["is damaged", "learner-0.safetensors"], *resume, code=1)
        state.unlink()
        self.refused(["learner-0.safetensors is missing"], *resume)
        self.run_to_end("--quiet", "--resume", before)

    def test_from_an_older_one(self):
        """What is made from there on is newer than what is there, and what a user has put aside stays."""
        config, _ = CONFIG["ppo"]
        call = [*config, "--quiet", "--checkpoint", self.kept]
        self.run_to_end(*call, "--every", "25", "--out", self.top / "run", f"{PLANS}/ppo.plan")
        older = self.whole()[0].parent
        older = older.rename(self.kept / "aside")
        log = logged(self.top / "run")
        done = subprocess.run([os.path.abspath(FDG_RUN), "--quiet", "--resume", ".", "--every", "15"], cwd=older,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(logged(self.top / "run"), log)
        numbers = {path.parent.name: json.loads(path.read_text())["number"] for path in self.whole()}
        self.assertEqual(numbers, {"aside": 1, "iteration-000000030": 3, "iteration-000000045": 4})

    def test_what_cannot_be_kept_is_told_at_the_start(self):
        for policy in (["--policy", "single"], ["--policy", "dp-a", "--replicas", "2"]):
            with self.subTest(policy[1]):
                self.refused(["iteration 0: gym:CartPole-v1 cannot be saved", "without --checkpoint"], *policy, "--set",
                             "env=gym:CartPole-v1", "--checkpoint", self.kept, "--every", "1000000", "--out",
                             self.top / "run", f"{PLANS}/ppo.plan", code=1)
                self.assertEqual(self.whole(), [])
                self.clear()

    def test_a_restart_needs_checkpoints(self):
        policy = self.top / "policy.yaml"
        policy.write_text("groups:\n  all: {fragments: rest}\non_failure: restart\n")
        self.refused(["on_failure: restart", "--checkpoint"], "--policy", policy, "--out", self.top / "run",
                     f"{PLANS}/ppo.plan")

    def test_killed_twice(self):
        self.killed_and_resumed("ppo", "--policy", "dp-a", "--replicas", "2", kills=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
