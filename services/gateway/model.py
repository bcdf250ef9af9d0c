"""What the gateway remembers: tables, matches and hands, as immutable values.

Amounts are whole chips; times are aware UTC datetimes.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from poker.actions import Action
from poker.cards import Card
from poker.events import Event
from poker.setup import HandSetup
from poker.snapshot import HandSnapshot
from services.gateway.rulesets import Ruleset

PLAYER_SEAT: Final = 1
RIVER_SEAT: Final = 2
RIVER_ID: Final = "river"
RIVER_NAME: Final = "River"


class MatchState(StrEnum):
    """Where a match stands; the last two are final."""

    IN_HAND = "in_hand"
    BETWEEN_HANDS = "between_hands"
    BUSTED = "busted"
    SETTLED = "settled"
    VOID = "void"


OPEN_STATES: Final = (MatchState.IN_HAND, MatchState.BETWEEN_HANDS, MatchState.BUSTED)


class EndReason(StrEnum):
    """Why a match ended."""

    SETTLED = "settled"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    VOID = "void"


class HandState(StrEnum):
    """Whether a hand runs, counts, or does not count."""

    OPEN = "open"
    FINISHED = "finished"
    VOID = "void"


class Actor(StrEnum):
    """Who chose an action; everyone but the player is a program (``auto``)."""

    PLAYER = "player"
    RIVER = "river"
    # River's fixed rule, when River is late or broken.
    FALLBACK = "fallback"
    # River's policy in the seat of a player who left.
    STAND_IN = "stand_in"


@dataclass(frozen=True, slots=True)
class User:
    """A person; ``kind`` is ``guest``, ``account`` or ``bot``.

    Accounts and bots have a ``username``. ``revision`` counts the changes of the profile.
    """

    user_id: str
    kind: str
    display_name: str
    created_at: datetime
    username: str | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """The part that every command changes: its version is the lock.

    ``last_seq`` numbers the table's events without gaps. ``turn_seat`` is who must act,
    None between hands. ``secret`` makes turn tokens unforgeable.
    """

    table_id: str
    version: int
    last_seq: int
    turn_seat: int | None
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class TopUp:
    """Chips that the player added between hands."""

    chips: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Commitment:
    """A shuffled deck that the server is bound to before anyone plays it (ENG-009).

    ``root`` (hex) is public and names it; ``deck`` is in committed order.
    """

    root: str
    deck: tuple[Card, ...] = field(repr=False)
    salt_key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What proves a hand's deal; the cards themselves are in its setup, as dealt.

    ``client_seed`` is the player's part in it, None when the player had none.
    """

    root: str
    client_seed: str | None
    salt_key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Match:
    """A heads-up match against River.

    The stacks are those after the last finished hand (with top-ups): chips in play are in
    the hand. ``result_chips`` is the sum of the player's nets over ``hands`` finished ones.
    ``moves`` counts the player's accepted actions, ``hand_moves`` those in the current
    hand. ``closing`` is set while a stand-in finishes the hand of a player who left.
    ``user_id`` is whose match it is; ``played_as`` who it was begun as, when that was a guest
    whose matches have moved to an account since.
    ``next_commit_root`` (hex) commits to the deck of the next hand.
    """

    match_id: str
    table_id: str
    user_id: str
    ruleset: Ruleset
    state: MatchState
    buy_in_chips: int
    stack_chips: int
    river_stack_chips: int
    started_at: datetime
    kept_until: datetime
    button: int
    hand_no: int = 0
    hand_id: str | None = None
    hands: int = 0
    moves: int = 0
    hand_moves: int = 0
    result_chips: int = 0
    ai_decided: int = 0
    biggest_pot_won_chips: int = 0
    biggest_pot_lost_chips: int = 0
    top_ups: tuple[TopUp, ...] = ()
    closing: EndReason | None = None
    settled_at: datetime | None = None
    end_reason: EndReason | None = None
    played_as: str | None = None
    next_commit_root: str | None = None

    @property
    def player_id(self) -> str:
        """What the match's events call the player: the same from the first to the last."""
        return self.played_as or self.user_id

    @property
    def is_open(self) -> bool:
        """Whether the match can still change."""
        return self.state in OPEN_STATES

    @property
    def has_next_hand(self) -> bool:
        """Whether another hand may follow, as far as is known."""
        return self.is_open and self.closing is None and self.state is not MatchState.BUSTED

    @property
    def top_up_chips(self) -> int:
        """Sum of all top-ups."""
        return sum(top_up.chips for top_up in self.top_ups)

    @property
    def total_buy_in_chips(self) -> int:
        """Everything the player brought to the table."""
        return self.buy_in_chips + self.top_up_chips

    @property
    def idle_expiry(self) -> timedelta:
        """How long the table waits for the player."""
        return timedelta(hours=self.ruleset.idle_expiry_hours)


@dataclass(frozen=True, slots=True)
class HandAction:
    """An accepted action and who chose it."""

    action: Action
    actor: Actor


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: its setup and its actions; everything else is a fold of them.

    ``secret`` seeds the bot's chances and never leaves the server. ``shuffle`` is None for
    hands from before there were commitments.
    """

    hand_id: str
    match_id: str
    hand_no: int
    ruleset_hash: str
    setup: HandSetup = field(repr=False)
    secret: bytes = field(repr=False)
    started_at: datetime
    actions: tuple[HandAction, ...] = ()
    state: HandState = HandState.OPEN
    ended_at: datetime | None = None
    bot_version: str = ""
    bot_fallback: bool = False
    ai_decided: bool = False
    net_chips: int | None = None
    # All pots together, once the hand is finished.
    pot_chips: int | None = None
    shuffle: Shuffle | None = None

    @property
    def played(self) -> tuple[Action, ...]:
        """The actions alone, as the engine takes them."""
        return tuple(item.action for item in self.actions)


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One entry of a table's log, in full form.

    ``event`` is what happened in a hand; events of the table have None and carry only
    ``extras``, facts that everyone may see (for hand events: additions to them).
    """

    name: str
    extras: dict[str, Any]
    event: Event | None = field(default=None, repr=False)
    hand_id: str | None = None


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """A table event with its place in the log."""

    seq: int
    at: datetime
    content: TableEvent


@dataclass(frozen=True, slots=True)
class Reply:
    """What the engine answers: the new events, and the position reached."""

    events: tuple[Event, ...] = field(repr=False)
    snapshot: HandSnapshot = field(repr=False)


@dataclass(frozen=True, slots=True)
class Scene:
    """All of one table at one version; ``hand`` is the current or the last one."""

    table: Table
    match: Match
    hand: Hand
    player: User
