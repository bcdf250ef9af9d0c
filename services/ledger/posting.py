"""From an event to what it changes: pure, total, and balanced by construction.

`post` is the only way to make transfers. The consumer stores what it returns; the audit
calls it again on the stored events and compares.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from google.protobuf.message import DecodeError, Message
from google.protobuf.timestamp_pb2 import Timestamp

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.outbox import to_microseconds
from services.common.eventlog.port import Event, is_id
from services.ledger.boards import board_of
from services.ledger.days import settled
from services.ledger.hands import post_hand, void_hand
from services.ledger.matches import (
    BANK,
    MAX_CHIPS,
    Kind,
    Match,
    Naming,
    Posting,
    RejectedError,
    Seat,
    StandingChange,
    Status,
    Transfer,
    TransferKind,
    stack_account,
)

MATCH_STARTED: Final = "riverboat.match.started.v1"
CHIPS_BOUGHT: Final = "riverboat.chips.bought.v1"
HAND_SETTLED: Final = "riverboat.hand.settled.v1"
HAND_VOIDED: Final = "riverboat.hand.voided.v1"
MATCH_SETTLED: Final = "riverboat.match.settled.v1"
PLAYER_NAMED: Final = "riverboat.player.named.v1"
PLAYER_MERGED: Final = "riverboat.player.merged.v1"

MAX_SEATS: Final = 10
MAX_NAME_CHARS: Final = 40

KINDS: Final = {
    pb.PARTICIPANT_KIND_GUEST: Kind.GUEST,
    pb.PARTICIPANT_KIND_ACCOUNT: Kind.ACCOUNT,
    pb.PARTICIPANT_KIND_BOT: Kind.BOT,
    pb.PARTICIPANT_KIND_HOUSE: Kind.HOUSE,
}
SOURCES: Final = {
    pb.CHIP_SOURCE_BUY_IN: TransferKind.BUY_IN,
    pb.CHIP_SOURCE_TOP_UP: TransferKind.TOP_UP,
    pb.CHIP_SOURCE_REBUY: TransferKind.REBUY,
}

PlayerMessage = pb.PlayerNamed | pb.PlayerMerged
EventMessage = (
    pb.MatchStarted
    | pb.ChipsBought
    | pb.HandSettled
    | pb.HandVoided
    | pb.MatchSettled
    | PlayerMessage
)

_MESSAGES: Final[dict[str, Callable[[], EventMessage]]] = {
    MATCH_STARTED: pb.MatchStarted,
    CHIPS_BOUGHT: pb.ChipsBought,
    HAND_SETTLED: pb.HandSettled,
    HAND_VOIDED: pb.HandVoided,
    MATCH_SETTLED: pb.MatchSettled,
    PLAYER_NAMED: pb.PlayerNamed,
    PLAYER_MERGED: pb.PlayerMerged,
}

_ABOUT_PLAYERS: Final = frozenset({PLAYER_NAMED, PLAYER_MERGED})


def concerns_ledger(event_type: str) -> bool:
    """Tell whether the ledger acts on such events; it passes over types it does not know."""
    return event_type in _MESSAGES


def concerns_match(event_type: str) -> bool:
    """Tell whether the key of such events is a match that the ledger keeps."""
    return concerns_ledger(event_type) and event_type not in _ABOUT_PLAYERS


def read_message(event: Event) -> EventMessage:
    """Return the message in an event.

    Raises:
        RejectedError: it cannot be read, or it is filed under another one's key.

    """
    message = _MESSAGES[event.type]()
    try:
        message.ParseFromString(event.value)
    except DecodeError as error:
        raise RejectedError("undecodable", f"not a {type(message).__name__}") from error
    if isinstance(message, PlayerMessage):
        if message.player.player_id != event.key:
            raise RejectedError("wrong_key", "the key is not the player's id")
        return message
    if not message.match_id:
        raise RejectedError("missing_id", "the event names no match")
    if message.match_id != event.key:
        raise RejectedError("wrong_key", "the key is not the match id")
    return message


def post(match: Match | None, message: EventMessage, event: Event) -> Posting:
    """Return what an event of a match changes, given its match as the events before it left it.

    Args:
        match: None when no such match was started.
        message: what `read_message` returned for the event.
        event: says when it happened, where the message does not.

    Raises:
        RejectedError: the event cannot be true.
        TypeError: the event is about a player; `people.post_player` is for those.

    """
    if isinstance(message, PlayerMessage):
        raise TypeError(f"{event.type} changes no match")
    if isinstance(message, pb.MatchStarted):
        if match is not None:
            raise RejectedError("match_already_started", "this match was started before")
        return _start(message, time_of(message, "started_time", event))
    if match is None:
        raise RejectedError("unknown_match", "no such match was started")
    if match.status is not Status.OPEN:
        raise RejectedError("match_closed", f"the match is {match.status.value}")
    if isinstance(message, pb.ChipsBought):
        return _buy(match, message)
    if isinstance(message, pb.HandSettled):
        return post_hand(match, message, time_of(message, "settled_time", event))
    if isinstance(message, pb.HandVoided):
        return void_hand(match, message, time_of(message, "voided_time", event))
    return _settle(match, message, time_of(message, "settled_time", event))


def _start(message: pb.MatchStarted, time_us: int) -> Posting:
    people = message.participants
    ids, numbers = {p.player_id for p in people}, {p.seat for p in people}
    if not 2 <= len(people) <= MAX_SEATS or not len(people) == len(ids) == len(numbers):
        raise RejectedError("invalid_participants", "2..10 different players and seats needed")
    if not is_id(message.table_id):
        raise RejectedError("invalid_id", "the match needs a table id")
    if not is_id(message.ruleset_id) or not 1 <= message.big_blind_chips <= MAX_CHIPS:
        raise RejectedError("invalid_ruleset", "a ruleset and a big blind are needed")
    seats = tuple(_seat(p) for p in people)
    for seat in seats:
        board = board_of(message.ruleset_id, seat.kind)
        if board and board.big_blind_chips != message.big_blind_chips:
            raise RejectedError("invalid_ruleset", f"{board.board_id} has another big blind")
    match = Match(
        message.match_id,
        message.table_id,
        message.ruleset_id,
        message.big_blind_chips,
        time_us,
        seats,
    )
    names = tuple(naming_of(person, time_us) for person in people)
    return Posting(match, names=names)


def _seat(person: pb.Participant) -> Seat:
    if not is_person(person) or not 1 <= person.seat <= MAX_SEATS:
        raise RejectedError("invalid_participants", f"seat {person.seat} is not filled properly")
    return Seat(person.player_id, person.seat, KINDS[person.kind])


def is_person(person: pb.Participant | pb.PlayerName) -> bool:
    """Tell whether somebody has an id, a kind, a name and a count of names as they should be."""
    name_ok = 1 <= len(person.display_name) <= MAX_NAME_CHARS and "\0" not in person.display_name
    id_ok = is_id(person.player_id) and ":" not in person.player_id
    return name_ok and id_ok and person.kind in KINDS and person.name_revision >= 0


def naming_of(person: pb.Participant | pb.PlayerName, time_us: int) -> Naming:
    """Return what somebody is called as of a time; see `is_person`."""
    kind = KINDS[person.kind]
    return Naming(person.player_id, person.display_name, kind, time_us, person.name_revision)


def _buy(match: Match, message: pb.ChipsBought) -> Posting:
    seat = match.seat_of(message.player_id)
    if seat is None:
        raise RejectedError("unknown_player", f"{message.player_id!r} is not in the match")
    kind = SOURCES.get(message.source)
    if kind is None:
        raise RejectedError("invalid_source", "chips must come from somewhere")
    if not 1 <= message.chips <= MAX_CHIPS:
        raise RejectedError("invalid_chips", f"{message.chips} is not an amount to buy")
    account = stack_account(match.match_id, seat.player_id)
    transfer = Transfer(BANK, account, message.chips, kind, seat.player_id)
    richer = replace(seat, stack_chips=seat.stack_chips + message.chips)
    return Posting(_with_seats(match, [richer]), (transfer,))


def _settle(match: Match, message: pb.MatchSettled, time_us: int) -> Posting:
    if message.reason == pb.MATCH_END_REASON_UNSPECIFIED:
        raise RejectedError("invalid_reason", "a match ends for a reason")
    void = message.reason == pb.MATCH_END_REASON_VOID
    if message.hands != match.hands:
        raise RejectedError("hands_differ", f"{message.hands} announced, {match.hands} settled")
    if void and match.hands:
        raise RejectedError("void_with_hands", "a void match has no finished hand")
    final = {entry.player_id: entry.stack_chips for entry in message.final_stacks}
    kept = {seat.player_id: seat.stack_chips for seat in match.seats}
    if len(final) != len(message.final_stacks) or final != kept:
        raise RejectedError("final_stack_differs", f"{final} announced, {kept} in the ledger")
    transfers = tuple(
        Transfer(
            stack_account(match.match_id, seat.player_id),
            BANK,
            seat.stack_chips,
            TransferKind.CASH_OUT,
            seat.player_id,
        )
        for seat in match.seats
        if seat.stack_chips
    )
    after = replace(
        _with_seats(match, [replace(seat, stack_chips=0) for seat in match.seats]),
        status=Status.VOID if void else Status.SETTLED,
        settled_us=time_us,
    )
    return Posting(after, transfers, standings=_standings(match, time_us))


def _standings(match: Match, time_us: int) -> tuple[StandingChange, ...]:
    """Return what counts now that the match is settled (LDR-004).

    A void match has no hands to count, but its void hands show.
    """
    changes = []
    for seat in match.seats:
        board = board_of(match.ruleset_id, seat.kind)
        if board is not None and seat.days:
            changes.append(
                StandingChange(board.board_id, seat.player_id, settled(seat.days, time_us))
            )
    return tuple(changes)


def _with_seats(match: Match, changed: Iterable[Seat]) -> Match:
    new = {seat.player_id: seat for seat in changed}
    return replace(match, seats=tuple(new.get(seat.player_id, seat) for seat in match.seats))


def time_of(message: Message, field: str, event: Event) -> int:
    """Return the message's own time, or the event's where it has none."""
    if not message.HasField(field):
        return to_microseconds(event.time)
    stamp: Timestamp = getattr(message, field)
    try:
        return stamp.ToMicroseconds()
    except ValueError as error:
        raise RejectedError("invalid_time", f"{field} is out of range") from error
