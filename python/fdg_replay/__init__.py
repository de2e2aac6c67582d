"""FDG's prioritized replay over NumPy arrays: see PrioritizedReplay."""
import json

import numpy as np

from ._arrays import check_target, field_of, memory_for, names_of, overlapping, real, row_bytes, rows_of, whole
from ._rows import ReplayError, Rows, checksum

__all__ = ["PrioritizedReplay", "ReplayError"]

_ALL_ALIKE = np.empty(0)
_BYTE, _INT64, _FLOAT64 = np.dtype(np.uint8), np.dtype(np.int64), np.dtype(np.float64)
_DRAWN = {"weights": np.dtype(np.float32), "slots": _INT64, "generations": _INT64}
_STATE_VERSION = 2
_OWN = ("_fields", "_rows", "_made_with", "_layout")  # attributes; others are a user's
_PARTS = ("slots", "rows", "frames")


class PrioritizedReplay:
    """Transitions drawn in proportion to (|error| + epsilon) ** alpha (Schaul et al. 2016).

    fields: of each field its shape and type, without the row dimension: {"obs": ((4,), np.float32)}. Types are bool,
        whole numbers and floats; weights, slots, generations and errors cannot be names.
    frames: names of fields that are stacks of frames along their first dimension; each frame is stored once.
    soft_limit: above 0, what is over it is removed every 100 samples.

    Several threads may use one replay. Arrays of the right type are read and written where they lie, without a copy in
    between; others are taken if their type goes into the field's without loss, and of lists floats are rounded to it.
    Raises ReplayError (a ValueError) with a sentence for what does not fit, TypeError for what is no number or field at
    all; nothing is changed then. Can be pickled and copied, with the attributes that it was given.
    """

    def __init__(self, capacity, fields, *, alpha=0.6, beta=0.4, beta_steps=0, epsilon=1e-6, normalise="batch",
                 soft_limit=0, frames=(), frame_capacity=0, seed=0):
        if not hasattr(fields, "items") or not fields:
            raise TypeError(f'fields must be a dictionary like {{"obs": ((4,), np.float32)}}, not {fields!r}')
        self._fields = {name: field_of(name, field) for name, field in fields.items()}
        for name in (*_DRAWN, "errors"):
            if name in self._fields:
                raise ReplayError(f"no field can be called {name}: samples and add have something else of that name")
        frames = names_of(frames, self._fields)
        capacity, seed = whole("capacity", capacity, 1), whole("seed", seed, 0, (1 << 64) - 1)
        sizes = row_bytes(self._fields, capacity)
        stacks = [shape[0] if name in frames else 0 for name, (shape, _) in self._fields.items()]
        options = dict(
            capacity=capacity, alpha=real("alpha", alpha), beta=real("beta", beta),
            beta_steps=whole("beta_steps", beta_steps), epsilon=real("epsilon", epsilon), normalise=str(normalise),
            soft_limit=whole("soft_limit", soft_limit),
            frame_capacity=whole("frame_capacity", frame_capacity, 0, (1 << 31) - 1), seed=seed)
        with memory_for(f"{capacity} rows of {sum(sizes)} bytes"):
            self._rows = Rows(sizes, stacks, *options.values())
        self._made_with = {"fields": self._fields, "frames": frames, **options}
        self._layout = {"version": _STATE_VERSION, "fields": list(self._fields), "frames": sorted(frames), "seed": seed,
                        **{f"type of {name}": [list(shape), dtype.str] for name, (shape, dtype) in self._fields.items()}}

    def add(self, /, errors=None, **rows):
        """Stores rows, one per entry of the first dimension. Without errors they get the largest priority."""
        if rows.keys() != self._fields.keys():
            raise ReplayError(f"add wants the fields {', '.join(self._fields)}; got {', '.join(rows) or 'none'}")
        arrays = [rows_of(name, rows[name], *field) for name, field in self._fields.items()]
        count = len(arrays[0])
        for name, array in zip(self._fields, arrays):
            if len(array) != count:
                raise ReplayError(f"{name} has {len(array)} rows where {next(iter(self._fields))} has {count}")
        if errors is None:
            errors = _ALL_ALIKE
        else:
            errors = rows_of("errors", errors, (), _FLOAT64)
            if len(errors) != count:
                raise ReplayError(f"{count} transitions need as many errors, not {len(errors)}")
        self._rows.add(arrays, count, errors)

    def sample(self, count, out=None):
        """A dictionary of `count` rows of every field, with weights, slots and generations. `out`: one to fill."""
        count = whole("count", count)
        if out is None:
            with memory_for(f"{count} rows"):
                out = {name: np.empty((count, *shape), dtype) for name, (shape, dtype) in self._fields.items()}
                out.update({name: np.empty(count, dtype) for name, dtype in _DRAWN.items()})
        else:
            for name, (shape, dtype) in self._fields.items():
                check_target(name, out, (count, *shape), dtype)
            for name, dtype in _DRAWN.items():
                check_target(name, out, (count,), dtype)
        if not self._rows.sample([out[name] for name in self._fields], *(out[name] for name in _DRAWN)):
            raise ReplayError("out[{!r}] and out[{!r}] are one array or overlap; each needs memory of its own".format(
                *overlapping({name: out[name] for name in (*self._fields, *_DRAWN)})))
        return out

    def update(self, slots, generations, errors):
        """New errors, signed or not, of sampled rows. Those of overwritten slots are dropped and counted."""
        slots = rows_of("slots", slots, (), _INT64)
        generations, errors = rows_of("generations", generations, (), _INT64), rows_of("errors", errors, (), _FLOAT64)
        if not len(slots) == len(generations) == len(errors):
            raise ReplayError(f"slots, generations and errors must have one length, not {len(slots)}, "
                              f"{len(generations)} and {len(errors)}")
        self._rows.update(slots, generations, errors)

    def state(self):
        """All that it holds, the generator included, as a dictionary of NumPy arrays: np.savez(file, **replay.state()).

        Other threads wait meanwhile.
        """
        state = {"layout": np.array(json.dumps(self._layout)), **dict(zip(_PARTS, self._rows.state()))}
        return {**state, "checksum": np.array(_sum_of(state))}

    def restore(self, state):
        """Goes on exactly where `state` was taken.

        Raises ReplayError, and changes nothing, if it is damaged or that of a replay made with other arguments.
        """
        try:
            state = {name: np.asarray(state[name]) for name in ("layout", *_PARTS, "checksum")}
            layout = json.loads(str(state["layout"]))
            theirs = {name: layout[name] for name in self._layout if name in layout}
            for part in _PARTS:
                state[part] = rows_of(part, state[part], (), _BYTE)
            whole_state = int(state["checksum"]) == _sum_of(state)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ReplayError(f"this is no state of a replay, or a damaged one: {error}") from None
        if not whole_state:
            raise ReplayError("the state is damaged: its checksum is another")
        for name, ours in self._layout.items():
            if theirs.get(name) != ours:
                raise ReplayError(f"the state is that of a replay with the {name} {theirs.get(name)}; this one has {ours}")
        self._rows.restore(*(state[part] for part in _PARTS))

    def remove_oldest(self, count):
        """Removes up to `count` of the oldest rows; returns how many."""
        return self._rows.remove_oldest(whole("count", count))

    def __reduce__(self):
        others = {name: value for name, value in self.__dict__.items() if name not in _OWN}
        return _made_again, (type(self), self._made_with, self.state()), others or None

    def __len__(self):
        return self._rows.size

    @property
    def dropped(self):
        """Updates that came too late."""
        return self._rows.dropped

    @property
    def stored_frames(self):
        """Different frames stored."""
        return self._rows.frames

    @property
    def memory(self):
        """Bytes that it may come to use."""
        return self._rows.memory


def _sum_of(state):
    layout = np.frombuffer(str(state["layout"]).encode(), np.uint8)
    return checksum([layout, *(state[part] for part in _PARTS)])


def _made_again(kind, made_with, state):
    replay = kind.__new__(kind)  # a subclass may be made with anything
    PrioritizedReplay.__init__(replay, **made_with)
    replay.restore(state)
    return replay
