"""Compiling functions of arrays with numba."""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])
Ints = NDArray[np.int32]
Matrix = NDArray[np.float32]

_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}


def kernel(function: Function) -> Function:
    """Compile a function of arrays to be called from Python; the code is kept on disk."""
    return cast("Function", numba.njit(cache=True, **_OPTIONS)(function))


def part(function: Function) -> Function:
    """Compile a function that only kernels call."""
    bare: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Function", numba.njit(**bare, **_OPTIONS)(function))
