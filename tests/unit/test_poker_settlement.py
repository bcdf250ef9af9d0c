"""What comes back, who wins which pot, and what a hand did to each seat (ENG-067..091)."""

import pytest

from poker.events import BetReturned, PotsUpdated
from poker.hand import Hand
from poker.setup import HandRules
from tests.support.scripted_hands import check_down, nets, play, table

BOARD = "KsQd9h5s4c"
# From best to worst on that board.
BEST, SECOND, THIRD = "AsAh", "JcJh", "8s8h"


def test_unmatched_bet_goes_back_when_all_fold_eng_067() -> None:
    hand = play(table({1: 10_000, 2: 10_000, 3: 10_000}, button=1), "1 call", "2 call", "3 check")
    play(hand, "2 bet 200", "3 raise 500", "1 fold", "2 fold")
    assert hand.result is not None
    assert hand.result.returned == ((3, 300),)
    assert nets(hand) == {1: -100, 2: -300, 3: 400}


def test_walk_returns_the_unmatched_half_of_the_big_blind_eng_067() -> None:
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 fold")
    assert hand.result is not None
    assert hand.result.returned == ((2, 50),)
    assert [pot.winners for pot in hand.result.pots] == [((2, 100),)]
    assert nets(hand) == {1: -50, 2: 50}


def test_returned_chips_are_neither_put_in_nor_won_eng_068() -> None:
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 raise 10000", "2 fold")
    assert hand.result is not None
    winner = hand.result.seats[0]
    assert hand.result.returned == ((1, 9_900),)
    assert (winner.put_in_chips, winner.won_chips, winner.net_chips) == (100, 200, 100)
    assert winner.stack_chips == 10_100
    assert BetReturned(1, 9_900) in hand.events


def all_in_three(ana: str, ben: str, cara: str) -> Hand:
    """Ana (seat 1) all-in for 200, Ben (2) for 500, Cara (3) calls from 1,000."""
    stacks = {1: 200, 2: 500, 3: 1_000}
    hand = table(stacks, button=1, holes={1: ana, 2: ben, 3: cara}, board=BOARD)
    return play(hand, "1 raise 200", "2 raise 500", "3 call")


def test_cara_raising_over_all_ins_gets_the_unmatched_part_back_eng_067() -> None:
    stacks = {1: 1_000, 2: 200, 3: 500}
    hand = play(table(stacks, button=1), "1 raise 1000", "2 call", "3 call")
    assert hand.result is not None
    assert hand.result.returned == ((1, 500),)
    assert [pot.chips for pot in hand.result.pots] == [600, 600]


@pytest.mark.parametrize(
    ("ana", "ben", "cara", "expected"),
    [
        (BEST, SECOND, THIRD, {1: 400, 2: 100, 3: -500}),
        (SECOND, THIRD, BEST, {1: -200, 2: -500, 3: 700}),
        (THIRD, BEST, SECOND, {1: -200, 2: 700, 3: -500}),
    ],
)
def test_side_pots_pay_each_the_best_hand_that_paid_for_it_eng_070(
    ana: str, ben: str, cara: str, expected: dict[int, int]
) -> None:
    hand = all_in_three(ana, ben, cara)
    assert hand.result is not None
    assert [pot.chips for pot in hand.result.pots] == [600, 600]
    assert nets(hand) == expected


def test_folded_chips_stay_in_two_pots_eng_070() -> None:
    # A all-in 100, B all-in 250, C bets 400 and D, who had put in 180, folds.
    stacks = {1: 10_000, 2: 10_000, 3: 100, 4: 250}
    hand = table(stacks, button=4, rules=HandRules(10, 20), board=BOARD)
    play(hand, "3 raise 100", "4 call", "1 raise 180", "2 raise 400", "4 call", "1 fold")
    pots = next(event.pots for event in hand.events if isinstance(event, PotsUpdated))
    assert [(pot.chips, pot.eligible) for pot in pots] == [(400, (2, 3, 4)), (380, (2, 4))]
    assert hand.result is not None
    assert hand.result.returned == ((2, 150),)


def test_folds_do_not_split_a_tied_pot_unevenly_eng_071() -> None:
    holes = {1: "2c3c", 2: "2d3d", 3: "AsKd", 4: "AhKc", 5: "7c7h"}
    board = "Tc4d6s8cJd"
    hand = table(
        dict.fromkeys(range(1, 6), 500), button=5, rules=HandRules(5, 10), holes=holes, board=board
    )
    play(hand, "3 call", "4 raise 30", "5 fold", "1 fold", "2 fold", "3 call")
    check_down(hand)
    assert hand.result is not None
    assert [(pot.chips, pot.winners) for pot in hand.result.pots] == [(75, ((3, 38), (4, 37)))]


def test_odd_chip_goes_left_of_the_button_eng_073() -> None:
    holes = {1: "AsKd", 2: "2h4h", 3: "AhKc"}
    hand = table(
        {1: 100, 2: 100, 3: 100}, button=1, rules=HandRules(1, 2), holes=holes, board="Tc3d7s8cJd"
    )
    check_down(play(hand, "1 raise 6", "2 fold", "3 call"))
    assert nets(hand) == {1: 0, 2: -1, 3: 1}


def test_winning_five_of_a_split_pot_are_each_winners_own_eng_085() -> None:
    holes = {1: "AsKd", 2: "AhKc"}
    hand = check_down(table({1: 500, 2: 500}, button=1, holes=holes, board="Tc3d7s8cJd"))
    assert hand.result is not None
    own = {shown.seat: set(shown.best_five) & set(shown.hole_cards) for shown in hand.result.shown}
    assert all(len(cards) == 2 for cards in own.values())


def test_result_is_chips_won_minus_chips_put_in_eng_090() -> None:
    holes = {1: "AsAh", 2: "7c2d"}
    hand = table({1: 10_000, 2: 10_000}, button=1, holes=holes, board=BOARD)
    check_down(play(hand, "1 raise 1250", "2 call"))
    assert hand.result is not None
    assert nets(hand) == {1: 1_250, 2: -1_250}
    assert hand.result.seats[0].won_chips == 2_500


def test_results_add_up_over_hands_whatever_was_bought_eng_091() -> None:
    bought = stack = 10_000
    total = 0
    for top_up in (0, 4_000, 0):
        stack += top_up
        bought += top_up
        hand = table({1: stack, 2: 10_000}, button=1, holes={1: "AsAh", 2: "7c2d"}, board=BOARD)
        check_down(play(hand, "1 raise 500", "2 call"))
        assert hand.result is not None
        total += hand.result.seats[0].net_chips
        stack = hand.result.seats[0].stack_chips
    assert total == stack - bought == 1_500


def test_snapshot_of_a_finished_hand_has_no_pot_left() -> None:
    hand = check_down(table({1: 500, 2: 500}, button=1))
    snapshot = hand.snapshot()
    assert (snapshot.pots, snapshot.pot_total_chips, snapshot.legal) == ((), 0, None)
    assert [seat.bet_chips for seat in snapshot.seats] == [0, 0]
    assert sum(seat.stack_chips for seat in snapshot.seats) == 1_000
