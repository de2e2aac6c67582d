"""What Python hands over -> numbers and arrays that the replay can take as they are; or a sentence that says why not."""
import contextlib
import math
import operator

import numpy as np

from ._rows import ReplayError

_MOST_BYTES = 1 << 47  # that a process can have addresses for


def whole(name, value, least=0, most=(1 << 63) - 1):
    """A whole number."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if not least <= number <= most:
        raise ReplayError(f"{name} must be between {least} and {most}, not {number}")
    return number


def real(name, value):
    """A number. Its range is for the replay to check."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None


def field_of(name, description):
    """(shape, type) of a field; types are those of this machine."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a field must be a string, not {name!r}")
    try:
        shape, dtype = description
        shape, dtype = tuple(map(operator.index, shape)), np.dtype(dtype).newbyteorder("=")
    except (TypeError, ValueError):
        raise TypeError(f"the field {name} must be a shape and a type, like ((4,), np.float32), not "
                        f"{description!r}") from None
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise ReplayError(f"the field {name} has the type {dtype}; a field has numbers of up to 8 bytes")
    if min(shape, default=0) < 0:
        raise ReplayError(f"the field {name} has the shape {shape}; no side can be below 0")
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
    try:
        with np.errstate(invalid="ignore"):
            array = np.asarray(value)
            taken = np.require(array, dtype, ["C", "A"]) if array.dtype.kind in "biuf" else array
    except (TypeError, ValueError, RuntimeError) as error:
        raise ReplayError(f"{name} must be an array of {dtype}, not {type(value).__name__}: {error}") from None
    if isinstance(value, (bool, int, float, list, tuple)):
        good = array.dtype.kind == dtype.kind == "f" or np.array_equal(taken, array)
    else:
        good = array.size == 0 or np.can_cast(array.dtype, dtype, "safe")
    if not good or taken.dtype != dtype:
        raise ReplayError(f"{name} has the type {array.dtype}, which does not go into {dtype} without loss; convert it "
                          f"with astype(np.{dtype}) if that is meant")
    return taken


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
