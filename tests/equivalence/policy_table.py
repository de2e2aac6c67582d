"""The README's table of what every policy gives for every program, and whether it is current.

Usage: policy_table.py FDG_RUN FOLDER_OF_PLANS SOURCE_FOLDER [--write]

Each program is placed under each policy, and verified where it can be. Without --write the table in the README
must be what comes out; with it the table is written anew.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("fdg_run")
parser.add_argument("plans", type=pathlib.Path)
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("--write", action="store_true")
ASKED = parser.parse_args()
FDG_RUN, PLANS, SOURCE = ASKED.fdg_run, ASKED.plans, ASKED.source
SHORT = {"on": ["--set", "iterations=100"], "off": ["--set", "steps=100", "--set", "warmup=100", "--set", "batch=16"]}
PROGRAMS = {"dqn": "off", "apex": "off", "ppo": "on", "mappo": "on", "a2c": "on", "a3c": "on", "sac": "off", "fastsac": "off",
            "td3": "off", "ddpg": "off"}
POLICIES = ["single", "dp-a", "dp-b", "dp-c", "dp-e", "shared-replay", "threads", "apex", "dp-f"]
ON_GPUS = {"dp-d"}  # for programs whose tensors are on run.device(), which these are not
SMALL = {"fastsac": ["--set", "envs=8", "--set", "fastsac.policy_hidden=24,16", "--set", "fastsac.critic_hidden=24,16"]}
# What fdg-run says, and what that means for the user. The first that fits counts.
OUTCOMES = [
    ("verify: equal to the sequential run, bit for bit", "sequential result"),
    ("verify: equal to the same replicas in one process, bit for bit", "to rounding"),
    (" is not ordered, so the result depends on timing", "asynchronous"),
    ("which together are not the same as one", "approximate"),
    ("is not marked loose", "refused: not loose"),
    ("cannot be replicated", "refused: one only"),
    ("must be the same on all replicas", "stopped: replicas differ"),
    ("does not have (it has", "–"),
]
BEGIN, END = "<!-- policies: tests/equivalence/policy_table.py -->", "<!-- end of policies -->"


def outcome(program, policy):
    with tempfile.TemporaryDirectory() as out:
        call = [FDG_RUN, "--policy", policy, "--verify", "60", "--out", f"{out}/run", *SHORT[PROGRAMS[program]], *SMALL.get(program, [])]
        if policy != "single":
            call += ["--replicas", "2"]
        done = subprocess.run([*call, PLANS / f"{program}.plan"], capture_output=True, text=True, timeout=200)
    said = done.stdout + done.stderr
    for words, meaning in OUTCOMES:
        if words in said:
            return meaning
    sys.exit(f"{program} under {policy}: no outcome is known for\n{said}")


def table():
    known = {file.stem for file in (SOURCE / "policies").glob("*.yaml")}
    assert known == set(POLICIES) | ON_GPUS, f"the table knows {POLICIES}, there are {sorted(known)}"
    written = {file.stem for file in (SOURCE / "algorithms").glob("*.cpp")}
    assert written == set(PROGRAMS), f"the table knows {sorted(PROGRAMS)}, there are {sorted(written)}"
    lines = ["| program | " + " | ".join(f"`{policy}`" for policy in POLICIES) + " |",
             "|---|" + "---|" * len(POLICIES)]
    for program in PROGRAMS:
        cells = [outcome(program, policy) for policy in POLICIES]
        lines.append(f"| [{program}](algorithms/{program}.md) | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    readme = SOURCE / "README.md"
    before, rest = readme.read_text().split(BEGIN)
    present, after = rest.split(END)
    new = f"\n{table()}\n"
    if ASKED.write:
        readme.write_text(before + BEGIN + new + END + after)
    elif new != present:
        sys.exit(f"the README's table is not current (write it with --write); it should be\n{new}")


main()
