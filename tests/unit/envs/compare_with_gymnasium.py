"""Steps the installed Gymnasium environment from every state of a native trace and compares.

    compare_with_gymnasium.py ENV_TRACE NAME

Each step starts from the native state, so that a difference is that step's own. The time limit is
Gymnasium's and runs through whole episodes. Allowed: 1e-6 relative; the largest difference is printed.
"""
import subprocess
import sys

import gymnasium
import numpy as np

STEPS = {"random": 20_000, "hold": 6_000}


def set_state(env, name, numbers):
    if name == "MountainCarContinuous-v0":
        # Gymnasium keeps a fresh start in float64 and every later state in float32.
        kind = np.float64 if numbers[2] else np.float32
        env.unwrapped.state = np.array(numbers[:2], dtype=kind)
    elif name == "MountainCar-v0":
        env.unwrapped.state = tuple(np.float64(x) for x in numbers)
    else:
        env.unwrapped.state = np.array(numbers, dtype=np.float64)


def parse(line):
    state, action, observation, result = (
        [float(x) for x in part.split()] for part in line.split(";")
    )
    return state, action, observation, result


def compare(tool, name, policy):
    env = gymnasium.make(name)
    discrete = isinstance(env.action_space, gymnasium.spaces.Discrete)
    trace = subprocess.run(
        [tool, name, str(STEPS[policy]), policy], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert len(trace) == STEPS[policy], f"{name}: the trace has {len(trace)} lines"
    env.reset(seed=0)
    worst, equal, terminations, truncations = 0.0, 0, 0, 0
    for number, line in enumerate(trace):
        state, action, observation, (reward, terminated, truncated) = parse(line)
        set_state(env, name, state)
        taken = int(action[0]) if discrete else np.array(action, dtype=np.float32)
        seen, gain, is_terminated, is_truncated, _ = env.step(taken)
        ours = np.array(observation + [reward])
        theirs = np.append(np.asarray(seen, dtype=np.float64), np.float32(gain))
        difference = np.max(np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs)))
        equal += int(np.array_equal(ours, theirs))
        worst = max(worst, difference)
        if difference > 1e-6 or (bool(terminated), bool(truncated)) != (is_terminated, is_truncated):
            sys.exit(
                f"{name}, {policy}, step {number}: from state {state}, action {action}\n"
                f"  ours       {ours} terminated {terminated} truncated {truncated}\n"
                f"  Gymnasium  {theirs} terminated {is_terminated} truncated {is_truncated}"
            )
        terminations += is_terminated
        truncations += is_truncated
        if is_terminated or is_truncated:
            env.reset()
    print(
        f"{name}, {policy}: {len(trace)} steps, {terminations} terminated, {truncations} truncated, "
        f"largest difference {worst:.2g}, equal to the bit {equal / len(trace):.2%}"
    )
    return terminations, truncations


def main():
    tool, name = sys.argv[1:]
    ends = [compare(tool, name, policy) for policy in STEPS]
    truncated = sum(t for _, t in ends)
    terminated = sum(t for t, _ in ends)
    assert truncated > 0, f"{name}: the time limit was never reached"
    assert terminated > 0 or name == "Pendulum-v1", f"{name}: no episode terminated"


main()
