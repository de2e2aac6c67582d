"""Plays along with an Atari game of ours in gymnasium's own wrappers.

    compare_atari.py ATARI_TRACE NAME

From the same seeds and actions AtariPreprocessing and FrameStackObservation must give the same rewards and ends, and
the same pixels but for the rounding of a mean. (The last frame of an episode is left out: theirs may be an old one.)
Without OpenCV, which they need for nothing else, a plain area mean stands in for its resize.
"""
import subprocess
import sys
import types

import numpy as np

STEPS, ROWS, SHAPE = 150, 2, (2, 4, 84, 84)


def shares(length, size):
    """[size, length]: how much of each pixel goes into each smaller one."""
    edges = np.arange(size + 1) * length / size
    pixels = np.arange(length)
    covered = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    return np.maximum(covered, 0) * size / length


def resize(image, size, interpolation):
    assert interpolation == "area"
    return np.rint(shares(image.shape[0], size[1]) @ image @ shares(image.shape[1], size[0]).T).astype(np.uint8)


try:
    import cv2
except ImportError:
    cv2 = sys.modules["cv2"] = types.ModuleType("cv2")
    cv2.resize, cv2.INTER_AREA = resize, "area"

import ale_py
import gymnasium
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation

gymnasium.register_envs(ale_py)


def main():
    tool, name = sys.argv[1:]
    trace = subprocess.run([tool, name, str(STEPS)], check=True, capture_output=True).stdout
    at = 0

    def read(dtype, shape):
        nonlocal at
        count = int(np.prod(shape))
        values = np.frombuffer(trace, dtype, count, at).reshape(shape)
        at += values.nbytes
        return values

    game, _, option = name.partition("?")
    life_loss = option == "life_loss=True"
    envs = [FrameStackObservation(AtariPreprocessing(
        gymnasium.make(game, frameskip=1), terminal_on_life_loss=life_loss), 4) for _ in range(ROWS)]
    worst = other = ended = points = 0

    def compare(ours, theirs):
        nonlocal worst, other
        difference = np.abs(ours.astype(int) - theirs)
        worst, other = max(worst, difference.max()), other + np.count_nonzero(difference)

    seeds = read(np.int64, ROWS)
    for env, seed, first in zip(envs, seeds, read(np.uint8, SHAPE)):
        compare(first, env.reset(seed=int(seed))[0])
    moved = 0
    for step in range(STEPS):
        actions, final, seen = read(np.int64, ROWS), read(np.uint8, SHAPE), read(np.uint8, SHAPE)
        rewards, terminated = read(np.float32, ROWS), read(np.bool_, ROWS)
        for row, env in enumerate(envs):
            theirs, reward, end, _, _ = env.step(int(actions[row]))
            assert reward == rewards[row] and end == terminated[row], f"{name}, step {step}, row {row}"
            points += reward != 0
            moved += np.any(theirs[3] != theirs[2])
            if end:
                ended += 1
                theirs, _ = env.reset()
            else:
                compare(final[row], theirs)
            compare(seen[row], theirs)
    assert at == len(trace)
    print(f"{name}: {points} steps with points, {ended} ends, largest difference {worst}, {other} pixels differ")
    assert worst <= 1 and other < 1e-4 * 2 * STEPS * ROWS * np.prod(SHAPE[1:])
    assert points > 0 and moved > STEPS and (ended > 0) == life_loss


main()
