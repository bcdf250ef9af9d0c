"""What the server answers, as documented in the OpenAPI document.

The bodies are built in `projection` and `reports`; a test holds them against these models.
Cards are text such as ``As``, hidden ones null; chips are whole numbers; times are ISO 8601.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """A response body."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """A refusal (RFC 9457); types add members, see GET /v1/problems/{type}."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str | None = None
    instance: str


class ProblemInfo(Shape):
    """What a problem type means."""

    type: str
    status: int
    title: str
    description: str


class Meta(Shape):
    """About this server."""

    api_version: str
    server_time: str
    features: dict[str, bool]
    limits: dict[str, dict[str, float]]


class User(Shape):
    """A person."""

    id: str
    display_name: str
    kind: str


class UserReply(Shape):
    """The person who asks."""

    user: User


class RulesetInfo(Shape):
    """A table on offer, with the options of SPEC 1.0."""

    id: str
    hash: str
    open: bool
    options: dict[str, Any]


class RulesetList(Shape):
    """All tables on offer."""

    items: list[RulesetInfo]
    next_cursor: None


class Bounds(Shape):
    """Amounts on offer, in chips."""

    min: int
    max: int
    step: int
    default: int


class LobbyPreset(Shape):
    """A table that can be sat down at."""

    id: str
    small_blind: int
    big_blind: int
    buy_in: Bounds


class Resume(Shape):
    """The open match, and what leaving it would do."""

    match_id: str
    table_id: str
    hand_no: int
    your_turn: bool
    kept_until: str
    consequence: Literal["ai_decides", "void_hand", "void_match", "settle"]


class Standing(Shape):
    """One's own place on the board, in short."""

    hands: int
    hands_to_rank: int
    bb_per_100: str


class Lobby(Shape):
    """What the first page shows."""

    user: User
    resume: Resume | None
    presets: list[LobbyPreset]
    standing: Standing | None


class TopUp(Shape):
    """Chips added between hands."""

    chips: int
    at: str


class Match(Shape):
    """A match as its player sees it; ``stack`` is that after the last finished hand."""

    id: str
    table_id: str
    ruleset: str
    state: Literal["in_hand", "between_hands", "busted", "settled", "void"]
    buy_in: int
    stack: int
    total_buy_in: int
    top_ups: list[TopUp]
    result_chips: int
    result_bb: str
    hands: int
    started_at: str
    kept_until: str
    settled_at: str | None
    can_next_hand: bool
    can_top_up: bool
    top_up_to: int
    can_settle: bool


class MatchReply(Shape):
    """One match."""

    match: Match


class MatchList(Shape):
    """Matches, newest first."""

    items: list[Match]
    next_cursor: str | None


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
    kind: Literal["min", "bb", "pot", "allin"]
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


class TopUpTotal(Shape):
    """All top-ups of a match."""

    count: int
    chips: int


class Summary(Shape):
    """A match summed up; ``reason`` is null while it is open."""

    match_id: str
    hands: int
    net_chips: int
    net_bb: str
    bb_per_100: str
    buy_in: int
    top_ups: TopUpTotal
    final_stack: int
    biggest_pot_won: int
    biggest_pot_lost: int
    ai_decided: int
    duration_seconds: int
    reason: Literal["settled", "expired", "superseded", "void"] | None


class SummaryReply(Shape):
    """One match summed up."""

    summary: Summary


class EventPage(Shape):
    """Events in order; ``last_seq`` is the newest there is."""

    items: list[TableEvent]
    next_cursor: str | None
    last_seq: int
    version: int


class HandRow(Shape):
    """A line of a hand list."""

    hand_id: str
    hand_no: int
    state: Literal["open", "finished", "void"]
    cards: list[str | None]
    board: list[str]
    net_chips: int | None
    net_bb: str | None
    tags: list[str]
    started_at: str
    ended_at: str | None


class HandList(Shape):
    """Hands, newest first."""

    items: list[HandRow]
    next_cursor: str | None


class HandSeat(Shape):
    """A seat as the hand began."""

    no: int
    name: str
    stack: int
    you: bool


class HandRuleset(TableRuleset):
    """The rules that the hand was played by."""

    hash: str


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


class BoardRow(Shape):
    """A line of a leaderboard; unranked rows have no rank."""

    rank: int | None
    name: str
    kind: str
    bb_per_100: str
    hands: int
    net_chips: int
    net_bb: str
    ai_decided_hands: int
    void_hands: int
    last_played: str | None
    you: bool


class BoardPage(Shape):
    """A page of a leaderboard, true ``as_of`` a moment."""

    board: str
    section: Literal["ranked", "qualifying"]
    as_of: str | None
    ranked_hands: int
    items: list[BoardRow]
    next_cursor: str | None


class MyStanding(Shape):
    """One's own line, and how many hands a rank still needs."""

    row: BoardRow | None
    hands_to_rank: int
    ranked_hands: int


class Readiness(Shape):
    """Which parts serve."""

    status: Literal["ready", "unready"]
    checks: dict[str, bool]
