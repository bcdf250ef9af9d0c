"""The events of a table, each with what it tells: the same in pages, streams and hand records.

New types may be added; clients leave out those that they do not know.
"""

from typing import Annotated, Literal

from pydantic import Field

from services.gateway.api.fields import (
    Board,
    CardText,
    Chips,
    CommitRoot,
    HandId,
    HandNo,
    HoleCards,
    KeptUntil,
    MatchId,
    MaybeHoleCards,
    Net,
    SeatNo,
    Seq,
    Time,
)
from services.gateway.api.shape import Shape

Street = Literal["preflop", "flop", "turn", "river"]
ActionType = Literal["fold", "check", "call", "bet", "raise"]
Leaving = Literal["settled", "expired", "superseded", "void"]


class SeatChips(Shape):
    """Chips of a seat."""

    seat: SeatNo
    chips: Chips


class BlindPost(SeatChips):
    """A blind that was posted."""

    chips: Chips = Field(examples=[50])
    all_in: bool = Field(description="Posted with the last chips, perhaps not in full")


class Pot(Shape):
    """A pot and the seats that may win it; the main pot comes first."""

    chips: Chips
    eligible: list[SeatNo] = Field(description="Seats, ascending", examples=[[1, 2]])


class SeatResult(Shape):
    """What a hand did to a seat. Chips that were not matched are neither put in nor won."""

    seat: SeatNo
    put_in: Chips = Field(examples=[300])
    won: Chips
    net: Net = Field(description="`won` less `put_in`", examples=[300])
    stack: Chips = Field(description="After the hand", examples=[10_300])


class SeatCards(Shape):
    """The hole cards of a seat, as far as one may see them."""

    seat: SeatNo
    cards: MaybeHoleCards


class OpenCards(Shape):
    """Hole cards that everybody sees."""

    seat: SeatNo
    cards: HoleCards


class ShownHand(OpenCards):
    """A hand at showdown."""

    category: str = Field(description="For machines", examples=["two_pair"])
    name: str = Field(description="In English", examples=["two pair, aces and nines"])
    best_five: list[CardText] = Field(
        min_length=5,
        max_length=5,
        description="The cards that count",
        examples=[["As", "Ad", "9h", "9c", "Kh"]],
    )


class HandStarted(Shape):
    """A hand begins; blinds are not posted yet."""

    hand_id: HandId
    hand_no: HandNo
    button: SeatNo
    small_blind_seat: SeatNo
    big_blind_seat: SeatNo = Field(examples=[2])
    stacks: list[SeatChips] = Field(description="Before the blinds")
    commit_root: CommitRoot | None


class BlindsPosted(Shape):
    """Small blind, then big blind."""

    posts: list[BlindPost]


class CardsDealt(Shape):
    """Everybody has cards; one sees one's own."""

    hands: list[SeatCards]


class TurnStarted(Shape):
    """A seat must act."""

    seat: SeatNo


class ActionTaken(Shape):
    """A seat acted."""

    seat: SeatNo
    type: ActionType = Field(examples=["raise"])
    to: Chips = Field(description="Its total in this betting round", examples=[250])
    added: Chips = Field(description="What left its stack", examples=[200])
    all_in: bool
    auto: bool = Field(description="Somebody else chose: a stand-in, or the simple fallback")


class BetReturned(SeatChips):
    """The part of a bet that nobody matched goes back."""


class StreetDealt(Shape):
    """Community cards are turned up: three for the flop, then one each."""

    street: Street = Field(examples=["flop"])
    cards: Board


class PotsUpdated(Shape):
    """The pots after a betting round."""

    pots: list[Pot]


class AllInReveal(Shape):
    """No more betting is possible: all live hands are turned up before the run-out."""

    hands: list[OpenCards]


class Showdown(Shape):
    """All live hands, in the order in which they are shown."""

    hands: list[ShownHand]


class PotAwarded(Shape):
    """A pot goes to its winners."""

    pot_no: int = Field(ge=0, description="0 is the main pot", examples=[0])
    chips: Chips
    winners: list[SeatChips] = Field(description="Left of the button first")


