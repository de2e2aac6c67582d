"""Writes simple_tag.txt: episodes of the Python package mpe2, which WorldsTest steps again.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install mpe2
    /tmp/peers/bin/python tests/unit/envs/record_simple_tag.py > tests/unit/envs/simple_tag.txt

As record_simple_spread.py writes them; the prey's observation ends with two zeros that mpe2 leaves out. In even
episodes the predators hunt and the prey strays about, so that it is caught; in odd ones half of the actions lead
the predators towards the prey and the prey out of the middle.
"""
import numpy as np
from mpe2 import simple_tag_v3

EPISODES = 8
WIDTH = 16


def numbers(values):
    return " ".join(f"{x:.9g}" for x in values)


def along(direction):
    axis = int(np.argmax(np.abs(direction)))
    return 1 + 2 * axis + int(direction[axis] > 0)


def main():
    env = simple_tag_v3.parallel_env()
    draw = np.random.default_rng(5)
    for episode in range(EPISODES):
        env.reset(seed=episode)
        world = env.unwrapped.world
        print("start", *(repr(float(x)) for e in world.agents + world.landmarks for x in e.state.p_pos))
        while env.agents:
            prey = world.agents[3].state.p_pos
            led = [along(prey - agent.state.p_pos) for agent in world.agents[:3]] + [along(prey)]
            aims = [0.9, 0.9, 0.9, 0.0] if episode % 2 == 0 else [0.5] * 4
            actions = [way if draw.random() < aim else int(draw.integers(5)) for way, aim in zip(led, aims)]
            seen, rewards, ended, cut, _ = env.step(dict(zip(env.agents, actions)))
            assert not any(ended.values())
            padded = [np.pad(x, (0, WIDTH - len(x))) for x in seen.values()]
            print("step", *actions, numbers(np.concatenate(padded)), numbers(rewards.values()), int(all(cut.values())))


main()
