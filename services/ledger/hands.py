"""What a finished hand does to the stacks of its match."""

from dataclasses import replace

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import is_id
from services.ledger.boards import board_of
from services.ledger.days import Day, add_days, hand_played, hand_voided
from services.ledger.matches import (
    MAX_CHIPS,
    HandRecord,
    Match,
    Posting,
    RejectedError,
    Seat,
    Transfer,
    TransferKind,
    pot_account,
    stack_account,
)


def post_hand(match: Match, message: pb.HandSettled, time_us: int) -> Posting:
    """Move every seat's chips into the hand's pot and out again; the pot ends at zero.

    Raises:
        RejectedError: the results are not those of one hand of this match.

    """
    check_next_hand(match, message.hand_id, message.hand_no)
    if message.ruleset_id != match.ruleset_id:
        raise RejectedError("wrong_ruleset", f"the match is played by {match.ruleset_id!r}")
    if message.big_blind_chips != match.big_blind_chips:
        raise RejectedError("wrong_big_blind", f"the match's is {match.big_blind_chips}")
    seats = _seats_of_results(match, message)
    put_in = sum(result.put_in_chips for result in message.results)
    won = sum(result.won_chips for result in message.results)
    if put_in != won:
        raise RejectedError("results_not_zero_sum", f"{put_in} chips went in, {won} came out")
    transfers = _through_pot(match, message)
    _assert_pot_empty(transfers, pot_account(message.hand_id))
    played = {
        result.player_id: _played(match, seat, message, result, time_us)
        for seat, result in zip(seats, message.results, strict=True)
    }
    after = replace(
        match,
        seats=tuple(played.get(seat.player_id, seat) for seat in match.seats),
        hands=match.hands + 1,
        last_hand_no=message.hand_no,
    )
    record = HandRecord(message.hand_id, message.hand_no, False, put_in, won)
    return Posting(after, transfers, record)


def void_hand(match: Match, message: pb.HandVoided, time_us: int) -> Posting:
    """Count a void hand for everyone at the table; no chip moves.

    Raises:
        RejectedError: the hand cannot be the next of this match.

    """
    check_next_hand(match, message.hand_id, message.hand_no)
    void = hand_voided(time_us, message.bot_version)
    seats = tuple(
        replace(seat, void_hands=seat.void_hands + 1, days=_days(match, seat, void))
        for seat in match.seats
    )
    after = replace(match, seats=seats, last_hand_no=message.hand_no)
    return Posting(after, hand=HandRecord(message.hand_id, message.hand_no, True, 0, 0))


def check_next_hand(match: Match, hand_id: str, hand_no: int) -> None:
    """Refuse a hand without a proper id, or whose number does not follow the last one's.

    Void hands have numbers too, so nothing explains a gap: were it accepted, the hands that
    belong in it would be the ones refused.
    """
    if not is_id(hand_id):
        raise RejectedError("invalid_id", "the hand has no proper id")
    if hand_no <= match.last_hand_no:
        raise RejectedError("hand_out_of_order", f"hand {hand_no} after hand {match.last_hand_no}")
    if hand_no > match.last_hand_no + 1:
        raise RejectedError("hand_missing", f"hand {hand_no} after hand {match.last_hand_no}")


def _seats_of_results(match: Match, message: pb.HandSettled) -> list[Seat]:
    """Return the seat of each result, having checked each on its own."""
    players = [result.player_id for result in message.results]
    if len(players) < 2 or len(set(players)) != len(players):
        raise RejectedError("invalid_results", "a hand needs two or more different players")
    return [_checked_seat(match, result) for result in message.results]


def _checked_seat(match: Match, result: pb.PlayerResult) -> Seat:
    seat = match.seat_of(result.player_id)
    if seat is None:
        raise RejectedError("unknown_player", f"{result.player_id!r} is not in the match")
    if seat.number != result.seat:
        raise RejectedError("wrong_seat", f"{result.player_id!r} sits at {seat.number}")
    for chips in (result.put_in_chips, result.won_chips):
        if not 0 <= chips <= MAX_CHIPS:
            raise RejectedError("invalid_chips", f"{chips} is not an amount of chips")
    if result.net_chips != result.won_chips - result.put_in_chips:
        raise RejectedError("net_differs", f"{result.net_chips} is not won minus put in")
    if result.put_in_chips > seat.stack_chips:
        raise RejectedError(
            "stack_would_go_negative",
            f"{result.player_id!r} has {seat.stack_chips}, not {result.put_in_chips}",
        )
    return seat


def _through_pot(match: Match, message: pb.HandSettled) -> tuple[Transfer, ...]:
    pot = pot_account(message.hand_id)

    def move(debit: str, credit: str, chips: int, player_id: str) -> Transfer:
        return Transfer(debit, credit, chips, TransferKind.HAND, player_id, message.hand_id)

    paid_in = [
        move(stack_account(match.match_id, r.player_id), pot, r.put_in_chips, r.player_id)
        for r in message.results
        if r.put_in_chips
    ]
    paid_out = [
        move(pot, stack_account(match.match_id, r.player_id), r.won_chips, r.player_id)
        for r in message.results
        if r.won_chips
    ]
    return (*paid_in, *paid_out)


def _assert_pot_empty(transfers: tuple[Transfer, ...], pot: str) -> None:
    """Check the sum once more on the transfers themselves: a second path to one truth."""
    left = sum(t.chips for t in transfers if t.credit == pot)
    left -= sum(t.chips for t in transfers if t.debit == pot)
    if left != 0:
        raise AssertionError(f"{pot} would keep {left} chips")


def _played(
    match: Match, seat: Seat, message: pb.HandSettled, result: pb.PlayerResult, time_us: int
) -> Seat:
    net, ai_decided = result.net_chips, message.ai_decided
    hand = hand_played(net, time_us, message.bot_version, ai_decided=ai_decided)
    return replace(
        seat,
        stack_chips=seat.stack_chips + net,
        hands=seat.hands + 1,
        net_chips=seat.net_chips + net,
        ai_decided_hands=seat.ai_decided_hands + int(ai_decided),
        last_played_us=max(seat.last_played_us, time_us),
        days=_days(match, seat, hand),
    )


def _days(match: Match, seat: Seat, hand: Day) -> tuple[Day, ...]:
    """Return the days of a seat with one hand more, if hands of the seat count anywhere."""
    if board_of(match.ruleset_id, seat.kind) is None:
        return ()
    return add_days(seat.days, [hand])
