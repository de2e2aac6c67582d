"""Runs of a plan that something goes wrong in: started, watched, and ended as they should."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from processes import processes, workers_of

IN_TIME = 10


class FaultyRuns(unittest.TestCase):
    """A test says its `fdg_run` and `plan`."""

    fdg_run = plan = ""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = pathlib.Path(self.folder.name)
        self.runs = 0

    def start(self, *options, before=(), quiet=True, environment=None):
        self.runs += 1
        given = [value for name, value in zip(options, options[1:]) if name == "--out"]
        self.out = given[0] if given else self.top / f"run{self.runs}"
        run = subprocess.Popen(
            [*before, self.fdg_run, *(["--quiet"] if quiet else []), *map(str, options),
             *([] if given else ["--out", str(self.out)]), self.plan],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        self.addCleanup(run.kill)  # where a check fails while it runs
        return run

    def logged(self, key="weight"):
        try:
            return (self.out / "log.jsonl").read_text().count(f'"{key}"')
        except OSError:
            return 0

    def wait_for(self, condition, run, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if run.poll() is not None:
                self.fail("the run ended early: " + run.stdout.read())
            self.assertLess(time.monotonic(), end, "it takes too long")
            time.sleep(0.05)

    def rank(self, number):
        for process in workers_of(str(self.out)):
            try:
                environment = pathlib.Path(f"/proc/{process}/environ").read_bytes()
            except OSError:
                continue
            if f"OMPI_COMM_WORLD_RANK={number}\0".encode() in environment:
                return process
        self.fail(f"there is no rank {number}")

    def ends(self, run, code, pattern="", seconds=IN_TIME):
        begun = time.monotonic()
        try:
            said = run.communicate(timeout=seconds + 60)[0]
        finally:
            run.kill()
        self.assertLess(time.monotonic() - begun, seconds, said)
        self.assertEqual(run.returncode, code, said)
        self.assertIsNotNone(re.search(pattern, said), f"{pattern} is not in {said}")
        self.assertNotIn("terminate called", said)
        self.assertNotRegex(said, r"(?m)^\[[^] ]+:\d+\] ", "what Open MPI says beside it")
        for _ in range(50):
            if not processes(str(self.out)):
                return said
            time.sleep(0.1)
        self.fail("processes are left")

    def results(self):
        lines = (self.out / "log.jsonl").read_text().splitlines()
        return ([{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in lines],
                (self.out / "model.safetensors").read_bytes())
