"""Compilation of the inner loops."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Return the function compiled to machine code, which is kept on disk and frees the GIL."""
    return cast("Function", njit(cache=True, nogil=True, error_model="numpy")(function))


def part(function: Function) -> Function:
    """Return the function compiled to be called from compiled functions only.

    Without the wrappers that Python would need, which take most of the time to compile.
    """
    options: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Function", njit(error_model="numpy", **options)(function))
