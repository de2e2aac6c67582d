"""The table of faults: what goes wrong × in which part × policy.

Every run ends, goes on or is started again as docs/runtime.md says within 10 s of the fault, says why, and leaves no
process and no shared memory. (How long ranks take to start is the machine's affair.) Restarted runs end with the same
log and weights as one in which nothing went wrong.

Usage: table_test.py FDG_RUN PLAN MPIRUN [--all]      (without --all: a selection for every day)
"""

import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

from faulty_runs import IN_TIME, FaultyRuns
from processes import left_in_shared_memory, processes, shared_memory

FDG_RUN, PLAN, MPIRUN = map(os.path.abspath, sys.argv[1:4])
ALL = "--all" in sys.argv
ENDLESS = ["--set", "steps=100000000"]
STEPS = ["--set", "steps=3000"]
STOPPED = 30 if ALL else 2
GROUPS = """groups:
  worker: {fragments: [environment, actor], replicas: 2}
  evaluator: {fragments: [evaluator]}
  buffer: {fragments: [buffer]}
  learner: {fragments: [learner]}
"""
POLICIES = {
    "restart": GROUPS + "on_failure: restart\n",
    "continue": GROUPS + "boundaries:\n  experience: {mode: drain, window: 3, ahead: any, behind: any}\n"
                         "  batch: {window: 16}\n  weights: {mode: newest}\nstop: learner\non_failure: continue\n",
}
# Environments and actors share the workers' ranks: faults of the one strike the first worker, of the other the second.
REPLICAS = {"environment": 0, "actor": 1}
PARTS = ["environment", "actor", "buffer", "learner", "evaluator", "launcher"]
FAULTS = ["exception", "kill -9", "SIGSTOP", "NaN", "full disk", "full shared memory"]
NOT_APPLICABLE = {
    ("launcher", "exception"): "nothing of the program runs in it",
    ("launcher", "NaN"): "no numbers pass through it",
    ("actor", "full shared memory"): "what it sends stays on its rank",
    ("evaluator", "full shared memory"): "it sends nothing through it",
}
EVERY_DAY = {("environment", "full disk", "continue"), ("buffer", "full shared memory", "restart"),
             ("evaluator", "exception", "restart"), ("actor", "NaN", "continue"), ("launcher", "kill -9", "restart"),
             ("launcher", "full disk", "restart")}
WITHOUT_ONE = r"has died; the run goes on without worker replica \d of 2"
NEEDED = r"has died, and the run cannot go on without it|nobody of group evaluator is left"


