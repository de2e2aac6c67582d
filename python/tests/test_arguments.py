"""What a replay may be called with: taken as it is, or refused with a sentence and nothing changed."""
import decimal
import fractions
import gc
import itertools
import threading
import warnings

import numpy as np
import pytest

from fdg_replay import PrioritizedReplay, ReplayError
from test_replay import FIELDS, rows
from test_state import same


def made(**options):
    return PrioritizedReplay(**{"capacity": 4, "fields": FIELDS, **options})


@pytest.mark.parametrize("options, kind, words", [
    (dict(capacity=0), ReplayError, "capacity"), (dict(capacity=-1), ReplayError, "capacity"),
    (dict(capacity=2**62), ReplayError, "capacity"), (dict(capacity=2**80), ReplayError, "capacity"),
    (dict(capacity=2**41), ReplayError, "capacity"), (dict(capacity=2.5), TypeError, "capacity.*2.5"),
    (dict(capacity=None), TypeError, "capacity"), (dict(capacity="4"), TypeError, "capacity"),
    (dict(alpha=2), ReplayError, "alpha"), (dict(alpha=np.nan), ReplayError, "alpha"), (dict(alpha="a"), TypeError, "alpha"),
    (dict(beta=-1), ReplayError, "beta"), (dict(beta=None), TypeError, "beta"), (dict(beta_steps=-1), ReplayError, "beta_steps"),
    (dict(beta_steps=0.5), TypeError, "beta_steps"), (dict(epsilon=np.inf), ReplayError, "epsilon"),
    (dict(normalise="x"), ReplayError, "normalise"), (dict(normalise=3), ReplayError, "normalise"),
    (dict(soft_limit=5), ReplayError, "soft_limit"), (dict(soft_limit=-1), ReplayError, "soft_limit"),
    (dict(seed=-1), ReplayError, "seed"), (dict(seed=2**64), ReplayError, "seed"), (dict(seed=0.5), TypeError, "seed"),
    (dict(frames=["image"]), ReplayError, "image"), (dict(frames="image"), ReplayError, "image"),
    (dict(frames=["obs"]), ReplayError, "obs"), (dict(frame_capacity=-1), ReplayError, "frame_capacity"),
    (dict(frame_capacity=2**31), ReplayError, "frame_capacity"),
    (dict(fields={"a": ((4, 2), np.uint8)}, frames="a", frame_capacity=3), ReplayError, "frame_capacity"),
    (dict(fields={"a": ((4, 2), np.uint8), "b": ((4, 3), np.uint8)}, frames="ab"), ReplayError, "ab"),
    (dict(fields={"a": ((4, 2), np.uint8), "b": ((4, 3), np.uint8)}, frames=("a", "b")), ReplayError, "one size"),
    (dict(fields={"a": ((2, 2**40), np.uint8)}, frames="a", frame_capacity=2**31 - 1), ReplayError, "frame_capacity"),
    (dict(fields={"a": ((0, 2), np.uint8)}, frames="a"), ReplayError, "a is no stack"),
    (dict(fields={}), TypeError, "fields"), (dict(fields=None), TypeError, "fields"), (dict(fields=[1]), TypeError, "fields"),
    (dict(fields={1: ((), np.int64)}), TypeError, "name"), (dict(fields={"a": 4}), TypeError, "field a"),
    (dict(fields={"a": (4, np.float32)}), TypeError, "field a"), (dict(fields={"a": ((1.5,), np.int8)}), TypeError, "field a"),
    (dict(fields={"a": ((), "no type")}), TypeError, "field a"), (dict(fields={"a": ((-1,), np.int8)}), ReplayError, "field a"),
    (dict(fields={"a": ((2**40, 2**40), np.int8)}), ReplayError, "bytes"),
    (dict(frames=None), TypeError, "frames must be names.*None"), (dict(frames=[["obs"]]), TypeError, "frames must be names"),
    (dict(frames=5), TypeError, "frames must be names"), (dict(frames=b"obs"), TypeError, "frames must be names"),
    (dict(fields={"a": ((), None)}), TypeError, "field a"), (dict(fields={"a": None}), TypeError, "field a"),
    (dict(fields={"a": ((1,) * 70, np.int8)}), ReplayError, "field a has 70 dimensions"),
    (dict(fields={"a": ((0, 2**80), np.int8)}), ReplayError, "field a.*bytes"),
    (dict(fields={"a": ((10**5000,), np.int8)}), ReplayError, "field a.*bytes"),
    *[(dict([(name, value)]), TypeError, f"{name} must be a number") for name in ("alpha", "beta", "epsilon")
      for value in ("0.6", b"0.6", np.str_("0.6"), np.array("0.6"), np.array("0.6", object), [0.6], np.array([0.6]), [[1], 2],
                    0.6j, np.complex64(1), np.datetime64(1, "s"))],
    *[(dict([(name, 10**digits)]), ReplayError, f"{name} .*(between|more than|within|at most)")
      for name in ("alpha", "beta", "epsilon", "seed", "capacity", "beta_steps", "soft_limit", "frame_capacity")
      for digits in (400, 5000)],
    *[(dict(fields={"a": ((), dtype)}), ReplayError, "field a")
      for dtype in (object, str, "S4", "M8[s]", "V8", "f4,i4", np.complex64, np.longdouble)],
    *[(dict(fields={name: ((), np.float32)}), ReplayError, name) for name in ("weights", "slots", "generations", "errors")],
])
def test_refuses_to_be_made(options, kind, words):
    with pytest.raises(kind, match=words) as refusal:
        made(**options)
    assert "incompatible function arguments" not in str(refusal.value) and len(str(refusal.value)) < 300


