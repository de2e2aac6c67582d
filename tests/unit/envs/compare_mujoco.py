"""Steps the installed Gymnasium robot along a native trace and compares in float64.

    compare_mujoco.py MUJOCO_TRACE NAME

Each episode starts from the native positions and velocities; from there on each side goes its own way
with the same actions, so that differences would add up. Allowed: 1e-9. Starts must be distributed as
Gymnasium's: the same spread in every position and velocity.
"""
import subprocess
import sys

import gymnasium
import mujoco
import numpy as np

STEPS, STARTS = 1500, 400
TERMINATES = {"Ant-v5": True, "HalfCheetah-v5": False, "Hopper-v5": True, "Humanoid-v5": True, "Walker2d-v5": True}


def start(env, numbers):
    """Puts Gymnasium's robot where ours starts; the time limit starts anew with it."""
    env.reset()
    robot = env.unwrapped
    mujoco.mj_resetData(robot.model, robot.data)
    robot.set_state(np.array(numbers[: robot.model.nq]), np.array(numbers[robot.model.nq :]))


def compare(name, env, lines):
    actions = env.action_space.shape[0]
    worst, steps, terminations, truncations = 0.0, 0, 0, 0
    for line in lines:
        kind, *words = line.split()
        numbers = [float(word) for word in words]
        if kind == "start":
            start(env, numbers)
            continue
        action, ours = np.array(numbers[:actions], dtype=np.float32), np.array(numbers[actions:-1])
        seen, reward, terminated, truncated, _ = env.step(action)
        theirs = np.append(seen, reward)
        assert ours.shape == theirs.shape, f"{name}: {ours.shape} numbers, Gymnasium has {theirs.shape}"
        difference = np.max(np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs)))
        if not difference <= 1e-9 or bool(numbers[-1]) != terminated:
            sys.exit(f"{name}, step {steps}: ours {ours} {numbers[-1]}\nGymnasium {theirs} {terminated}")
        worst, steps = max(worst, difference), steps + 1
        terminations += terminated
        truncations += truncated
    assert steps == STEPS and np.all(env.observation_space.shape == seen.shape)
    assert (terminations > 0) == TERMINATES[name] and terminations + truncations > 0
    print(f"{name}: {steps} steps, {terminations} terminated, {truncations} truncated, largest difference {worst:.2g}")


def compare_starts(name, tool, env):
    """By the mean and the deviation of every number, within five deviations of what chance gives."""
    robot = env.unwrapped
    theirs = []
    for _ in range(STARTS):
        env.reset()
        theirs.append(np.concatenate([robot.data.qpos, robot.data.qvel]))
    theirs = np.array(theirs)
    lines = subprocess.run([tool, name, "starts"], check=True, capture_output=True, text=True).stdout.splitlines()
    ours = np.array([[float(word) for word in line.split()[1:]] for line in lines if line.startswith("start")])
    assert len(ours) == STARTS, len(ours)
    spread = theirs.std(0) * np.sqrt(2 / STARTS)
    assert np.all(np.abs(ours.mean(0) - theirs.mean(0)) < 5 * spread), f"{name}: starts lie elsewhere"
    assert np.all(np.abs(ours.std(0) / theirs.std(0) - 1) < 5 / np.sqrt(STARTS)), f"{name}: starts spread otherwise"
    # Uniform numbers end at the bound, normal ones go on: the largest ones tell them apart.
    reach = [np.abs(x - x.mean(0)).max(0) / theirs.std(0) for x in (ours, theirs)]
    assert np.array_equal(reach[0] > 2, reach[1] > 2), f"{name}: starts have another shape"


def main():
    tool, name = sys.argv[1:]
    lines = subprocess.run([tool, name, str(STEPS)], check=True, capture_output=True, text=True).stdout.splitlines()
    env = gymnasium.make(name)
    compare(name, env, lines)
    env.reset(seed=1)
    compare_starts(name, tool, env)
    limit = env.spec.max_episode_steps
    assert limit == 1000, limit


main()
