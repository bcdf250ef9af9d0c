import doctest
import pickle
from dataclasses import replace

import pytest

import poker
from poker import ranking
from poker.betting import NOBODY, Betting
from poker.errors import IllegalActionError, InvariantError, Reason
from poker.events import Pot
from poker.hand import Hand, replay
from poker.setup import HandRules
from tests.support.scripted_hands import check_down, move, play, table


def start() -> Hand:
    return table({1: 1_000, 2: 1_000, 3: 400}, button=1)


def test_replaying_setup_and_actions_gives_the_same_hand_eng_095() -> None:
    hand = check_down(play(start(), "1 raise 300", "2 call", "3 raise 400"))
    again = replay(hand.setup, hand.actions)
    assert again.events == hand.events
    assert again.snapshot() == hand.snapshot()
    assert again.result == hand.result


def test_replay_refuses_what_the_hand_refuses() -> None:
    with pytest.raises(IllegalActionError) as refused:
        replay(start().setup, [move("1 call"), move("2 check")])
    assert refused.value.reason is Reason.MUST_CALL_OR_FOLD


def test_act_returns_only_the_new_events() -> None:
    hand = start()
    known = hand.events
    new = hand.act(move("1 call"))
    assert hand.events == known + new
    assert [event.NAME for event in new] == ["action.taken", "turn.started"]


def test_apply_does_what_act_does_and_events_tell_it_afterwards() -> None:
    acted, applied = start(), start()
    for text in ("1 raise 300", "2 call", "3 fold"):
        acted.act(move(text))
        applied.apply(move(text))
    assert applied.snapshot() == acted.snapshot()
    assert applied.events == acted.events


def test_events_grow_and_what_was_told_stays_the_same() -> None:
    hand = start()
    known = hand.events
    play(hand, "1 call", "2 call", "3 check")
    assert hand.events[: len(known)] == known
    assert hand.events is hand.events


def test_apply_refuses_what_act_refuses() -> None:
    hand = start()
    with pytest.raises(IllegalActionError) as refused:
        hand.apply(move("2 call"))
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    assert hand.events == start().events


def test_stacks_are_what_each_seat_has_behind() -> None:
    hand = play(start(), "1 raise 300", "2 fold")
    assert hand.stacks_chips == (700, 950, 300)
    play(hand, "3 fold")
    assert hand.result is not None
    assert hand.stacks_chips == tuple(seat.stack_chips for seat in hand.result.seats)


def test_copies_of_what_is_legal_are_equal() -> None:
    legal = start().legal
    assert legal is not None
    assert legal.raises is not None
    again = pickle.loads(pickle.dumps(legal))  # noqa: S301 - just written
    assert again == legal
    assert hash(again) == hash(legal)
    assert replace(legal, can_fold=False) != legal
    assert repr(legal.raises) == (
        "RaiseRange(kind=ActionKind.RAISE, min_to_chips=200, full_min_to_chips=200,"
        " max_to_chips=1000)"
    )


def test_copy_goes_its_own_way() -> None:
    hand = play(start(), "1 call")
    before = hand.snapshot()
    twin = hand.copy()
    assert twin.snapshot() == before
    check_down(play(twin, "2 raise 300"))
    assert hand.snapshot() == before
    assert len(hand.actions) == 1
    play(hand, "2 fold", "3 raise 400")
    assert twin.snapshot().seats[1].folded is False


def test_hand_is_always_either_at_a_turn_or_over() -> None:
    hand = start()
    while hand.legal is not None:
        assert hand.result is None
        hand.act(move(f"{hand.legal.seat} {'check' if hand.legal.can_check else 'call'}"))
    assert hand.result is not None


def test_lost_chips_break_an_invariant_eng_092() -> None:
    betting = Betting(HandRules(1, 2), (1, 2), [10, 10])
    betting.post_blinds(0, 1)
    betting.check_conserved(20)
    betting.stacks[0] += 1
    with pytest.raises(InvariantError) as broken:
        betting.check_conserved(20)
    assert broken.value.reason is Reason.CHIPS_NOT_CONSERVED
    assert broken.value.facts == {"total_chips": 20}
    with pytest.raises(InvariantError):
        betting.check_paid_out(20)


def test_negative_stack_breaks_an_invariant_eng_092() -> None:
    betting = Betting(HandRules(1, 2), (1, 2), [10, 10])
    betting.stacks[0], betting.stacks[1] = -1, 21
    with pytest.raises(InvariantError) as broken:
        betting.check_conserved(20)
    assert broken.value.facts == {"total_chips": 20}


def test_before_the_blinds_there_is_no_turn_and_no_bet_to_match() -> None:
    betting = Betting(HandRules(1, 2), (1, 2), [10, 10])
    assert (betting.actor, betting.high) == (NOBODY, 0)


def test_hand_stops_when_its_chips_do_not_add_up_eng_092(monkeypatch: pytest.MonkeyPatch) -> None:
    def pay_twice(betting: Betting, player: int, chips: int) -> None:
        betting.stacks[player] -= 2 * chips
        betting.put_in[player] += chips

    hand = start()
    monkeypatch.setattr(Betting, "_pay", pay_twice)
    with pytest.raises(InvariantError) as broken:
        hand.act(move("1 call"))
    assert broken.value.reason is Reason.CHIPS_NOT_CONSERVED


def test_hand_stops_when_a_pot_is_not_paid_whole_eng_092(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = play(start(), "1 fold")
    monkeypatch.setattr(Betting, "pay_out", lambda betting, _: [0] * len(betting.stacks))
    with pytest.raises(InvariantError):
        hand.act(move("2 fold"))


@pytest.mark.parametrize("module", [poker, ranking])
def test_documented_examples_are_true(module: object) -> None:
    outcome = doctest.testmod(module)  # type: ignore[arg-type]
    assert outcome.failed == 0
    assert outcome.attempted > 0


def test_pots_of_a_snapshot_are_those_of_closed_rounds() -> None:
    hand = play(start(), "1 call", "2 call", "3 check")
    assert hand.snapshot().pots == (Pot(300, (1, 2, 3)),)
    hand = play(hand, "2 bet 200", "3 fold")
    assert hand.snapshot().pots == (Pot(300, (1, 2)),)
    assert hand.snapshot().pot_total_chips == 500
    assert hand.snapshot().seats[1].bet_chips == 200


def test_no_pot_is_closed_before_the_flop() -> None:
    snapshot = play(start(), "1 raise 300").snapshot()
    assert (snapshot.pots, snapshot.pot_total_chips) == ((), 450)
