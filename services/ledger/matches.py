"""What the ledger knows about a match, and what an event does to it. Plain values."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from services.ledger.days import Day, Tally, total

BANK = "bank"
"""The account that chips come from and go back to; the only one that may be negative."""

MAX_CHIPS = 10**15
"""Most chips in one event; sums of many still fit a 64-bit column."""


class Kind(StrEnum):
    """Who a player is."""

    GUEST = "guest"
    ACCOUNT = "account"
    BOT = "bot"
    HOUSE = "house"


class TransferKind(StrEnum):
    """Why chips moved."""

    BUY_IN = "buy_in"
    TOP_UP = "top_up"
    REBUY = "rebuy"
    HAND = "hand"
    CASH_OUT = "cash_out"


class Status(StrEnum):
    """Where a match is in its life."""

    OPEN = "open"
    SETTLED = "settled"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Seat:
    """One participant of a match and what its settled hands did to them.

    Times are microseconds since 1970; 0 means never. ``days`` is empty for those whose hands
    count on no board.
    """

    player_id: str
    number: int
    kind: Kind
    stack_chips: int = 0
    hands: int = 0
    net_chips: int = 0
    ai_decided_hands: int = 0
    void_hands: int = 0
    last_played_us: int = 0
    days: tuple[Day, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """A match as its events so far leave it; ``last_hand_no`` is 0 before the first hand."""

    match_id: str
    table_id: str
    ruleset_id: str
    big_blind_chips: int
    started_us: int
    seats: tuple[Seat, ...]
    status: Status = Status.OPEN
    hands: int = 0
    last_hand_no: int = 0
    settled_us: int = 0

    def seat_of(self, player_id: str) -> Seat | None:
        """Return the participant's seat, None for a stranger."""
        return next((seat for seat in self.seats if seat.player_id == player_id), None)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Chips that leave ``debit`` and arrive at ``credit``; always at least one.

    ``player_id`` is whose stack takes part: every transfer has exactly one on a side.
    """

    debit: str
    credit: str
    chips: int
    kind: TransferKind
    player_id: str
    hand_id: str | None = None

    def __post_init__(self) -> None:
        """Refuse what would not be a transfer."""
        if self.chips < 1 or self.debit == self.credit:
            raise ValueError("a transfer moves at least one chip between two accounts")


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A hand that was settled or voided; ``put_in_chips`` equals ``won_chips``."""

    hand_id: str
    hand_no: int
    voided: bool
    put_in_chips: int
    won_chips: int


@dataclass(frozen=True, slots=True)
class Naming:
    """What a player is called: the name with the largest revision wins, then the latest.

    ``revision`` is 0 where the producer did not count.
    """

    player_id: str
    display_name: str
    kind: Kind
    named_us: int
    revision: int = 0

    @property
    def rank(self) -> tuple[int, int, str, str]:
        """What the current name has most of, whatever the order in which names arrive."""
        return self.revision, self.named_us, self.display_name, self.kind.value


@dataclass(frozen=True, slots=True)
class Merge:
    """One player who became part of another, at a time in microseconds since 1970."""

    player_id: str
    into_id: str
    merged_us: int


@dataclass(frozen=True, slots=True)
class StandingChange:
    """What the end of a match adds to a player on a board."""

    board: str
    player_id: str
    days: tuple[Day, ...]

    @property
    def total(self) -> Tally:
        """What the match came to."""
        return total(self.days)


@dataclass(frozen=True, slots=True)
class Posting:
    """Everything that one event changes."""

    match: Match
    transfers: tuple[Transfer, ...] = ()
    hand: HandRecord | None = None
    names: tuple[Naming, ...] = ()
    standings: tuple[StandingChange, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerPosting:
    """What an event about a player changes: names, and whose results theirs are. No chip moves."""

    transfers: ClassVar[tuple[Transfer, ...]] = ()
    hand: ClassVar[HandRecord | None] = None
    standings: ClassVar[tuple[StandingChange, ...]] = ()

    names: tuple[Naming, ...]
    merge: Merge | None = None


class RejectedError(Exception):
    """An event that cannot be true; it changes nothing.

    Attributes:
        reason: snake_case, for machines and metrics.
        detail: a sentence for whoever looks into it; holds ids and chips, never cards.

    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def stack_account(match_id: str, player_id: str) -> str:
    """Return the account of a player's chips in a match."""
    return f"stack:{match_id}:{player_id}"


def pot_account(hand_id: str) -> str:
    """Return the account that a hand's chips pass through."""
    return f"pot:{hand_id}"
