"""Names of things: a letter for the kind, then 80 random bits."""

import re
import secrets
from typing import Final, Literal

Kind = Literal["u", "m", "t", "h", "s", "k"]

_PATTERN: Final = re.compile(r"[umthsk]_[0-9a-f]{20}", re.ASCII)


def new_id(kind: Kind) -> str:
    """Return a new name; ``s`` is a session, ``k`` a personal token, the others as they begin."""
    return f"{kind}_{secrets.token_hex(10)}"


def is_id(text: str) -> bool:
    """Return whether a text from outside could be one of our names."""
    return _PATTERN.fullmatch(text) is not None
