"""Hands with commitments, as the gateway would deal, record and prove them; any number of seats."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from poker.actions import Action, ActionKind, Legal
from poker.events import HandStarted
from poker.hand import Hand as PlayedHand
from poker.setup import HandRules, HandSetup, SeatStack
from services.gateway.dealer import RandomDealer
from services.gateway.fairness import Deal, commit_to, deal_out, draw_button
from services.gateway.model import Hand, LoggedEvent, Shuffle, TableEvent
from services.gateway.projection import event_json, proof_json
from tests.support.gateways import NOON

Json = dict[str, Any]
Choice = Callable[[Legal], Action]


def passive(legal: Legal) -> Action:
    """Check, or else call."""
    return Action(legal.seat, ActionKind.CHECK if legal.can_check else ActionKind.CALL)


def folding(legal: Legal) -> Action:
    """Check, or else fold."""
    return Action(legal.seat, ActionKind.CHECK if legal.can_check else ActionKind.FOLD)


def shoving(legal: Legal) -> Action:
    """Put everything in."""
    if legal.raises is None:
        return passive(legal)
    return Action(legal.seat, legal.raises.kind, legal.raises.max_to_chips)


def anything(rng: random.Random) -> Choice:
    """Choose any of the above each time, mostly the first."""

    def choose(legal: Legal) -> Action:
        return rng.choice((passive, passive, passive, folding, shoving))(legal)

    return choose


@dataclass(frozen=True)
class ProvenHand:
    """A hand where it stands, with what its players get to see of it."""

    hand: Hand
    played: PlayedHand

    @property
    def shuffle(self) -> Shuffle:
        """What proves the deal."""
        assert self.hand.shuffle is not None
        return self.hand.shuffle

    def proof(self, viewer: int) -> Json:
        """What a player gets as proof."""
        return proof_json(self.hand, self.shuffle, self.played.snapshot(), viewer)

    def record(self, viewer: int) -> Json:
        """What a player gets as the hand's record, as far as a verifier reads it."""
        setup = self.hand.setup
        return {
            "hand_no": self.hand.hand_no,
            "ruleset": {"burn_cards": setup.rules.burn_cards},
            "button": setup.button,
            "seats": [{"no": stack.seat} for stack in setup.seats],
            "events": [self._event(number, viewer) for number in range(len(self.played.events))],
        }

    def _event(self, number: int, viewer: int) -> Json:
        event = self.played.events[number]
        extras = {"commit_root": self.shuffle.root} if isinstance(event, HandStarted) else {}
        content = TableEvent(event.NAME, extras, event, self.hand.hand_id)
        return event_json(LoggedEvent(number + 1, NOON, content), viewer)


def play(
    chance: int,
    choices: Sequence[Choice],
    *,
    then: Choice | None = None,
    client_seed: str | None = None,
    seats: Sequence[int] = (1, 2),
    button: int | None = None,
    burn: bool = False,
    hand_no: int = 1,
) -> ProvenHand:
    """Deal a hand with seeded chance and play the choices, then on with ``then`` if given.

    Without ``button`` the first one is drawn, as at the start of a match.
    """
    dealer = RandomDealer(random.Random(chance))
    deal = Deal(commit_to(dealer), client_seed)
    setup = HandSetup(
        "h_1",
        HandRules(50, 100, burn_cards=burn),
        tuple(SeatStack(seat, 5_000) for seat in seats),
        draw_button(deal, seats, dealer) if button is None else button,
        deal_out(deal),
    )
    played = PlayedHand(setup)
    for choice in choices:
        assert played.legal is not None
        played.act(choice(played.legal))
    while then is not None and played.legal is not None:
        played.act(then(played.legal))
    shuffle = Shuffle(deal.commitment.root, client_seed, deal.commitment.salt_key)
    hand = Hand("h_1", "m_1", hand_no, "", setup, b"", NOON, shuffle=shuffle)
    return ProvenHand(hand, played)
