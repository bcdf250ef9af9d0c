"""Spots at a table: a hand played up to the viewer's turn, and what the viewer then sees."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from services.gateway.model import PLAYER_SEAT, HandAction, Scene
from services.gateway.model import Actor as Who
from services.gateway.preset_sets import DEFAULTS, PresetSets
from services.gateway.projection import snapshot_json
from tests.support.gateway_steps import sat_down
from tests.support.gateways import NOON

Json = dict[str, Any]

CASH = HandRules(small_blind_chips=50, big_blind_chips=100)


@dataclass(frozen=True)
class Spot:
    """The viewer in seat 1 must act.

    ``stacks`` are those of seats 1, 2, ... before the blinds; ``play`` has one word an
    action, for whoever's turn it is: ``f``, ``x`` (check), ``c``, or a raise-to amount.
    """

    stacks: Sequence[int]
    button: int
    play: str = ""
    rules: HandRules = field(default=CASH)

    def hand(self) -> Hand:
        seats = tuple(SeatStack(seat, chips) for seat, chips in enumerate(self.stacks, start=1))
        hand = Hand(HandSetup("h-spot", self.rules, seats, self.button, DECK))
        for word in self.play.split():
            assert hand.legal is not None
            hand.act(action_of(hand.legal, word))
        assert hand.legal is not None
        assert hand.legal.seat == PLAYER_SEAT
        return hand

    def legal(self, sets: PresetSets = DEFAULTS) -> Json:
        """What the gateway offers to the viewer."""
        return dict(seen(self.hand(), sets)["legal"])


def action_of(legal: Legal, word: str) -> Action:
    """One word of a ``play``."""
    kinds = {"f": ActionKind.FOLD, "x": ActionKind.CHECK, "c": ActionKind.CALL}
    if word in kinds:
        return Action(legal.seat, kinds[word])
    assert legal.raises is not None
    return Action(legal.seat, legal.raises.kind, int(word))


def seen(hand: Hand, sets: PresetSets = DEFAULTS) -> Json:
    """The snapshot of a table with this hand, as the player in seat 1 gets it."""
    return snapshot_json(scene_of(hand), hand.snapshot(), [], sets, NOON)


def scene_of(hand: Hand) -> Scene:
    """A table where this hand is played."""
    scene = sat_down().scene
    played = tuple(HandAction(action, Who.PLAYER) for action in hand.actions)
    turn_seat = None if hand.legal is None else hand.legal.seat
    return replace(
        scene,
        hand=replace(scene.hand, setup=hand.setup, actions=played),
        table=replace(scene.table, turn_seat=turn_seat),
    )
