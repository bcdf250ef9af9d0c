"""Who acts when, when rounds and hands end, and in which order it is told (ENG-021..038)."""

from poker.actions import Street
from poker.cards import parse_cards
from poker.events import (
    AllInReveal,
    BetReturned,
    Event,
    HandEnded,
    PotAwarded,
    PotsUpdated,
    Showdown,
    StreetDealt,
    TurnStarted,
)
from poker.hand import Hand
from tests.support.scripted_hands import check_down, legal_of, nets, play, table

DEEP = {1: 10_000, 2: 10_000, 3: 10_000}


def names(events: tuple[Event, ...]) -> list[str]:
    return [event.NAME for event in events]


def turns(hand: Hand) -> list[tuple[Street, int]]:
    street = Street.PREFLOP
    found = []
    for event in hand.events:
        if isinstance(event, StreetDealt):
            street = event.street
        elif isinstance(event, TurnStarted):
            found.append((street, event.seat))
    return found


def turns_on(hand: Hand, street: Street) -> list[int]:
    return [seat for where, seat in turns(hand) if where is street]


def test_blinds_are_posted_before_the_cards_are_dealt_eng_021() -> None:
    hand = table(DEEP, button=1)
    assert names(hand.events) == ["hand.started", "blinds.posted", "cards.dealt", "turn.started"]


def test_pot_before_the_first_action_is_both_blinds_eng_004() -> None:
    assert table(DEEP, button=1).snapshot().pot_total_chips == 150
    assert table({1: 500, 2: 20, 3: 70}, button=1).snapshot().pot_total_chips == 90


def test_heads_up_button_acts_first_before_the_flop_and_last_after_it_eng_022() -> None:
    hand = check_down(table({4: 1_000, 7: 1_000}, button=7))
    assert turns_on(hand, Street.PREFLOP) == [7, 4]
    for street in (Street.FLOP, Street.TURN, Street.RIVER):
        assert turns_on(hand, street) == [4, 7]


def test_preflop_starts_left_of_the_big_blind_which_acts_last_eng_030() -> None:
    hand = check_down(table(DEEP, button=2))
    assert turns_on(hand, Street.PREFLOP) == [2, 3, 1]


def test_later_rounds_start_left_of_the_button_eng_031() -> None:
    hand = check_down(table(dict.fromkeys(range(1, 7), 1_000), button=2))
    assert turns_on(hand, Street.PREFLOP) == [5, 6, 1, 2, 3, 4]
    assert turns_on(hand, Street.FLOP) == [3, 4, 5, 6, 1, 2]


def test_all_in_and_folded_seats_are_skipped_eng_031() -> None:
    hand = table({1: 10_000, 2: 50, 3: 10_000, 4: 10_000}, button=1)
    play(hand, "4 call", "1 fold", "3 check")
    assert turns_on(hand, Street.FLOP) == [3]
    assert legal_of(play(hand, "3 check"), 4).can_check


def test_round_ends_when_all_have_checked_eng_032() -> None:
    hand = play(table(DEEP, button=1), "1 call", "2 call", "3 check")
    play(hand, "2 check", "3 check")
    assert hand.snapshot().street is Street.FLOP
    assert play(hand, "1 check").snapshot().street is Street.TURN


def test_raise_makes_everyone_else_act_again_eng_032() -> None:
    hand = play(table(DEEP, button=1), "1 call", "2 call", "3 check")
    play(hand, "2 check", "3 bet 100", "1 raise 300", "2 call")
    assert hand.snapshot().street is Street.FLOP
    assert play(hand, "3 call").snapshot().street is Street.TURN


def test_big_blind_has_an_option_eng_033() -> None:
    legal = legal_of(play(table({1: 5_000, 2: 5_000}, button=1), "1 call"), 2)
    assert legal.can_check
    assert legal.raises is not None
    assert (legal.raises.min_to_chips, legal.raises.max_to_chips) == (200, 5_000)


def test_hand_ends_at_once_when_one_player_is_left_eng_034() -> None:
    hand = table(DEEP, button=1)
    play(hand, "1 raise 300", "2 fold")
    known = len(hand.events)
    play(hand, "3 fold")
    after = hand.events[known:]
    assert names(after) == [
        "action.taken",
        "bet.returned",
        "pots.updated",
        "pot.awarded",
        "hand.ended",
    ]
    snapshot = hand.snapshot()
    assert hand.result is not None
    assert hand.result.shown == ()
    assert not any(seat.shown for seat in snapshot.seats)
    assert (snapshot.street, snapshot.board) == (Street.PREFLOP, ())


