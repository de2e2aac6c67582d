"""pytest python/tests, once the module is installed."""
import threading

import numpy as np
import pytest

from fdg_replay import PrioritizedReplay, ReplayError

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


@pytest.mark.parametrize("call, word", [
    (lambda r: r.sample(1), "empty"),
    (lambda r: r.add(errors=[np.nan], **rows(0, 1)), "index 0"),
    (lambda r: r.add(errors=[1, 2], **rows(0, 1)), "errors"),
    (lambda r: r.add(obs=np.zeros((1, 2))), "fields"),
    (lambda r: r.add(**{**rows(0, 2), "obs": np.zeros((2, 3))}), "obs"),
    (lambda r: r.add(**{**rows(0, 2), "act": np.zeros(3)}), "act"),
    (lambda r: r.update([5], [1], [1.0]), "slot 5"),
    (lambda r: PrioritizedReplay(4, FIELDS, alpha=2), "alpha"),
    (lambda r: PrioritizedReplay(4, FIELDS, frames=["image"]), "image"),
])
def test_refuses_with_a_sentence(call, word):
    replay = PrioritizedReplay(4, FIELDS)
    with pytest.raises(ReplayError, match=word):
        call(replay)
    assert len(replay) == 0


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
