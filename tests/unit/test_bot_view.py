"""Views that cannot be true are refused before River thinks about them."""

from collections.abc import Callable

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from poker.errors import MalformedError, Reason
from poker.view import view_for
from proto.bot.v1 import bot_pb2
from proto.poker.v1 import poker_pb2
from services.bot.view import check
from services.common.codec import decode_bot_view, encode_bot_view
from tests.support.scripted_hands import play, table


def message() -> bot_pb2.BotView:
    """The big blind on the flop, facing nothing, after a raise and a call."""
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 raise 250", "2 call")
    return encode_bot_view(view_for(hand.snapshot(), 2))


def test_a_true_view_passes() -> None:
    view = decode_bot_view(message())
    assert check(view) is view


def duplicate_hole_cards(view: bot_pb2.BotView) -> None:
    view.hole_cards = b"\x05\x05"


def hole_card_on_board(view: bot_pb2.BotView) -> None:
    view.hole_cards = view.board[:1] + view.hole_cards[1:]


def unknown_card(view: bot_pb2.BotView) -> None:
    view.hole_cards = b"\x05\x34"


def one_hole_card(view: bot_pb2.BotView) -> None:
    view.hole_cards = b"\x05"


def short_board(view: bot_pb2.BotView) -> None:
    view.board = view.board[:2]


def no_rules(view: bot_pb2.BotView) -> None:
    view.ClearField("rules")


def no_legal(view: bot_pb2.BotView) -> None:
    view.ClearField("legal")


def no_street(view: bot_pb2.BotView) -> None:
    view.ClearField("street")


def one_seat(view: bot_pb2.BotView) -> None:
    del view.seats[1:]


def absent_seat(view: bot_pb2.BotView) -> None:
    view.seat = 9
    view.legal.seat = 9


def legal_of_another(view: bot_pb2.BotView) -> None:
    view.legal.seat = 1


def folded(view: bot_pb2.BotView) -> None:
    view.seats[1].folded = True


def nobody_left(view: bot_pb2.BotView) -> None:
    view.seats[0].folded = True


def wrong_pot(view: bot_pb2.BotView) -> None:
    view.pot_total_chips += 1


def wrong_stack(view: bot_pb2.BotView) -> None:
    view.seats[0].stack_chips += 1


def negative_stack(view: bot_pb2.BotView) -> None:
    view.seats[0].stack_chips = -1


def all_in_with_chips(view: bot_pb2.BotView) -> None:
    view.seats[0].all_in = True


def bet_beyond_put_in(view: bot_pb2.BotView) -> None:
    view.seats[0].bet_chips = 251


def check_and_call(view: bot_pb2.BotView) -> None:
    view.legal.to_call_chips = 100


def nothing_to_do(view: bot_pb2.BotView) -> None:
    view.legal.can_check = False


def raise_beyond_stack(view: bot_pb2.BotView) -> None:
    view.legal.raises.max_to_chips += 1


def raise_range_upside_down(view: bot_pb2.BotView) -> None:
    view.legal.raises.min_to_chips = view.legal.raises.max_to_chips + 1


def action_of_nobody(view: bot_pb2.BotView) -> None:
    view.actions[0].seat = 7


def action_of_the_future(view: bot_pb2.BotView) -> None:
    view.actions[1].street = poker_pb2.STREET_TURN


def actions_that_do_not_add_up(view: bot_pb2.BotView) -> None:
    view.actions[1].added_chips -= 1


def missing_action(view: bot_pb2.BotView) -> None:
    del view.actions[1:]


def blinds_upside_down(view: bot_pb2.BotView) -> None:
    view.rules.small_blind_chips = 101


def too_many_actions(view: bot_pb2.BotView) -> None:
    checks = [view.actions[0]] * 1_001
    view.actions.extend(checks)


@pytest.mark.parametrize(
    "spoil",
    [
        duplicate_hole_cards,
        hole_card_on_board,
        unknown_card,
        one_hole_card,
        short_board,
        no_rules,
        no_legal,
        no_street,
        one_seat,
        absent_seat,
        legal_of_another,
        folded,
        nobody_left,
        wrong_pot,
        wrong_stack,
        negative_stack,
        all_in_with_chips,
        bet_beyond_put_in,
        check_and_call,
        nothing_to_do,
        raise_beyond_stack,
        raise_range_upside_down,
        action_of_nobody,
        action_of_the_future,
        actions_that_do_not_add_up,
        missing_action,
        blinds_upside_down,
        too_many_actions,
    ],
)
def test_a_contradiction_is_malformed(spoil: Callable[[bot_pb2.BotView], None]) -> None:
    view = message()
    spoil(view)
    with pytest.raises(MalformedError):
        check(decode_bot_view(view))


def test_a_wrong_price_is_malformed() -> None:
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 raise 250")
    view = encode_bot_view(view_for(hand.snapshot(), 2))
    view.legal.to_call_chips = 149
    with pytest.raises(MalformedError) as refused:
        check(decode_bot_view(view))
    assert refused.value.reason is Reason.INVALID_AMOUNT


def reachable(root: Descriptor) -> dict[str, FieldDescriptor]:
    """Every field of a message and of the messages inside it, by full name."""
    fields: dict[str, FieldDescriptor] = {}
    waiting = [root]
    while waiting:
        for field in waiting.pop().fields:
            if field.full_name not in fields:
                fields[field.full_name] = field
                if field.message_type is not None:
                    waiting.append(field.message_type)
    return fields


def test_the_request_has_no_field_that_could_carry_anothers_cards() -> None:
    fields = reachable(bot_pb2.DecideRequest.DESCRIPTOR)
    could_hold_cards = {
        name
        for name, field in fields.items()
        if field.type in {FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_STRING}
        or "card" in field.name
        or "deck" in field.name
    }
    assert could_hold_cards == {
        "riverboat.bot.v1.BotView.hole_cards",
        "riverboat.bot.v1.BotView.board",
        "riverboat.bot.v1.PublicSeat.position",
        "riverboat.poker.v1.HandRules.burn_cards",  # a yes or no
        "riverboat.poker.v1.Legal.no_raise_reason",
    }
    assert fields["riverboat.poker.v1.HandRules.burn_cards"].type == FieldDescriptor.TYPE_BOOL
    assert set(bot_pb2.PublicSeat.DESCRIPTOR.fields_by_name) == {
        "seat",
        "position",
        "start_chips",
        "stack_chips",
        "bet_chips",
        "put_in_chips",
        "folded",
        "all_in",
    }
