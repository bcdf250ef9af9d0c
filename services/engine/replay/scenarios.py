"""Hand-made cases: a situation, and what must be legal or paid in it.

Players are numbered from 0 and sit in seats 1 up. A case states a hand, or a table between
two hands (``prev``), or contributions to split into pots (``committed``).
"""

import re
from collections.abc import Sequence
from typing import Annotated, Final, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from poker.actions import Action, ActionKind
from poker.cards import Card
from poker.setup import HandRules, HandSetup, SeatStack
from services.engine.replay.dealing import deck_for
from services.engine.replay.play import RecordedAction
from services.engine.replay.records import Amount, Record, read_cards

HOLE_CARDS: Final = 2

Player = Annotated[int, Field(ge=0, le=9)]

_ACTION: Final = re.compile(
    r"(?P<player>\d):(?P<kind>fold|check|call|bet|raise_to)(?: (?P<chips>\d{1,15}))?", re.ASCII
)


def _read_action(value: object) -> Action:
    match = _ACTION.fullmatch(value) if isinstance(value, str) else None
    if match is None or (match["kind"] in {"bet", "raise_to"}) != (match["chips"] is not None):
        raise ValueError("not an action such as '0:raise_to 200'")
    kind = ActionKind(match["kind"].removesuffix("_to"))
    chips = match["chips"]
    return Action(int(match["player"]) + 1, kind, None if chips is None else int(chips))


def _read_card_list(value: object) -> tuple[Card, ...]:
    if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
        raise ValueError("not a list of cards")
    return read_cards("".join(value))


ActionText = Annotated[Action, BeforeValidator(_read_action)]
CardList = Annotated[tuple[Card, ...], BeforeValidator(_read_card_list), Field(max_length=5)]


class CaseRecord(Record):
    """A part of a case: an unknown field is an expectation that would go unchecked."""

    model_config = ConfigDict(extra="forbid")


class ExpectedTurn(CaseRecord):
    """What must be legal after ``after`` actions; amounts in chips, ``to`` this round."""

    after: Amount
    seat: Player
    call: Amount
    can_check: bool
    can_raise: bool
    min_raise_to: Amount | None
    max_raise_to: Amount | None


class ButtonAndBlinds(CaseRecord):
    """Who has the button and who posts; ``sb_seat`` None when nobody does."""

    button: Player
    sb_seat: Player | None
    bb_seat: Player


class Expected(CaseRecord):
    """What must come out; everything is optional, lists are by player."""

    legal: tuple[ExpectedTurn, ...] = ()
    posts: list[Amount] | None = None
    first_to_act_preflop: Player | None = None
    returned: list[Amount] | None = None
    pots: list[tuple[Amount, list[Player]]] | None = None
    won: list[Amount] | None = None
    final: list[Amount] | None = None
    hand_over: bool | None = None
    next_hand: ButtonAndBlinds | None = None


class Scenario(CaseRecord):
    """One case."""

    id: Annotated[str, Field(min_length=1, max_length=128)]
    source: str = ""
    note: str = ""
    players: Annotated[int, Field(ge=2, le=9)]
    button: Player
    sb: Amount
    bb: Amount
    antes: list[Amount]
    stacks: list[Amount]
    actions: list[ActionText]
    holes: list[CardList]
    board: CardList
    prev: ButtonAndBlinds | None = None
    committed: list[Amount] | None = None
    folded: list[bool] | None = None
    expect: Expected

    @model_validator(mode="after")
    def _has_an_entry_for_every_player(self) -> Self:
        lists = {
            "antes": self.antes,
            "stacks": self.stacks,
            "holes": self.holes or None,
            "committed": self.committed,
            "folded": self.folded,
        }
        for name, entries in lists.items():
            if entries is not None and len(entries) != self.players:
                raise ValueError(f"{name} has {len(entries)} entries for {self.players} players")
        if any(len(hole) != HOLE_CARDS for hole in self.holes):
            raise ValueError(f"a player holds {HOLE_CARDS} cards")
        return self

    @property
    def skip_reason(self) -> str | None:
        """Why the case is outside the rules played here; None when it must hold."""
        if any(self.antes):
            return "antes"
        return "no_small_blind" if self.sb == 0 else None

    @property
    def seats(self) -> tuple[int, ...]:
        """Seat numbers of the players, ascending."""
        return tuple(range(1, self.players + 1))


def setup_of(scenario: Scenario) -> HandSetup:
    """Return the hand of a case as it was before anyone acted."""
    seats = scenario.seats
    holes = dict(zip(seats, scenario.holes, strict=True)) if scenario.holes else {}
    return HandSetup(
        hand_id=scenario.id,
        rules=HandRules(scenario.sb, scenario.bb),
        seats=tuple(
            SeatStack(seat, chips) for seat, chips in zip(seats, scenario.stacks, strict=True)
        ),
        button=scenario.button + 1,
        deck=deck_for(seats, scenario.button + 1, holes, scenario.board),
    )


def actions_of(scenario: Scenario) -> Sequence[RecordedAction]:
    """Return the actions of a case."""
    return [RecordedAction(action) for action in scenario.actions]
