"""Shortcut buttons in any spot of any hand: what is enabled is legal, and nothing lies."""

from decimal import Decimal
from fractions import Fraction
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from poker.actions import Action
from poker.errors import IllegalActionError
from poker.hand import Hand
from poker.setup import HandSetup
from poker.view import view_for
from services.gateway import preset_sets
from services.gateway.preset_sets import DEFAULTS, PER_SET_MAX, PresetSets, Wish, parse
from services.gateway.presets import NO_RAISE, OVER_STACK, Offer, Preset, PresetKind, Spot, offers
from tests.support.strategies import hand_setups, players_rng, random_action

PERCENTS = st.integers(100, 50_000).map(lambda cents: str(Decimal(cents) / 100))
FRACTIONS = st.tuples(st.integers(1, 60), st.integers(1, 12)).filter(lambda nd: nd[0] <= 5 * nd[1])


def wishes() -> st.SearchStrategy[Wish]:
    """Presets as clients may write them."""
    return st.one_of(
        st.sampled_from([Wish(PresetKind.MIN), Wish(PresetKind.ALL_IN)]),
        st.integers(1, 200).map(lambda n: Wish(PresetKind.BIG_BLINDS, str(Decimal(n) / 2))),
        PERCENTS.map(lambda text: Wish(PresetKind.PERCENT, text)),
        FRACTIONS.map(lambda nd: Wish(PresetKind.FRACTION, f"{nd[0]}/{nd[1]}")),
    )


def presets() -> st.SearchStrategy[Preset]:
    """Every shortcut that can be chosen."""
    return wishes().map(parse)


def rows() -> st.SearchStrategy[tuple[Preset, ...]]:
    """Every row that can be saved."""
    return st.lists(presets(), min_size=1, max_size=PER_SET_MAX, unique=True).map(tuple)


def spots(setup: HandSetup, rng: Random) -> list[tuple[Hand, Spot]]:
    """Every decision of a hand played at random, with a copy of the hand at that moment."""
    hand, found = Hand(setup), []
    while hand.legal is not None:
        view = view_for(hand.snapshot(), hand.legal.seat)
        own = next(seat for seat in view.seats if seat.seat == hand.legal.seat)
        spot = Spot(
            big_blind_chips=setup.rules.big_blind_chips,
            pot_total_chips=view.pot_total_chips,
            own_bet_chips=own.bet_chips,
            legal=hand.legal,
        )
        found.append((hand.copy(), spot))
        hand.act(random_action(hand.legal, rng))
    return found


def accepts(hand: Hand, spot: Spot, offer: Offer) -> bool:
    """Whether the rules take the amount of a button."""
    assert spot.legal.raises is not None
    action = Action(spot.legal.seat, spot.legal.raises.kind, offer.amount_chips)
    try:
        hand.copy().act(action)
    except IllegalActionError:
        return False
    return True


@given(setup=hand_setups(), rng=players_rng(), row=rows())
def test_the_rules_accept_exactly_the_amounts_of_the_enabled_buttons(
    setup: HandSetup, rng: Random, row: tuple[Preset, ...]
) -> None:
    for hand, spot in spots(setup, rng):
        raises = spot.legal.raises
        if raises is None:
            continue
        for offer in offers(spot, row):
            # A stack that is less than the full minimum is All-in's alone (SPEC 1.7, P8).
            if offer.reason is None or offer.amount_chips != raises.max_to_chips:
                assert accepts(hand, spot, offer) is (offer.reason is None)


@given(setup=hand_setups(), rng=players_rng(), row=rows())
def test_a_grey_button_has_its_reason(
    setup: HandSetup, rng: Random, row: tuple[Preset, ...]
) -> None:
    for _, spot in spots(setup, rng):
        raises = spot.legal.raises
        for offer in offers(spot, row):
            if raises is None:
                assert (offer.amount_chips, offer.reason) == (None, NO_RAISE)
                continue
            assert offer.amount_chips is not None
            if offer.reason == OVER_STACK:
                assert offer.amount_chips > raises.max_to_chips
            elif offer.reason is not None:
                assert offer.amount_chips < raises.full_min_to_chips
                assert f"{raises.full_min_to_chips:,}" in offer.reason


@given(setup=hand_setups(), rng=players_rng(), row=rows())
def test_amounts_are_whole_chips_and_rounded_half_up(
    setup: HandSetup, rng: Random, row: tuple[Preset, ...]
) -> None:
    for _, spot in spots(setup, rng):
        if spot.legal.raises is None:
            continue
        for offer in offers(spot, row):
            assert type(offer.amount_chips) is int
            exact = exact_amount(offer.preset, spot)
            if exact is not None:
                assert -Fraction(1, 2) < offer.amount_chips - exact <= Fraction(1, 2)


def exact_amount(preset: Preset, spot: Spot) -> Fraction | None:
    """What a bet of big blinds or of the pot comes to before rounding, told once more."""
    call_chips = spot.legal.to_call_chips
    if preset.kind is PresetKind.BIG_BLINDS:
        return preset.value * spot.big_blind_chips
    if preset.kind not in {PresetKind.PERCENT, PresetKind.FRACTION}:
        return None
    share = preset.value / (100 if preset.kind is PresetKind.PERCENT else 1)
    return spot.own_bet_chips + call_chips + share * (spot.pot_total_chips + call_chips)


@given(setup=hand_setups(), rng=players_rng(), pair=st.tuples(presets(), presets()))
def test_a_larger_share_is_never_a_smaller_amount(
    setup: HandSetup, rng: Random, pair: tuple[Preset, Preset]
) -> None:
    smaller, larger = sorted(pair, key=lambda preset: preset.pot_share)
    pots = {PresetKind.PERCENT, PresetKind.FRACTION}
    alike = {smaller.kind, larger.kind} <= pots or smaller.kind is larger.kind
    assume(alike)
    for _, spot in spots(setup, rng):
        if spot.legal.raises is not None:
            low, high = (offer.amount_chips for offer in offers(spot, (smaller, larger)))
            assert low is not None
            assert high is not None
            assert low <= high


@given(setup=hand_setups(), rng=players_rng())
def test_all_in_is_enabled_whenever_raising_is_allowed(setup: HandSetup, rng: Random) -> None:
    for _, spot in spots(setup, rng):
        all_in = offers(spot, DEFAULTS.preflop)[-1]
        assert all_in.preset.kind is PresetKind.ALL_IN
        raises = spot.legal.raises
        assert (all_in.reason is None) == (raises is not None)
        if raises is not None:
            assert all_in.amount_chips == raises.max_to_chips


@given(wish=wishes())
def test_what_a_preset_says_of_itself_means_the_same_preset(wish: Wish) -> None:
    preset = parse(wish)
    assert parse(Wish(preset.kind, preset.text)) == preset
    if wish.value is not None:
        assert preset.value == Fraction(wish.value)


@given(preflop=rows(), postflop=rows())
def test_saved_sets_are_read_back_and_no_two_buttons_share_a_name(
    preflop: tuple[Preset, ...], postflop: tuple[Preset, ...]
) -> None:
    sets = PresetSets(preflop, postflop)
    assert preset_sets.from_text(preset_sets.to_text(sets)) == sets
    for row in (preflop, postflop):
        assert len({preset.preset_id for preset in row}) == len(row)
        assert len({preset.label for preset in row}) == len(row)
