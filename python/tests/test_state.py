"""What a state may be: whole and of the same replay, or refused with nothing changed."""
import copy
import pickle
import threading

import numpy as np
import pytest

import fdg_replay
from fdg_replay import PrioritizedReplay, ReplayError
from test_replay import FIELDS, VIDEO, go_on, rows, stacks

KINDS = [(FIELDS, (), rows), (VIDEO, ("obs",), stacks)]
PARTS = ("slots", "rows", "frames")


def filled(fields, frames, rows_of, **options):
    """A ring that has come round, with updates, removed rows and free frames."""
    replay = PrioritizedReplay(6, fields, frames=frames, **options)
    replay.add(errors=[1, 2, 3, 4], **rows_of(0, 4))
    replay.add(**rows_of(20, 4))
    batch = replay.sample(4)
    replay.update(batch["slots"], batch["generations"], [3, 1, 4, 1])
    replay.remove_oldest(2)
    return replay


def forged(state, **parts):
    """With a checksum that is right."""
    state = {**state, **parts}
    return {**state, "checksum": fdg_replay._sum_of(state)}


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


def taken(states, kind):
    """How many of the states are restored: then all goes on from them. Those that are refused change nothing."""
    count, replay = 0, None
    for state in states:
        if replay is None:
            replay = filled(*kind, seed=1)
            before = replay.state()
        try:
            replay.restore(state)
        except ReplayError:
            assert same(replay.state(), before)
            continue
        count += 1
        use(replay, kind)
        replay = None
    return count


def use(replay, kind):
    for turn in range(2):
        try:
            batch = replay.sample(5)
            replay.update(batch["slots"], batch["generations"], np.ones(5))
        except ReplayError as error:
            assert "priority 0" in str(error) or "empty" in str(error)
        replay.add(**kind[2](40 + 4 * turn, 4))
    PrioritizedReplay(6, kind[0], frames=kind[1], seed=1).restore(replay.state())
    replay.remove_oldest(6)
    assert replay.stored_frames == 0


def with_bytes(state, part, at, new):
    damaged = state[part].copy()
    damaged[at:at + len(new)] = np.frombuffer(new, np.uint8)
    return {**state, part: damaged}


@pytest.mark.parametrize("kind", KINDS, ids=["rows", "frames"])
def test_refuses_every_byte_that_has_changed(kind):
    state = filled(*kind, seed=1).state()
    assert taken([state], kind) == 1
    assert taken((with_bytes(state, part, at, bytes([state[part][at] ^ 1 << at % 8]))
                  for part in PARTS for at in range(state[part].size)), kind) == 0
    assert taken([{**state, "checksum": state["checksum"] + 1},
                  {**state, "layout": np.array(f" {state['layout']}")}], kind) == 0


NUMBERS = [(8, 0), (8, 1), (8, 6), (8, 7), (8, 2**31), (8, 2**32 - 1), (8, 2**62), (8, 2**63 - 1), (8, 2**63), (8, 2**64 - 1),
           (8, 0x7FF0 << 48), (8, 0x7FF8 << 48), (4, 0), (4, 1), (4, 30), (4, 2**31), (4, 2**32 - 1), (1, 0), (1, 1), (1, 255)]


@pytest.mark.parametrize("kind", KINDS, ids=["rows", "frames"])
def test_no_number_in_a_state_is_believed(kind):
    state = filled(*kind, seed=1).state()
    bad = (forged(with_bytes(state, part, at, value.to_bytes(size, "little")))
           for part in ("slots", "rows") for size, value in NUMBERS
           for at in range(0, state[part].size - size + 1, size) if part == "slots" or size == 4)
    assert taken(bad, kind) > 0, "some numbers are as good as those that were saved"


@pytest.mark.parametrize("kind", KINDS, ids=["rows", "frames"])
def test_refuses_parts_of_another_length(kind):
    state = filled(*kind, seed=1).state()
    assert taken((forged(state, **{part: state[part][:size]}) for part in PARTS for size in range(state[part].size)),
                 kind) == 0
    assert taken((forged(state, **{part: np.append(state[part], np.uint8(0))}) for part in PARTS), kind) == 0


@pytest.mark.parametrize("bad, word", [
    (lambda s: {name: s[name] for name in s if name != "rows"}, "rows"),
    (lambda s: {**s, "rows": s["rows"].astype(np.int16)}, "rows"),
    (lambda s: {**s, "rows": s["rows"][None]}, "rows"),
    (lambda s: {**s, "slots": np.zeros(3, object)}, "slots"),
    (lambda s: {**s, "layout": np.array("{")}, "no state"),
    (lambda s: {**s, "layout": np.array("[1]")}, "damaged"),
    (lambda s: {**s, "checksum": np.zeros(2)}, "no state"),
    (lambda s: None, "no state"),
    (lambda s: [1, 2], "no state"),
])
def test_refuses_what_is_no_state(bad, word):
    replay = filled(*KINDS[0])
    before = replay.state()
    with pytest.raises(ReplayError, match=word):
        replay.restore(bad(before))
    assert same(replay.state(), before)


