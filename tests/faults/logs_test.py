"""A run that is killed in either loop and resumed has the log of one that never was, also of what logs outside of
loops, or in another one.

Usage: logs_test.py FDG_RUN PLAN
"""

import json
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

    def assert_edits_of_the_log_are_noticed(self, kept, straight):
        log = self.out / "log.jsonl"
        before = log.read_bytes()
        lines = before.splitlines(keepends=True)
        for edit in (before.replace(b"1", b"2", 1), b"".join(lines[1:]), b"".join(lines[:9]), None):
            log.unlink() if edit is None else log.write_bytes(edit)
            said = self.ends(self.start("--resume", kept, "--out", self.out), 2, "logged before the checkpoint; put it back")
            self.assertIn("was changed" if edit and len(edit) == len(before) else str(log), said)
            self.assertEqual(log.read_bytes() if edit is not None else not log.exists(), edit if edit is not None else True)
            log.write_bytes(before)
        old, new = self.out, self.top / "new"
        copied = self.top / "copied"
        shutil.copytree(kept, copied)
        newest = json.loads(max(copied.glob("[!.]*/checkpoint.json")).read_text())
        self.ends(self.start("--resume", copied, "--out", new, quiet=False), 0, f"begins at the checkpoint.* in {old}")
        self.assertEqual([p["value"] for p in self.log()], [p["value"] for p in straight[newest["log_lines"]:]])
        self.assertEqual(log.read_bytes(), before)
        shutil.rmtree(copied)
        shutil.rmtree(new)
        self.out = old

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
                    if (name, key) == ("apart", "second"):
                        self.assert_edits_of_the_log_are_noticed(kept, straight)
                    self.assertRegex(self.explained(kept), r"pause_us +int +20000")
                    self.assert_edits_are_noticed(kept)
                    resumed = self.start("--resume", kept, "--out", self.out)
                    self.ends(resumed, 0)
                    self.assertEqual(self.log(), straight)
                    shutil.rmtree(kept)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