class Table(FaultyRuns):
    fdg_run, plan = FDG_RUN, PLAN
    cells = {}
    straight = None  # what a run without faults gives
    ranks = {}

    def setUp(self):
        super().setUp()
        self.once = self.top / "once"
        self.kept = self.top / "kept"
        self.kept.mkdir()
        self.shared = shared_memory()
        self.said = ""

    def begin(self, policy, *options, lines=50, **how):
        path = self.top / f"{policy}.yaml"
        path.write_text(POLICIES[policy])
        keeps = ["--checkpoint", self.kept, "--every", "200"] if policy == "restart" else []
        run = self.start("--policy", path, *keeps, *options, **how)
        self.begun = set()
        self.wait_for(lambda: self.logged() > lines, run)
        if lines >= 0:
            self.mpirun = self.mpirun_of(run)
            self.starts()
        return run

    def fail_in(self, part, policy, how):
        return self.begin(policy, *(STEPS if policy == "restart" else ENDLESS), "--set", f"fail_in={part}", "--set",
                          f"fail_how={how}", "--set", "fail_at=600", "--set", f"fail_once={self.once}", lines=0)

    def rank_of(self, part, policy):
        """Where it runs, from --dry-run."""
        if policy not in self.ranks:
            path = self.top / "dry.yaml"
            path.write_text(POLICIES[policy])
            said = subprocess.run([FDG_RUN, "--policy", path, "--dry-run", PLAN], capture_output=True, text=True, check=True)
            self.ranks[policy] = {(group, int(replica or 0)): int(rank) for rank, group, replica in
                                  re.findall(r"(?m)^ *(\d+)  (worker|evaluator|buffer|learner) +(?:(\d) of)?", said.stdout)}
        return self.ranks[policy]["worker" if part in REPLICAS else part, REPLICAS.get(part, 0)]

    def seconds(self):
        return time.monotonic() - self.fault

    def happens(self):
        self.fault = time.monotonic()

    def ended(self, run, code, pattern):
        said = self.ends(run, code, pattern)
        return f"ends, {self.seconds():.1f} s", said

    def heard(self, run):
        """What it has said until now."""
        while select.select([run.stdout], [], [], 0)[0] and (text := os.read(run.stdout.fileno(), 65536)):
            self.said += text.decode()
        return self.said

    def went_on(self, run, told=""):
        """The learner does, within the time, and the run says so; then it is interrupted."""
        self.wait_for(lambda: re.search(told, self.heard(run)), run, IN_TIME - self.seconds())
        reached = self.logged()
        self.wait_for(lambda: self.logged() > reached + 50, run, IN_TIME - self.seconds())
        word = f"goes on, {self.seconds():.1f} s"
        run.send_signal(signal.SIGINT)
        return word, self.said + self.ends(run, 130)

    def finished(self, run, word, restarts=True):
        """To its end; nothing that was done is lost or done twice."""
        def until(condition, seconds=60):
            self.wait_for(lambda: condition() or run.poll() is not None, run, seconds)
        if restarts:
            until(lambda: self.mpirun_of(run) not in (None, self.mpirun), IN_TIME - self.seconds())
            until(lambda: self.starts() > 1)
        reached = self.logged()
        until(lambda: self.logged() > reached + 50, 60 if restarts else IN_TIME - self.seconds())
        word = f"{word}, {self.seconds():.1f} s"
        said = self.ends(run, 0, seconds=120)
        self.assertEqual(said.count("restarting all ranks from"), restarts, said)
        self.assertEqual(self.results(), self.expected())
        return word, said

    def starts(self):
        """How often the run was begun: rank 0 writes the run's record anew."""
        record = (self.out / "run.json").stat()
        self.begun.add((record.st_ino, record.st_mtime_ns))
        return len(self.begun)

    def expected(self):
        if Table.straight is None:
            out = self.out
            path = self.top / "straight.yaml"
            path.write_text(GROUPS)
            self.ends(self.start("--policy", path, *STEPS), 0, seconds=120)
            Table.straight = self.results()
            self.out = out
        return Table.straight

    def exception(self, part, policy):
        run = self.fail_in(part, policy, "throw")
        self.wait_for(self.once.exists, run)
        self.happens()
        said = rf"fragment {part}, replica \d, iteration 599: the {part} is out of order"
        if policy == "restart":
            word, text = self.finished(run, "restarted")
        elif part in REPLICAS:
            word, text = self.went_on(run, WITHOUT_ONE)
        else:
            return self.ended(run, 1, said)[0]
        self.assertRegex(text, said)
        return word

    def killed(self, part, policy):
        run = self.begin(policy, *(STEPS if policy == "restart" else ENDLESS), lines=800)
        rank = self.rank_of(part, policy)
        victim = self.rank(rank)
        self.happens()
        os.kill(victim, signal.SIGKILL)
        if policy == "restart":
            word, said = self.finished(run, "restarted")
            self.assertRegex(said, rf"rank {rank} \(process \d+ on .*\) was killed by signal 9")
        elif part in REPLICAS:
            word, _ = self.went_on(run, rf"rank {rank} .* {WITHOUT_ONE}")
        else:
            word, _ = self.ended(run, 1, NEEDED)
        return word

    def mpirun_of(self, run):
        children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        return int(children[0]) if children else None

    def killed_launcher(self, policy):
        run = self.begin(policy, *(STEPS if policy == "restart" else ENDLESS), lines=800)
        self.happens()
        os.kill(self.mpirun_of(run), signal.SIGKILL)
        word = self.finished(run, "mpirun: restarted") if policy == "restart" else self.ended(run, 1, "")
        shutil.rmtree(self.kept)
        run = self.begin(policy, *ENDLESS)
        fault = time.monotonic()
        run.kill()
        run.communicate()
        while processes(str(self.out)):
            self.assertLess(time.monotonic() - fault, IN_TIME, "processes are left")
            time.sleep(0.05)
        return f"{word[0]}; fdg-run: ends, {time.monotonic() - fault:.1f} s"

    def stopped(self, part, policy):
        run = self.begin(policy, *(STEPS if policy == "restart" else ENDLESS), lines=800)
        victims = [run.pid, self.mpirun_of(run)] if part == "launcher" else [self.rank(self.rank_of(part, policy))]
        for victim in victims:
            os.kill(victim, signal.SIGSTOP)
        before = self.logged()
        time.sleep(STOPPED)
        self.happens()
        for victim in reversed(victims):
            os.kill(victim, signal.SIGCONT)
        if policy == "continue":
            word, said = self.went_on(run)
            self.assertNotIn("died", said)
        elif part == "launcher":  # its ranks did not wait
            self.assertGreater(self.logged(), before)
            self.ends(run, 0, seconds=120)
            self.assertEqual(self.results(), self.expected())
            word = "goes on, without a pause"
        else:
            word, _ = self.finished(run, "goes on", restarts=False)
        return word

    def not_a_number(self, part, policy):
        run = self.fail_in(part, policy, "nan")
        self.wait_for(self.once.exists, run)
        self.happens()
        if part == "evaluator":  # no reduction sees it
            word = self.went_on(run)[0]
            self.assertEqual((self.out / "log.jsonl").read_text().count('"nan"'), 1)
            return word
        told = r"fragment \S*learner\S*, replica 0, iteration \d+: .*grads.*not finite"
        if policy == "continue":
            return self.ended(run, 1, told)[0]
        word, said = self.finished(run, "restarted")
        self.assertRegex(said, told)
        return word

    def full_disk(self, part, policy):
        """Under what this part writes into a checkpoint."""
        file = f"{part}-{REPLICAS.get(part, 0)}.safetensors"
        told = rf"cannot write .*{file}: No space left on device".replace(part, "(environment|actor)" if part in REPLICAS else part)
        if policy == "restart":
            run = self.begin(policy, *STEPS)
            place = self.kept / ".iteration-000001000"
            place.mkdir()
            (place / (file + ".tmp")).symlink_to("/dev/full")
            self.assertLess(self.logged(), 1000, "too late")
            self.wait_for(lambda: not place.exists() or len(list(place.iterdir())) > 1, run)
            self.happens()
            word, said = self.finished(run, "restarted")
            self.assertRegex(said, told)
            return word
        run = self.begin(policy, *ENDLESS, "--checkpoint", self.kept, "--every", "1s", environment=self.full_for(part))
        self.wait_for(lambda: any(self.kept.iterdir()), run)
        self.happens()
        if part not in REPLICAS:
            return self.ended(run, 1, told)[0]
        word, said = self.went_on(run, WITHOUT_ONE)
        self.assertRegex(said, told)
        return word

    def full_for(self, part):
        """An mpirun that puts a full disk where the part's rank keeps checkpoints."""
        rank = self.top / "rank"
        rank.write_text(f"""#!/bin/bash
if [ "$OMPI_COMM_WORLD_RANK" != {self.rank_of(part, "continue")} ]; then exec "$@"; fi
exec unshare --mount bash -c 'mount -t tmpfs -o size=4k none {self.kept} && head -c 4096 /dev/zero > {self.kept}/filler
exec "$@"' rank "$@"
""")
        mpirun = self.top / "mpirun"
        mpirun.write_text(f"""#!/bin/bash
words=()
for word in "$@"; do [ "$word" = {FDG_RUN} ] && words+=({rank}); words+=("$word"); done
exec {MPIRUN} "${{words[@]}}"
""")
        for script in (rank, mpirun):
            script.chmod(0o755)
        return {**os.environ, "FDG_MPIRUN": str(mpirun)}

    def full_disk_of_launcher(self, policy):
        """Under TMPDIR, where it and mpirun keep their files."""
        disk = self.top / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=8", "none", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", disk], check=False)
        (disk / "filler").write_bytes(bytes(4096))
        self.happens()
        run = self.begin(policy, *ENDLESS, lines=-1, environment={**os.environ, "TMPDIR": str(disk)})
        self.ends(run, 2, rf"cannot write in {disk}.*: No space left on device; .*TMPDIR")
        return f"does not start, {self.seconds():.1f} s"

    def full_shared_memory(self, part, policy):
        """It is filled while the run is at work; then what the part sends no longer fits where it lay."""
        shm = ["unshare", "--mount", "bash", "-c", 'mount -t tmpfs -o size=64m none /dev/shm && exec "$0" "$@"']
        if part == "launcher":
            self.happens()
            run = self.begin(policy, *ENDLESS, lines=-1, before=[*shm[:-1], shm[-1].replace("64m", "16k")])
            self.ends(run, 1, r"(?i)shared memory|/dev/shm|No space left")
            return f"does not start, {self.seconds():.1f} s"
        run = self.begin(policy, *ENDLESS, "--set", f"fail_in={part}", "--set", "fail_how=wide", "--set",
                         f"fail_once={self.once}", before=shm)
        with self.assertRaises(OSError), open(f"/proc/{run.pid}/root/dev/shm/filler", "wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
        self.happens()
        self.once.touch()
        if part == "learner" and policy == "continue":  # a newest value has to fit as a whole
            return self.ended(run, 1, r"fragment learner, .*line \d+: weights: .* does not fit into shared memory")[0]
        return self.went_on(run)[0]

    def run_cell(self, part, fault, policy):
        needs = {"full disk": "mount", "full shared memory": "mount"}
        if fault in needs and subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
            self.skipTest("no rights to mount")
        if part == "launcher" and fault in ("kill -9", "full disk"):
            ways = {"kill -9": self.killed_launcher, "full disk": self.full_disk_of_launcher}
            word = ways[fault](policy)
        else:
            ways = {"exception": self.exception, "kill -9": self.killed, "SIGSTOP": self.stopped, "NaN": self.not_a_number,
                    "full disk": self.full_disk, "full shared memory": self.full_shared_memory}
            word = ways[fault](part, policy)
        for _ in range(100):
            left = left_in_shared_memory(self.shared)
            if not left:
                break
            time.sleep(0.1)
        self.assertEqual(left, set())
        Table.cells[part, fault, policy] = word

    @classmethod
    def tearDownClass(cls):
        for policy in POLICIES:
            print(f"\non_failure: {policy}")
            for fault in FAULTS:
                for part in PARTS:
                    if (part, fault, policy) in cls.asked:
                        reason = NOT_APPLICABLE.get((part, fault))
                        word = f"not applicable: {reason}" if reason else cls.cells.get((part, fault, policy), "NOT PASSED")
                        print(f"  {fault:<20} {part:<12} {word}")
        sys.stdout.flush()


def add_cells():
    Table.asked = [(part, fault, policy) for policy in POLICIES for fault in FAULTS for part in PARTS
                   if ALL or (part, fault, policy) in EVERY_DAY]
    for cell in Table.asked:
        if cell[:2] not in NOT_APPLICABLE:
            name = "test_" + re.sub(r"\W+", "_", f"{cell[1]}_{cell[0]}_{cell[2]}")
            setattr(Table, name, lambda self, cell=cell: self.run_cell(*cell))


if __name__ == "__main__":
    add_cells()
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[4 + ALL:]])
