"""What clients send: strict shapes, no unknown fields, no numbers in disguise."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from services.gateway.fairness import clean_seed
from services.gateway.identity import clean_name

CHIPS_MAX = 10**12

DisplayName = Annotated[
    str,
    Field(
        max_length=200,
        description="1 to 40 characters; blanks at its ends do not count",
        examples=["Ana"],
    ),
    AfterValidator(clean_name),
]

ClientSeed = Annotated[
    str,
    Field(
        max_length=64,
        description="Your part in the shuffle, see docs/fairness.md: 1 to 64 bytes of text",
        examples=["4f1c0a9be37d2586"],
    ),
    AfterValidator(clean_seed),
]


class Body(BaseModel):
    """A request body: JSON types are taken as they are, never converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def canonical(self) -> dict[str, Any]:
        """Return the body with defaults filled in, to compare requests by."""
        return self.model_dump(mode="json")


class Nothing(Body):
    """An empty object."""


class GuestBody(Body):
    """How to be called; without a name the server makes one up."""

    display_name: DisplayName | None = None


class ProfileBody(Body):
    """Changes to one's own profile."""

    display_name: DisplayName


class MatchBody(Body):
    """A match to start."""

    ruleset: str = Field(max_length=64, examples=["hu_river"])
    buy_in: int = Field(description="Chips brought to the table", examples=[10_000])
    seats: Literal[2] = Field(default=2, description="Only heads-up tables are open")
    supersede: bool = Field(default=False, description="Leave an open match for this one")
    consequence: Literal["ai_decides", "void_hand", "void_match", "settle"] | None = Field(
        default=None,
        description="What you were told that leaving does: it does just that, or is refused",
    )
    client_seed: ClientSeed | None = None


class NextHandBody(Body):
    """A hand to deal; ``after_hand_no`` is the number of the hand that it follows."""

    after_hand_no: int | None = Field(
        default=None,
        ge=1,
        le=10**9,
        description="`hand.no` of the hand that is over: no second hand is dealt after it",
        examples=[1],
    )

    client_seed: ClientSeed | None = None


class ActionBody(Body):
    """A decision: ``to`` is the total put in this betting round, for bet and raise only."""

    turn_token: str = Field(
        min_length=1,
        max_length=128,
        description="`legal.turn_token` of the turn that it answers",
        examples=["18-3e9d0c7a1f5b24c6a8d2e4f60718293a"],
    )
    type: Literal["fold", "check", "call", "bet", "raise"] = Field(
        description="What to do", examples=["raise"]
    )
    to: int | None = Field(
        default=None,
        ge=1,
        le=CHIPS_MAX,
        description="The total put in this betting round; for bet and raise only",
        examples=[250],
    )

    @model_validator(mode="after")
    def _amount_belongs_to_the_type(self) -> Self:
        if (self.to is None) is (self.type in {"bet", "raise"}):
            raise ValueError("`to` is given for bet and raise, and only for them")
        return self
