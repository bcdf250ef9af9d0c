"""What the server answers about tables and hands, as documented in the OpenAPI document.

Cards are text such as ``As``, hidden ones null; chips are whole numbers; times are ISO 8601.
"""

from typing import Literal

from pydantic import Field

from services.gateway.api.event_schemas import (
    ActionType,
    Pot,
    SeatChips,
    SeatResult,
    ShownHand,
    Street,
    TableEvent,
)
from services.gateway.api.fields import (
    BigBlind,
    Board,
    Chips,
    CommitRoot,
    HandCount,
    HandId,
    HandNo,
    MatchId,
    MaybeHoleCards,
    Net,
    NextCursor,
    RulesetId,
    SeatNo,
    SignedBigBlinds,
    SmallBlind,
    TableId,
    Time,
    Version,
)
from services.gateway.api.schemas import Match
from services.gateway.api.shape import Shape


class PotResult(Shape):
    """A pot as awarded."""

    chips: Chips
    winners: list[SeatChips] = Field(description="Left of the button first")


class HandResult(Shape):
    """How the hand ended."""

    seats: list[SeatResult]
    pots: list[PotResult] = Field(description="The main pot first")
    returned: list[SeatChips] = Field(description="Chips that nobody matched", examples=[[]])
    shown: list[ShownHand] = Field(description="In the order of the showdown; empty without one")


class Hand(Shape):
    """The hand on the table."""

    id: HandId
    no: HandNo
    street: Street
    board: Board
    pots: list[Pot] = Field(description="After the last betting round that is over")
    pot_total: Chips = Field(description="All pots and the bets of this round", examples=[900])
    button: SeatNo
    commit_root: CommitRoot | None = Field(description="Null for hands from before there were any")
    over: bool
    void: bool = Field(description="It does not count; chips are as before it")
    result: HandResult | None = Field(description="Null until the hand is over", examples=[None])


class LastAction(Shape):
    """What a seat did last."""

    type: ActionType = Field(examples=["raise"])
    to: Chips = Field(description="Its total in that betting round", examples=[250])
    added: Chips = Field(description="What left its stack", examples=[200])
    all_in: bool


class Seat(Shape):
    """A seat; its cards are null unless they are one's own or were shown."""

    no: SeatNo
    name: str = Field(description="What to call who sits there", examples=["Ana"])
    kind: Literal["human", "computer"]
    tag: Literal["guest", "account", "bot", "computer"] = Field(description="What to show beside")
    pos: str = Field(description="Position in this hand", examples=["BTN/SB"])
    stack: Chips = Field(description="Without the bet of this round", examples=[9_750])
    bet: Chips = Field(description="In this betting round", examples=[250])
    folded: bool
    all_in: bool
    cards: MaybeHoleCards
    last_action: LastAction | None = Field(description="Null before the first of the hand")
    you: bool = Field(description="Whether it is one's own", examples=[True])


class Turn(Shape):
    """Who must act."""

    seat: SeatNo


class Preset(Shape):
    """A shortcut: its raise-to amount, and why it is grey."""

    id: str = Field(description="Different for each of a row", examples=["pot_2_3"])
    label: str = Field(description="What the button says", examples=["⅔ pot"])
    kind: Literal["min", "bb", "pot_percent", "pot_fraction", "allin"] = Field(
        description="How it finds its amount", examples=["pot_fraction"]
    )
    amount: int | None = Field(
        description="Total to bet or raise to; null when no raise is possible", examples=[450]
    )
    enabled: bool = Field(examples=[True])
    reason: str | None = Field(description="Why it is grey, for people", examples=[None])


class RaiseRange(Shape):
    """Bets or raises on offer: every whole raise-to amount from min_to to max_to."""

    kind: Literal["bet", "raise"] = Field(description="What it is called here")
    min_to: Chips = Field(
        description="Least total; below `full_min_to` only all-in", examples=[400]
    )
    full_min_to: Chips = Field(description="Least full bet or raise", examples=[400])
    max_to: Chips = Field(description="Everything, or all that can be called", examples=[9_950])
    step: Chips = Field(description="Half a big blind, for buttons", examples=[50])
    presets: list[Preset] = Field(description="The same as of `legal`")


class Legal(Shape):
    """Everything that may be done on this turn."""

    turn_token: str = Field(
        description="Names this turn; an action sends it back",
        examples=["18-3e9d0c7a1f5b24c6a8d2e4f60718293a"],
    )
    can_fold: bool = Field(description="Only against a bet", examples=[True])
    can_check: bool
    to_call: Chips = Field(description="What a call adds; 0 without a bet", examples=[150])
    call_all_in: bool = Field(description="A call takes the last chips")
    raise_: RaiseRange | None = Field(alias="raise", description="Null when none is possible")
    no_raise_reason: str | None = Field(
        description="Why not, for machines; null when one is", examples=[None]
    )
    presets: list[Preset] = Field(description="One's own shortcuts for this street")