def test_hands_are_revealed_before_the_run_out_eng_035() -> None:
    hand = table({1: 5_000, 2: 5_000}, button=1)
    play(hand, "1 raise 5000")
    known = len(hand.events)
    play(hand, "2 call")
    assert names(hand.events[known:]) == [
        "action.taken",
        "pots.updated",
        "all_in.reveal",
        "street.dealt",
        "street.dealt",
        "street.dealt",
        "showdown",
        "pot.awarded",
        "hand.ended",
    ]
    streets = [event.street for event in hand.events if isinstance(event, StreetDealt)]
    assert streets == [Street.FLOP, Street.TURN, Street.RIVER]


def test_reveal_shows_every_live_hand_and_no_folded_one_eng_035() -> None:
    holes = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    hand = table({1: 500, 2: 500, 3: 500}, button=1, holes=holes)
    play(hand, "1 raise 500", "2 fold", "3 call")
    reveal = next(event for event in hand.events if isinstance(event, AllInReveal))
    assert reveal.hands == ((3, parse_cards("QsQh")), (1, parse_cards("AsAh")))
    assert [seat.shown for seat in hand.snapshot().seats] == [True, False, True]


def test_all_in_on_the_river_needs_no_reveal_before_the_showdown() -> None:
    hand = table({1: 500, 2: 500}, button=1)
    play(hand, "1 call", "2 check", "2 check", "1 check", "2 check", "1 check", "2 bet 400")
    play(hand, "1 call")
    assert "all_in.reveal" not in names(hand.events)
    assert "showdown" in names(hand.events)


def test_player_whose_bet_covers_the_all_in_is_not_asked_eng_036() -> None:
    hand = table({1: 5_000, 2: 300}, button=1)
    play(hand, "1 raise 1000", "2 call")
    assert turns(hand) == [(Street.PREFLOP, 1), (Street.PREFLOP, 2)]
    assert hand.result is not None


def test_betting_goes_on_while_two_can_act_eng_036() -> None:
    hand = table({1: 300, 2: 5_000, 3: 5_000}, button=1)
    play(hand, "1 raise 300", "2 call", "3 call")
    assert legal_of(hand, 2).can_check


def test_showdown_turns_all_live_hands_up_at_once_eng_037() -> None:
    holes = {1: "AsAh", 2: "KsKh", 3: "7s2h"}
    hand = table(DEEP, button=1, holes=holes, board="Ad8c8h5s3c")
    play(hand, "1 call", "2 call", "3 check", "2 check", "3 check", "1 bet 100", "2 call", "3 fold")
    check_down(hand)
    showdowns = [event for event in hand.events if isinstance(event, Showdown)]
    assert len(showdowns) == 1
    second, first = showdowns[0].hands
    assert (first.seat, first.category, first.name) == (
        1,
        "full_house",
        "Full house, aces full of eights",
    )
    assert first.best_five == parse_cards("AsAhAd8c8h")
    assert (second.seat, second.name) == (2, "Two pair, kings and eights")
    assert hand.result is not None
    assert hand.result.shown == showdowns[0].hands


def test_hand_ends_only_after_the_pots_are_awarded_eng_038() -> None:
    hand = check_down(table({1: 100, 2: 250, 3: 10_000}, button=1))
    kinds = [type(event) for event in hand.events]
    assert kinds[-1] is HandEnded
    assert kinds.index(PotAwarded) > kinds.index(Showdown)


def test_every_closed_round_tells_the_pots_after_the_return() -> None:
    hand = table({1: 10_000, 2: 10_000, 3: 250}, button=1)
    play(hand, "1 raise 300", "2 call", "3 call", "2 check", "1 bet 400", "2 fold")
    told = [event for event in hand.events if isinstance(event, BetReturned | PotsUpdated)]
    assert [event.NAME for event in told] == ["pots.updated", "bet.returned", "pots.updated"]
    first, last = told[0], told[2]
    assert isinstance(first, PotsUpdated)
    assert isinstance(last, PotsUpdated)
    assert [(pot.chips, pot.eligible) for pot in first.pots] == [(750, (1, 2, 3)), (100, (1, 2))]
    assert [(pot.chips, pot.eligible) for pot in last.pots] == [(750, (1, 3)), (100, (1,))]


def test_dead_button_leaves_the_blinds_to_the_next_two_seats() -> None:
    hand = check_down(table(DEEP, button=9))
    assert turns_on(hand, Street.PREFLOP) == [3, 1, 2]
    assert turns_on(hand, Street.FLOP) == [1, 2, 3]


def test_dead_button_is_where_odd_chips_are_counted_from() -> None:
    holes = {1: "AsKd", 5: "2h4h", 8: "AhKc"}
    hand = table({1: 1_000, 5: 51, 8: 1_000}, button=6, holes=holes, board="Tc3d7s8cJd")
    play(hand, "5 call", "8 call", "1 check")
    check_down(hand)
    assert hand.result is not None
    main, side = hand.result.pots
    assert main.winners == ((8, 77), (1, 76))
    assert side.winners == ((8, 49), (1, 49))
    assert sum(nets(hand).values()) == 0
