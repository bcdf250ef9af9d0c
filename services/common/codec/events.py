"""Events in full, both ways: `poker.events` and ``riverboat.engine.v1.HandEvent``."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from poker.cards import Card
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
    encode_amounts,
    encode_pots,
    encode_seat_results,
    encode_shown_hand,
)


def encode_events(events: Iterable[Event]) -> list[pb.HandEvent]:
    """Write events in order."""
    return [_ENCODERS[type(event)](event) for event in events]


def decode_events(messages: Iterable[pb.HandEvent]) -> tuple[Event, ...]:
    """Read events in order; raises MalformedError for an event of no known kind."""
    return tuple(map(_decode_event, messages))


def _decode_event(message: pb.HandEvent) -> Event:
    name = message.WhichOneof("event")
    if name is None:
        raise refuse("event")
    return _DECODERS[name](getattr(message, name))


def _encode_started(event: HandStarted) -> pb.HandEvent:
    return pb.HandEvent(
        hand_started=pb.HandStarted(
            hand_id=event.hand_id,
            button=event.button,
            small_blind_seat=event.small_blind_seat,
            big_blind_seat=event.big_blind_seat,
            stacks=encode_amounts(event.stacks),
        )
    )


def _decode_started(message: pb.HandStarted) -> HandStarted:
    return HandStarted(
        hand_id=message.hand_id,
        button=check_seat(message.button),
        small_blind_seat=check_seat(message.small_blind_seat),
        big_blind_seat=check_seat(message.big_blind_seat),
        stacks=decode_amounts(message.stacks),
    )


def _encode_blinds(event: BlindsPosted) -> pb.HandEvent:
    posts = [pb.BlindPost(seat=p.seat, chips=p.chips, all_in=p.all_in) for p in event.posts]
    return pb.HandEvent(blinds_posted=pb.BlindsPosted(posts=posts))


def _decode_blinds(message: pb.BlindsPosted) -> BlindsPosted:
    if len(message.posts) != 2:
        raise refuse("blinds_posted.posts")
    small, big = (BlindPost(check_seat(p.seat), p.chips, p.all_in) for p in message.posts)
    return BlindsPosted((small, big))


def _encode_dealt(event: CardsDealt) -> pb.HandEvent:
    return pb.HandEvent(cards_dealt=pb.CardsDealt(hands=_encode_hands(event.hands)))


def _decode_dealt(message: pb.CardsDealt) -> CardsDealt:
    return CardsDealt(
        tuple(
            (check_seat(hand.seat), decode_hole_cards(hand.cards) if hand.cards else None)
            for hand in message.hands
        )
    )


def _encode_action(event: ActionTaken) -> pb.HandEvent:
    # The message is the public action of a history; an event's street is its place.
    return pb.HandEvent(
        action_taken=poker_pb2.PublicAction(
            seat=event.seat,
            kind=KINDS[event.kind],
            to_chips=event.to_chips,
            added_chips=event.added_chips,
            all_in=event.all_in,
        )
    )


def _decode_action(message: poker_pb2.PublicAction) -> ActionTaken:
    return ActionTaken(
        seat=check_seat(message.seat),
        kind=decode_kind(message.kind),
        to_chips=message.to_chips,
        added_chips=message.added_chips,
        all_in=message.all_in,
    )


def _encode_reveal(event: AllInReveal) -> pb.HandEvent:
    return pb.HandEvent(all_in_reveal=pb.AllInReveal(hands=_encode_hands(event.hands)))


def _decode_reveal(message: pb.AllInReveal) -> AllInReveal:
    return AllInReveal(
        tuple((check_seat(hand.seat), decode_hole_cards(hand.cards)) for hand in message.hands)
    )


def _encode_street(event: StreetDealt) -> pb.HandEvent:
    return pb.HandEvent(
        street_dealt=pb.StreetDealt(street=STREETS[event.street], cards=encode_cards(event.cards))
    )


def _encode_award(event: PotAwarded) -> pb.HandEvent:
    return pb.HandEvent(
        pot_awarded=pb.PotAwarded(
            pot_no=event.pot_no, chips=event.chips, winners=encode_amounts(event.winners)
        )
    )


def _encode_hands(
    hands: Iterable[tuple[int, HoleCards | None]],
) -> list[pb.HoleCards]:
    return [pb.HoleCards(seat=seat, cards=encode_cards(_or_none(cards))) for seat, cards in hands]


def _or_none(cards: HoleCards | None) -> tuple[Card, ...]:
    return () if cards is None else cards


_ENCODERS: Final[dict[type[Any], Callable[[Any], pb.HandEvent]]] = {
    HandStarted: _encode_started,
    BlindsPosted: _encode_blinds,
    CardsDealt: _encode_dealt,
    TurnStarted: lambda event: pb.HandEvent(turn_started=pb.TurnStarted(seat=event.seat)),
    ActionTaken: _encode_action,
    BetReturned: lambda event: pb.HandEvent(
        bet_returned=poker_pb2.SeatChips(seat=event.seat, chips=event.chips)
    ),
    StreetDealt: _encode_street,
    PotsUpdated: lambda event: pb.HandEvent(
        pots_updated=pb.PotsUpdated(pots=encode_pots(event.pots))
    ),
    AllInReveal: _encode_reveal,
    Showdown: lambda event: pb.HandEvent(
        showdown=pb.Showdown(hands=map(encode_shown_hand, event.hands))
    ),
    PotAwarded: _encode_award,
    HandEnded: lambda event: pb.HandEvent(
        hand_ended=pb.HandEnded(results=encode_seat_results(event.results))
    ),
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
