"""Events in full, both ways: `poker.events` and ``riverboat.engine.v1.HandEvent``."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from poker.events import (
    ActionTaken,
    AllInReveal,
    BetReturned,
    BlindPost,
    BlindsPosted,
    CardsDealt,
    Event,
    HandEnded,
    HandStarted,
    HoleCards,
    PotAwarded,
    PotsUpdated,
    Showdown,
    StreetDealt,
    TurnStarted,
)
from proto.engine.v1 import engine_pb2 as pb
from proto.poker.v1 import poker_pb2
from services.common.codec.fields import (
    KINDS,
    STREETS,
    Repeated,
    check_seat,
    decode_cards,
    decode_hole_cards,
    decode_kind,
    decode_street,
    encode_cards,
    refuse,
)
from services.common.codec.results import (
    decode_amounts,
    decode_pots,
    decode_seat_results,
    decode_shown_hand,
    write_amounts,
    write_pots,
    write_seat_results,
    write_shown_hand,
)

# Messages are written in place: building a part first and putting it into its whole copies it.


def write_events(events: Iterable[Event], out: Repeated[pb.HandEvent]) -> None:
    """Append events in order."""
    for event in events:
        _WRITERS[type(event)](event, out.add())


def encode_event(event: Event) -> pb.HandEvent:
    """Write one event."""
    message = pb.HandEvent()
    _WRITERS[type(event)](event, message)
    return message


def encode_events(events: Iterable[Event]) -> list[pb.HandEvent]:
    """Write events in order."""
    return list(map(encode_event, events))


def decode_events(messages: Iterable[pb.HandEvent]) -> tuple[Event, ...]:
    """Read events in order; raises MalformedError for an event of no known kind."""
    return tuple(map(_decode_event, messages))


def _decode_event(message: pb.HandEvent) -> Event:
    name = message.WhichOneof("event")
    if name is None:
        raise refuse("event")
    return _DECODERS[name](getattr(message, name))


def _write_started(event: HandStarted, out: pb.HandEvent) -> None:
    started = out.hand_started
    started.hand_id = event.hand_id
    started.button = event.button
    started.small_blind_seat = event.small_blind_seat
    started.big_blind_seat = event.big_blind_seat
    write_amounts(event.stacks, started.stacks)


def _decode_started(message: pb.HandStarted) -> HandStarted:
    return HandStarted(
        hand_id=message.hand_id,
        button=check_seat(message.button),
        small_blind_seat=check_seat(message.small_blind_seat),
        big_blind_seat=check_seat(message.big_blind_seat),
        stacks=decode_amounts(message.stacks),
    )


def _write_blinds(event: BlindsPosted, out: pb.HandEvent) -> None:
    for post in event.posts:
        message = out.blinds_posted.posts.add()
        message.seat = post.seat
        message.chips = post.chips
        message.all_in = post.all_in


def _decode_blinds(message: pb.BlindsPosted) -> BlindsPosted:
    if len(message.posts) != 2:
        raise refuse("blinds_posted.posts")
    small, big = (BlindPost(check_seat(p.seat), p.chips, p.all_in) for p in message.posts)
    return BlindsPosted((small, big))


def _write_dealt(event: CardsDealt, out: pb.HandEvent) -> None:
    _write_hands(event.hands, out.cards_dealt.hands)


def _decode_dealt(message: pb.CardsDealt) -> CardsDealt:
    return CardsDealt(
        tuple(
            (check_seat(hand.seat), decode_hole_cards(hand.cards) if hand.cards else None)
            for hand in message.hands
        )
    )


def _write_turn(event: TurnStarted, out: pb.HandEvent) -> None:
    out.turn_started.seat = event.seat


def _write_action(event: ActionTaken, out: pb.HandEvent) -> None:
    # The message is the public action of a history; an event's street is its place.
    action = out.action_taken
    action.seat = event.seat
    action.kind = KINDS[event.kind]
    action.to_chips = event.to_chips
    action.added_chips = event.added_chips
    action.all_in = event.all_in


def _decode_action(message: poker_pb2.PublicAction) -> ActionTaken:
    return ActionTaken(
        seat=check_seat(message.seat),
        kind=decode_kind(message.kind),
        to_chips=message.to_chips,
        added_chips=message.added_chips,
        all_in=message.all_in,
    )


def _write_returned(event: BetReturned, out: pb.HandEvent) -> None:
    out.bet_returned.seat = event.seat
    out.bet_returned.chips = event.chips


def _write_pots(event: PotsUpdated, out: pb.HandEvent) -> None:
    write_pots(event.pots, out.pots_updated.pots)


def _write_reveal(event: AllInReveal, out: pb.HandEvent) -> None:
    _write_hands(event.hands, out.all_in_reveal.hands)


def _decode_reveal(message: pb.AllInReveal) -> AllInReveal:
    return AllInReveal(
        tuple((check_seat(hand.seat), decode_hole_cards(hand.cards)) for hand in message.hands)
    )


def _write_street(event: StreetDealt, out: pb.HandEvent) -> None:
    dealt = out.street_dealt
    dealt.street = STREETS[event.street]
    dealt.cards = encode_cards(event.cards)


def _write_showdown(event: Showdown, out: pb.HandEvent) -> None:
    for shown in event.hands:
        write_shown_hand(shown, out.showdown.hands.add())


def _write_award(event: PotAwarded, out: pb.HandEvent) -> None:
    award = out.pot_awarded
    award.pot_no = event.pot_no
    award.chips = event.chips
    write_amounts(event.winners, award.winners)


def _write_ended(event: HandEnded, out: pb.HandEvent) -> None:
    write_seat_results(event.results, out.hand_ended.results)


def _write_hands(
    hands: Iterable[tuple[int, HoleCards | None]], out: Repeated[pb.HoleCards]
) -> None:
    for seat, cards in hands:
        hand = out.add()
        hand.seat = seat
        if cards is not None:
            hand.cards = encode_cards(cards)


_WRITERS: Final[dict[type[Any], Callable[[Any, pb.HandEvent], None]]] = {
    HandStarted: _write_started,
    BlindsPosted: _write_blinds,
    CardsDealt: _write_dealt,
    TurnStarted: _write_turn,
    ActionTaken: _write_action,
    BetReturned: _write_returned,
    StreetDealt: _write_street,
    PotsUpdated: _write_pots,
    AllInReveal: _write_reveal,
    Showdown: _write_showdown,
    PotAwarded: _write_award,
    HandEnded: _write_ended,
}

_DECODERS: Final[dict[str, Callable[[Any], Event]]] = {
    "hand_started": _decode_started,
    "blinds_posted": _decode_blinds,
    "cards_dealt": _decode_dealt,
    "turn_started": lambda message: TurnStarted(check_seat(message.seat)),
    "action_taken": _decode_action,
    "bet_returned": lambda message: BetReturned(check_seat(message.seat), message.chips),
    "street_dealt": lambda message: StreetDealt(
        decode_street(message.street), decode_cards(message.cards)
    ),
    "pots_updated": lambda message: PotsUpdated(decode_pots(message.pots)),
    "all_in_reveal": _decode_reveal,
    "showdown": lambda message: Showdown(tuple(map(decode_shown_hand, message.hands))),
    "pot_awarded": lambda message: PotAwarded(
        message.pot_no, message.chips, decode_amounts(message.winners)
    ),
    "hand_ended": lambda message: HandEnded(decode_seat_results(message.results)),
}