@pytest.mark.parametrize("form", [np.float32, np.float64, np.array, decimal.Decimal, fractions.Fraction],
                         ids=lambda form: form.__name__)
def test_takes_every_form_of_a_number(form):
    replay, plain = (PrioritizedReplay(4, FIELDS, alpha=kind(0.5), beta=kind(1), epsilon=kind(0.25)) for kind in (form, float))
    plain.restore(replay.state())


def test_a_field_may_have_as_many_dimensions_as_an_array_beside_its_rows():
    most = next(n for n in range(80, 0, -1) if can_have(n))
    replay = made(fields={"a": ((1,) * (most - 1), np.int8)})
    replay.add(a=np.ones((3,) + (1,) * (most - 1), np.int8))
    assert replay.sample(2)["a"].ndim == most
    with pytest.raises(ReplayError, match=f"at most {most}"):
        made(fields={"a": ((1,) * most, np.int8)})


def can_have(dimensions):
    try:
        return np.empty((0,) * dimensions).ndim == dimensions
    except ValueError:
        return False


def test_any_other_name_can_be_a_field():
    names = ["self", "rows", "count", "out", "capacity", "fields", "état", "a b", "", "checksum", "layout", "version"]
    replay = PrioritizedReplay(4, {name: ((), np.int64) for name in names})
    replay.add(**{name: np.array([i]) for i, name in enumerate(names)})
    batch = replay.sample(2)
    assert [batch[name][1] for name in names] == list(range(len(names)))
    replay.restore(replay.state())


def with_field(name, value):
    return lambda r: r.add(**{**rows(0, 2), name: value})


def with_target(name, value):
    def call(replay):
        batch = made_batch()
        if value is None:
            del batch[name]
        else:
            batch[name] = value
        replay.sample(2, out=batch)
    return call


def made_batch():
    replay = made()
    replay.add(**rows(0, 1))
    return replay.sample(2)


READ_ONLY = np.zeros((2, 2), np.float32)
READ_ONLY.setflags(write=False)
UNALIGNED = np.frombuffer(bytearray(17), np.uint8)[1:].view(np.float32).reshape(2, 2)

