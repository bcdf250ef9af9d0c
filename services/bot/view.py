"""What River may know when it decides, and whether it can be true.

The types come from the codec: `BotView` has no place for another seat's cards.
"""

from typing import Final

from poker.actions import Street
from poker.errors import MalformedError, Reason
from poker.positions import blind_seats
from poker.view import HandView
from services.common.codec import (
    ACTIONS_MAX,
    BotView,
    PublicSeat,
    decode_bot_view,
    encode_bot_view,
)

BOARD_SIZES: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}


def from_hand_view(view: HandView) -> BotView:
    """Return what the viewer may use to decide, exactly as it would arrive by wire.

    Raises as `services.common.codec.encode_bot_view` does when it is not its turn.
    """
    return check(decode_bot_view(encode_bot_view(view)))


def blinds(view: BotView) -> dict[int, int]:
    """Return what the blinds put in, in chips by seat; a short stack posts what it has."""
    small, big = blind_seats([seat.seat for seat in view.seats], view.button)
    nominal = {small: view.rules.small_blind_chips, big: view.rules.big_blind_chips}
    return {
        seat.seat: min(seat.start_chips, nominal[seat.seat])
        for seat in view.seats
        if seat.seat in nominal
    }


def highest_bet_chips(view: BotView) -> int:
    """Return the bet to match this round; before the flop at least the nominal big blind."""
    floor = view.rules.big_blind_chips if view.street is Street.PREFLOP else 0
    return max(floor, *(seat.bet_chips for seat in view.seats))


def check(view: BotView) -> BotView:
    """Return the view, or raise MalformedError when its chips or turns contradict each other.

    The codec has already refused wrong cards, seats and missing parts.
    """
    _check_seats(view)
    _check_legal(view)
    _check_actions(view)
    return view


def _check_seats(view: BotView) -> None:
    for seat in view.seats:
        _check_seat(seat)
    if view.pot_total_chips != sum(seat.put_in_chips for seat in view.seats):
        raise MalformedError(Reason.INVALID_AMOUNT, pot=view.pot_total_chips)
    rules = view.rules
    if not 1 <= rules.small_blind_chips <= rules.big_blind_chips:
        raise MalformedError(Reason.INVALID_BLINDS, big_blind=rules.big_blind_chips)


def _check_seat(seat: PublicSeat) -> None:
    if not 0 <= seat.bet_chips <= seat.put_in_chips:
        raise MalformedError(Reason.INVALID_AMOUNT, seat=seat.seat)
    if seat.stack_chips < 0 or seat.start_chips != seat.stack_chips + seat.put_in_chips:
        raise MalformedError(Reason.INVALID_STACK, seat=seat.seat)
    if seat.start_chips < 1 or seat.all_in != (seat.stack_chips == 0 and not seat.folded):
        raise MalformedError(Reason.INVALID_STACK, seat=seat.seat)


def _check_legal(view: BotView) -> None:
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    legal = view.legal
    if own.folded or own.stack_chips == 0:
        raise MalformedError(Reason.NOT_YOUR_TURN, seat=view.seat)
    if all(seat.folded for seat in view.seats if seat.seat != view.seat):
        raise MalformedError(Reason.HAND_OVER)
    if legal.can_check == (legal.to_call_chips > 0) or not (legal.can_check or legal.can_fold):
        raise MalformedError(Reason.INVALID_ACTION, to_call=legal.to_call_chips)
    if legal.to_call_chips != min(own.stack_chips, highest_bet_chips(view) - own.bet_chips):
        raise MalformedError(Reason.INVALID_AMOUNT, to_call=legal.to_call_chips)
    raises = legal.raises
    if raises is None:
        return
    if not 1 <= raises.min_to_chips <= raises.max_to_chips:
        raise MalformedError(Reason.INVALID_AMOUNT, minimum=raises.min_to_chips)
    if raises.max_to_chips != own.bet_chips + own.stack_chips:
        raise MalformedError(Reason.INVALID_AMOUNT, maximum=raises.max_to_chips)


def _check_actions(view: BotView) -> None:
    if len(view.actions) > ACTIONS_MAX:
        raise MalformedError(Reason.INVALID_ACTION, actions=len(view.actions))
    put_in = blinds(view)
    seats = {seat.seat for seat in view.seats}
    for action in view.actions:
        if action.seat not in seats:
            raise MalformedError(Reason.UNKNOWN_SEAT, seat=action.seat)
        if not 0 <= action.added_chips <= action.to_chips:
            raise MalformedError(Reason.INVALID_AMOUNT, seat=action.seat)
        put_in[action.seat] = put_in.get(action.seat, 0) + action.added_chips
    for seat in view.seats:
        if put_in.get(seat.seat, 0) != seat.put_in_chips:
            raise MalformedError(Reason.INVALID_AMOUNT, seat=seat.seat)
    order = list(Street)
    streets = [order.index(action.street) for action in view.actions]
    if streets != sorted(streets) or (streets and streets[-1] > order.index(view.street)):
        raise MalformedError(Reason.INVALID_ACTION)
