"""One event, applied exactly once inside the caller's transaction."""

from enum import StrEnum

from sqlalchemy.engine import Connection

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event, is_id
from services.ledger.matches import RejectedError
from services.ledger.posting import EventMessage, concerns_ledger, post, read_message
from services.ledger.store import digest_of_event, digest_of_hand, load_match, store


class Outcome(StrEnum):
    """What became of an event."""

    APPLIED = "applied"
    DUPLICATE = "duplicate"
    IGNORED = "ignored"


def apply_event(connection: Connection, event: Event) -> Outcome:
    """Apply an event, unless it was applied before or is none of the ledger's.

    Raises:
        RejectedError: it cannot be true; nothing was changed.
        sqlalchemy.exc.IntegrityError: another transaction was faster; run again.

    """
    if not concerns_ledger(event.type):
        return Outcome.IGNORED
    match = load_match(connection, event.key, lock=True)
    if _same(digest_of_event(connection, event.event_id), event, "event_conflict"):
        return Outcome.DUPLICATE
    message = read_message(event)
    if _is_known_hand(connection, message, event):
        return Outcome.DUPLICATE
    store(connection, event, match, post(match, message, event))
    return Outcome.APPLIED


def _is_known_hand(connection: Connection, message: EventMessage, event: Event) -> bool:
    """Tell whether this hand came before under another event id (ENG-093)."""
    if not isinstance(message, pb.HandSettled | pb.HandVoided) or not is_id(message.hand_id):
        return False
    return _same(digest_of_hand(connection, message.hand_id), event, "hand_conflict")


def _same(known: str | None, event: Event, reason: str) -> bool:
    """Tell whether this was applied before, with this very content."""
    if known is None:
        return False
    if known != event.digest:
        raise RejectedError(reason, "it was applied before with other content")
    return True
