"""The worked examples of the three rule pages, to the chip; each test quotes its page."""

import pytest

from poker.actions import Street
from poker.cards import parse_cards
from poker.errors import IllegalActionError, Reason
from poker.events import PotAwarded, PotsUpdated, StreetDealt, TurnStarted
from poker.hand import Hand
from poker.naming import hand_name
from poker.ranking import rank
from poker.setup import HandRules, ReopenRule
from tests.support.scripted_hands import check_down, legal_of, move, nets, play, table

TEN_TWENTY = HandRules(10, 20)
ANA, BEN, CARA = 1, 2, 3
BOARD = "2c7d9hJs3c"
HIGH, MIDDLE, LOW = "AsAh", "KsKh", "QsQh"


def least(hand: Hand) -> int:
    assert hand.legal is not None
    assert hand.legal.raises is not None
    return hand.legal.raises.min_to_chips


# The heads-up site's page ----------------------------------------------------------------------


def test_raise_to_300_over_a_big_blind_of_100_asks_for_500_eng_051() -> None:
    """The page: the big blind is 100; after a raise to 300 the next must be to at least 500."""
    hand = play(table({1: 10_000, 2: 10_000, 3: 10_000}, button=1), "1 raise 300")
    assert least(hand) == 500
    with pytest.raises(IllegalActionError) as refused:
        hand.act(move("2 raise 499"))
    assert refused.value.reason is Reason.BELOW_MINIMUM
    assert refused.value.facts["min_to_chips"] == 500


def test_100_and_40_brought_and_160_taken_away_is_plus_20_big_blinds_eng_091() -> None:
    """The page: Buy in for 100 BB, top up 40 BB along the way and leave with 160 BB: +20 BB."""
    stack, result = 10_000, 0
    for top_up, raise_to, holes in (
        (0, 4_000, {1: LOW, 2: HIGH}),
        (4_000, 6_000, {1: HIGH, 2: LOW}),
    ):
        stack += top_up
        hand = table({1: stack, 2: 10_000}, button=1, holes=holes, board=BOARD)
        check_down(play(hand, f"1 raise {raise_to}", "2 call"))
        assert hand.result is not None
        result += nets(hand)[1]
        stack = hand.result.seats[0].stack_chips
    assert (stack, result / 100) == (16_000, 20)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("9sTsJsQsKs", "Straight flush, king high"),
        ("8s8h8d8cKd", "Four of a kind, eights"),
        ("5s5h5dJcJd", "Full house, fives full of jacks"),
        ("2h6h9hJhAh", "Flush, ace high"),
        ("6s7h8d9cTs", "Straight, ten high"),
        ("QsQhQd4c9s", "Three of a kind, queens"),
        ("7s7h3d3cAs", "Two pair, sevens and threes"),
        ("TsThAd8c2s", "Pair of tens"),
        ("AsJh9d6c3s", "High card, ace"),
    ],
)
def test_examples_of_the_ranking_table_eng_080(cards: str, name: str) -> None:
    assert hand_name(rank(parse_cards(cards))) == name


def test_when_one_player_is_left_nobody_shows_eng_034() -> None:
    """The page: The hand ends immediately; that player wins without showing."""
    hand = play(table({1: 500, 2: 500, 3: 500}, button=1), "1 raise 200", "2 fold", "3 fold")
    assert hand.result is not None
    assert hand.result.shown == ()
    assert nets(hand) == {1: 150, 2: -50, 3: -100}


# The party site's page --------------------------------------------------------------------------


def test_you_win_from_each_player_only_what_you_put_in_eng_070() -> None:
    """The page: You can win only as much from each player as you put in yourself."""
    holes = {1: HIGH, 2: MIDDLE, 3: LOW}
    hand = table({1: 60, 2: 500, 3: 500}, button=1, rules=TEN_TWENTY, holes=holes, board=BOARD)
    check_down(play(hand, "1 raise 60", "2 raise 200", "3 call"))
    assert nets(hand) == {1: 120, 2: 80, 3: -200}


def test_all_in_is_the_exception_to_the_minimum_raise_eng_052() -> None:
    """The page: Going all in is the one exception and may be smaller."""
    hand = play(table({1: 500, 2: 90, 3: 500}, button=1, rules=TEN_TWENTY), "1 raise 60")
    assert least(hand) == 90
    play(hand, "2 raise 90")
    assert legal_of(hand, 3).to_call_chips == 70


@pytest.mark.parametrize("better", ["2h3d4c5s6h", "6h7d8c9sTh", "TsJdQcKhAs"])
def test_a_five_high_straight_loses_to_every_other_eng_083(better: str) -> None:
    """The page: The straight is five high, so it loses to every other straight."""
    assert rank(parse_cards("Ah2d3c4s5h")) < rank(parse_cards(better))


# The practice table's page ----------------------------------------------------------------------


