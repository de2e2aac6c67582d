"""Compares native flights of the lander with the installed Gymnasium's, in three ways.

    compare_lander.py LANDER_TRACE NAME

Rules: Gymnasium's step is given our physics (where the lander is before and after), so that what it
observes, rewards and ends must be ours: to 1e-9. Physics: Gymnasium flies our episodes from the same
ground, first force and askew engines; Box2D 2.3.10 and 2.4.1 must agree until the ground is touched. Whole
episodes: the same controller must land as often and get as much in both, within what chance gives.
"""
import subprocess
import sys

import gymnasium
import numpy as np
from gymnasium.envs.box2d import lunar_lander

EPISODES, FLOWN_BY_GYMNASIUM = 120, 60
SCALE = lunar_lander.SCALE


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __getitem__(self, index):
        return (self.x, self.y)[index]


class Recorded:
    """Stands in for the lander, its world and its legs."""

    def __init__(self, env, flight):
        self.env, self.next, self.ground_contact = env, None, False
        self.legs = [type("Leg", (), {})(), type("Leg", (), {})()]
        self.place(flight)

    def place(self, flight):
        x, y, self.angle, vx, vy, self.angularVelocity, left, right, crashed, asleep = flight
        self.position, self.linearVelocity, self.awake = Point(x, y), Point(vx, vy), not asleep
        self.legs[0].ground_contact, self.legs[1].ground_contact = bool(left), bool(right)
        self.env.game_over = bool(crashed)

    def ApplyLinearImpulse(self, *_):
        pass

    def Step(self, *_):
        self.place(self.next)


class Draws:
    """Random numbers that were drawn before."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def uniform(self, low, high, size=None):
        if size is not None:
            return np.array([self.numbers.pop(0) for _ in range(size[0])])
        return self.numbers.pop(0)


class Step:
    def __init__(self, numbers, actions):
        self.action = int(numbers[0]) if actions == 0 else np.array(numbers[:actions], dtype=np.float32)
        rest = numbers[max(actions, 1) :]
        self.askew, self.before, self.after = rest[:2], rest[2:12], rest[12:22]
        self.seen, self.reward, self.terminated = np.array(rest[22:30]), rest[30], bool(rest[31])


def read(lines, actions):
    episodes = []
    for line in lines:
        kind, *words = line.split()
        numbers = [float(word) for word in words]
        if kind == "start":
            episodes.append((numbers, []))
        else:
            episodes[-1][1].append(Step(numbers, actions))
    return episodes


def nothing(env):
    return np.array([0, 0]) if env.continuous else 0


def check_rules(name, env, episodes):
    ends = {"crashed": 0, "flew away": 0, "rested": 0}
    for start, steps in episodes:
        env.reset(seed=1)
        world = Recorded(env, start[16:26])
        env.lander, env.legs, env.world, env.prev_shaping = world, world.legs, world, None
        world.next = start[16:26]
        env._np_random = Draws([0, 0])
        env.step(nothing(env))
        for number, step in enumerate(steps):
            world.place(step.before)
            world.next = step.after
            env._np_random = Draws(np.array(step.askew) * SCALE)
            seen, reward, terminated, _, _ = env.step(step.action)
            same = np.array_equal(seen.astype(float), step.seen) and abs(reward - step.reward) <= 1e-9 * max(1, abs(reward))
            if not same or terminated != step.terminated:
                sys.exit(f"{name}, step {number}: ours {step.seen} {step.reward} {step.terminated}\n"
                         f"Gymnasium {seen} {reward} {terminated}")
        if steps[-1].terminated:
            ends["rested" if steps[-1].after[9] else "crashed" if steps[-1].after[8] else "flew away"] += 1
        env.moon = None  # its bodies are gone
    assert all(count > 0 for count in ends.values()), ends
    print(f"{name}: rules equal in {sum(len(steps) for _, steps in episodes)} steps; {ends}")


def check_physics(name, env, episodes):
    worst, compared = np.zeros(8), 0
    for start, steps in episodes[:20]:
        askew = [x * SCALE for x in start[14:16]] + [x * SCALE for step in steps for x in step.askew]
        env._np_random = Draws(start[:14] + askew)
        env.reset()
        for step in steps:
            seen, _, _, _, _ = env.step(step.action)
            if any(step.after[6:9]) or any(seen[6:8]) or env.game_over:
                break
            worst = np.maximum(worst, np.abs(seen - step.seen))
            compared += 1
    print(f"{name}: physics over {compared} steps in the air: largest differences {worst}")
    assert compared > 1000 and np.all(worst < 0.02), f"{name}: bodies move otherwise than in Gymnasium"


def check_landings(name, env, episodes):
    """Of the undisturbed flights."""
    env._np_random = None
    ours = [(sum(step.reward for step in steps), steps[-1].after[9]) for _, steps in episodes[::2]]
    theirs = []
    for number in range(FLOWN_BY_GYMNASIUM):
        seen, _ = env.reset(seed=number)
        total, terminated, length = 0.0, False, 0
        while not terminated and length < 1000:
            seen, reward, terminated, _, _ = env.step(lunar_lander.heuristic(env, seen))
            total, length = total + reward, length + 1
        theirs.append((total, float(not env.lander.awake)))
    ours, theirs = np.array(ours), np.array(theirs)
    chance = np.sqrt(ours.var(0) / len(ours) + theirs.var(0) / len(theirs))
    print(f"{name}: mean return and share of landings {ours.mean(0)}, Gymnasium {theirs.mean(0)}, chance {chance}")
    assert np.all(np.abs(ours.mean(0) - theirs.mean(0)) < 4 * chance + 1e-3)


def main():
    tool, name = sys.argv[1:]
    env = gymnasium.make(name, disable_env_checker=True).unwrapped
    actions = env.action_space.shape[0] if env.continuous else 0
    lines = subprocess.run([tool, name, str(EPISODES)], check=True, capture_output=True, text=True).stdout.splitlines()
    episodes = read(lines, actions)
    assert len(episodes) == EPISODES
    check_rules(name, env, episodes)
    env = gymnasium.make(name, disable_env_checker=True).unwrapped
    check_physics(name, env, episodes)
    check_landings(name, env, episodes)


main()
