"""How the values of the game that are built most often are declared."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Make a frozen dataclass with slots that is quick to build.

    ``dataclass(frozen=True)`` assigns each field through ``object.__setattr__``, which costs
    more than everything else about a small value. Here it is the type checker that refuses to
    assign a field.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
