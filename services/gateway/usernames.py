"""Usernames: what accounts are called, for ever and by everybody."""

import re
from typing import Final

from services.gateway.model import RIVER_NAME

USERNAME_CHARS: Final = range(3, 21)
"""How long a username may be."""

RESERVED: Final = frozenset(
    {
        RIVER_NAME.casefold(),
        "admin",
        "administrator",
        "anonymous",
        "bank",
        "dealer",
        "guest",
        "house",
        "me",
        "moderator",
        "riverboat",
        "root",
        "staff",
        "support",
        "system",
    }
)
"""Names that would speak for the house, without separators."""

_USERNAME: Final = re.compile(r"[A-Za-z](?:[-_]?[A-Za-z0-9])*", re.ASCII)


def clean_username(text: str) -> str:
    """Return a username, capitals kept.

    3..20 characters: letters and digits of ASCII with single hyphens and underscores between
    them, a letter first. It is part of addresses and typed at every login, so it has no
    character with a double in another script; a display name may have any. Raises ValueError.
    """
    name = text.strip(" ")
    if len(name) not in USERNAME_CHARS:
        limits = f"{USERNAME_CHARS.start}..{USERNAME_CHARS.stop - 1}"
        raise ValueError(f"a username has {limits} characters")
    if _USERNAME.fullmatch(name) is None:
        raise ValueError("a username has letters a-z, digits, and single - and _ between them")
    if re.sub("[-_]", "", name).casefold() in RESERVED:
        raise ValueError("that name belongs to the house")
    return name


def is_username(text: str) -> bool:
    """Return whether somebody could have that name, however it is capitalised."""
    return _USERNAME.fullmatch(username_key(text)) is not None


def username_key(username: str) -> str:
    """Return what two usernames share that are one name: they differ in capitals at most."""
    return username.strip(" ").casefold()
