"""What the server answers, as documented in the OpenAPI document.

The bodies are built in `projection` and `reports`; a test holds them against these models.
Cards are text such as ``As``, hidden ones null; chips are whole numbers; times are ISO 8601.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.gateway.api.fields import (
    BigBlind,
    Chips,
    CommitRoot,
    HandCount,
    HandNo,
    KeptUntil,
    MatchId,
    Net,
    NextCursor,
    NoCursor,
    PerHundred,
    RulesetId,
    SignedBigBlinds,
    SmallBlind,
    TableId,
    Time,
    UserId,
)
from services.gateway.api.ruleset_schemas import RulesetOptions
from services.gateway.api.shape import Shape


class Problem(BaseModel):
    """A refusal (RFC 9457); types add members, see GET /v1/problems/{type}."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(
        description="Address of the type; switch on its last part",
        examples=["https://riverboat.example/v1/problems/stale-turn"],
    )
    title: str = Field(description="For people; may change", examples=["That turn is over"])
    status: int = Field(description="The HTTP status", examples=[409])
    # Left out rather than null when there is nothing to say.
    detail: str = Field(
        default="",
        description="For people; may change or be left out",
    )
    instance: str = Field(
        description="Names the request, as X-Request-Id does",
        examples=["urn:riverboat:request:5f0c2b7d9e1a4c3f8b6d0e2a7c9f1b34"],
    )


class ProblemInfo(Shape):
    """What a problem type means."""

    type: str = Field(description="Its name", examples=["stale-turn"])
    status: int = Field(description="Its HTTP status", examples=[409])
    title: str = Field(description="For people", examples=["That turn is over"])
    description: str = Field(
        description="What its members say and what to do",
        examples=["The turn token answers an earlier turn. Read the table again."],
    )


class Meta(Shape):
    """About this server."""

    api_version: str = Field(examples=["1"])
    server_time: Time
    features: dict[str, bool] = Field(
        description="What is on, by name",
        examples=[{"hu_river": True, "party": False, "practice": False, "accounts": True}],
    )
    limits: dict[str, dict[str, float]] = Field(
        description="How often one may ask, by the name of the limit",
        examples=[{"actions": {"per_second": 5, "burst": 3_000}}],
    )


class User(Shape):
    """A person."""

    id: UserId
    display_name: str = Field(examples=["Ana"])
    kind: Literal["guest", "account", "bot"] = Field(examples=["account"])
    username: str | None = Field(description="Null for guests", examples=["ana_p"])


class UserReply(Shape):
    """The person who asks."""

    user: User


class RulesetInfo(Shape):
    """A table on offer, with its options."""

    id: RulesetId
    hash: str = Field(
        description="SHA-256 of the ruleset, also of each hand played by it",
        examples=["9b2f6b0e5d1c4a7f8e3d2c1b0a9f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7"],
    )
    open: bool = Field(description="Whether one can sit down now", examples=[True])
    options: RulesetOptions


class RulesetList(Shape):
    """All tables on offer."""

    items: list[RulesetInfo]
    next_cursor: NoCursor


class Bounds(Shape):
    """Amounts on offer, in chips."""

    min: Chips = Field(examples=[3_000])
    max: Chips = Field(examples=[10_000])
    step: Chips = Field(description="From one amount to the next", examples=[50])
    default: Chips = Field(examples=[10_000])


class LobbyPreset(Shape):
    """A table that can be sat down at."""

    id: RulesetId
    small_blind: SmallBlind
    big_blind: BigBlind
    buy_in: Bounds


class Resume(Shape):
    """The open match, and what leaving it would do."""

    match_id: MatchId
    table_id: TableId
    state: Literal["in_hand", "between_hands", "busted"] = Field(
        description="`busted`: out of chips, it can only be settled", examples=["in_hand"]
    )
    hand_no: HandNo
    your_turn: bool = Field(examples=[True])
    kept_until: KeptUntil
    consequence: Literal["ai_decides", "void_hand", "void_match", "settle"] = Field(
        description="What leaving does: the hand is finished in one's place, does not count, "
        "the match does not count, or it is settled as it stands"
    )