REFUSED = [
    # Types that could lose something.
    (with_field("obs", np.zeros((2, 2))), "obs.*float64.*float32"), (with_field("act", np.zeros(2)), "act.*float64.*int64"),
    (with_field("act", np.zeros(2, np.uint64)), "act.*uint64"), (with_field("rew", np.zeros(2, np.int64)), "rew.*int64"),
    (with_field("act", np.zeros(2, complex)), "act.*complex"), (with_field("act", np.array([1, None])), "act.*object"),
    (with_field("act", np.array(["1", "2"])), "act"), (with_field("act", ["a", "b"]), "act"),
    (with_field("act", np.zeros(2, "M8[s]")), "act"), (with_field("act", [1.5, 2]), "act"),
    (with_field("act", [2**70, 1]), "act"), (with_field("act", [np.nan, 1]), "act"), (with_field("rew", [2**24 + 1, 0]), "rew"),
    (with_field("obs", [[1, 2], [3]]), "obs"), (with_field("obs", None), "obs"), (with_field("obs", {}), "obs"),
    (with_field("obs", "text"), "obs"), (with_field("obs", object()), "obs"), (with_field("act", {1, 2}), "act"),
    # Masks.
    (with_field("rew", np.ma.masked_array(np.float32([1, 2]), [0, 1])), "rew has masked values"),
    (with_field("rew", [1.0, np.ma.masked]), "rew has masked values"),
    (with_field("obs", [[1.0, 2.0], np.ma.masked_array(np.float32([1, 2]), [0, 1])]), "obs has masked values"),
    (with_field("obs", ([1.0, 2.0], [1.0, np.ma.masked])), "obs has masked values"),
    (lambda r: r.add(errors=np.ma.masked_array([1.0, 2.0], [0, 1]), **rows(0, 2)), "errors has masked"),
    (lambda r: r.update(np.ma.masked_array([0], [1]), [1], [1]), "slots has masked"),
    # Shapes.
    (with_field("obs", np.zeros((2, 3), np.float32)), r"obs.*\(rows, 2\).*\(2, 3\)"),
    (with_field("obs", np.zeros(4, np.float32)), "obs"), (with_field("obs", np.zeros((2, 2, 1), np.float32)), "obs"),
    (with_field("act", np.int64(1)), "act"), (with_field("act", np.array(1)), "act"), (with_field("act", 1), "act"),
    (with_field("act", np.zeros(3, np.int64)), "act has 3 rows"), (with_field("act", np.zeros(0, np.int64)), "act has 0 rows"),
    (with_field("act", np.zeros((2, 1), np.int64)), "act"),
    (lambda r: r.add(**rows(0, 5)), "5 transitions"), (lambda r: r.add(), "got none"),
    (lambda r: r.add(obs=np.zeros((1, 2), np.float32)), "wants the fields"), (with_field("more", np.zeros(2)), "wants the fields"),
    # Errors.
    (lambda r: r.add(errors=[np.nan, 1], **rows(0, 2)), "index 0"), (lambda r: r.add(errors=[1, -np.inf], **rows(0, 2)), "index 1"),
    (lambda r: r.add(errors=[1e300, 1], **rows(0, 2)), "index 0"), (lambda r: r.add(errors=[1], **rows(0, 2)), "errors"),
    (lambda r: r.add(errors=[], **rows(0, 2)), "errors"), (lambda r: r.add(errors=1.0, **rows(0, 2)), "errors"),
    (lambda r: r.add(errors=[[1, 1]], **rows(0, 2)), "errors"), (lambda r: r.add(errors=["a", "b"], **rows(0, 2)), "errors"),
    (lambda r: r.add(errors=[1j, 2], **rows(0, 2)), "errors"),
    # Updates.
    (lambda r: r.update([0], [1, 1], [1]), "one length"), (lambda r: r.update([0], [1], []), "one length"),
    (lambda r: r.update(0, 1, 1), "slots"), (lambda r: r.update([[0]], [[1]], [[1]]), "slots"),
    (lambda r: r.update([0.5], [1], [1]), "slots"), (lambda r: r.update(np.zeros(1, np.uint64), [1], [1]), "slots"),
    (lambda r: r.update([0], None, [1]), "generations"), (lambda r: r.update([0], [1], [np.nan]), "index 0"),
    *[(lambda r, slot=slot: r.update([0, slot], [1, 1], [1, 1]), f"slot {slot}") for slot in (-1, 3, 4, 2**62, -2**63)],
    # Counts.
    (lambda r: r.sample(-1), "count"), (lambda r: r.sample(2**63), "count"), (lambda r: r.remove_oldest(-1), "count"),
]

TARGETS = [
    *[(with_target(name, None), f"out has no '{name}'") for name in (*FIELDS, "weights", "slots", "generations")],
    (with_target("obs", np.zeros((3, 2), np.float32)), r"out\['obs'\].*\(2, 2\)"), (with_target("obs", np.zeros((2, 2))), "float64"),
    (with_target("obs", np.zeros((2, 2), ">f4")), "obs"), (with_target("obs", [[0, 0], [0, 0]]), "obs.*list"),
    (with_target("obs", READ_ONLY), "writeable"), (with_target("obs", UNALIGNED), "aligned"),
    (with_target("obs", np.zeros((2, 4), np.float32)[:, ::2]), "contiguous"),
    (with_target("obs", np.zeros((2, 2), np.float32, "F")), "contiguous"),
    (with_target("weights", np.zeros(2)), "weights"), (with_target("slots", np.zeros(2, np.int32)), "slots"),
    (with_target("generations", np.zeros((2, 1), np.int64)), "generations"), (with_target("slots", np.array(1)), "slots"),
]


@pytest.mark.parametrize("call, words", REFUSED + TARGETS, ids=range(len(REFUSED + TARGETS)))
def test_refuses_with_a_sentence_and_changes_nothing(call, words):
    replay = made()
    replay.add(errors=[1, 2], **rows(0, 2))
    before = replay.state()
    with pytest.raises(ReplayError, match=words) as refusal:
        call(replay)
    assert "incompatible function arguments" not in str(refusal.value)
    assert same(replay.state(), before)


