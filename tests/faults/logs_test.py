"""A run that is killed in either loop and resumed has the log of one that never was, also of what logs outside of
loops, or in another one.

Usage: logs_test.py FDG_RUN PLAN
"""

import shutil
import subprocess
import sys
import unittest

from faulty_runs import FaultyRuns

FDG_RUN, PLAN = sys.argv[1:3]
POLICIES = {
    "single": "groups:\n  all: {fragments: rest}\n",
    "apart": "groups:\n  first: {fragments: [first, surveyor, closer]}\n  rest: {fragments: rest}\n",
}


class Logs(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def log(self):
        return self.results()[0]

    def results(self):
        (self.out / "model.safetensors").touch()  # it saves none
        return super().results()

    def explained(self, kept):
        return subprocess.run([FDG_RUN, "--resume", kept, "--explain"], capture_output=True, text=True, check=True).stdout

    def assert_edits_are_noticed(self, kept):
        record = max(kept.glob("[!.]*/checkpoint.json"))
        before = record.read_text()
        for field in ('"seed": ', '"iteration": ', '"log_lines": '):
            record.write_text(before.replace(field, field + "1", 1))
            refused = subprocess.run([FDG_RUN, "--resume", kept], capture_output=True, text=True, check=False)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("was changed since it was written", refused.stderr)
        record.write_text(before)

    def test_as_if_never_interrupted(self):
        for name, text in POLICIES.items():
            policy = self.top / f"{name}.yaml"
            policy.write_text(text)
            self.ends(self.start("--policy", policy, "--set", "pause_us=0"), 0)
            straight = self.log()
            self.assertEqual(len(straight), 3 + 1 + 1 + 60 + 2 + 60 + 3)
            for key in ("second", "other"):
                with self.subTest(policy=name, loop=key):
                    kept = self.top / "kept"
                    run = self.start("--policy", policy, "--checkpoint", kept, "--every", "10")
                    self.wait_for(lambda key=key: self.logged(key) > 35, run)
                    run.kill()
                    run.communicate()
                    self.assertRegex(self.explained(kept), r"pause_us +int +20000")
                    self.assert_edits_are_noticed(kept)
                    resumed = self.start("--resume", kept, "--out", self.out)
                    self.ends(resumed, 0)
                    self.assertEqual(self.log(), straight)
                    shutil.rmtree(kept)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
