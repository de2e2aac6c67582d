"""Whatever a policy says of drained boundaries, nobody waits for what does not come: every run ends by itself, and where
all have to end, every row was drained. So does every run that goes on from a checkpoint.

Usage: drained_test.py FDG_RUN PLAN; `--all` in front: every combination, not a part of them.
"""

import itertools
import json
import shutil
import sys
import unittest

from faulty_runs import FaultyRuns

ALL = "--all" in sys.argv
FDG_RUN, PLAN = [argument for argument in sys.argv[1:] if argument != "--all"]

BOUNDARIES = {
    "plain": {"always": "", "inner": "", "seldom": ""},
    "one packs": {"always": "pack: 50", "inner": "", "seldom": ""},
    "all pack": {"always": "pack: 50", "inner": "pack: 50", "seldom": "pack: 50"},
    "any, packs": {"always": "pack: 50, ahead: any", "inner": "pack: 20, ahead: any", "seldom": "ahead: any"},
    "any, near": {"always": "pack: 50, ahead: any, behind: 1", "inner": "ahead: any, behind: 2", "seldom": "behind: 0"},
    "let go": {"always": "pack: 50, ahead: any, behind: any, window: 3", "inner": "ahead: any, behind: any", "seldom": ""},
    "near": {"always": "ahead: 1, behind: 1", "inner": "ahead: 0, behind: 0", "seldom": "ahead: 1, behind: 1, window: 1"},
    "takes": {"always": "take: 5", "inner": "pack: 20, take: 7", "seldom": "take: 9"},
    "inline": {"always": "ahead: any, behind: 2", "inner": "ahead: 1", "seldom": ""},
}
WEIGHTS = ["{mode: newest}", "{mode: drain}", "{mode: ordered}"]
MAKERS = [(1, True), (2, True), (2, False), (3, False)]  # replicas, whether they may fuse
WHERE = ["one process", "threads", "ranks"]
STOP = ["all", "maker", "rest"]
CONFIGS = [(envs, trips, warm) for envs in (1, 2, 6) for trips in (2, 0) for warm in (1, 30, 0)]


def some(number, *lists):
    """As many combinations in which every value meets every one of the other lists, more or less."""
    product = list(itertools.product(*lists))
    return product if ALL else product[::max(1, len(product) // number) | 1]


def policy(boundaries, weights, replicas, fuse, where, stop):
    home = ", in: threads" if where != "ranks" else ""
    mode = "inline" if BOUNDARIES[boundaries] is BOUNDARIES["inline"] else "drain"
    lines = [f"  {name}: {{mode: {mode}{', ' if rule else ''}{rule}}}" for name, rule in BOUNDARIES[boundaries].items()]
    return "\n".join([
        "groups:", f"  maker: {{fragments: [maker], replicas: {replicas}{home}}}", f"  rest: {{fragments: rest{home}}}",
        f"fuse: {'true' if fuse else 'false'}", f"stop: {stop}", "boundaries:", f"  weights: {weights}", *lines, ""])


class Drained(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def assert_ends(self, config, text, *options, steps=120, seconds=10):
        envs, trips, warm = config
        (self.top / "policy.yaml").write_text(text)
        run = self.start("--policy", self.top / "policy.yaml", "--stuck-after", "3s", "--set", f"envs={envs}", "--set",
                         f"trips={trips}", "--set", f"warm={warm}", "--set", f"steps={steps}", *options)
        self.ends(run, 0, seconds=seconds)
        if "stop: all" in text:
            times = list(range(steps))
            times += [i + j for i in range(steps) for j in range(trips)]
            times += [2 * i for i in range(1, steps, 4)]
            self.assertEqual(self.point("rows"), envs * len(times))
            self.assertEqual(self.point("sum"), sum(1000 * r for r in range(envs)) * len(times) + envs * sum(times))
        shutil.rmtree(self.out)

    def point(self, key):
        points = [json.loads(line) for line in (self.out / "log.jsonl").read_text().splitlines()]
        return next(point["value"] for point in points if point["key"] == key)

    def assert_all_end(self, number, where, *options):
        lists = list(BOUNDARIES), WEIGHTS, MAKERS, STOP, CONFIGS
        for boundaries, weights, (replicas, fuse), stop, config in some(number, *lists):
            if (boundaries == "inline" and where == "ranks") or (config[0] < replicas and fuse):
                continue
            with self.subTest(boundaries=boundaries, weights=weights, replicas=replicas, fuse=fuse, stop=stop, config=config):
                self.assert_ends(config, policy(boundaries, weights, replicas, fuse, where, stop), *options)

    def test_in_one_process(self):
        self.assert_all_end(12, "one process", "-n", "1")

    def test_in_threads(self):
        self.assert_all_end(14, "threads")

    def test_in_ranks(self):
        self.assert_all_end(2, "ranks")

    def test_the_cases_that_once_hung(self):
        newest = WEIGHTS[0]
        for boundaries, config in (("let go", (6, 2, 10)), ("any, near", (6, 2, 1)), ("plain", (6, 0, 200)),
                                   ("one packs", (1, 2, 200)), ("all pack", (2, 2, 200))):
            for where, options in (("one process", ("-n", "1")), ("threads", ())):
                with self.subTest(boundaries=boundaries, where=where):
                    self.assert_ends(config, policy(boundaries, newest, 1, True, where, "all"), *options, steps=300)

    def test_goes_on_from_every_checkpoint(self):
        for boundaries in ("plain", "all pack", "near") if ALL else ("plain", "all pack"):
            (self.top / "policy.yaml").write_text(policy(boundaries, WEIGHTS[0], 3, False, "threads", "all"))
            kept, all_kept = self.top / "kept", self.top / "all"
            all_kept.mkdir()
            run = self.start("--policy", self.top / "policy.yaml", "--set", "pause_us=15000", "--checkpoint", kept, "--every",
                             "10", "--stuck-after", "5s")

            def has_ended(kept=kept, all_kept=all_kept, run=run):
                for folder in kept.glob("iter*"):
                    if (folder / "checkpoint.json").exists() and not (all_kept / folder.name).exists():
                        shutil.copytree(folder, all_kept / folder.name)
                return run.poll() == 0

            self.wait_for(has_ended, run)
            self.assertTrue(any(all_kept.iterdir()))
            for folder in all_kept.iterdir():
                with self.subTest(boundaries=boundaries, checkpoint=folder.name):
                    self.ends(self.start("--resume", folder, "--stuck-after", "3s"), 0)
            shutil.rmtree(kept)
            shutil.rmtree(all_kept)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
