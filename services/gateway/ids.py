"""Names of things: a letter for the kind, then 80 random bits."""

import re
import secrets
from typing import Final, Literal

Kind = Literal["u", "m", "t", "h"]

_PATTERN: Final = re.compile(r"[umth]_[0-9a-f]{20}", re.ASCII)


def new_id(kind: Kind) -> str:
    """Return a new name: ``u`` user, ``m`` match, ``t`` table, ``h`` hand."""
    return f"{kind}_{secrets.token_hex(10)}"


def is_id(text: str) -> bool:
    """Return whether a text from outside could be one of our names."""
    return _PATTERN.fullmatch(text) is not None
