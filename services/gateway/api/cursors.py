"""Cursors of lists: opaque to clients, places that stay where they are while lists grow."""

import base64
import binascii
import json
from datetime import datetime
from typing import Annotated, Final

from fastapi import Query

from services.common.eventlog.outbox import from_microseconds, to_microseconds
from services.gateway.ids import is_id
from services.gateway.problems import ProblemError, ProblemType

CHARS_MAX: Final = 120
_MICROSECONDS_MAX: Final = 10**17

Cursor = Annotated[
    str | None, Query(max_length=CHARS_MAX, description="`next_cursor` of the page before")
]


def pack(*parts: int | str) -> str:
    """Return a cursor for a place in a list."""
    text = json.dumps(parts, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def time_and_id(cursor: str | None) -> tuple[datetime, str] | None:
    """Return the place after an item with a time and an id; None is the beginning.

    Raises request-invalid for what is no cursor of such a list.
    """
    if cursor is None:
        return None
    match _unpack(cursor):
        case [int(since), str(name)] if 0 <= since <= _MICROSECONDS_MAX and is_id(name):
            return from_microseconds(since), name
    raise _no_such_page()


def number(cursor: str | None) -> int | None:
    """Return the place after a numbered item; None is the beginning.

    Raises request-invalid for what is no cursor of such a list.
    """
    if cursor is None:
        return None
    match _unpack(cursor):
        case [int(value)] if 0 <= value <= _MICROSECONDS_MAX:
            return value
    raise _no_such_page()


def after(at: datetime, name: str) -> str:
    """Return the cursor of the page behind an item with a time and an id."""
    return pack(to_microseconds(at), name)


def _unpack(cursor: str) -> object:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        return json.loads(text)
    except (binascii.Error, ValueError, RecursionError):
        raise _no_such_page() from None


def _no_such_page() -> ProblemError:
    return ProblemError(ProblemType.REQUEST_INVALID, "no such page")
