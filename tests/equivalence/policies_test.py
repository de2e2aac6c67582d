"""One plan, every policy: the same file runs under all of them and under one that a user writes.

Usage: policies_test.py FDG_RUN FDGC FOLDER_OF_PLANS SOURCE_FOLDER
"""

import filecmp
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
from safetensors.numpy import load_file

FDG_RUN, FDGC, PLANS, SOURCE = sys.argv[1:5]
SHORT = ["--set", "warmup=200", "--set", "eval_every=96", "--set", "steps=300"]


def run(plan, *options, code=0):
    command = [FDG_RUN, *options, f"{PLANS}/{plan}.plan"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == code, f"{command} gave {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


class Policies(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_one_plan_runs_under_all_five(self):
        """Exact policies save the sequential weights; the others save some."""
        weights = {}
        for policy in ["single", "dp-a", "dp-b", "dp-c", "apex"]:
            out = self.out / policy
            run("apex", "--policy", policy, "--replicas", "2", "--out", str(out), "--quiet", *SHORT) \
                if policy != "single" else \
                run("apex", "--policy", policy, "--out", str(out), "--quiet", *SHORT)
            weights[policy] = out / "model.safetensors"
            self.assertTrue(weights[policy].exists(), policy)
            keys = {json.loads(line)["key"] for line in (out / "log.jsonl").read_text().splitlines()}
            self.assertIn("loss", keys, policy)
        self.assertTrue(filecmp.cmp(weights["single"], weights["dp-a"], shallow=False))
        self.assertTrue(filecmp.cmp(weights["single"], weights["dp-b"], shallow=False))

    def test_actors_keep_near_their_learner(self):
        """A slow learner: with max_staleness actors do no more steps than it lets them, and nobody waits for ever."""
        policy = self.out / "stale.yaml"
        policy.write_text("groups:\n  w: {fragments: [environment, actor], replicas: fill}\n  l: {fragments: rest}\n"
                          "boundaries:\n  weights: {mode: newest, max_staleness: 1}\n"
                          "  experience: {mode: drain, pack: 50, behind: any}\n  priorities: {mode: drain}\n"
                          "stop: l\n")
        text = run("apex", "--policy", str(policy), "--replicas", "2", "--stuck-after", "30s", "--out",
                   str(self.out / "stale"), *SHORT, "--set", "batch=512")
        steps = max(int(line.split()[2]) for line in text.splitlines() if line.split()[:1] == ["actor"])
        self.assertLessEqual(steps, 300 + 3 * 32, text)  # weights go out every `sync` = 16 steps

    def test_the_plain_executable_saves_the_same_weights(self):
        """What fdgc --sequential builds from the untouched source is the specification."""
        for program, options in [("apex", SHORT), ("dqn", ["--set", "warmup=200", "--set", "steps=300"]),
                                 ("ppo", ["--set", "iterations=10", "--set", "horizon=16"])]:
            executable = self.out / program
            subprocess.run([FDGC, "--sequential", f"{SOURCE}/algorithms/{program}.cpp", "-o", executable],
                           check=True, timeout=300)
            out = self.out / f"{program}-runs"
            subprocess.run([executable, "--quiet", "--out", out / "sequential", *options], check=True, timeout=200)
            run(program, "--policy", "dp-a", "--replicas", "2", "--quiet", "--out", str(out / "dp-a"), *options)
            self.assertTrue(filecmp.cmp(out / "sequential/model.safetensors", out / "dp-a/model.safetensors",
                                        shallow=False), program)
            def logged(folder):
                lines = (out / folder / "log.jsonl").read_text().splitlines()
                points = [json.loads(line) for line in lines]
                return [(p["key"], p["value"]) for p in points if p["key"] in ("loss", "eval/return")]
            self.assertEqual(logged("sequential"), logged("dp-a"), program)

    def test_a_policy_that_a_user_writes(self):
        """Buffer with the actors' side of the world, evaluator apart: no C++ is touched."""
        policy = self.out / "mine.yaml"
        policy.write_text("""\
name: mine
about: The evaluator has a rank of its own, environments and actors are apart.
groups:
  worlds:    {fragments: [environment], replicas: 2}
  thinkers:  {fragments: [actor], replicas: 2}
  judge:     {fragments: [evaluator], replicas: 1}
  brain:     {fragments: rest, replicas: 1}
boundaries:
  default: {mode: ordered, window: 1}
  broadcast: {window: 3}
stop: all
""")
        text = run("apex", "--policy", str(policy), "--verify", "100", "--set", "warmup=100", "--set",
                   "eval_every=48")
        self.assertIn("equal to the sequential run, bit for bit", text)

    def test_fused_replicas_give_what_separate_ones_give(self):
        for fuse in ["true", "false"]:
            policy = self.out / f"fuse-{fuse}.yaml"
            policy.write_text(f"""\
name: fuse-{fuse}
fuse: {fuse}
groups:
  worker:  {{fragments: [environment, actor], replicas: 8}}
  learner: {{fragments: rest, replicas: 1}}
""")
            run("apex", "--policy", str(policy), "-n", "3", "--quiet", "--out", str(self.out / fuse), *SHORT)
        self.assertTrue(filecmp.cmp(self.out / "true/model.safetensors",
                                    self.out / "false/model.safetensors", shallow=False))

    def test_under_apex_each_rate_class_has_its_own_pace(self):
        text = run("apex", "--policy", "apex", "--replicas", "2", "--out", str(self.out), *SHORT)
        def iterations(fragment):
            lines = [line for line in text.splitlines() if line.split()[:1] == [fragment]]
            self.assertEqual(len(lines), 1, text)
            return int(lines[0].split()[2].replace(",", ""))
        self.assertEqual(iterations("learner"), 300)
        self.assertAlmostEqual(iterations("environment"), iterations("actor"), delta=2)
        self.assertNotEqual(iterations("actor"), iterations("learner"))

    def test_threads_share_a_replay(self):
        """Actors and learner call it themselves: the run trains, keeps checkpoints and goes on from them."""
        policy = self.out / "shared.yaml"
        policy.write_text("groups:\n  worker: {fragments: [environment, actor], replicas: 2, in: threads}\n"
                          "  buffer: {fragments: [buffer], in: threads}\n  learner: {fragments: rest, in: threads}\n"
                          "boundaries:\n  experience: {mode: inline, ahead: any, behind: any}\n"
                          "  priorities: {mode: inline, optional: true}\n  weights: {mode: newest}\nstop: learner\n")
        for options in ([], ["-n", "1"], ["-n", "2"]):
            out, kept = self.out / "".join(["out", *options]), self.out / "".join(["kept", *options])
            text = run("apex", "--policy", str(policy), *options, "--out", str(out), "--checkpoint", str(kept), "--every",
                       "200", *SHORT, "--set", "steps=12000")  # longer than the notice of a checkpoint, 0.3 s
            lines = {words[0]: words for words in map(str.split, text.splitlines()) if words}
            self.assertGreater(int(lines["experience"][1].replace(",", "")), 100, text)
            self.assertGreater(int(lines["priorities"][1].replace(",", "")), 50, text)
            log = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
            losses = [point["iteration"] for point in log if point["key"] == "loss"]
            self.assertEqual(losses[-1], 11999)
            saved = (out / "model.safetensors").read_bytes()
            (out / "model.safetensors").unlink()
            subprocess.run([FDG_RUN, "--quiet", "--resume", str(kept)], check=True, timeout=200)
            self.assertEqual(len((out / "model.safetensors").read_bytes()), len(saved))
        self.assertIn("`replay`, whose class does not say that several threads may use it at a time",
                      run("dqn", "--policy", str(policy), code=2))

    def test_every_loose_program_ends_under_apex(self):
        """They have two fragments beside their actor; all of them stop when the learner is done."""
        for program, options in (("dqn", ["-n", "1"]), ("dqn", ["--replicas", "2"]), ("sac", ["--replicas", "2"])):
            out = self.out / f"{program}{options[0]}"
            run(program, "--policy", "apex", *options, "--quiet", "--out", str(out), "--set", "steps=200",
                "--set", "warmup=100", "--set", "batch=16")
            self.assertTrue((out / "model.safetensors").exists())

    def test_shared_parameters_take_gradients_as_they_come(self):
        """All that the workers sent until the parameters' loop ended is learned from, at least each worker's share."""
        short = ["--set", "iterations=300", "--set", "horizon=16", "--set", "eval_every=50"]
        for options in (["-n", "1"], ["--replicas", "2"]):
            out = self.out / options[0]
            text = run("a3c", "--policy", "dp-f", *options, "--out", str(out), *short)
            self.assertTrue((out / "model.safetensors").exists())
            self.assertTrue((out / "best.safetensors").exists(), "an evaluator of its own reads the weights")
            grads = [line.split() for line in text.splitlines() if line.split()[:1] == ["grads"]]
            workers = 2 if options[0] == "--replicas" else 1
            self.assertGreaterEqual(int(grads[0][1].replace(",", "")), workers * 290, text)
        self.assertIn("parameters", run("a2c", "--policy", "dp-f", code=2))

    def test_shared_parameters_are_one(self):
        for policy in ("dp-c", "dp-e"):
            text = run("a3c", "--policy", policy, "--replicas", "2", "--dry-run", code=2)
            self.assertIn("`parameters` applies gradients one by one, and replicas would each apply their own", text)

    def test_learners_that_share_batches_keep_the_same_weights(self):
        """The run compares what each of them saves; with a replay each, the result is another one."""
        for policy in ("dp-c", "dp-e"):
            for program in ("sac", "td3"):
                out = self.out / f"{program}-{policy}"
                run(program, "--policy", policy, "--replicas", "2", "--quiet", "--out", str(out), "--set", "steps=100",
                    "--set", "warmup=100", "--set", "batch=16")
                self.assertTrue((out / "model.safetensors").exists())

    SMALL = [word for setting in (
        "envs=8", "steps=8", "warmup=16", "batch=48", "updates=4", "policy_delay=2", "capacity=512",
        "fastsac.policy_hidden=24,16", "fastsac.critic_hidden=24,16", "fastsac.atoms=21") for word in ("--set", setting)]

    def learned(self, policy, *options):
        """What fastsac saves after 28 updates: the policy, and both critics with their target networks."""
        self.number = getattr(self, "number", 0) + 1
        out = self.out / f"fastsac{self.number}"
        run("fastsac", "--policy", str(policy), "--quiet", "--out", str(out), *options, *self.SMALL)
        return {name: tensor for file in ("model", "critics")
                for name, tensor in load_file(out / f"{file}.safetensors").items()}

    def apart(self, one, other):
        self.assertEqual(set(one), set(other))
        return max(numpy.abs(one[name] - other[name]).max() for name in one)

    def test_several_learners_of_one_replay_learn_what_one_does(self):
        """To rounding; and with the same bits on each, targets too, for the run compares what each of them saves."""
        one = self.learned("single")
        self.assertIn("target_critic2.0.weight", one)
        self.assertGreater(self.apart(one, self.learned("single", "--seed", "2")), 0.1)
        shipped = pathlib.Path(SOURCE, "policies/shared-replay.yaml").read_text()
        two = self.learned("shared-replay", "--replicas", "2")
        self.assertLess(self.apart(one, two), 1e-5)
        for learners in (3, 5):  # 5: of a batch of 48 the last two learners have 9 rows
            policy = self.out / f"learners-{learners}.yaml"
            policy.write_text(shipped.replace("[learner], replicas: 2", f"[learner], replicas: {learners}"))
            self.assertNotEqual(policy.read_text(), shipped)
            self.assertLess(self.apart(one, self.learned(policy, "--replicas", "1")), 1e-5, learners)

    def test_targets_that_move_on_one_learner_only_are_noticed(self):
        source = pathlib.Path(SOURCE, "algorithms/fastsac.cpp").read_text()
        wrong = source.replace("learner.moveTargets();",
                               "if (run.rows(cfg.batch).begin == 0) { learner.moveTargets(); }")
        self.assertNotEqual(wrong, source)
        (self.out / "wrong.cpp").write_text(wrong)
        subprocess.run([FDGC, self.out / "wrong.cpp", "-o", self.out / "wrong.plan"], check=True, timeout=300)
        done = subprocess.run([FDG_RUN, "--policy", "shared-replay", "--replicas", "2", "--quiet", "--out", self.out / "wrong",
                               *self.SMALL, self.out / "wrong.plan"], capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('run.save("critics") would save different tensors on different replicas', done.stderr)

    def test_a_value_that_the_program_refuses_is_a_wrong_call(self):
        """However many ranks find it, once, and without the places in which they did; nothing is there that a next call must
        not overwrite, and no restart is tried."""
        again = self.out / "again.yaml"
        again.write_text("name: again\non_failure: restart\ngroups:\n  all: {fragments: rest, replicas: 1}\n")
        sentence = "fdg-run: dqn.lr is 1e+300; it must be above 0 and at most 1\n"
        for policy in (["single"], ["dp-a", "--replicas", "2"], ["threads", "--replicas", "2"],
                       ["single", "--verify", "5"], [again, "--checkpoint", self.out / "kept"]):
            text = run("dqn", "--policy", *map(str, policy), "--out", str(self.out / "run"), "--set", "dqn.lr=1e300", code=2)
            self.assertEqual(text, sentence, policy)
        for env in ("Zorgon", "gym:Zorgon", "Pendulum-v1"):
            self.assertIn(env, run("dqn", "--out", str(self.out / "run"), "--set", f"env={env}", code=2))

    def test_what_the_facts_forbid_is_refused_with_the_line(self):
        text = run("ppo", "--policy", "apex", code=2)
        self.assertIn("loose", text)
        self.assertRegex(text, r"apex\.yaml:\d+:\d+")
        policy = self.out / "no.yaml"
        policy.write_text("name: no\ngroups:\n  all: {fragments: rest, replicas: 2}\n")
        text = run("apex", "--policy", str(policy), code=2)
        self.assertIn("approximate", text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
