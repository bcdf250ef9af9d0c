"""The options of a table (SPEC 1.0), as the server tells them."""

from typing import Literal

from pydantic import Field

from services.gateway.api.fields import BigBlind, Chips, SmallBlind
from services.gateway.api.shape import Shape

Permission = Literal["forbid", "allow"]


class SeatBounds(Shape):
    """How many may sit."""

    min: int = Field(ge=2, le=9, examples=[2])
    max: int = Field(ge=2, le=9, examples=[2])


class Blinds(Shape):
    """The blinds."""

    small: SmallBlind
    big: BigBlind


class BuyInBounds(Shape):
    """Amounts that may be brought."""

    min: Chips = Field(examples=[3_000])
    max: Chips = Field(examples=[10_000])
    step: Chips = Field(description="From one amount to the next", examples=[50])


class EqualChips(Shape):
    """The same for everybody."""

    chips: Chips = Field(examples=[2_000])


class StartByBuyIn(Shape):
    """Everybody chooses what to bring."""

    buy_in: BuyInBounds


class StartEqual(Shape):
    """Everybody begins with the same."""

    equal: EqualChips


class RulesetOptions(Shape):
    """The options by which tables differ."""

    seats: SeatBounds
    blinds: Blinds
    ante: Chips = Field(examples=[0])
    start: StartByBuyIn | StartEqual
    top_up: Literal["manual_to_max", "auto_to_start", "off"] = Field(
        description="How stacks are filled up between hands"
    )
    bust: Literal["end_match", "rebuy", "out"] = Field(description="What follows the last chip")
    opponent_topup_floor: int | None = Field(
        description="The computer's stack is filled up to this many chips", examples=[10_000]
    )
    reopen_rule: str = Field(
        description="When a short all-in lets others raise again", examples=["cumulative"]
    )
    fold_when_check_available: Permission
    raise_when_none_can_call: Permission
    burn_cards: bool
    showdown: Literal["all_at_once", "last_aggressor_first"]
    button_rule: Literal["moving", "dead"]
    blinds_up_every: int = Field(ge=0, description="Hands; 0: never", examples=[0])
    hand_limit: int = Field(ge=0, description="0: none", examples=[0])
    turn_seconds: int = Field(ge=0, description="0: no clock", examples=[0])
    idle_expiry: str = Field(description="ISO 8601 duration", examples=["PT24H"])
    counts_for: Literal["river_board", "party_rating", "none"]