@pytest.mark.parametrize("call", [lambda r: r.sample(1.5), lambda r: r.sample(None), lambda r: r.sample("2"),
                                  lambda r: r.remove_oldest(0.5)])
def test_says_what_must_be_a_whole_number(call):
    with pytest.raises(TypeError, match="count must be a whole number"):
        call(made())


def test_a_batch_that_no_memory_holds_is_a_memory_error():
    with pytest.raises(MemoryError, match="rows need more memory"):
        made().sample(2**60)


def test_an_empty_replay_has_nothing_to_sample():
    for replay in (made(), made(normalise="buffer")):
        with pytest.raises(ReplayError, match="empty"):
            replay.sample(1)
        assert all(len(values) == 0 for values in replay.sample(0).values())
        replay.add(**{name: values[:0] for name, values in rows(0, 1).items()})
        replay.add(errors=[], **rows(0, 0))
        replay.add(obs=np.zeros((0, 2)), act=np.array([]), rew=[])  # what has no rows has none to lose
        replay.update([], [], [])
        assert len(replay) == replay.remove_oldest(3) == replay.remove_oldest(0) == 0


TAKEN = {
    "as it is": lambda a: a, "not together": lambda a: np.repeat(a, 2, 0)[::2], "backwards": lambda a: a[::-1].copy()[::-1],
    "by columns": np.asfortranarray, "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")), "list": lambda a: a.tolist(),
    "read-only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape), "subclass": lambda a: np.ma.asarray(a),
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
    "narrower": lambda a: a.astype(np.int16 if a.dtype.kind == "i" else np.float16), "buffer": memoryview,
    "scalars": lambda a: list(a), "broadcast": lambda a: np.broadcast_to(a, a.shape),
}


@pytest.mark.parametrize("form", TAKEN.values(), ids=TAKEN.keys())
def test_takes_every_form_of_the_same_numbers(form):
    plain, other = made(), made()
    plain.add(errors=[1.0, 2.0, 3.0], **rows(5, 3))
    other.add(errors=form(np.array([1.0, 2.0, 3.0])), **{name: form(values) for name, values in rows(5, 3).items()})
    drawn = plain.sample(8)
    plain.update(drawn["slots"], drawn["generations"], np.arange(8.0))
    again = other.sample(8)
    other.update(form(again["slots"]), form(again["generations"]), form(np.arange(8.0)))
    assert same(plain.state(), other.state())


LOST = [(2**53 + 1, "f8"), (2**63 - 1, "f8"), (2**64 - 1, "f8"), (-2**53 - 1, "f8"), (2**24 + 1, "f4"), (2**11 + 1, "f2"), (1e39, "f4"),
        (-1e39, "f4"), (70000.0, "f2"), (70000, "f2"), (2**63, "i8"), (2.0**63, "i8"), (-1, "u8"), (2**64, "u8"), (256, "u1"),
        (0.5, "i4"), (np.inf, "i8"), (np.nan, "u1"), (2, "?"), (0.5, "?"), (np.uint64(2**53 + 1), "f8"), (np.int32(-1), "u1"),
        (np.float32(1e39 / 4), "f2"), (np.array(2**53 + 1), "f8")]


