"""Recorded hands as typed values: one JSON object a line, strictly checked.

All amounts are whole chips of the record's own unit. Fields that the replay does not use
(source, game, tags other than the two below) may be anything.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from poker.actions import ActionKind, Street
from poker.cards import Card, parse_cards
from poker.errors import MalformedError

Seat = Annotated[int, Field(ge=1, le=10)]
Amount = Annotated[int, Field(ge=0)]

FOLD_IS_FREE_TAG = "fold_no_bet"
RAISE_NEEDS_NO_CALLER_TAG = "raise_no_caller_possible"

BLIND_POSTS = ("post_sb", "post_bb")
_ACTION_TYPES = Literal[
    "post_ante",
    "post_sb",
    "post_bb",
    "post_straddle",
    "post_live",
    "post_dead",
    "fold",
    "check",
    "call",
    "bet",
    "raise",
]


def read_cards(value: object) -> tuple[Card, ...]:
    """Read cards written without gaps; raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError("cards must be text")
    try:
        return parse_cards(value)
    except MalformedError:
        raise ValueError("not cards") from None


def _read_hole_cards(value: object) -> tuple[Card, ...] | None:
    if value is None:
        return None
    cards = read_cards(value)
    if len(cards) != 2:
        raise ValueError("not two cards")
    return cards


Cards = Annotated[tuple[Card, ...], BeforeValidator(read_cards)]
HoleCards = Annotated[tuple[Card, ...] | None, BeforeValidator(_read_hole_cards)]


class Record(BaseModel):
    """Base of everything read from a file: exact types, unknown fields ignored."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", arbitrary_types_allowed=True
    )


class SeatRecord(Record):
    """A dealt-in seat and its stack before antes and blinds."""

    seat: Seat
    stack: Amount


class Antes(Record):
    """Whether and from whom antes were taken."""

    mode: Literal["none", "each", "bb"]


class ActionRecord(Record):
    """A forced post or a decision: ``amount`` chips added, ``to`` the total this street."""

    street: Street
    seat: Seat
    type: _ACTION_TYPES
    amount: Amount
    to: Amount

    @property
    def kind(self) -> ActionKind | None:
        """The decision that was taken; None for a forced post."""
        return None if self.type.startswith("post_") else ActionKind(self.type)


class PotRecord(Record):
    """A pot after uncalled bets went back and before rake, main pot first."""

    amount: Amount
    eligible: list[Seat]
    winners: list[Seat]


class HandRecord(Record):
    """One recorded hand."""

    id: Annotated[str, Field(min_length=1, max_length=128)]
    seats: Annotated[list[SeatRecord], Field(min_length=1, max_length=10)]
    button_seat: Seat
    sb_seat: Seat | None
    bb_seat: Seat | None
    sb: Amount
    bb: Amount
    antes: Antes
    straddles: list[object]
    posts: list[object]
    holes: dict[Seat, HoleCards]
    actions: list[ActionRecord]
    board: Annotated[Cards, Field(max_length=5)]
    returned: dict[Seat, Amount]
    pots: list[PotRecord]
    winnings: dict[Seat, Amount]
    final_stacks: dict[Seat, Amount]
    live_at_end: list[Seat]
    rake: Amount
    tags: list[str]

    @property
    def skip_reason(self) -> str | None:
        """Why the hand is outside the rules played here; None when it must replay."""
        if self.antes.mode != "none":
            return "antes"
        if self.straddles:
            return "straddles"
        if self.posts:
            return "posts"
        return "no_small_blind" if self.sb_seat is None else None
