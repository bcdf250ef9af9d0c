"""Kinds of values in answers, told once: chips, cards, seats, times, ids, big blinds."""

from typing import Annotated, Final

from pydantic import Field

_ID: Final = "0123456789abcdef0123"

Chips = Annotated[int, Field(ge=0, examples=[600])]
"""Whole chips."""

Net = Annotated[int, Field(examples=[-1_250])]
"""Chips won; negative ones are lost."""

SeatNo = Annotated[int, Field(ge=1, le=9, examples=[1])]
HandNo = Annotated[int, Field(ge=1, description="Counts the match's hands from 1", examples=[37])]
HandCount = Annotated[int, Field(ge=0, description="Finished hands", examples=[36])]
Seq = Annotated[
    int, Field(ge=1, description="Numbers the table's events from 1, without gaps", examples=[41])
]
Version = Annotated[
    int, Field(ge=1, description="Grows with every change of the table", examples=[18])
]

CardText = Annotated[
    str,
    Field(
        pattern="^[2-9TJQKA][cdhs]$",
        description="Rank and suit, each a letter or digit",
        examples=["As"],
    ),
]
HoleCards = Annotated[
    list[CardText],
    Field(min_length=2, max_length=2, examples=[["As", "Kh"]]),
]
MaybeHoleCards = Annotated[
    list[CardText | None],
    Field(
        min_length=2,
        max_length=2,
        description="Two nulls while they may not be seen",
        examples=[["As", "Kh"], [None, None]],
    ),
]
Board = Annotated[
    list[CardText],
    Field(max_length=5, description="Community cards, in order", examples=[["7d", "2c", "9h"]]),
]

Time = Annotated[
    str,
    Field(json_schema_extra={"format": "date-time"}, examples=["2026-05-01T12:00:00.000Z"]),
]
"""ISO 8601 in UTC."""

KeptUntil = Annotated[
    Time,
    Field(description="When an open match ends by itself", examples=["2026-05-02T12:00:00.000Z"]),
]

MatchId = Annotated[str, Field(description="Id of a match", examples=[f"m_{_ID}"])]
TableId = Annotated[str, Field(description="Id of a table", examples=[f"t_{_ID}"])]
HandId = Annotated[str, Field(description="Id of a hand", examples=[f"h_{_ID}"])]
UserId = Annotated[str, Field(description="Id of a person", examples=[f"u_{_ID}"])]
RulesetId = Annotated[str, Field(description="Id of a kind of table", examples=["hu_river"])]

SmallBlind = Annotated[Chips, Field(description="Chips of the small blind", examples=[50])]
BigBlind = Annotated[Chips, Field(description="Chips of the big blind", examples=[100])]

SignedBigBlinds = Annotated[
    str,
    Field(
        pattern=r"^[+-]?\d+(\.\d+)?$",
        description="In big blinds, exact, with its sign",
        examples=["-12.5"],
    ),
]
PerHundred = Annotated[
    str,
    Field(
        pattern=r"^[+-]?\d+\.\d\d$",
        description="Big blinds won in 100 hands, to two places",
        examples=["+4.20"],
    ),
]

CommitRoot = Annotated[
    str,
    Field(
        pattern="^[0-9a-f]{64}$",
        description="Commitment to a deck (docs/fairness.md)",
        examples=["5be4a5c1fb3b7b6f2d8e0c9a417e63d2c0f9b1a8e7d6c5b4a39281706f5e4d3c"],
    ),
]

NextCursor = Annotated[
    str | None,
    Field(
        description="`cursor` of the next page; null on the last",
        examples=["WzE3Nzc2MzY4MDAwMDAwMDAsIm1fMDEyMzQ1Njc4OWFiY2RlZjAxMjMiXQ"],
    ),
]
NoCursor = Annotated[None, Field(description="There is one page")]