class HandEnded(Shape):
    """The pots are awarded; nets sum to zero."""

    results: list[SeatResult]


class HandName(Shape):
    """A hand as a whole."""

    hand_id: HandId
    hand_no: HandNo


class HandDecided(HandName):
    """A hand was finished in its absent player's place."""

    net: Net


class StackChange(Shape):
    """Chips came to a seat between hands."""

    seat: SeatNo
    added: Chips = Field(examples=[1_250])
    stack: Chips = Field(description="After it", examples=[10_000])


class MatchName(Shape):
    """A match as a whole."""

    match_id: MatchId


class MatchExpiring(MatchName):
    """The match is not kept much longer."""

    kept_until: KeptUntil


class MatchEnded(MatchName):
    """The match is over."""

    reason: Leaving


class _Event(Shape):
    seq: Seq
    at: Time


class HandStartedEvent(_Event):
    """A hand begins."""

    type: Literal["hand.started"]
    data: HandStarted


class BlindsPostedEvent(_Event):
    """The blinds are posted."""

    type: Literal["blinds.posted"]
    data: BlindsPosted


class CardsDealtEvent(_Event):
    """Hole cards are dealt."""

    type: Literal["cards.dealt"]
    data: CardsDealt


class TurnStartedEvent(_Event):
    """A seat must act."""

    type: Literal["turn.started"]
    data: TurnStarted


class ActionTakenEvent(_Event):
    """A seat acted."""

    type: Literal["action.taken"]
    data: ActionTaken


class BetReturnedEvent(_Event):
    """Unmatched chips go back."""

    type: Literal["bet.returned"]
    data: BetReturned


class StreetDealtEvent(_Event):
    """Community cards are turned up."""

    type: Literal["street.dealt"]
    data: StreetDealt


class PotsUpdatedEvent(_Event):
    """A betting round is over."""

    type: Literal["pots.updated"]
    data: PotsUpdated


class AllInRevealEvent(_Event):
    """All live hands are turned up before the run-out."""

    type: Literal["all_in.reveal"]
    data: AllInReveal


class ShowdownEvent(_Event):
    """Hands are shown."""

    type: Literal["showdown"]
    data: Showdown


class PotAwardedEvent(_Event):
    """A pot goes to its winners."""

    type: Literal["pot.awarded"]
    data: PotAwarded


class HandEndedEvent(_Event):
    """The hand is over."""

    type: Literal["hand.ended"]
    data: HandEnded


class HandVoidedEvent(_Event):
    """The hand does not count: chips are as before it."""

    type: Literal["hand.voided"]
    data: HandName


class HandDecidedEvent(_Event):
    """The hand was finished in its absent player's place."""

    type: Literal["hand.ai_decided"]
    data: HandDecided


class StackChangedEvent(_Event):
    """A stack was topped up, one's own or the opponent's, or the opponent bought in again."""

    type: Literal["stack.topped_up", "opponent.topped_up", "opponent.rebought"]
    data: StackChange


class MatchStartedEvent(_Event):
    """The match begins."""

    type: Literal["match.started"]
    data: MatchName


class MatchExpiringEvent(_Event):
    """The match is not kept much longer."""

    type: Literal["match.expiring"]
    data: MatchExpiring


class MatchEndedEvent(_Event):
    """The match is over."""

    type: Literal["match.settled", "match.voided"]
    data: MatchEnded


TableEvent = Annotated[
    HandStartedEvent
    | BlindsPostedEvent
    | CardsDealtEvent
    | TurnStartedEvent
    | ActionTakenEvent
    | BetReturnedEvent
    | StreetDealtEvent
    | PotsUpdatedEvent
    | AllInRevealEvent
    | ShowdownEvent
    | PotAwardedEvent
    | HandEndedEvent
    | HandVoidedEvent
    | HandDecidedEvent
    | StackChangedEvent
    | MatchStartedEvent
    | MatchExpiringEvent
    | MatchEndedEvent,
    Field(discriminator="type"),
]
