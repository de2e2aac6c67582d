"""A program that crashes, or ends the process by itself, ends the run with 1 and a sentence that names the place.

Usage: crash_test.py FDG_RUN PLAN FDGC
"""

import pathlib
import subprocess
import sys
import unittest

from faulty_runs import FaultyRuns

FDG_RUN, PLAN, FDGC = sys.argv[1:4]
CRASHES = {"null": r"crashed \(SIGSEGV\)", "recursion": r"crashed \(SIGSEGV\)", "bus": r"crashed \(SIGBUS\)",
           "division": "divides an integer by zero", "abort": r"aborted \(SIGABRT\)"}
ENDS = {how: "ends the process by itself" for how in ("exit", "quick_exit", "_Exit", "_Exit 3")}
PLACE = "fragment buffer, replica 0, iteration 49: the program "


class Crash(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN

    def fails(self, how, pattern, *options):
        with self.subTest(how=how, options=options):
            run = self.start(*options, "--set", "fail_in=buffer", "--set", f"fail_how={how}")
            return self.ends(run, 1, pattern)

    def test_in_one_process(self):
        for how, word in {**CRASHES, **ENDS}.items():
            said = self.fails(how, f"fdg-run: the run failed on rank 0: {PLACE}{word}")
            self.assertEqual(said.count("fdg-run:"), 1, said)

    def test_success_is_not_claimed_by_a_thread_of_a_component(self):
        self.fails("thread exits", "fdg-run: the run failed: the program ends the process by itself")

    def test_on_threads(self):
        for how in ("recursion", "exit"):
            self.fails(how, rf"the run failed on thread 3: {PLACE}", "--policy", "threads", "--replicas", "2")

    def test_on_ranks_the_launcher_names_the_rank(self):
        dp_a = ["--policy", "dp-a", "--replicas", "1"]
        self.fails("null", rf"(?s)the run failed on rank 1: {PLACE}crashed.*rank 1 .* was killed by signal 11", *dp_a)
        self.fails("_Exit", rf"the run failed on rank 1: {PLACE}ends the process by itself", *dp_a)

    def test_a_needed_rank_that_others_would_outlive(self):
        policy = self.top / "apart.yaml"
        policy.write_text("groups:\n  worker: {fragments: [environment, actor]}\n  rest: {fragments: rest}\n"
                          "boundaries:\n  experience: {mode: drain, ahead: any, behind: any}\n  weights: {mode: newest}\n"
                          "stop: rest\non_failure: continue\n")
        for how in ("abort", "exit"):
            self.fails(how, rf"(?s)the run failed on rank 0: {PLACE}.*has died, and the run cannot go on without it",
                       "--policy", policy)

    def test_in_the_plain_executable(self):
        program = self.top / "faulty"
        subprocess.run([FDGC, "--sequential", pathlib.Path(__file__).parent / "faulty.cpp", "-o", program], check=True,
                       timeout=120)
        for how, word in (("null", CRASHES["null"]), ("exit", ENDS["exit"])):
            ended = subprocess.run([program, "--quiet", "--set", "fail_in=buffer", "--set", f"fail_how={how}",
                                    "--out", self.top / f"plain-{how}"], capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr, f"faulty: the training function failed: the program {word}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
