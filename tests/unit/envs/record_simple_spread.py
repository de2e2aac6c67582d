"""Writes simple_spread.txt: episodes of the Python package mpe2, which SimpleSpreadTest steps again.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install mpe2
    /tmp/peers/bin/python tests/unit/envs/record_simple_spread.py > tests/unit/envs/simple_spread.txt

The first line of an episode is where it starts: places of the agents, then of the landmarks. Each other
line is a step: the actions; what every agent sees; the rewards; whether the episode is cut. Half of the
agents' actions lead towards the next agent, so that they touch.
"""
import numpy as np
from mpe2 import simple_spread_v3

EPISODES = 6


def numbers(values):
    return " ".join(f"{x:.9g}" for x in values)


def towards(own, other):
    apart = other - own
    axis = int(np.argmax(np.abs(apart)))
    return 1 + 2 * axis + int(apart[axis] > 0)


def main():
    env = simple_spread_v3.parallel_env()
    draw = np.random.default_rng(5)
    for episode in range(EPISODES):
        env.reset(seed=episode)
        world = env.unwrapped.world
        places = np.concatenate([e.state.p_pos for e in world.agents + world.landmarks])
        print("start", *(repr(float(x)) for x in places))
        while env.agents:
            places = [agent.state.p_pos for agent in world.agents]
            actions = [towards(places[i], places[(i + 1) % 3]) if draw.random() < 0.5 else int(draw.integers(5))
                       for i in range(3)]
            seen, rewards, ended, cut, _ = env.step(dict(zip(env.agents, actions)))
            assert not any(ended.values())
            print("step", *actions, numbers(np.concatenate(list(seen.values()))), numbers(rewards.values()),
                  int(all(cut.values())))


main()
