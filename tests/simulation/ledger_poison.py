"""Records that a ledger must refuse, of every kind, each made of the match that it is put in."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event
from services.ledger import posting

Letter = tuple[bytes, bytes]
"""Key and value of a record."""

Headers = list[tuple[str, bytes]]


@dataclass(slots=True)
class Poison:
    """What was put where, and what must be in the dead letters at the end.

    Attributes:
        letters: every record that is to be refused, and the reasons that are right for it.
        damaged: ids of events whose rows are to be spoilt in the outbox.
        conflicts: by the id of an event, another one under the same id; an outbox does not
            take it, so it goes to the topic some time after the true one.
        junk: records that are no events at all, for the topic.
        nameless: those of them without an id, which are another record at every place.

    """

    letters: dict[Letter, frozenset[str]] = field(default_factory=dict)
    damaged: set[str] = field(default_factory=set)
    conflicts: dict[str, Event] = field(default_factory=dict)
    junk: list[tuple[bytes, bytes, Headers]] = field(default_factory=list)
    nameless: set[Letter] = field(default_factory=set)

    def expect(self, key: bytes, value: bytes, *reasons: str) -> None:
        """Take note of a record that is to be refused."""
        self.letters[key, value] = frozenset(reasons)


def spoil(
    matches: Sequence[list[Event]], share: float, seed: int
) -> tuple[list[list[Event]], Poison]:
    """Return matches with poison between their events, about so much of every event.

    What is put in has an id of its own and changes no event of the match.
    """
    rng, poison, spoilt = random.Random(f"poison {seed}"), Poison(), []
    for match in matches:
        mixed: list[Event] = []
        for place, event in enumerate(match):
            mixed.append(event)
            if event.type == posting.HAND_SETTLED and rng.random() < share:
                make = rng.choice(_KINDS)
                made = make(event, f"p_{event.key}_{place}", poison)
                mixed += [] if made is None else [made]
        spoilt.append(mixed)
    return spoilt, poison


def _unbalanced(event: Event, event_id: str, poison: Poison) -> Event:
    message = _next_hand(event)
    message.results[0].won_chips += 100
    message.results[0].net_chips += 100
    # The loser of the hand before may not have that much left, which shows first.
    reasons = ("results_not_zero_sum", "stack_would_go_negative")
    return _put(event, event_id, message, poison, *reasons)


def _unknown_seat(event: Event, event_id: str, poison: Poison) -> Event:
    message = _next_hand(event)
    message.results[0].player_id = "u_nobody"
    return _put(event, event_id, message, poison, "unknown_player")


def _negative_pot(event: Event, event_id: str, poison: Poison) -> Event:
    message = _next_hand(event)
    for result in message.results:
        result.put_in_chips, result.won_chips, result.net_chips = -100, -100, 0
    return _put(event, event_id, message, poison, "invalid_chips")


def _gap(event: Event, event_id: str, poison: Poison) -> Event:
    message = _next_hand(event)
    message.hand_no += 1_000_000
    return _put(event, event_id, message, poison, "hand_missing")


def _hand_again(event: Event, event_id: str, poison: Poison) -> Event:
    """Tell a hand that was told before, with another result."""
    message = _message(event)
    message.bot_version = "river-liar"
    return _put(event, event_id, message, poison, "hand_conflict")


def _unknown_match(event: Event, event_id: str, poison: Poison) -> Event:
    message = _next_hand(event)
    message.match_id = f"never_{event_id}"
    return _put(replace(event, key=message.match_id), event_id, message, poison, "unknown_match")


def _wrong_key(event: Event, event_id: str, poison: Poison) -> Event:
    message = _next_hand(event)
    message.match_id = f"other_{event_id}"
    return _put(event, event_id, message, poison, "wrong_key")


def _noise(event: Event, event_id: str, poison: Poison) -> Event:
    value = b"\xff\xff noise " + event_id.encode()
    poison.expect(event.key.encode(), value, "undecodable")
    return replace(event, event_id=event_id, value=value)


def _damaged(event: Event, event_id: str, poison: Poison) -> Event:
    value = b"damaged " + event_id.encode()
    poison.damaged.add(event_id)
    poison.expect(event.key.encode(), value, "not_an_event")
    return replace(event, event_id=event_id, value=value)


def _conflict(event: Event, _event_id: str, poison: Poison) -> None:
    message = _message(event)
    message.bot_version = "river-other"
    other = replace(event, value=message.SerializeToString(deterministic=True))
    poison.conflicts[event.event_id] = other
    poison.expect(event.key.encode(), other.value, "event_conflict")


def _junk(event: Event, event_id: str, poison: Poison) -> None:
    key, value = event.key.encode(), b"junk " + event_id.encode()
    named = len(poison.junk) % 2 == 0
    if not named:
        poison.nameless.add((key, value))
    poison.junk.append((key, value, [("ce_id", event_id.encode())] if named else []))
    poison.expect(key, value, "not_an_event")


_KINDS: Final[Sequence[Callable[[Event, str, Poison], Event | None]]] = (
    _unbalanced,
    _unknown_seat,
    _negative_pot,
    _gap,
    _hand_again,
    _unknown_match,
    _wrong_key,
    _noise,
    _damaged,
    _conflict,
    _junk,
)


def _message(event: Event) -> pb.HandSettled:
    message = pb.HandSettled()
    message.ParseFromString(event.value)
    return message


def _next_hand(event: Event) -> pb.HandSettled:
    """Return the message of a hand that would come after an event's."""
    message = _message(event)
    message.hand_no += 1
    message.hand_id = f"{message.hand_id}_not"
    return message


def _put(
    event: Event, event_id: str, message: pb.HandSettled, poison: Poison, *reasons: str
) -> Event:
    value = message.SerializeToString(deterministic=True)
    poison.expect(event.key.encode(), value, *reasons)
    return replace(event, event_id=event_id, value=value)
