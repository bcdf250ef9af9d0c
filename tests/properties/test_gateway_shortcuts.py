"""Shortcut buttons in any spot of any hand: what is enabled is legal, and nothing lies."""

from random import Random

from hypothesis import given

from poker.actions import Action
from poker.hand import Hand
from poker.setup import HandSetup
from poker.view import view_for
from services.gateway.presets import NO_RAISE, OVER_STACK, PresetKind, Spot, offers
from tests.support.strategies import hand_setups, players_rng, random_action


def spots(setup: HandSetup, rng: Random) -> list[tuple[Hand, Spot]]:
    """Every decision of a hand played at random, with a copy of the hand at that moment."""
    hand, found = Hand(setup), []
    while hand.legal is not None:
        view = view_for(hand.snapshot(), hand.legal.seat)
        own = next(seat for seat in view.seats if seat.seat == hand.legal.seat)
        spot = Spot(
            street=view.street,
            big_blind_chips=setup.rules.big_blind_chips,
            pot_total_chips=view.pot_total_chips,
            own_bet_chips=own.bet_chips,
            legal=hand.legal,
        )
        found.append((hand.copy(), spot))
        hand.act(random_action(hand.legal, rng))
    return found


@given(setup=hand_setups(), rng=players_rng())
def test_an_enabled_shortcut_is_a_legal_amount_and_a_grey_one_has_its_reason(
    setup: HandSetup, rng: Random
) -> None:
    for hand, spot in spots(setup, rng):
        raises = spot.legal.raises
        for offer in offers(spot):
            if raises is None:
                assert (offer.amount_chips, offer.reason) == (None, NO_RAISE)
                continue
            assert offer.amount_chips is not None
            if offer.reason is None:
                action = Action(spot.legal.seat, raises.kind, offer.amount_chips)
                hand.copy().act(action)
            elif offer.reason == OVER_STACK:
                assert offer.amount_chips > raises.max_to_chips
            else:
                assert offer.amount_chips < raises.full_min_to_chips
                assert f"{raises.full_min_to_chips:,}" in offer.reason


@given(setup=hand_setups(), rng=players_rng())
def test_all_in_is_enabled_whenever_raising_is_allowed(setup: HandSetup, rng: Random) -> None:
    for _, spot in spots(setup, rng):
        all_in = offers(spot)[-1]
        assert all_in.preset.kind is PresetKind.ALL_IN
        raises = spot.legal.raises
        assert (all_in.reason is None) == (raises is not None)
        if raises is not None:
            assert all_in.amount_chips == raises.max_to_chips
