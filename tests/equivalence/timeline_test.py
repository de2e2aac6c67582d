"""The timeline of a run shows what every fragment did, without gaps that hide time, and changes nothing.

Usage: timeline_test.py FDG_RUN PLAN
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

FDG_RUN, PLAN = sys.argv[1:3]
FRAGMENTS = {"environment", "actor", "buffer", "learner", "evaluator"}


def run(folder, policy, *more):
    subprocess.run([FDG_RUN, "--quiet", *policy, "--out", f"{folder}/{len(more)}", "--set", "steps=1500",
                    "--set", "warmup=200", "--set", "eval_every=96", *more, PLAN], check=True, timeout=100)
    lines = pathlib.Path(folder, str(len(more)), "log.jsonl").read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in lines]


class Timeline(unittest.TestCase):
    def tracks(self, file):
        names, spans = {}, collections.defaultdict(list)
        for event in json.loads(pathlib.Path(file).read_text()):
            track = event["pid"], event["tid"]
            if event["name"] == "thread_name":
                names[track] = event["args"]["name"]
            elif event["ph"] == "X":
                spans[track].append(event)
        self.assertEqual(set(names), set(spans))
        return {(track[0], name): spans[track] for track, name in names.items()}

    def assert_nested(self, spans):
        """On one track two spans lie apart, or one lies in the other."""
        open_until = []
        for span in sorted(spans, key=lambda s: (s["ts"], -s["dur"])):
            self.assertGreaterEqual(span["dur"], 0)
            while open_until and open_until[-1] <= span["ts"]:
                open_until.pop()
            end = span["ts"] + span["dur"]
            if open_until:
                self.assertLessEqual(end, open_until[-1], span)
            open_until.append(end)

    def check(self, policy, ranks):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/t.json"
            log = run(folder, policy, "--timeline", file)
            if "apex" not in policy:
                self.assertEqual(log, run(folder, policy))
            tracks = self.tracks(file)
        self.assertEqual({name.split()[0] for _, name in tracks}, FRAGMENTS)
        self.assertEqual({rank for rank, _ in tracks}, set(range(ranks)))
        for (_, name), spans in tracks.items():
            self.assert_nested(spans)
            outer = [s for s in spans if not s["name"].startswith("drain ")]
            seen = sum(s["dur"] for s in outer)
            lived = max(s["ts"] + s["dur"] for s in outer) - min(s["ts"] for s in outer)
            self.assertGreater(sum(s["name"] == "compute" for s in spans), 1, name)
            self.assertGreater(seen, 0.5 * lived, name)
        return {span["name"] for spans in tracks.values() for span in spans}

    def test_one_process(self):
        self.assertIn("wait for action", self.check(["--policy", "single"], 1))

    def test_ranks(self):
        self.assertIn("wait for weights", self.check(["--policy", "dp-a", "--replicas", "2"], 3))

    def test_drained(self):
        self.assertIn("drain experience", self.check(["--policy", "apex", "--replicas", "1"], 4))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
