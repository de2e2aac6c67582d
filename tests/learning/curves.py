"""The learning table: what must be learned and what was, as curves.

usage: curves.py BUILD [NAME…] [--seeds N]

Every row is trained with each seed, one process at a time, and gives algorithms/curves/NAME.csv (seed, environment
steps, mean return) and NAME.svg: greedy evaluations of 10 episodes. The table at the end has the median over the seeds
of what was best reached, of the steps until the bar was reached, and of the seconds that the whole run took, of
processor time, so that other work does not count. mappo's bar is half the way from chance (-26.2) to a planner (-8.7).
"""
import argparse
import dataclasses
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
OUT = ROOT / "algorithms" / "curves"


@dataclasses.dataclass
class Row:
    program: str
    environment: str
    bar: float  # of the mean return
    within: str
    options: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return f"{self.program}-{self.environment}"


def config(name):
    return ["--config", str(ROOT / "algorithms" / "configs" / f"{name}.yaml")]


ROWS = [
    Row("dqn", "CartPole-v1", 475, "60 s"),
    Row("apex", "CartPole-v1", 475, "60 s"),
    Row("ppo", "CartPole-v1", 475, "10 s"),
    Row("ppo", "LunarLander-v3", 200, "180 s", config("ppo-LunarLander-v3")),
    Row("sac", "Pendulum-v1", -200, "20,000 steps"),
    Row("td3", "Pendulum-v1", -200, "20,000 steps"),
    Row("ddpg", "Pendulum-v1", -200, "20,000 steps"),
    Row("td3", "MountainCarContinuous-v0", 90, "40,000 steps", config("td3-MountainCarContinuous-v0")),
    Row("ddpg", "MountainCarContinuous-v0", 90, "40,000 steps", config("ddpg-MountainCarContinuous-v0")),
    Row("dqn", "Acrobot-v1", -100, "100,000 steps", config("dqn-Acrobot-v1")),
    Row("a2c", "Acrobot-v1", -100, "60 s", ["--set", "env=Acrobot-v1"]),
    Row("fastsac", "Pendulum-v1", -200, "120 s",
        [*config("fastsac-Pendulum-v1"), "--policy", "shared-replay", "--replicas", "1"]),
    Row("a2c", "CartPole-v1", 400, "60 s"),
    Row("a3c", "CartPole-v1", 400, "60 s"),
    Row("mappo", "simple_spread", -17.45, "180 s"),
    Row("ppo", "HalfCheetah-v5", 1500, "1,000,000 steps", config("ppo-HalfCheetah-v5")),
    Row("ppo", "Hopper-v5", 3000, "1,000,000 steps", config("ppo-Hopper-v5")),
    Row("ppo", "Walker2d-v5", 3000, "1,000,000 steps", config("ppo-Walker2d-v5")),
]


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def train(build, row, seed, plan):
    """Points (environment steps, mean return of 10 greedy episodes), and the seconds of all processes of the run."""
    with tempfile.TemporaryDirectory() as folder:
        before = processor_time()
        subprocess.run([build / "bin" / "fdg-run", "--quiet", "--seed", str(seed), "--out", f"{folder}/run", *row.options,
                        plan], check=True)
        took = processor_time() - before
        settings = json.loads(pathlib.Path(folder, "run", "run.json").read_text())["config"]
        rows = int(settings.get("envs") or settings["worlds"])
        steps = rows * int(settings.get("horizon", 1))  # of the environments, in one iteration of the log
        points = []
        for line in open(f"{folder}/run/log.jsonl", encoding="utf-8"):
            point = json.loads(line)
            if point["key"] == "eval/return" and isinstance(point["value"], (int, float)):
                points.append(((point["iteration"] + 1) * steps, point["value"]))
    return points, took


def reached(points, row):
    """Steps at which the bar was first reached; None if it never was."""
    for steps, mean in points:
        if mean >= row.bar:
            return steps
    return None


def thinned(points):
    return points[::max(1, len(points) // 300)] + points[-1:]


def nice(value):
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"


def draw(row, runs):
    """The curves as a picture: a thin line a seed, a dashed one for the bar."""
    width, height, left, bottom = 640, 360, 70, 40
    most = max(points[-1][0] for points, _ in runs)
    values = [mean for points, _ in runs for _, mean in points] + [row.bar]
    low, high = min(values), max(values)
    high = high + 0.05 * (high - low or 1)

    def at(steps, mean):
        return (left + (width - left - 15) * steps / most, (height - bottom) - (height - bottom - 30) * (mean - low) / (high - low))

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="18">{row.name}: eval/return, seeds 1 to {len(runs)}'
             '</text>']
    for i in range(5):
        x, y = at(most * i / 4, low + (high - low) * i / 4)
        parts += [f'<path d="M{left} {y:.1f}H{width - 15}M{x:.1f} 30V{height - bottom}" stroke="#ddd"/>',
                  f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{nice(low + (high - low) * i / 4)}</text>',
                  f'<text x="{x:.1f}" y="{height - bottom + 16}" text-anchor="middle">{nice(most * i / 4)}</text>']
    parts.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">environment steps</text>')
    y = at(0, row.bar)[1]
    parts.append(f'<path d="M{left} {y:.1f}H{width - 15}" stroke="#c33" stroke-dasharray="6 4"/>')
    for colour, (points, _) in zip(["#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"], runs):
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in (at(steps, mean) for steps, mean in thinned(points)))
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    return "\n".join([*parts, "</svg>", ""])


def measure(build, row, seeds):
    plan = build / "plans" / f"{row.program}.plan"
    plan.parent.mkdir(exist_ok=True)
    subprocess.run([build / "bin" / "fdgc", ROOT / "algorithms" / f"{row.program}.cpp", "-o", plan], check=True)
    runs = [train(build, row, seed, plan) for seed in range(1, seeds + 1)]
    OUT.mkdir(exist_ok=True)
    (OUT / f"{row.name}.svg").write_text(draw(row, runs))
    lines = ["seed,steps,mean_return"]
    for seed, (points, _) in enumerate(runs, 1):
        lines += [f"{seed},{steps},{mean:.3f}" for steps, mean in thinned(points)]
    (OUT / f"{row.name}.csv").write_text("\n".join(lines) + "\n")
    there = [reached(points, row) for points, _ in runs]
    median = nice(statistics.median(there)) if all(there) else f"by {sum(map(bool, there))} of {seeds}"
    return [row.program, row.environment, nice(row.bar), row.within, nice(statistics.median(max(mean for _, mean in p) for p, _ in runs)),
            median, f"{statistics.median(took for _, took in runs):.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help=", ".join(row.name for row in ROWS))
    parser.add_argument("--seeds", type=int, default=3, choices=range(1, 6), metavar="1..5", help="seeds 1 to this (3)")
    asked = parser.parse_args()
    unknown = [name for name in asked.names if name not in [row.name for row in ROWS]]
    if unknown:
        parser.error(f"no row is called {unknown[0]}; there are {', '.join(row.name for row in ROWS)}")
    table = [["program", "environment", "bar", "within", "best", "steps to the bar", "seconds"],
             ["---"] * 7]
    for row in ROWS:
        if not asked.names or row.name in asked.names:
            table.append(measure(asked.build.resolve(), row, asked.seeds))
            print("| " + " | ".join(table[-1]) + " |", flush=True)
    print("\n" + "\n".join("| " + " | ".join(line) + " |" for line in table))


if __name__ == "__main__":
    main()
