"""pytest python/tests, once the module is installed."""
import threading

import numpy as np
import pytest

from fdg_replay import PrioritizedReplay

FIELDS = {"obs": ((2,), np.float32), "act": ((), np.int64), "rew": ((), np.float32)}


def rows(first, count):
    numbers = np.arange(first, first + count)
    return {"obs": np.stack([numbers, numbers], 1).astype(np.float32), "act": numbers, "rew": numbers.astype(np.float32)}


def test_draws_in_proportion_to_errors():
    replay = PrioritizedReplay(10, FIELDS, alpha=1, beta=1, epsilon=0)
    replay.add(errors=[1, 2, 3, 4], **rows(0, 4))
    batch = replay.sample(1000)
    np.testing.assert_allclose(np.bincount(batch["act"]), [100, 200, 300, 400], atol=1)
    np.testing.assert_array_equal(batch["obs"][:, 1], batch["act"])
    np.testing.assert_allclose(batch["weights"], (1 / (batch["act"] + 1)).astype(np.float32), rtol=1e-5)


def test_late_updates_are_dropped_and_counted():
    replay = PrioritizedReplay(2, FIELDS)
    replay.add(**rows(0, 2))
    old = replay.sample(2)
    replay.add(**rows(2, 1))
    replay.update(old["slots"], old["generations"], [3, 3])
    assert replay.dropped == 1 and len(replay) == 2


def test_fills_the_arrays_it_is_given():
    replay = PrioritizedReplay(8, FIELDS)
    replay.add(**rows(0, 8))
    batch = replay.sample(4)
    address = batch["obs"].ctypes.data
    again = replay.sample(4, out=batch)
    assert again is batch and again["obs"].ctypes.data == address
    np.testing.assert_array_equal(again["obs"][:, 0], again["rew"])


def test_stores_each_frame_once():
    video = np.random.default_rng(1).integers(0, 256, (104, 8, 8), np.uint8)
    stacks = np.stack([video[i:i + 4] for i in range(101)])
    replay = PrioritizedReplay(100, {"obs": ((4, 8, 8), np.uint8), "next": ((4, 8, 8), np.uint8), "i": ((), np.int64)},
                               frames=("obs", "next"))
    replay.add(obs=stacks[:100], next=stacks[1:], i=np.arange(100))
    assert replay.stored_frames == 104
    batch = replay.sample(64)
    np.testing.assert_array_equal(batch["obs"], stacks[batch["i"]])
    np.testing.assert_array_equal(batch["next"], stacks[batch["i"] + 1])


VIDEO = {"obs": ((4, 8, 8), np.uint8), "i": ((), np.int64)}


def stacks(first, count):
    video = np.random.default_rng(1).integers(0, 256, (200, 8, 8), np.uint8)
    numbers = np.arange(first, first + count)
    return {"obs": np.stack([video[i:i + 4] for i in numbers]), "i": numbers}


def go_on(replay, rows_of):
    """What a replay does from here on, as numbers."""
    seen = []
    for turn in range(20):
        batch = replay.sample(16)
        seen += [batch[name].astype(np.float64).ravel() for name in sorted(batch)]
        replay.update(batch["slots"], batch["generations"], (batch["slots"] + 1) % 7)
        replay.add(errors=[turn, 1], **rows_of(60 + 2 * turn, 2))
    return np.concatenate([*seen, [len(replay), replay.dropped, replay.stored_frames]])


@pytest.mark.parametrize("normalise", ["batch", "buffer"])
@pytest.mark.parametrize("fields, frames, rows_of", [(FIELDS, (), rows), (VIDEO, ("obs",), stacks)])
def test_case_31_a_restored_replay_goes_on_exactly(tmp_path, fields, frames, rows_of, normalise):
    def made(seed):
        return PrioritizedReplay(32, fields, frames=frames, beta_steps=30, normalise=normalise, soft_limit=30,
                                 seed=seed)

    replay = made(1)
    for first in range(0, 60, 6):
        replay.add(errors=np.arange(6) + first, **rows_of(first, 6))
    old = replay.sample(8)
    replay.add(**rows_of(0, 32))
    replay.update(old["slots"], old["generations"], np.ones(8))
    replay.update(*(replay.sample(8)[name] for name in ("slots", "generations")), np.arange(8))
    np.savez(tmp_path / "replay.npz", **replay.state())
    again = made(1)
    again.add(**rows_of(3, 5))
    again.restore(np.load(tmp_path / "replay.npz"))
    assert len(again) == 32 and again.dropped == replay.dropped > 0
    np.testing.assert_array_equal(go_on(again, rows_of), go_on(replay, rows_of))


def test_threads_draw_whole_rows():
    replay = PrioritizedReplay(64, FIELDS)
    replay.add(**rows(0, 1))

    def feed():
        for i in range(300):
            replay.add(**rows(i, 5))

    threads = [threading.Thread(target=feed) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        batch = replay.sample(16)
        np.testing.assert_array_equal(batch["obs"][:, 0], batch["act"])
        np.testing.assert_array_equal(batch["rew"], batch["act"])
        replay.update(batch["slots"], batch["generations"], batch["rew"])
    for thread in threads:
        thread.join()
    assert len(replay) == 64