def test_takes_arrays_that_are_read_only_or_do_not_lie_together():
    state = filled(*KINDS[1]).state()
    apart = {name: np.repeat(part, 2)[::2] if part.ndim else part for name, part in state.items()}
    for part in state.values():
        part.setflags(write=False)
    for form in (state, apart):
        replay = PrioritizedReplay(6, VIDEO, frames=("obs",))
        replay.restore(form)
        assert same(replay.state(), state)


@pytest.mark.parametrize("option, here, there", [
    ("capacity", 6, 8), ("alpha", 0.6, 0.61), ("beta", 0.4, 0.4000000001), ("beta_steps", 0, 5), ("epsilon", 1e-6, 1e-7),
    ("normalise", "batch", "buffer"), ("soft_limit", 0, 5), ("frame_capacity", 0, 50), ("seed", 0, 2**64 - 1),
    ("frames", ("obs",), ()), ("fields", VIDEO, {**VIDEO, "i": ((), np.int32)}),
    ("fields", VIDEO, dict(reversed(VIDEO.items()))), ("fields", VIDEO, {**VIDEO, "i": ((1,), np.int64)}),
])
def test_case_32_refuses_the_state_of_another_replay(option, here, there):
    made = dict(capacity=6, fields=VIDEO, frames=("obs",))
    replay = PrioritizedReplay(**{**made, option: here})
    replay.add(**stacks(0, 3))
    before = replay.state()
    with pytest.raises(ReplayError) as refusal:
        replay.restore(PrioritizedReplay(**{**made, option: there}).state())
    assert same(replay.state(), before)
    words = {"fields": "i", "frames": "obs"}
    for word in (words.get(option, option), *([] if option in words else [str(here), str(there)])):
        assert word in str(refusal.value)


@pytest.mark.parametrize("kind", KINDS, ids=["rows", "frames"])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda replay: pickle.loads(pickle.dumps(replay))])
def test_goes_on_from_a_copy_or_pickle(kind, again):
    replay = filled(*kind, alpha=0.5, beta_steps=9, seed=3)
    other = again(replay)
    np.testing.assert_array_equal(go_on(other, kind[2]), go_on(replay, kind[2]))


class Named(PrioritizedReplay):
    """A subclass that is made with other arguments."""

    def __init__(self, name):
        super().__init__(6, FIELDS, seed=3)
        self.name = name


AGAIN = [copy.copy, copy.deepcopy, lambda replay: pickle.loads(pickle.dumps(replay))]


@pytest.mark.parametrize("again", AGAIN)
def test_attributes_go_with_a_copy_or_pickle(again):
    replay, named = filled(*KINDS[0]), Named("mine")
    replay.notes, named.itself = ["kept"], named
    other = again(replay)
    assert other.notes == ["kept"] and (other.notes is replay.notes) == (again is copy.copy)
    named.add(**rows(0, 3))
    other = again(named)
    assert type(other) is Named and other.name == "mine" and same(other.state(), named.state())
    assert other.itself is (named if again is copy.copy else other)
    other.add(**rows(3, 1))
    assert len(other) == 4 and len(named) == 3


@pytest.mark.parametrize("again", AGAIN)
def test_what_a_replay_was_made_with_may_change(again):
    shape, fields, frames = [4, 2], dict(VIDEO), ["obs"]
    fields["more"] = [shape, np.float32]
    replay = PrioritizedReplay(6, fields, frames=frames)
    replay.add(more=np.ones((2, 4, 2), np.float32), **stacks(0, 2))
    shape.append(7)
    fields.clear()
    frames.append("more")
    other = again(replay)
    assert same(other.state(), replay.state()) and other.sample(2)["more"].shape == (2, 4, 2)


def test_a_state_taken_beside_threads_is_whole():
    replay = PrioritizedReplay(64, VIDEO, frames=("obs",))
    replay.add(**stacks(0, 8))
    over = threading.Event()

    def feed(first):
        while not over.is_set():
            replay.add(**stacks(first, 5))
            batch = replay.sample(8)
            replay.update(batch["slots"], batch["generations"], batch["i"])
            replay.remove_oldest(1)

    threads = [threading.Thread(target=feed, args=(30 * i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    try:
        other = PrioritizedReplay(64, VIDEO, frames=("obs",))
        for _ in range(20):
            other.restore(replay.state())
            batch = other.sample(32)
            np.testing.assert_array_equal(batch["obs"], np.stack([stacks(i, 1)["obs"][0] for i in batch["i"]]))
            replay.restore(replay.state())
    finally:
        over.set()
        for thread in threads:
            thread.join()
