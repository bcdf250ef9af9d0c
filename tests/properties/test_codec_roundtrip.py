"""What a message says is what was written, for every hand that can be played."""

import pytest
from hypothesis import given

from poker.actions import Action, ActionKind
from poker.errors import IllegalActionError, MalformedError
from poker.hand import Hand
from poker.setup import HandSetup
from poker.view import redact, view_for
from proto.bot.v1 import bot_pb2
from proto.engine.v1 import engine_pb2
from proto.poker.v1 import poker_pb2
from services.common import codec
from tests.support.strategies import finished_hands, hand_setups, hands_in_play


@given(finished_hands())
def test_a_hand_reads_back_as_written(hand: Hand) -> None:
    message = codec.encode_hand(hand.setup, hand.actions)
    wire = poker_pb2.Hand.FromString(message.SerializeToString())
    assert codec.decode_hand(wire) == (hand.setup, hand.actions)


@given(finished_hands())
def test_events_read_back_as_written(hand: Hand) -> None:
    wire = [
        engine_pb2.HandEvent.FromString(message.SerializeToString())
        for message in codec.encode_events(hand.events)
    ]
    assert codec.decode_events(wire) == hand.events


@given(finished_hands())
def test_redacted_events_read_back_as_written(hand: Hand) -> None:
    redacted = tuple(redact(event, hand.setup.seats[0].seat) for event in hand.events)
    assert codec.decode_events(codec.encode_events(redacted)) == redacted


@given(finished_hands())
def test_a_finished_snapshot_reads_back_as_written(hand: Hand) -> None:
    snapshot = hand.snapshot()
    wire = codec.encode_snapshot(snapshot).SerializeToString()
    assert codec.decode_snapshot(engine_pb2.HandSnapshot.FromString(wire)) == snapshot


@given(hands_in_play())
def test_a_snapshot_in_play_reads_back_as_written(hand: Hand) -> None:
    snapshot = hand.snapshot()
    wire = codec.encode_snapshot(snapshot).SerializeToString()
    assert codec.decode_snapshot(engine_pb2.HandSnapshot.FromString(wire)) == snapshot


@given(hands_in_play())
def test_a_bot_view_says_what_its_seat_may_know(hand: Hand) -> None:
    snapshot = hand.snapshot()
    assert snapshot.legal is not None
    view = view_for(snapshot, snapshot.legal.seat)
    wire = codec.encode_bot_view(view).SerializeToString()
    read = codec.decode_bot_view(bot_pb2.BotView.FromString(wire))
    own = next(seat for seat in snapshot.seats if seat.seat == snapshot.legal.seat)
    assert (read.seat, read.hole_cards, read.legal) == (own.seat, own.hole_cards, snapshot.legal)
    assert (read.board, read.rules, read.button) == (snapshot.board, snapshot.rules, view.button)
    assert (read.street, read.actions) == (snapshot.street, snapshot.actions)
    assert read.pot_total_chips == snapshot.pot_total_chips
    assert [(seat.seat, seat.stack_chips) for seat in read.seats] == [
        (seat.seat, seat.stack_chips) for seat in snapshot.seats
    ]


@given(hands_in_play())
def test_a_bot_view_is_the_same_whatever_the_others_hold(hand: Hand) -> None:
    """Swapping all unseen cards must not change a byte of what the bot is sent."""
    snapshot = hand.snapshot()
    assert snapshot.legal is not None
    own = next(seat for seat in snapshot.seats if seat.seat == snapshot.legal.seat)
    seen = {*own.hole_cards, *snapshot.board}
    unseen = [card for card in hand.setup.deck if card not in seen]
    swap = dict(zip(unseen, reversed(unseen), strict=True))
    other_deck = tuple(swap.get(card, card) for card in hand.setup.deck)
    setup = hand.setup
    twin = Hand(type(setup)(setup.hand_id, setup.rules, setup.seats, setup.button, other_deck))
    for action in hand.actions:
        twin.act(action)
    sent = codec.encode_bot_view(view_for(snapshot, own.seat)).SerializeToString()
    assert codec.encode_bot_view(view_for(twin.snapshot(), own.seat)).SerializeToString() == sent


def test_the_bot_view_has_one_field_for_hole_cards_and_seats_have_none() -> None:
    carriers = {
        field.name
        for message in (bot_pb2.BotView, bot_pb2.PublicSeat, poker_pb2.PublicAction)
        for field in message.DESCRIPTOR.fields
        if field.type == field.TYPE_BYTES
    }
    assert carriers == {"hole_cards", "board"}
    assert "hole_cards" not in bot_pb2.PublicSeat.DESCRIPTOR.fields_by_name


@given(hands_in_play())
def test_a_bot_view_is_refused_to_whoever_is_not_to_act(hand: Hand) -> None:
    snapshot = hand.snapshot()
    assert snapshot.legal is not None
    with pytest.raises(MalformedError, match="unknown_seat"):
        codec.encode_bot_view(view_for(snapshot, None))
    for seat in hand.setup.seats:
        if seat.seat != snapshot.legal.seat:
            with pytest.raises(IllegalActionError, match="not_your_turn"):
                codec.encode_bot_view(view_for(snapshot, seat.seat))


@given(hand_setups())
def test_a_byte_that_is_no_card_is_refused_wherever_it_is(setup: HandSetup) -> None:
    message = codec.encode_setup(setup)
    deck = message.deck
    for at in range(len(deck)):
        message.deck = deck[:at] + b"\x34" + deck[at + 1 :]
        with pytest.raises(MalformedError, match="unknown_card"):
            codec.decode_setup(message)


def test_every_kind_of_action_reads_back_as_written() -> None:
    for kind in ActionKind:
        action = Action(3, kind, 250 if kind in {"bet", "raise"} else None)
        assert codec.decode_action(codec.encode_action(action)) == action
