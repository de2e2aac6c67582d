"""Speed of learning beside LibTorch, Stable-Baselines3 and the sequential executable, the sides taking turns.

    ninja -C build learn_bench && .venv/bin/python tests/bench/learn/bench.py build [ROW…] [--peers PYTHON] [--json FILE]

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install stable-baselines3      for --peers /tmp/peers/bin/python

ROW: net critics single ppo dqn cartpole; all by default. Pinned to one core, in processor time, so that other work on the
machine hardly counts. Prints a table: medians of the turns and their range, what they are beside the peer's, the bar; and
writes it as JSON.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests/bench"))
from table import Table, median_of  # noqa: E402

TURNS = 5
# Most microseconds of ours, or most of ours by LibTorch's.
NET_BARS = {"batch 1": 15, "batch 100": 60, "batch 256": 130}
CRITIC_BARS = {"batch 256": 0.9, "batch 1024": 1.0, "batch 8192": 1.0}


def seconds_of(command):
    """Processor seconds of a command and all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Bench:
    def __init__(self, build, peers):
        self.build, self.peers, self.runs = build, peers, 0
        self.table = Table(digits=2)
        self.folder = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.folder.name)

    def tool(self, what):
        command = [self.build / "bin/learn_bench", what, str(TURNS)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [json.loads(line) for line in out.splitlines()]

    def net(self):
        for found in self.tool("net"):
            most = next((bar for name, bar in NET_BARS.items() if found["what"].endswith(name)), None)
            ours, theirs = found["ours_us"], found["torch_us"]
            self.table.row(found["what"], "µs", ours, theirs, "LibTorch", f"≤ {most} µs" if most else "–", ours[0] / theirs[0],
                           ours[0] <= most if most else None)

    def critics(self):
        for found in self.tool("critics"):
            most = next(bar for name, bar in CRITIC_BARS.items() if found["what"].endswith(name))
            ours, theirs = ([us / 1000 for us in found[side]] for side in ("ours_us", "torch_us"))
            ratio = ours[0] / theirs[0]
            self.table.row(found["what"], "ms", ours, theirs, "LibTorch", f"≤ {most} ×", ratio, ratio <= most)

    def plan(self, source):
        plan = self.out / f"{source.stem}.plan"
        if not plan.exists():
            subprocess.run([self.build / "bin/fdgc", source, "-o", plan], check=True)
        return plan

    def run(self, source, settings, seed=1):
        """Processor seconds under `single`, and the folder it wrote."""
        self.runs += 1
        out = self.out / f"run-{self.runs}"
        command = [self.build / "bin/fdg-run", "--quiet", "--out", out, "--seed", str(seed)]
        for setting in settings:
            command += ["--set", setting]
        return seconds_of([*command, self.plan(source)]), out

    def rate(self, program, settings, count, few, many, steps):
        """Environment steps by processor second, from what `many` iterations take longer than `few`."""
        source = ROOT / f"algorithms/{program}.cpp"
        settings = ["eval_every=0", *settings]
        spent = [self.run(source, [*settings, f"{count}={n}"])[0] for n in (few, many)]
        return steps * (many - few) / (spent[1] - spent[0])

    def beside_sb3(self, what, least, *how):
        ours, theirs, version = [], [], ""
        for _ in range(TURNS):
            ours.append(self.rate(what, *how))
            if self.peers:
                script = pathlib.Path(__file__).with_name("peers.py")
                out = subprocess.run([self.peers, "-W", "ignore", script, what, "5"], check=True, capture_output=True,
                                     text=True).stdout.split()
                theirs.append(float(out[0]))
                version = out[1]
        ratio = statistics.median(ours) / statistics.median(theirs) if theirs else None
        self.table.row(f"{what}, CartPole, learning", "steps/s", median_of(ours), median_of(theirs) if theirs else None,
                       f"SB3 {version}", f"≥ {least} ×", ratio, ratio >= least if ratio else None)

    def ppo(self):
        settings = ["envs=8", "horizon=128", "epochs=4", "minibatches=4"]
        self.beside_sb3("ppo", 10, settings, "iterations", 1, 401, 8 * 128)

    def dqn(self):
        settings = ["envs=1", "updates=1", "batch=64", "dqn.hidden=64,64", "dqn.n_step=1"]
        self.beside_sb3("dqn", 15, settings, "steps", 1_000, 41_000, 1)

    def single(self):
        source = pathlib.Path(__file__).with_name("relay.cpp")
        plain = self.out / "relay"
        subprocess.run([self.build / "bin/fdgc", "--sequential", source, "-o", plain], check=True)
        few, many = 100_000, 2_100_000
        by_boundary = 1e9 / (2 * (many - few))
        ours, theirs = [], []
        for _ in range(TURNS):
            spent = [self.run(source, [f"steps={n}"])[0] for n in (few, many)]
            ours.append((spent[1] - spent[0]) * by_boundary)
            spent = [seconds_of([plain, "--quiet", "--out", self.out / f"plain-{len(theirs)}-{n}", "--set", f"steps={n}"]) for n in (few, many)]
            theirs.append(max(0.0, spent[1] - spent[0]) * by_boundary)
        over = statistics.median(ours) - statistics.median(theirs)
        self.table.row("a boundary under `single`", "ns", median_of(ours), median_of(theirs), "sequential", "≤ 150 ns more", None,
                       over <= 150)

    def cartpole(self):
        """Whole processes whose model then plays 100 episodes."""
        times, returns = [], []
        for seed in range(1, TURNS + 1):
            spent, out = self.run(ROOT / "algorithms/ppo.cpp", ["eval_every=0"], seed)
            times.append(spent)
            played = subprocess.run([sys.executable, ROOT / "examples/play/play.py", out / "model.safetensors", "CartPole-v1",
                                     "100"], check=True, capture_output=True, text=True).stdout
            returns.append(float(played.split()[2]))
        self.table.row(f"ppo, CartPole to 475, whole process (100 episodes then return {min(returns):.0f} or more)", "s",
                       median_of(times), None, "", "≤ 2 s", None, max(times) <= 2 and min(returns) >= 475)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("rows", nargs="*", default=["net", "critics", "single", "ppo", "dqn", "cartpole"])
    parser.add_argument("--peers")
    parser.add_argument("--json")
    args = parser.parse_args()
    bench = Bench(args.build, args.peers)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for name in args.rows:
        getattr(bench, name)()
    if args.json:
        bench.table.write(args.json)


main()
