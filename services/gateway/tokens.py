"""Secrets that people hold: sessions, personal tokens, merge offers, recovery codes.

Each is random and shown once. The database keeps its SHA-256, which needs neither salt nor a
slow function because nobody can try 80 random bits, let alone 256. It is looked up by that
hash, so how long a comparison takes says nothing about a token.
"""

import secrets
from enum import StrEnum
from typing import Final

from services.gateway.words import WORDS

TOKEN_PREFIX: Final = "rbt_"  # noqa: S105  # how personal tokens begin, so that scanners know them
MERGE_PREFIX: Final = "rbm_"
CODE_WORDS: Final = 10
"""Words of a recovery code: 8 bits each, so 80."""


class Scope(StrEnum):
    """What a personal token may be used for; every scope includes reading."""

    READ = "read"
    PLAY = "play"
    PARTY = "party"


def new_token(prefix: str = "") -> str:
    """Return 256 random bits as text that fits a header."""
    return prefix + secrets.token_urlsafe(32)


def new_code() -> str:
    """Return a new recovery code: ten words."""
    return " ".join(secrets.choice(WORDS) for _ in range(CODE_WORDS))


def clean_code(text: str) -> str:
    """Return a recovery code as `new_code` writes it, however it was typed."""
    return " ".join("".join(c if c.isalpha() else " " for c in text.casefold()).split())