class TableRuleset(Shape):
    """The rules of this table, in short."""

    id: RulesetId
    small_blind: SmallBlind
    big_blind: BigBlind


class Snapshot(Shape):
    """A table as one player sees it; ``log`` holds the events of the current hand."""

    version: Version
    server_time: Time
    table_id: TableId
    ruleset: TableRuleset
    hand: Hand
    seats: list[Seat]
    turn: Turn | None = Field(description="Null while nobody must act")
    legal: Legal | None = Field(description="Null unless one must act oneself")
    match: Match
    log: list[TableEvent]


class SatDown(Shape):
    """A match that has begun."""

    match: Match
    table_id: TableId
    snapshot: Snapshot
    events: list[TableEvent] = Field(description="What happened since, in order")


class Played(Shape):
    """What followed, up to one's next decision or the end of the hand."""

    snapshot: Snapshot
    events: list[TableEvent] = Field(description="What happened, in order")


class ActionReply(Shape):
    """What followed an action."""

    version: Version
    events: list[TableEvent] = Field(description="What happened, in order")
    legal: Legal | None = Field(description="One's next decision; null when there is none yet")
    snapshot: Snapshot


class ToppedUp(Shape):
    """The stack after a top-up."""

    stack: Chips = Field(description="After it", examples=[10_000])
    added: Chips = Field(examples=[1_250])
    total_buy_in: Chips = Field(description="Buy-in and all top-ups", examples=[11_250])
    snapshot: Snapshot


class EventPage(Shape):
    """Events in order; ``last_seq`` is the newest there is."""

    items: list[TableEvent]
    next_cursor: str | None = Field(
        description="`since` of the next page; null on the last", examples=["41"]
    )
    last_seq: int = Field(ge=0, description="The newest number there is", examples=[44])
    version: Version


class HandRow(Shape):
    """A line of a hand list."""

    hand_id: HandId
    match_id: MatchId
    hand_no: HandNo
    state: Literal["open", "finished", "void"] = Field(examples=["finished"])
    pos: str = Field(description="One's own position", examples=["BTN/SB"])
    cards: MaybeHoleCards
    board: Board
    pot: int | None = Field(description="All pots together, of a finished hand", examples=[600])
    net_chips: int | None = Field(description="Of a finished hand", examples=[300])
    net_bb: SignedBigBlinds | None = Field(description="Of a finished hand", examples=["+3.0"])
    tags: list[Literal["ai_decided", "not_counted", "bot_fallback"]] = Field(
        description="`ai_decided`: finished in one's absence; `not_counted`: void; "
        "`bot_fallback`: River could not be asked",
        examples=[[]],
    )
    started_at: Time
    ended_at: Time | None = Field(description="Null while it is open")


class HandList(Shape):
    """Hands, newest first."""

    items: list[HandRow]
    next_cursor: NextCursor


class GraphPoint(Shape):
    """A finished hand and the match's result after it."""

    hand_no: HandNo
    net_chips: Net = Field(description="Of this hand", examples=[300])
    result_chips: Net = Field(description="Of the match after it", examples=[1_250])
    result_bb: SignedBigBlinds = Field(examples=["+12.5"])


class Graph(Shape):
    """The course of a match; ``hands`` is the number of finished hands."""

    match_id: MatchId
    hands: HandCount
    items: list[GraphPoint]


class HandSeat(Shape):
    """A seat as the hand began."""

    no: SeatNo
    name: str = Field(description="What to call who sat there", examples=["Ana"])
    kind: Literal["human", "computer"]
    stack: Chips = Field(description="Before the blinds", examples=[10_000])
    you: bool = Field(description="Whether it is one's own", examples=[True])


class HandRuleset(TableRuleset):
    """The rules that the hand was played by."""

    hash: str = Field(
        description="SHA-256 of the whole ruleset, as in GET /v1/rulesets",
        examples=["9b2f6b0e5d1c4a7f8e3d2c1b0a9f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7"],
    )
    burn_cards: bool


class HandRecord(Shape):
    """A stored hand, as far as its player may see it."""

    hand_id: HandId
    match_id: MatchId
    table_id: TableId
    hand_no: HandNo
    state: Literal["open", "finished", "void"] = Field(examples=["finished"])
    ruleset: HandRuleset
    button: SeatNo
    seats: list[HandSeat]
    started_at: Time
    ended_at: Time | None = Field(description="Null while it is open")
    tags: list[Literal["ai_decided", "not_counted", "bot_fallback"]] = Field(examples=[[]])
    events: list[TableEvent]
