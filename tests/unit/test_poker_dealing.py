import pytest

from poker.cards import DECK
from poker.dealing import cards_needed, deal_board, deal_holes
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from tests.support.scripted_hands import check_down


def dealt(players: int, button: int, *, burn: bool) -> Hand:
    rules = HandRules(1, 2, burn_cards=burn)
    seats = tuple(SeatStack(seat, 100) for seat in range(1, players + 1))
    deck = DECK[: cards_needed(players, burn=burn)]
    return check_down(Hand(HandSetup("deal", rules, seats, button, deck)))


@pytest.mark.parametrize("players", range(2, 10))
def test_cards_go_one_at_a_time_from_the_left_of_the_button_eng_010(players: int) -> None:
    hand = dealt(players, button=2, burn=False)
    seats = {seat.seat: seat.hole_cards for seat in hand.snapshot().seats}
    for step in range(players):
        seat = (2 + step) % players + 1
        assert seats[seat] == (DECK[step], DECK[players + step])


def test_heads_up_the_big_blind_gets_the_first_card_eng_010() -> None:
    seats = {seat.seat: seat.hole_cards for seat in dealt(2, 1, burn=False).snapshot().seats}
    assert seats == {2: (DECK[0], DECK[2]), 1: (DECK[1], DECK[3])}


@pytest.mark.parametrize("players", range(2, 10))
def test_board_without_burns_follows_the_holes_eng_011(players: int) -> None:
    at = 2 * players
    assert dealt(players, 1, burn=False).snapshot().board == DECK[at : at + 5]


@pytest.mark.parametrize("players", range(2, 10))
def test_burns_come_before_flop_turn_and_river_eng_011(players: int) -> None:
    at = 2 * players
    board = dealt(players, 1, burn=True).snapshot().board
    assert board == (*DECK[at + 1 : at + 4], DECK[at + 5], DECK[at + 7])


def test_nine_handed_with_burns_uses_26_cards_eng_001() -> None:
    assert cards_needed(9, burn=True) == 26
    used = [card for hole in deal_holes(DECK, 9, 0) for card in hole]
    used += deal_board(DECK, 9, burn=True)
    assert len(set(used)) == 23
    assert max(used) == 25
