"""What the server answers about tables and hands, as documented in the OpenAPI document.

Cards are text such as ``As``, hidden ones null; chips are whole numbers; times are ISO 8601.
"""

from typing import Any, Literal

from pydantic import Field

from services.gateway.api.schemas import Match, Shape


class SeatChips(Shape):
    """Chips of a seat."""

    seat: int
    chips: int


class Pot(Shape):
    """A pot and the seats that may win it."""

    chips: int
    eligible: list[int]


class SeatResult(Shape):
    """What a hand did to a seat."""

    seat: int
    put_in: int
    won: int
    net: int
    stack: int


class ShownHand(Shape):
    """A hand at showdown."""

    seat: int
    cards: list[str]
    category: str
    name: str
    best_five: list[str]


class PotResult(Shape):
    """A pot as awarded."""

    chips: int
    winners: list[SeatChips]


class HandResult(Shape):
    """How the hand ended."""

    seats: list[SeatResult]
    pots: list[PotResult]
    returned: list[SeatChips]
    shown: list[ShownHand]


class Hand(Shape):
    """The hand on the table."""

    id: str
    no: int
    street: Literal["preflop", "flop", "turn", "river"]
    board: list[str]
    pots: list[Pot]
    pot_total: int
    button: int
    commit_root: str | None = Field(
        description="What the server committed to before the hand (docs/fairness.md)",
        examples=["5be4a5c1fb3b7b6f2d8e0c9a417e63d2c0f9b1a8e7d6c5b4a39281706f5e4d3c"],
    )
    over: bool
    void: bool
    result: HandResult | None


class LastAction(Shape):
    """What a seat did last; ``to`` is its total in that betting round."""

    type: Literal["fold", "check", "call", "bet", "raise"]
    to: int
    added: int
    all_in: bool


class Seat(Shape):
    """A seat; its cards are null unless they are one's own or were shown."""

    no: int
    name: str
    kind: Literal["human", "computer"]
    tag: str
    pos: str
    stack: int
    bet: int
    folded: bool
    all_in: bool
    cards: list[str | None] = Field(min_length=2, max_length=2)
    last_action: LastAction | None
    you: bool


class Turn(Shape):
    """Who must act."""

    seat: int


class Preset(Shape):
    """A shortcut: its raise-to amount, and why it is grey."""

    id: str
    label: str
    kind: Literal["min", "bb", "pot_percent", "pot_fraction", "allin"]
    amount: int | None
    enabled: bool
    reason: str | None


class RaiseRange(Shape):
    """Bets or raises on offer: every whole raise-to amount from min_to to max_to."""

    kind: Literal["bet", "raise"]
    min_to: int
    full_min_to: int
    max_to: int
    step: int
    presets: list[Preset]


class Legal(Shape):
    """Everything that may be done on this turn."""

    turn_token: str
    can_fold: bool
    can_check: bool
    to_call: int
    call_all_in: bool
    raise_: RaiseRange | None = Field(alias="raise")
    no_raise_reason: str | None
    presets: list[Preset]


class TableEvent(Shape):
    """Something that happened; the members of ``data`` depend on the type."""

    seq: int
    type: str
    at: str
    data: dict[str, Any]


class TableRuleset(Shape):
    """The rules of this table, in short."""

    id: str
    small_blind: int
    big_blind: int


class Snapshot(Shape):
    """A table as one player sees it; ``log`` holds the events of the current hand."""

    version: int
    server_time: str
    table_id: str
    ruleset: TableRuleset
    hand: Hand
    seats: list[Seat]
    turn: Turn | None
    legal: Legal | None
    match: Match
    log: list[TableEvent]


class SatDown(Shape):
    """A match that has begun."""

    match: Match
    table_id: str
    snapshot: Snapshot
    events: list[TableEvent]


class Played(Shape):
    """What followed, up to one's next decision or the end of the hand."""

    snapshot: Snapshot
    events: list[TableEvent]


class ActionReply(Shape):
    """What followed an action."""

    version: int
    events: list[TableEvent]
    legal: Legal | None
    snapshot: Snapshot


class ToppedUp(Shape):
    """The stack after a top-up."""

    stack: int
    added: int
    total_buy_in: int
    snapshot: Snapshot


class EventPage(Shape):
    """Events in order; ``last_seq`` is the newest there is."""

    items: list[TableEvent]
    next_cursor: str | None
    last_seq: int
    version: int


class HandRow(Shape):
    """A line of a hand list."""

    hand_id: str
    match_id: str
    hand_no: int
    state: Literal["open", "finished", "void"]
    pos: str = Field(description="One's own position", examples=["BTN/SB"])
    cards: list[str | None]
    board: list[str]
    pot: int | None = Field(description="All pots together, of a finished hand", examples=[600])
    net_chips: int | None
    net_bb: str | None
    tags: list[str]
    started_at: str
    ended_at: str | None


class HandList(Shape):
    """Hands, newest first."""

    items: list[HandRow]
    next_cursor: str | None


class GraphPoint(Shape):
    """A finished hand and the match's result after it."""

    hand_no: int
    net_chips: int
    result_chips: int
    result_bb: str = Field(examples=["+12.5"])


class Graph(Shape):
    """The course of a match; ``hands`` is the number of finished hands."""

    match_id: str
    hands: int
    items: list[GraphPoint]


class HandSeat(Shape):
    """A seat as the hand began."""

    no: int
    name: str
    kind: Literal["human", "computer"]
    stack: int
    you: bool


class HandRuleset(TableRuleset):
    """The rules that the hand was played by."""

    hash: str
    burn_cards: bool


class HandRecord(Shape):
    """A stored hand, as far as its player may see it."""

    hand_id: str
    match_id: str
    table_id: str
    hand_no: int
    state: Literal["open", "finished", "void"]
    ruleset: HandRuleset
    button: int
    seats: list[HandSeat]
    started_at: str
    ended_at: str | None
    tags: list[str]
    events: list[TableEvent]
