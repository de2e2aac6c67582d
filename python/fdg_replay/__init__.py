"""FDG's prioritized replay over NumPy arrays: see PrioritizedReplay."""
import numpy as np

from ._rows import ReplayError, Rows

__all__ = ["PrioritizedReplay", "ReplayError"]

_ALL_ALIKE = np.empty(0)
_STATE_VERSION = 1
_PARTS = ("slots", "rows", "frames")


class PrioritizedReplay:
    """Transitions drawn in proportion to (|error| + epsilon) ** alpha (Schaul et al. 2016).

    fields: of each field its shape and type, without the row dimension: {"obs": ((4,), np.float32)}.
    frames: names of fields that are stacks of frames along their first dimension; each frame is stored once.
    soft_limit: above 0, what is over it is removed every 100 samples.

    Several threads may use one replay. Arrays of the right type are read and written where they lie, without
    a copy in between. Raises ReplayError (a ValueError) with a sentence for what does not fit.
    """

    def __init__(self, capacity, fields, *, alpha=0.6, beta=0.4, beta_steps=0, epsilon=1e-6, normalise="batch",
                 soft_limit=0, frames=(), frame_capacity=0, seed=0):
        self._fields = {name: (tuple(shape), np.dtype(dtype)) for name, (shape, dtype) in fields.items()}
        unknown = set(frames) - set(self._fields)
        if unknown:
            raise ReplayError(f"frames names {sorted(unknown)[0]}, which is no field")
        for name in frames:
            if len(self._fields[name][0]) < 2:
                raise ReplayError(f"{name} is no stack of frames: its shape is {self._fields[name][0]}")
        sizes = [dtype.itemsize * int(np.prod(shape)) for shape, dtype in self._fields.values()]
        stacks = [shape[0] if name in frames else 0 for name, (shape, _) in self._fields.items()]
        self._rows = Rows(sizes, stacks, capacity, alpha, beta, beta_steps, epsilon, normalise, soft_limit,
                          frame_capacity, seed)
        types = {name: (list(shape), dtype.str) for name, (shape, dtype) in self._fields.items()}
        self._layout = repr((_STATE_VERSION, int(capacity), types, float(alpha), normalise, sorted(frames),
                             int(frame_capacity)))

    def add(self, errors=None, **rows):
        """Stores rows, one per entry of the first dimension. Without errors they get the largest priority."""
        if rows.keys() != self._fields.keys():
            raise ReplayError(f"add wants the fields {', '.join(self._fields)}; got {', '.join(rows)}")
        arrays = []
        for name, (shape, dtype) in self._fields.items():
            array = np.ascontiguousarray(rows[name], dtype)
            if array.shape[1:] != shape or (arrays and len(array) != len(arrays[0])):
                raise ReplayError(f"{name} has the shape {array.shape}; each row must be {shape}, one per transition")
            arrays.append(array)
        errors = _ALL_ALIKE if errors is None else np.ascontiguousarray(errors, np.float64)
        if errors is not _ALL_ALIKE and errors.shape != (len(arrays[0]),):
            raise ReplayError(f"{len(arrays[0])} transitions need as many errors; got the shape {errors.shape}")
        self._rows.add(arrays, len(arrays[0]), errors)

    def sample(self, count, out=None):
        """A dictionary of `count` rows of every field, with weights, slots and generations. `out`: one to fill."""
        if out is None:
            out = {name: np.empty((count, *shape), dtype) for name, (shape, dtype) in self._fields.items()}
            out["weights"] = np.empty(count, np.float32)
            out["slots"] = np.empty(count, np.int64)
            out["generations"] = np.empty(count, np.int64)
        for name, (shape, dtype) in self._fields.items():
            if out[name].shape != (count, *shape) or out[name].dtype != dtype:
                raise ReplayError(f"out[{name!r}] must have the shape {(count, *shape)} and the type {dtype}")
        for name in ("weights", "slots", "generations"):
            if out[name].shape != (count,):
                raise ReplayError(f"out[{name!r}] must have the shape {(count,)}")
        self._rows.sample([out[name] for name in self._fields], out["weights"], out["slots"], out["generations"])
        return out

    def update(self, slots, generations, errors):
        """New errors, signed or not, of sampled rows. Those of overwritten slots are dropped and counted."""
        slots, generations = np.ascontiguousarray(slots, np.int64), np.ascontiguousarray(generations, np.int64)
        errors = np.ascontiguousarray(errors, np.float64)
        if not slots.shape == generations.shape == errors.shape or slots.ndim != 1:
            raise ReplayError("slots, generations and errors must be vectors of one length")
        self._rows.update(slots, generations, errors)

    def state(self):
        """All that it holds, the generator included, as a dictionary of NumPy arrays: np.savez(file, **replay.state()).

        No other thread may change the replay meanwhile.
        """
        return {"layout": np.array(self._layout), **dict(zip(_PARTS, self._rows.state()))}

    def restore(self, state):
        """Goes on exactly where `state` was taken. Refuses, unchanged, that of a replay made with other arguments."""
        layout = str(state["layout"])
        if layout != self._layout:
            raise ReplayError(f"the state is that of a replay with {layout}; this one has {self._layout}")
        self._rows.restore([np.ascontiguousarray(state[part]) for part in _PARTS])

    def remove_oldest(self, count):
        """Removes up to `count` of the oldest rows; returns how many."""
        return self._rows.remove_oldest(count)

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
