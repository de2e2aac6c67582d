"""What Python hands over -> numbers and arrays that the replay can take as they are; or a sentence that says why not."""
import contextlib
import itertools
import math
import operator

import numpy as np

from ._rows import ReplayError

_MOST_BYTES = 1 << 47  # that a process can have addresses for
_MOST_DIMENSIONS = 64 if int(np.__version__.partition(".")[0]) >= 2 else 32


def shown(value):
    """As a sentence can say it: what is long is cut."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= 100 else f"{text[:60]}..."


def whole(name, value, least=0, most=(1 << 63) - 1):
    """A whole number."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {shown(value)}") from None
    if not least <= number <= most:
        raise ReplayError(f"{name} must be between {least} and {most}, not {shown(number)}")
    return number


def real(name, value):
    """A number, not the text of one. Its range is for the replay to check."""
    try:
        number = np.asarray(value)[()]
        if isinstance(number, np.ndarray) or not hasattr(number_of(number), "__float__"):
            raise TypeError
        return float(number)
    except OverflowError:
        raise ReplayError(f"{name} is {shown(value)}, more than a float can be") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {shown(value)}") from None


def number_of(value):
    """Python's own for one of NumPy's."""
    return value.item() if hasattr(value, "item") else value


def names_of(frames, fields):
    """The fields that are stacks of frames."""
    try:
        names = (frames,) if isinstance(frames, str) else tuple(frames)
    except TypeError:
        names = (None,)
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f'frames must be names of fields, like ("obs", "next_obs"), not {shown(frames)}')
    for name in names:
        if name not in fields:
            raise ReplayError(f"frames names {name}, which is no field")
        if len(fields[name][0]) < 2 or 0 in fields[name][0]:
            raise ReplayError(f"{name} is no stack of frames: its shape is {fields[name][0]}")
    return names


def field_of(name, description):
    """(shape, type) of a field; types are those of this machine."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a field must be a string, not {shown(name)}")
    try:
        shape, dtype = description
        if dtype is None:
            raise TypeError("NumPy would take it for float64")
        shape, dtype = tuple(map(operator.index, shape)), np.dtype(dtype).newbyteorder("=")
    except (TypeError, ValueError):
        raise TypeError(f"the field {name} must be a shape and a type, like ((4,), np.float32), not "
                        f"{shown(description)}") from None
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise ReplayError(f"the field {name} has the type {dtype}; a field has numbers of up to 8 bytes")
    if min(shape, default=0) < 0:
        raise ReplayError(f"the field {name} has the shape {shown(shape)}; no side can be below 0")
    if len(shape) >= _MOST_DIMENSIONS:
        raise ReplayError(f"the field {name} has {len(shape)} dimensions; NumPy's arrays have at most {_MOST_DIMENSIONS}, "
                          "the first for the rows")
    if dtype.itemsize * math.prod(max(side, 1) for side in shape) > _MOST_BYTES:  # NumPy counts so beside a side of 0
        raise ReplayError(f"the field {name} has the shape {shown(shape)}: more bytes than an array can have")
    return shape, dtype


def row_bytes(fields, capacity):
    """Of each field the bytes of a row."""
    sizes = [dtype.itemsize * math.prod(shape) for shape, dtype in fields.values()]
    if sum(sizes) * capacity > _MOST_BYTES:
        raise ReplayError(f"{capacity} rows of {sum(sizes)} bytes are more than a machine can hold; set a smaller capacity")
    return sizes


@contextlib.contextmanager
def memory_for(what):
    """Around what may ask for more memory than there is."""
    try:
        yield
    except ReplayError:
        raise
    except (MemoryError, ValueError):
        raise MemoryError(f"{what} need more memory than there is") from None


def array_of(name, value, dtype):
    """`value` as an array of that type, without a copy where it is one. What an array's type could lose is refused; of
    plain Python numbers floats are rounded to the type, others must be what they were."""
    if masked(value):
        raise ReplayError(f"{name} has masked values, and a replay stores no mask; fill them first, as with filled(0)")
    plain = isinstance(value, (bool, int, float, list, tuple))
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            array = np.asarray(value)
            numbers = array.dtype.kind in "biuf"
            mixed = plain and array.dtype.kind == "f" and dtype.kind in "iu"  # NumPy makes floats of 2**64 - 1 and 0
            taken = np.require(np.asarray(value, object) if mixed else array, dtype, ["C", "A"]) if numbers else array
    except (TypeError, ValueError, ArithmeticError, RuntimeError) as error:
        raise ReplayError(f"{name} must be an array of {dtype}, not {type(value).__name__}: {error}") from None
    if taken.dtype != dtype or not (plain or array.size == 0 or np.can_cast(array.dtype, dtype, "safe")):
        raise ReplayError(f"{name} has the type {array.dtype}, which does not go into {dtype} without loss; convert it "
                          f"with astype(np.{dtype}) if that is meant")
    if plain or array.dtype.kind != dtype.kind:
        for before, after in changed(value if plain else array, array, taken):
            raise ReplayError(f"{name} has {shown(before)}, which {dtype} cannot hold: it would become {after}")
    return taken


def masked(value):
    """Whether something in it has no value."""
    if isinstance(value, (list, tuple)):
        return any(map(masked, value))
    return isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)


def changed(given, array, taken):
    """The numbers of `given`, which NumPy made `array` of, that are others in `taken`; a float may be rounded, but not to
    infinity. Python compares them, which is slow and exact, where there can be any."""
    floats = taken.dtype.kind == "f"
    if floats and (np.abs(taken) < 2.0 ** (np.finfo(taken.dtype).nmant + 1)).all():
        return  # so far every whole number is a float
    if not floats and np.can_cast(array.dtype, taken.dtype, "safe"):
        return
    for before, after in zip(np.asarray(given, object).ravel().tolist(), taken.ravel().tolist()):
        before = number_of(before)
        rounded = floats and isinstance(before, float) and (math.isfinite(after) or not math.isfinite(before))
        if not rounded and before != after:
            yield before, after


def rows_of(name, value, shape, dtype):
    """Rows of a field; a vector if the shape is ()."""
    if type(value) is np.ndarray and value.dtype == dtype and value.ndim > 0 and value.shape[1:] == shape:
        flags = value.flags
        if flags.c_contiguous and flags.aligned:
            return value  # as it lies
    array = array_of(name, value, dtype)
    if array.ndim == 0 or array.shape[1:] != shape:
        raise ReplayError(f"{name} must have the shape {('rows', *shape)}, not {array.shape}".replace("'", ""))
    return array


def check_target(name, out, shape, dtype):
    """`out` has an array of that name to be filled."""
    if name not in out:
        raise ReplayError(f"out has no {name!r}; it must be a dictionary as sample gives it")
    array = out[name]
    if type(array) is not np.ndarray or array.shape != shape or array.dtype != dtype:
        got = f"{array.shape} and {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ReplayError(f"out[{name!r}] must be an array of the shape {shape} and the type {dtype}, not {got}")
    if not array.flags.carray:
        raise ReplayError(f"out[{name!r}] must be contiguous, aligned and writeable")


def overlapping(out):
    """Two names of `out` whose arrays share memory, each contiguous."""
    return next((a, b) for a, b in itertools.combinations(out, 2) if np.may_share_memory(out[a], out[b]))