@pytest.mark.parametrize("number, dtype", LOST, ids=range(len(LOST)))
@pytest.mark.parametrize("beside", [0, 0.5, True, np.float64(1), np.int8(1), np.nan], ids=repr)
def test_no_number_of_a_list_becomes_another(number, dtype, beside):
    replay = made(fields={"a": ((2,), dtype)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for values in ([[number, beside]], ([beside, number],), [[0, 1], [beside, number]]):
            with pytest.raises(ReplayError, match="^a (has|must be)") as refusal:
                replay.add(a=values)
            assert len(str(refusal.value)) < 300 and len(replay) == 0


@pytest.mark.parametrize("source", ["i8", ">i8", "u8"])
def test_whole_numbers_of_an_array_are_stored_as_they_are_or_refused(source):
    most = 2**64 - 1 if source == "u8" else 2**63 - 1
    for number in (0, 1, 2**53, 2**53 + 2, 2**62, 2**53 + 1, 2**62 + 1, most):
        replay = made(fields={"a": ((), np.float64)})
        values = np.array([1, number], source)
        if int(float(number)) == number:
            replay.add(a=values)
            assert set(map(int, replay.sample(9)["a"])) == {1, number}
        else:
            with pytest.raises(ReplayError, match=f"a has {number}"):
                replay.add(a=values)
    replay.add(a=values[:0])


def test_lists_keep_what_their_field_can_hold():
    for numbers, dtype in (([2**63 - 1, -2**63], "i8"), ([2**64 - 1, 0], "u8"), ([2.0, True], "i4"), ([1, 0.0], "?"),
                           ([2**60, np.inf, -np.inf], "f4"), ([65504.0, 2**15], "f2"), ([np.int64(7), np.float32(2)], "u1")):
        replay = made(fields={"a": ((), dtype)})
        replay.add(a=numbers)
        assert set(replay.sample(40)["a"].tolist()) == set(numbers)
    replay = made(fields={"a": ((), "f4")})
    replay.add(a=[np.nan, 2**60])
    assert np.isnan(replay.sample(9)["a"]).any()


def test_arrays_to_fill_must_lie_apart():
    fields = {"a": ((2,), np.int64), "b": ((2,), np.int64), "c": ((), np.int64)}
    replay = made(fields=fields)
    replay.add(a=[[1, 2]], b=[[3, 4]], c=[5])
    for one, other in itertools.combinations(("a", "b", "c", "slots", "generations"), 2):
        batch, memory = replay.sample(3), np.full(16, 9)
        shapes = batch[one].shape, batch[other].shape
        for first in (0, batch[one].size - 1):
            batch[one] = memory[:batch[one].size].reshape(shapes[0])
            batch[other] = memory[first:first + batch[other].size].reshape(shapes[1])
            before = replay.state()
            with pytest.raises(ReplayError, match=f"'{one}'.*'{other}'.*overlap"):
                replay.sample(3, out=batch)
            assert same(replay.state(), before) and (memory == 9).all()
        batch[other] = memory[batch[one].size:][:batch[other].size].reshape(shapes[1])
        assert set(replay.sample(3, out=batch)["c"]) == {5}
    empty = replay.sample(0)
    replay.sample(0, out={**empty, "a": empty["b"]})


def test_floats_of_lists_are_rounded_to_the_field():
    replay = made()
    replay.add(obs=[[0.1, 0.2]], act=[True], rew=[1 / 3])
    batch = replay.sample(1)
    assert batch["rew"][0] == np.float32(1 / 3) and batch["act"][0] == 1
    np.testing.assert_array_equal(batch["obs"][0], np.float32([0.1, 0.2]))


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "<i2", ">i2", "u2", "i4", "u4", ">i8", "u8", "f2", ">f2", "f4", "<f8", ">f8"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (1, 1, 1, 1, 1)])
def test_fields_are_of_every_type_and_shape(dtype, shape):
    replay = PrioritizedReplay(5, {"a": (shape, dtype), "i": ((), np.int64)})
    values = np.arange(5 * np.prod(shape, dtype=int)).reshape(5, *shape).astype(dtype)
    replay.add(a=values, i=np.arange(5))
    batch = replay.sample(9)
    np.testing.assert_array_equal(batch["a"], values[batch["i"]])
    assert batch["a"].dtype.isnative
    replay.sample(9, out=batch)
    replay.restore(replay.state())


def test_a_generation_that_never_was_is_dropped():
    replay = made()
    replay.add(**rows(0, 2))
    before = replay.sample(0) and replay.state()["rows"]
    replay.update([0, 1, 1, 0], [0, -1, 2, 2**62], [9, 9, 9, 9])
    assert replay.dropped == 4 and np.array_equal(replay.state()["rows"], before)
    replay.remove_oldest(1)
    replay.update([0, 0, 0], [1, -1, 0], [9, 9, 9])
    assert replay.dropped == 7 and set(replay.sample(20)["slots"]) == {1}


def test_what_was_drawn_and_saved_outlives_the_replay():
    replay = made()
    source = rows(0, 2)
    replay.add(**source)
    source["obs"][:] = 9
    batch, state = replay.sample(64), replay.state()
    kept = {name: values.copy() for name, values in {**batch, **state}.items()}
    del replay
    gc.collect()
    made().add(**rows(7, 4))
    assert same({**batch, **state}, kept) and batch["obs"].max() == 1
    batch["obs"][:] = 5
    state["rows"][:] = 5


def test_a_replay_let_go_by_everyone_else_ends_with_its_last_call():
    replay = PrioritizedReplay(1 << 12, FIELDS)
    replay.add(**rows(0, 1 << 12))
    drawn = []
    threads = [threading.Thread(target=lambda r: drawn.append(r.sample(1 << 16)), args=(replay,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    del replay
    for thread in threads:
        thread.join()
    assert all(np.array_equal(batch["obs"][:, 0], batch["act"]) for batch in drawn)
