"""The life of a match as pure decisions: which command is allowed when, and what leaving does.

State machine (SPEC 1.2): ``in_hand`` -> ``between_hands`` or ``busted`` -> ``settled``;
leaving may also end in ``void``.
"""

import hashlib
import hmac
from datetime import datetime
from enum import StrEnum
from typing import Final

from services.gateway.model import (
    PLAYER_SEAT,
    RIVER_SEAT,
    EndReason,
    Match,
    MatchState,
    Table,
)
from services.gateway.problems import ProblemError, ProblemType

FREE_MOVES: Final = 3
"""Leaving within this many moves of a match does not count (HU-064)."""


class Consequence(StrEnum):
    """What happens to a match whose player leaves it."""

    SETTLE = "settle"
    VOID_MATCH = "void_match"
    VOID_HAND = "void_hand"
    AI_DECIDES = "ai_decides"


VOIDING: Final = frozenset({Consequence.VOID_MATCH, Consequence.VOID_HAND})
"""What takes a hand off the table without a result."""


def consequence(match: Match) -> Consequence:
    """Return the row of SPEC 1.2's table that applies if the player left now.

    Rows: a SETTLE; b and c VOID_MATCH; e and f VOID_HAND; d and g AI_DECIDES.
    """
    if match.state is not MatchState.IN_HAND:
        return Consequence.SETTLE
    if match.hand_moves and match.moves > FREE_MOVES:
        return Consequence.AI_DECIDES
    return Consequence.VOID_HAND if match.hands else Consequence.VOID_MATCH


def is_expired(table: Table, match: Match, now: datetime) -> bool:
    """Return whether the player stayed away too long.

    While River owes an action the player's time does not run (HU-061).
    """
    river_owes = table.turn_seat == RIVER_SEAT
    return match.is_open and not river_owes and now >= match.kept_until


def check_open(match: Match) -> None:
    """Raise once a match has ended, or is being ended for an absent player.

    What came too late stays too late, whoever noticed first: match-expired (HU-069); else
    match-closed.
    """
    if not match.is_open or match.closing is not None:
        late = _ran_out(match)
        raise ProblemError(ProblemType.MATCH_EXPIRED if late else ProblemType.MATCH_CLOSED)


def _ran_out(match: Match) -> bool:
    reason = match.closing or match.end_reason
    if reason is EndReason.VOID:
        return match.settled_at is not None and match.settled_at >= match.kept_until
    return reason is EndReason.EXPIRED


def check_can_deal(match: Match) -> None:
    """Raise unless the next hand may be dealt."""
    _check_between_hands(match)
    if match.state is MatchState.BUSTED:
        raise ProblemError(ProblemType.MATCH_BUSTED)


def check_follows(table: Table, match: Match, after_hand_no: int) -> None:
    """Raise stale-turn when a wish for the next hand was made after another hand than this."""
    if match.hand_no != after_hand_no:
        raise ProblemError(ProblemType.STALE_TURN, version=table.version)


def top_up_target_chips(match: Match) -> int:
    """Return the stack a top-up leads to; raise unless one is allowed now (HU-011)."""
    check_can_deal(match)
    buy_in = match.ruleset.buy_in
    allowed = match.ruleset.top_up == "manual_to_max" and buy_in is not None
    if buy_in is None or not allowed or match.stack_chips >= buy_in.max_chips:
        raise ProblemError(ProblemType.NOT_ELIGIBLE)
    return buy_in.max_chips


def check_can_settle(match: Match) -> None:
    """Raise unless the match may be settled (HU-017)."""
    _check_between_hands(match)


def _check_between_hands(match: Match) -> None:
    check_open(match)
    if match.state is MatchState.IN_HAND:
        raise ProblemError(ProblemType.HAND_IN_PROGRESS)


def turn_token(table: Table, version: int | None = None) -> str:
    """Return the one-time name of the turn at a version (default: the current one)."""
    number = table.version if version is None else version
    text = f"{table.table_id}:{number}".encode()
    return f"{number}-{hmac.new(table.secret, text, hashlib.sha256).hexdigest()[:32]}"


def check_turn(table: Table, token: str) -> None:
    """Raise unless ``token`` answers the current turn and it is the player's.

    A token of another turn is stale whoever must act now, so of two devices the slower
    one learns to read the table again (HU-074).
    """
    if hmac.compare_digest(token.encode(), turn_token(table).encode()):
        if table.turn_seat == PLAYER_SEAT:
            return
    elif table.turn_seat in (None, PLAYER_SEAT) or _was_issued(table, token):
        raise ProblemError(ProblemType.STALE_TURN, version=table.version)
    raise ProblemError(ProblemType.NOT_YOUR_TURN, version=table.version)


def _was_issued(table: Table, token: str) -> bool:
    number = token.partition("-")[0]
    if not (number.isascii() and number.isdigit()) or len(number) > 18:
        return False
    return hmac.compare_digest(token.encode(), turn_token(table, int(number)).encode())