def test_raise_to_60_over_10_20_asks_for_100_eng_051() -> None:
    """The page: If a player raises to 60 (by 40) the next raise goes to at least 100."""
    assert (
        least(play(table({1: 500, 2: 500, 3: 500}, button=1, rules=TEN_TWENTY), "1 raise 60"))
        == 100
    )


@pytest.mark.parametrize(
    ("holes", "expected", "winners"),
    [
        ((HIGH, MIDDLE, LOW), {ANA: 400, BEN: 100, CARA: -500}, [ANA, BEN]),
        ((HIGH, LOW, MIDDLE), {ANA: 400, BEN: -500, CARA: 100}, [ANA, CARA]),
        ((LOW, HIGH, MIDDLE), {ANA: -200, BEN: 700, CARA: -500}, [BEN, BEN]),
        ((LOW, MIDDLE, HIGH), {ANA: -200, BEN: -500, CARA: 700}, [CARA, CARA]),
    ],
)
def test_three_players_all_in_eng_070_eng_072(
    holes: tuple[str, str, str], expected: dict[int, int], winners: list[int]
) -> None:
    """The page: main pot 600 for all three, side pot 600 for Ben and Cara, 500 back to Cara."""
    stacks = {ANA: 200, BEN: 500, CARA: 5_000}
    cards = dict(zip((ANA, BEN, CARA), holes, strict=True))
    hand = table(stacks, button=CARA, rules=TEN_TWENTY, holes=cards, board=BOARD)
    # Cara puts in 1,000 first here: that is the only way to have more in than Ben.
    play(hand, "3 raise 1000", "1 call", "2 call")
    pots = next(event.pots for event in hand.events if isinstance(event, PotsUpdated))
    assert [(pot.chips, pot.eligible) for pot in pots] == [(600, (1, 2, 3)), (600, (2, 3))]
    assert hand.result is not None
    assert hand.result.returned == ((CARA, 500),)
    awarded = [event for event in hand.events if isinstance(event, PotAwarded)]
    assert [(pot.pot_no, pot.winners) for pot in awarded] == [
        (number, ((winner, 600),)) for number, winner in enumerate(winners)
    ]
    assert nets(hand) == expected


def test_cara_who_calls_500_gets_nothing_back_and_wins_the_same_eng_070() -> None:
    holes = {ANA: LOW, BEN: MIDDLE, CARA: HIGH}
    hand = table({ANA: 200, BEN: 500, CARA: 1_000}, button=ANA, holes=holes, board=BOARD)
    play(hand, "1 raise 200", "2 raise 500", "3 call")
    assert hand.result is not None
    assert (hand.result.returned, nets(hand)) == ((), {ANA: -200, BEN: -500, CARA: 700})


def test_who_acts_first_in_each_of_the_four_rounds_eng_030_eng_031_eng_012() -> None:
    """The page: left of the big blind, then left of the button; 3, 1 and 1 cards are dealt."""
    hand = check_down(table(dict.fromkeys(range(1, 7), 2_000), button=6, rules=TEN_TWENTY))
    events = hand.events
    first = next(event.seat for event in events if isinstance(event, TurnStarted))
    assert first == 3
    dealt = [at for at, event in enumerate(events) if isinstance(event, StreetDealt)]
    for at, street, cards in zip(
        dealt, (Street.FLOP, Street.TURN, Street.RIVER), (3, 1, 1), strict=True
    ):
        event, then = events[at], events[at + 1]
        assert isinstance(event, StreetDealt)
        assert (event.street, len(event.cards)) == (street, cards)
        assert then == TurnStarted(1)


def test_all_in_for_less_than_a_full_raise_reopens_nothing_eng_060_eng_063() -> None:
    """The page: Players who have already acted can only call or fold."""
    rules = HandRules(10, 20, reopen_rule=ReopenRule.SINGLE)
    hand = table({1: 2_000, 2: 2_000, 3: 80}, button=1, rules=rules)
    play(hand, "1 raise 60", "2 call", "3 raise 80")
    legal = legal_of(hand, 1)
    assert (legal.can_fold, legal.to_call_chips, legal.raises) == (True, 20, None)
    assert legal.no_raise_reason is Reason.NOT_REOPENED


def test_when_the_board_is_best_everyone_plays_it_eng_081() -> None:
    """The page: If the five board cards are your best hand, you "play the board"."""
    holes = {1: "2c3d", 2: "4c5d", 3: "6c7d"}
    hand = table(
        {1: 100, 2: 100, 3: 100}, button=1, rules=TEN_TWENTY, holes=holes, board="TcJdQhKsAc"
    )
    check_down(play(hand, "1 raise 100", "2 call", "3 call"))
    assert nets(hand) == {1: 0, 2: 0, 3: 0}
    assert hand.result is not None
    assert {frozenset(shown.best_five) for shown in hand.result.shown} == {
        frozenset(parse_cards("TcJdQhKsAc"))
    }
