"""What each event does to the chips, and what the ledger refuses."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from google.protobuf.message import Message

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event
from services.ledger import posting
from services.ledger.matches import (
    BANK,
    Match,
    Posting,
    RejectedError,
    Status,
    Transfer,
    TransferKind,
)
from services.ledger.posting import post, read_message
from tests.support.ledgers import START, Script, wrap


def play(events: list[Event]) -> Match:
    """Post events one after another; return the match they leave."""
    match: Match | None = None
    for event in events:
        match = post(match, read_message(event), event).match
    assert match is not None
    return match


def post_next(script: Script, event: Event) -> Posting:
    """Post an event after everything that the script reported before it."""
    before = [e for e in script.events if e is not event]
    return post(play(before) if before else None, read_message(event), event)


def refusal(script: Script, event: Event) -> str:
    with pytest.raises(RejectedError) as caught:
        post_next(script, event)
    return caught.value.reason


def stacks(match: Match) -> dict[str, int]:
    return {seat.player_id: seat.stack_chips for seat in match.seats}


def test_a_match_starts_with_empty_stacks_and_names() -> None:
    script = Script()
    result = post_next(script, script.started())
    assert result.transfers == ()
    assert stacks(result.match) == {"otter": 0, "river": 0}
    assert [n.display_name for n in result.names] == ["Otter-41", "River"]


def test_chips_bought_come_from_the_bank() -> None:
    script = Script()
    script.started()
    result = post_next(script, script.bought(3_000))
    expected = Transfer(BANK, "stack:m1:otter", 3_000, TransferKind.BUY_IN, "otter")
    assert result.transfers == (expected,)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (pb.CHIP_SOURCE_BUY_IN, TransferKind.BUY_IN),
        (pb.CHIP_SOURCE_TOP_UP, TransferKind.TOP_UP),
        (pb.CHIP_SOURCE_REBUY, TransferKind.REBUY),
    ],
)
def test_the_source_of_chips_is_kept(source: pb.ChipSource.ValueType, kind: TransferKind) -> None:
    script = Script().sit_down()
    result = post_next(script, script.bought(50, source=source))
    assert [t.kind for t in result.transfers] == [kind]


def test_a_hand_goes_through_its_pot() -> None:
    script = Script().sit_down()
    result = post_next(script, script.hand(net=250, put_in=400))
    pot = "pot:m1-h1"
    assert [(t.debit, t.credit, t.chips) for t in result.transfers] == [
        ("stack:m1:otter", pot, 400),
        ("stack:m1:river", pot, 400),
        (pot, "stack:m1:otter", 650),
        (pot, "stack:m1:river", 150),
    ]
    assert stacks(result.match) == {"otter": 10_250, "river": 9_750}


def test_a_void_hand_moves_no_chip() -> None:
    script = Script().sit_down()
    result = post_next(script, script.voided())
    assert result.transfers == ()
    assert [seat.void_hands for seat in result.match.seats] == [1, 1]
    assert [seat.hands for seat in result.match.seats] == [0, 0]


def test_settling_returns_every_stack_to_the_bank() -> None:
    script = Script().sit_down()
    script.hand(net=-10_000)
    result = post_next(script, script.settled())
    assert [(t.debit, t.credit, t.chips, t.kind) for t in result.transfers] == [
        ("stack:m1:river", BANK, 20_000, TransferKind.CASH_OUT)
    ]
    assert result.match.status is Status.SETTLED
    assert stacks(result.match) == {"otter": 0, "river": 0}


def test_hands_count_on_the_board_when_their_match_is_settled() -> None:
    script = Script().sit_down()
    script.hand(100)
    assert post_next(script, script.hand(-30, ai_decided=True)).standings == ()
    script.voided()
    (change,) = post_next(script, script.settled()).standings
    assert (change.board, change.player_id) == ("hu_river", "otter")
    assert (change.total.hands, change.total.net_chips) == (2, 70)
    assert (change.total.ai_decided_hands, change.total.void_hands) == (1, 1)


@pytest.mark.parametrize(
    "reason",
    [
        pb.MATCH_END_REASON_SETTLED,
        pb.MATCH_END_REASON_EXPIRED,
        pb.MATCH_END_REASON_SUPERSEDED,
    ],
)
def test_however_a_match_ends_its_hands_count_ldr_004(reason: pb.MatchEndReason.ValueType) -> None:
    script = Script().sit_down()
    script.hand(100)
    (change,) = post_next(script, script.settled(reason)).standings
    assert change.total.hands == 1


def test_a_void_match_counts_no_hand_but_shows_the_void_one_ldr_007() -> None:
    script = Script().sit_down()
    script.voided()
    result = post_next(script, script.settled(pb.MATCH_END_REASON_VOID))
    assert result.match.status is Status.VOID
    (change,) = result.standings
    assert (change.total.hands, change.total.void_hands) == (0, 1)


def test_bots_count_on_a_board_of_their_own() -> None:
    script = Script(kind=pb.PARTICIPANT_KIND_BOT).sit_down()
    script.hand(100)
    (change,) = post_next(script, script.settled()).standings
    assert change.board == "hu_river_bots"


def test_top_ups_do_not_change_the_result_ldr_008() -> None:
    script = Script().sit_down(10_000)
    script.hand(-4_000)
    script.bought(4_000, source=pb.CHIP_SOURCE_TOP_UP)
    script.hand(6_000)
    (change,) = post_next(script, script.settled()).standings
    assert change.total.net_chips == 2_000


def test_events_without_times_of_their_own_take_the_envelope_s() -> None:
    script = Script()
    event = script.started()
    message = pb.MatchStarted.FromString(event.value)
    message.ClearField("started_time")
    assert post(None, message, event).match.started_us == int(event.time.timestamp() * 1e6)


# --- what is refused ---------------------------------------------------------------------

Change = Callable[[pb.HandSettled], object]


def _with_results(change: Callable[[pb.PlayerResult, pb.PlayerResult], object]) -> Change:
    return lambda message: change(message.results[0], message.results[1])


def _set(**fields: object) -> Callable[[Message], None]:
    def change(message: Message) -> None:
        for name, value in fields.items():
            setattr(message, name, value)

    return change


def _more_than_the_stack(one: pb.PlayerResult, two: pb.PlayerResult) -> None:
    one.put_in_chips, one.won_chips = 10_001, 10_101
    two.put_in_chips, two.won_chips = 10_000, 9_900


HAND_FAULTS: dict[str, tuple[Change, str]] = {
    "no id": (_set(hand_id=""), "invalid_id"),
    "unprintable id": (_set(hand_id="a\0b"), "invalid_id"),
    "number zero": (_set(hand_no=0), "hand_out_of_order"),
    "negative number": (_set(hand_no=-4), "hand_out_of_order"),
    "a number too far": (_set(hand_no=2), "hand_missing"),
    "a number of another age": (_set(hand_no=9_999), "hand_missing"),
    "other big blind": (_set(big_blind_chips=200), "wrong_big_blind"),
    "no big blind": (_set(big_blind_chips=0), "wrong_big_blind"),
    "no player": (lambda m: m.ClearField("results"), "invalid_results"),
    "other ruleset": (_set(ruleset_id="practice"), "wrong_ruleset"),
    "one player": (lambda m: m.results.pop(), "invalid_results"),
    "the same player twice": (
        _with_results(lambda one, two: _set(player_id=one.player_id)(two)),
        "invalid_results",
    ),
    "a stranger": (_with_results(lambda one, _: _set(player_id="eve")(one)), "unknown_player"),
    "another seat": (_with_results(lambda one, _: _set(seat=7)(one)), "wrong_seat"),
    "negative put in": (
        _with_results(lambda one, _: _set(put_in_chips=-1, net_chips=201)(one)),
        "invalid_chips",
    ),
    "negative won": (
        _with_results(lambda _, two: _set(won_chips=-1, net_chips=-101)(two)),
        "invalid_chips",
    ),
    "absurd amount": (
        _with_results(lambda _, two: _set(won_chips=2**62)(two)),
        "invalid_chips",
    ),
    "net is not won minus put in": (
        _with_results(lambda one, _: _set(net_chips=99)(one)),
        "net_differs",
    ),
    "one chip too many": (
        _with_results(lambda one, _: _set(won_chips=201, net_chips=101)(one)),
        "results_not_zero_sum",
    ),
    "one chip too few": (
        _with_results(lambda one, _: _set(won_chips=199, net_chips=99)(one)),
        "results_not_zero_sum",
    ),
    "more than the stack": (_with_results(_more_than_the_stack), "stack_would_go_negative"),
    "time out of range": (
        lambda m: _set(seconds=2**60)(m.settled_time),
        "invalid_time",
    ),
}


@pytest.mark.parametrize("fault", HAND_FAULTS)
def test_a_wrong_hand_is_refused(fault: str) -> None:
    change, reason = HAND_FAULTS[fault]
    script = Script().sit_down()
    message = script.hand_message(100)
    change(message)
    assert refusal(script, wrap(posting.HAND_SETTLED, "m1", message, START)) == reason


def test_a_hand_number_cannot_come_again() -> None:
    script = Script().sit_down()
    script.hand(100)
    message = script.hand_message(100)
    message.hand_no = 1
    event = wrap(posting.HAND_SETTLED, "m1", message, START)
    assert refusal(script, event) == "hand_out_of_order"


def test_a_void_hand_takes_a_number_and_leaves_no_gap() -> None:
    script = Script().sit_down()
    script.hand(100)
    script.voided()
    assert post_next(script, script.hand(100)).match.last_hand_no == 3


def test_a_void_hand_cannot_skip_a_number_either() -> None:
    script = Script().sit_down()
    script.hand(100)
    script.hand_no = 7
    assert refusal(script, script.voided()) == "hand_missing"


def test_a_settled_hand_cannot_be_voided() -> None:
    script = Script().sit_down()
    script.hand(100)
    script.hand_no = 0
    assert refusal(script, script.voided()) == "hand_out_of_order"


START_FAULTS: dict[str, tuple[Callable[[pb.MatchStarted], object], str]] = {
    "alone": (lambda m: m.participants.pop(), "invalid_participants"),
    "same player twice": (
        lambda m: _set(player_id="river")(m.participants[0]),
        "invalid_participants",
    ),
    "same seat twice": (lambda m: _set(seat=2)(m.participants[0]), "invalid_participants"),
    "seat out of range": (lambda m: _set(seat=11)(m.participants[0]), "invalid_participants"),
    "no name": (lambda m: _set(display_name="")(m.participants[0]), "invalid_participants"),
    "name too long": (
        lambda m: _set(display_name="x" * 41)(m.participants[0]),
        "invalid_participants",
    ),
    "no kind": (lambda m: _set(kind=0)(m.participants[0]), "invalid_participants"),
    "kind of the future": (lambda m: _set(kind=99)(m.participants[0]), "invalid_participants"),
    "no ruleset": (_set(ruleset_id=""), "invalid_ruleset"),
    "no big blind": (_set(big_blind_chips=0), "invalid_ruleset"),
    "not the board's big blind": (_set(big_blind_chips=20), "invalid_ruleset"),
    "no table": (_set(table_id=""), "invalid_id"),
}


@pytest.mark.parametrize("fault", START_FAULTS)
def test_a_wrong_start_is_refused(fault: str) -> None:
    change, reason = START_FAULTS[fault]
    message = pb.MatchStarted.FromString(Script().started().value)
    change(message)
    event = wrap(posting.MATCH_STARTED, "m1", message, START)
    with pytest.raises(RejectedError) as caught:
        post(None, message, event)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"player_id": "eve"}, "unknown_player"),
        ({"source": pb.CHIP_SOURCE_UNSPECIFIED}, "invalid_source"),
        ({"chips": 0}, "invalid_chips"),
        ({"chips": -5}, "invalid_chips"),
        ({"chips": 10**15 + 1}, "invalid_chips"),
    ],
)
def test_a_wrong_purchase_is_refused(fields: dict[str, object], reason: str) -> None:
    script = Script()
    script.started()
    message = pb.ChipsBought(
        match_id="m1", player_id="otter", source=pb.CHIP_SOURCE_BUY_IN, chips=100
    )
    _set(**fields)(message)
    assert refusal(script, wrap(posting.CHIPS_BOUGHT, "m1", message, START)) == reason


def test_a_final_stack_that_differs_is_refused() -> None:
    script = Script().sit_down()
    script.hand(100)
    assert refusal(script, script.settled(otter=10_101)) == "final_stack_differs"


def test_a_missing_final_stack_is_refused() -> None:
    script = Script().sit_down()
    script.stacks.pop("river")
    assert refusal(script, script.settled()) == "final_stack_differs"


def test_another_number_of_hands_is_refused() -> None:
    script = Script().sit_down()
    script.hand(100)
    script.hands = 2
    assert refusal(script, script.settled()) == "hands_differ"


def test_a_void_match_with_hands_is_refused() -> None:
    script = Script().sit_down()
    script.hand(100)
    event = script.settled(pb.MATCH_END_REASON_VOID)
    assert refusal(script, event) == "void_with_hands"


def test_an_end_without_a_reason_is_refused() -> None:
    script = Script().sit_down()
    event = script.settled(pb.MATCH_END_REASON_UNSPECIFIED)
    assert refusal(script, event) == "invalid_reason"


def test_nothing_happens_in_a_closed_match() -> None:
    script = Script().sit_down()
    script.settled()
    assert refusal(script, script.bought(100)) == "match_closed"


def test_a_match_starts_once() -> None:
    script = Script().sit_down()
    assert refusal(script, script.started()) == "match_already_started"


def test_nothing_happens_in_an_unknown_match() -> None:
    script = Script().sit_down()
    event = script.hand(100)
    with pytest.raises(RejectedError, match="unknown_match"):
        post(None, read_message(event), event)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"key": "m2"}, "wrong_key"),
        ({"value": b"\xff\xff\xff"}, "undecodable"),
        ({"value": b""}, "missing_id"),
    ],
)
def test_an_unreadable_event_is_refused(change: dict[str, object], reason: str) -> None:
    event = replace(Script().started(), **change)  # type: ignore[arg-type]
    with pytest.raises(RejectedError) as caught:
        read_message(event)
    assert caught.value.reason == reason
