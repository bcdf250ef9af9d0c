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
    kind: Literal["guest", "account", "bot"]
    username: str | None = Field(description="Null for guests", examples=["ana_p"])


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
    state: Literal["in_hand", "between_hands", "busted"] = Field(
        description="`busted`: out of chips, it can only be settled", examples=["in_hand"]
    )
    hand_no: int
    your_turn: bool
    kept_until: str
    consequence: Literal["ai_decides", "void_hand", "void_match", "settle"]


class Standing(Shape):
    """One's own place on the board, in short."""

    hands: int
    hands_to_rank: int
    bb_per_100: str


class Notice(Shape):
    """Something that happened to one's matches; the members of ``data`` depend on the type."""

    seq: int = Field(description="Numbers one's notices from 1, without gaps", examples=[1])
    type: Literal[
        "hand.ai_decided", "hand.voided", "match.settled", "match.voided", "match.expiring"
    ]
    at: str = Field(examples=["2026-05-02T12:00:00.000Z"])
    read: bool
    data: dict[str, Any] = Field(
        examples=[
            {
                "match_id": "m_0123456789abcdef0123",
                "table_id": "t_0123456789abcdef0123",
                "hand_id": "h_0123456789abcdef0123",
                "hand_no": 37,
                "net_chips": -1250,
                "net_bb": "-12.5",
            }
        ]
    )


class NoticePage(Shape):
    """Notices in order; ``last_seq`` is the newest there is."""

    items: list[Notice]
    next_cursor: str | None = Field(description="`after` of the next page")
    last_seq: int


class Lobby(Shape):
    """What the first page shows."""

    user: User
    resume: Resume | None
    presets: list[LobbyPreset]
    standing: Standing | None
    notices: list[Notice] = Field(description="The oldest ones not read yet, at most 20")
    next_commit_root: str = Field(
        description="Commitment to the deck of the first hand of your next match",
        examples=["5be4a5c1fb3b7b6f2d8e0c9a417e63d2c0f9b1a8e7d6c5b4a39281706f5e4d3c"],
    )


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
    next_commit_root: str | None = Field(
        description="Commitment to the deck of the next hand; null once there is none",
        examples=["5be4a5c1fb3b7b6f2d8e0c9a417e63d2c0f9b1a8e7d6c5b4a39281706f5e4d3c"],
    )


class MatchReply(Shape):
    """One match."""

    match: Match


class MatchList(Shape):
    """Matches, newest first."""

    items: list[Match]
    next_cursor: str | None


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
