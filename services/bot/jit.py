"""Compiling functions of arrays with numba.

What is kept must be the same on every machine (equities, training) is compiled as it stands;
the solver's loops may round a product and a sum once instead of twice.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])
Ints = NDArray[np.int32]
Matrix = NDArray[np.float32]

_EXACT: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy"}
_FUSED: Final[dict[str, Any]] = {**_EXACT, "fastmath": {"contract"}}
_BARE: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Without the wrappers that Python would need, which take most of the time to compile."""


def kernel(function: Function) -> Function:
    """Compile a function of arrays to be called from Python; the code is kept on disk."""
    return cast("Function", numba.njit(cache=True, **_EXACT)(function))


def part(function: Function) -> Function:
    """Compile a function that only compiled ones call."""
    return cast("Function", numba.njit(**_BARE, **_EXACT)(function))


def fused_kernel(function: Function) -> Function:
    """Compile a function as `kernel` does, with fused multiply-adds."""
    return cast("Function", numba.njit(cache=True, **_FUSED)(function))


def fused_part(function: Function) -> Function:
    """Compile a function as `part` does, with fused multiply-adds."""
    return cast("Function", numba.njit(**_BARE, **_FUSED)(function))
