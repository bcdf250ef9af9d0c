"""Leaderboards in answers, as documented in the OpenAPI document."""

from typing import Annotated, Literal

from pydantic import Field

from services.gateway.api.fields import Net, NextCursor, PerHundred, SignedBigBlinds, Time
from services.gateway.api.shape import Shape

WINDOW_PATTERN = r"^(all|30d|[0-9]{4}-Q[1-4])$"

Window = Annotated[
    str,
    Field(
        pattern=WINDOW_PATTERN,
        description="Which hands were counted: `all`, `30d` or a season",
        examples=["2026-Q2"],
    ),
]


class BoardRow(Shape):
    """A line of a leaderboard; unranked rows have no rank."""

    rank: int | None = Field(
        description="Shared by equal averages; null while it has too few hands", examples=[1]
    )
    name: str = Field(examples=["Ana"])
    kind: str = Field(description="guest, account or bot", examples=["account"])
    bb_per_100: PerHundred
    margin_95: str | None = Field(
        pattern=r"^[0-9]+\.[0-9]{2}$",
        description="The 95 % interval reaches this far to either side of `bb_per_100`; null "
        "below two hands",
        examples=["38.21"],
    )
    hands: int = Field(ge=0, description="Hands that count", examples=[512])
    net_chips: Net = Field(examples=[215_000])
    net_bb: SignedBigBlinds = Field(examples=["+2150.0"])
    ai_decided_hands: int = Field(ge=0, description="Finished in absence", examples=[3])
    ai_decided_percent: str = Field(
        pattern=r"^[0-9]+\.[0-9]$",
        description="Their share of `hands`, in percent",
        examples=["0.6"],
    )
    void_hands: int = Field(
        ge=0,
        description="Not counted; they name no version of River, so none show when asked for one",
        examples=[0],
    )
    last_played: Time | None = Field(description="Null before anything was counted")
    you: bool


class BoardPage(Shape):
    """A page of a leaderboard, true ``as_of`` a moment."""

    board: Literal["hu_river", "bots"]
    section: Literal["ranked", "qualifying"]
    window: Window
    version: str | None = Field(
        description="The one version of River that was played; null for any", examples=[None]
    )
    as_of: Time | None = Field(description="Null when nothing has been counted yet")
    ranked_hands: int = Field(
        description="Hands that a rank needs, within the window", examples=[500]
    )
    items: list[BoardRow]
    next_cursor: NextCursor
    seasons: list[str] = Field(
        description="Seasons that `window` can be, newest first", examples=[["2026-Q2", "2026-Q1"]]
    )
    versions: list[str] = Field(
        description="What `version` can be", examples=[["river-1", "river-2"]]
    )


class NextRank(Shape):
    """The nearest better average."""

    rank: int = Field(ge=1, description="The rank that it has", examples=[4])
    bb_per_100_missing: str = Field(
        pattern=r"^[0-9]+\.[0-9]{2}$",
        description="What is missing to it, rounded up",
        examples=["0.35"],
    )


class MyStanding(Shape):
    """One's own line, and how far the next step is."""

    row: BoardRow | None = Field(description="Null before anything was counted")
    hands_to_rank: int = Field(ge=0, description="Hands that a rank still needs", examples=[0])
    ranked_hands: int = Field(
        description="Hands that a rank needs, within the window", examples=[500]
    )
    next_rank: NextRank | None = Field(description="Null at the top, and without a rank")
