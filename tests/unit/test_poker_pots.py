import pytest

from poker.errors import InvariantError, Reason
from poker.events import Pot
from poker.pots import check_claimed, pot_layers, split, uncalled
from poker.showdown import award
from poker.snapshot import PotResult


def test_three_all_ins_make_a_main_and_a_side_pot_eng_070() -> None:
    # Cara's 1,000 is 500 after the uncalled part went back.
    assert uncalled([200, 500, 1000]) == (2, 500)
    assert pot_layers([200, 500, 500], [False] * 3) == [(600, (0, 1, 2)), (600, (1, 2))]


def test_folded_chips_stay_in_the_layers_they_reach_eng_070() -> None:
    assert uncalled([100, 250, 400, 180]) == (2, 150)
    layers = pot_layers([100, 250, 250, 180], [False, False, False, True])
    assert layers == [(400, (0, 1, 2)), (380, (1, 2))]


def test_folds_never_make_a_pot_of_their_own_eng_071() -> None:
    layers = pot_layers([50, 50, 5, 10, 13], [False, False, True, True, True])
    assert layers == [(128, (0, 1))]
    assert split(128, [0, 1]) == [(0, 64), (1, 64)]


def test_folded_chips_above_everyone_join_the_last_pot() -> None:
    layers = pot_layers([300, 100, 150, 300], [True, False, False, True])
    assert layers == [(400, (1, 2)), (450, (2,))]


def test_players_who_put_in_nothing_contest_nothing() -> None:
    assert pot_layers([0, 50, 50], [False, False, False]) == [(100, (1, 2))]


def test_round_that_leaves_no_claimant_breaks_an_invariant() -> None:
    check_claimed([10, 10], [True, False])
    with pytest.raises(InvariantError) as broken:
        check_claimed([10, 0], [True, False])
    assert broken.value.reason is Reason.POT_WITHOUT_CLAIMANT


def test_pot_nobody_can_win_breaks_an_invariant() -> None:
    with pytest.raises(InvariantError) as broken:
        pot_layers([10, 10], [True, True])
    assert broken.value.reason is Reason.POT_WITHOUT_CLAIMANT
    with pytest.raises(InvariantError) as broken:
        award([Pot(20, (1, 2))], {3: 7})
    assert broken.value.reason is Reason.POT_WITHOUT_CLAIMANT
    assert broken.value.facts == {"chips": 20}


@pytest.mark.parametrize(
    ("bets", "expected"),
    [([500, 200], (0, 300)), ([50, 100, 100], None), ([0, 0], None), ([100, 50], (0, 50))],
)
def test_unmatched_part_is_above_the_next_highest_bet_eng_067(
    bets: list[int], expected: tuple[int, int] | None
) -> None:
    assert uncalled(bets) == expected


@pytest.mark.parametrize(
    ("chips", "shares"), [(101, [34, 34, 33]), (75, [38, 37]), (100, [34, 33, 33]), (9, [9])]
)
def test_odd_chips_go_one_at_a_time_to_the_first_winners_eng_073(
    chips: int, shares: list[int]
) -> None:
    winners = list(range(7, 7 + len(shares)))
    assert split(chips, winners) == list(zip(winners, shares, strict=True))


def test_odd_chips_are_counted_per_pot_eng_073() -> None:
    pots = [Pot(100, (1, 2, 3)), Pot(70, (2, 3))]
    assert award(pots, {2: 5, 3: 5, 1: 5}) == (
        PotResult(100, ((2, 34), (3, 33), (1, 33))),
        PotResult(70, ((2, 35), (3, 35))),
    )


def test_pots_with_the_same_winners_are_still_split_apart_eng_073() -> None:
    # Two pots tied by the same two players: one odd chip in each, both to the first of them.
    pots = [Pot(163, (1, 2, 4, 6, 7)), Pot(195, (1, 2, 4, 6))]
    results = award(pots, {1: 9, 2: 3, 4: 2, 6: 9, 7: 1})
    assert [pot.winners for pot in results] == [((1, 82), (6, 81)), ((1, 98), (6, 97))]