class Standing(Shape):
    """One's own place on the board, in short."""

    hands: int = Field(ge=0, description="Hands that count", examples=[312])
    hands_to_rank: int = Field(ge=0, description="Hands that a rank still needs", examples=[188])
    bb_per_100: PerHundred


class Notice(Shape):
    """Something that happened to one's matches; the members of ``data`` depend on the type."""

    seq: int = Field(description="Numbers one's notices from 1, without gaps", examples=[1])
    type: Literal[
        "hand.ai_decided", "hand.voided", "match.settled", "match.voided", "match.expiring"
    ]
    at: Time = Field(examples=["2026-05-02T12:00:00.000Z"])
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
    next_cursor: str | None = Field(description="`after` of the next page", examples=["1"])
    last_seq: int = Field(ge=0, description="0 without any", examples=[2])


class Lobby(Shape):
    """What the first page shows."""

    user: User
    resume: Resume | None = Field(description="Null without an open match")
    presets: list[LobbyPreset] = Field(description="Tables to sit down at")
    standing: Standing | None = Field(description="Null without hands, and while it cannot be read")
    notices: list[Notice] = Field(description="The oldest ones not read yet, at most 20")
    next_commit_root: CommitRoot = Field(
        description="Commitment to the deck of the first hand of your next match"
    )


class TopUp(Shape):
    """Chips added between hands."""

    chips: Chips = Field(examples=[1_250])
    at: Time


class Match(Shape):
    """A match as its player sees it; ``stack`` is that after the last finished hand."""

    id: MatchId
    table_id: TableId
    ruleset: RulesetId
    state: Literal["in_hand", "between_hands", "busted", "settled", "void"]
    buy_in: Chips = Field(description="Chips brought to the table", examples=[10_000])
    stack: Chips = Field(examples=[8_750])
    total_buy_in: Chips = Field(description="Buy-in and all top-ups", examples=[10_000])
    top_ups: list[TopUp]
    result_chips: Net = Field(description="`stack` less `total_buy_in`")
    result_bb: SignedBigBlinds
    hands: HandCount
    started_at: Time
    kept_until: KeptUntil
    settled_at: Time | None = Field(description="Null while it is open", examples=[None])
    can_next_hand: bool
    can_top_up: bool
    top_up_to: Chips = Field(description="What a top-up brings the stack to", examples=[10_000])
    can_settle: bool
    next_commit_root: CommitRoot | None = Field(
        description="Commitment to the deck of the next hand; null once there is none"
    )


class MatchReply(Shape):
    """One match."""

    match: Match


class MatchList(Shape):
    """Matches, newest first."""

    items: list[Match]
    next_cursor: NextCursor


class TopUpTotal(Shape):
    """All top-ups of a match."""

    count: int = Field(ge=0, examples=[1])
    chips: Chips = Field(examples=[1_250])


class Summary(Shape):
    """A match summed up; ``reason`` is null while it is open."""

    match_id: MatchId
    hands: HandCount
    net_chips: Net = Field(description="`final_stack` less buy-in and top-ups")
    net_bb: SignedBigBlinds
    bb_per_100: PerHundred
    buy_in: Chips = Field(examples=[10_000])
    top_ups: TopUpTotal
    final_stack: Chips = Field(examples=[10_000])
    biggest_pot_won: Chips = Field(examples=[2_400])
    biggest_pot_lost: Chips = Field(examples=[3_100])
    ai_decided: int = Field(ge=0, description="Hands finished in one's absence", examples=[0])
    duration_seconds: int = Field(ge=0, examples=[1_830])
    reason: Literal["settled", "expired", "superseded", "void"] | None = Field(
        description="How it ended", examples=["settled"]
    )


class SummaryReply(Shape):
    """One match summed up."""

    summary: Summary


class Readiness(Shape):
    """Which parts serve."""

    status: Literal["ready", "unready"]
    checks: dict[str, bool] = Field(
        description="By part", examples=[{"database": True, "engine": True, "bot": True}]
    )
