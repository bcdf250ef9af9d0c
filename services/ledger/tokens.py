"""Page tokens: a place in a list as text that callers hand back unread."""

import base64
import binascii
import json
from collections.abc import Sequence

from services.common.eventlog.port import is_id
from services.ledger.leaderboard import Cursor, Scope

MAX_TOKEN_CHARS = 1024


class TokenError(ValueError):
    """The token is none of ours, or belongs to another list."""


def encode_cursor(scope: Scope, section: str, cursor: Cursor) -> str:
    """Return the token of a row in a section of a board."""
    place = (cursor.average_whole, cursor.average_rest, cursor.hands, cursor.settled_us)
    return _pack((scope.board, scope.period, scope.version, section, *place, cursor.player_id))


def decode_cursor(board: str, version: str, section: str, token: str) -> tuple[str, Cursor]:
    """Return the period and the place in a token of the same list.

    Raises:
        TokenError: see there.

    """
    parts = _unpack(token)
    if len(parts) != 9 or [parts[0], *parts[2:4]] != [board, version, section]:
        raise TokenError("the page token belongs to another list")
    period, numbers, player_id = parts[1], parts[4:8], parts[8]
    if not all(_is_int64(number) for number in numbers):
        raise TokenError("the page token is damaged")
    if not isinstance(player_id, str) or not is_id(player_id) or not isinstance(period, str):
        raise TokenError("the page token is damaged")
    whole, rest, hands, settled_us = (int(str(number)) for number in numbers)
    return period, Cursor(whole, rest, hands, settled_us, player_id)


def encode_number(player_id: str, number: int) -> str:
    """Return the token of an entry in a player's statement."""
    return _pack((player_id, number))


def decode_number(player_id: str, token: str) -> int:
    """Return the entry number in a token of the same player's statement.

    Raises:
        TokenError: see there.

    """
    parts = _unpack(token)
    if len(parts) != 2 or parts[0] != player_id or not _is_int64(parts[1]):
        raise TokenError("the page token belongs to another list")
    return int(str(parts[1]))


def _is_int64(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _pack(parts: Sequence[str | int]) -> str:
    text = json.dumps(parts, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _unpack(token: str) -> list[object]:
    if len(token) > MAX_TOKEN_CHARS:
        raise TokenError("the page token is too long")
    try:
        text = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        parts = json.loads(text)
    except (binascii.Error, ValueError, RecursionError) as error:
        raise TokenError("the page token is damaged") from error
    if not isinstance(parts, list):
        raise TokenError("the page token is damaged")
    return parts
