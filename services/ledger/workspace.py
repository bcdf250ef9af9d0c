"""A batch of events applied in memory, between loading what they need and storing the rest.

Everything that decides is here and in `posting`; `store` only reads and writes rows. That
also makes a batch cost a dozen statements instead of a dozen an event.
"""

from dataclasses import dataclass
from enum import StrEnum

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event
from services.ledger.matches import Match, PlayerPosting, Posting, RejectedError
from services.ledger.people import Merges, post_player
from services.ledger.posting import (
    EventMessage,
    PlayerMessage,
    concerns_ledger,
    post,
    read_message,
)


class Outcome(StrEnum):
    """What became of an event."""

    APPLIED = "applied"
    DUPLICATE = "duplicate"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Applied:
    """An event that was accepted, and what it changes."""

    event: Event
    digest: str
    posting: Posting | PlayerPosting


class Workspace:
    """The part of the ledger that a batch touches.

    Args:
        matches: the matches of the batch's events, as stored.
        event_digests: digests of those events of the batch that were applied before.
        hand_digests: digests under which hands of the batch were applied before.
        merges: those that concern players whom the batch merges.

    """

    def __init__(
        self,
        matches: dict[str, Match],
        event_digests: dict[str, str],
        hand_digests: dict[str, str],
        merges: Merges | None = None,
    ) -> None:
        self.before = dict(matches)
        self.matches = dict(matches)
        self.merges = merges or Merges()
        self.applied: list[Applied] = []
        self._event_digests = dict(event_digests)
        self._hand_digests = dict(hand_digests)

    def apply(self, event: Event) -> Outcome:
        """Apply an event, unless it was applied before or is none of the ledger's.

        Raises:
            RejectedError: it cannot be true; nothing was changed.

        """
        if not concerns_ledger(event.type):
            return Outcome.IGNORED
        digest = event.digest
        if _same(self._event_digests.get(event.event_id), digest, "event_conflict"):
            return Outcome.DUPLICATE
        message = read_message(event)
        if isinstance(message, PlayerMessage):
            about_player = post_player(self.merges, message, event)
            if about_player.merge is not None:
                self.merges.add(about_player.merge)
            self._take(event, digest, about_player)
            return Outcome.APPLIED
        hand_id = hand_of(message)
        # A producer that lost its event id still cannot settle a hand twice (ENG-093).
        if hand_id and _same(self._hand_digests.get(hand_id), digest, "hand_conflict"):
            return Outcome.DUPLICATE
        posting = post(self.matches.get(event.key), message, event)
        self.matches[event.key] = posting.match
        if hand_id:
            self._hand_digests[hand_id] = digest
        self._take(event, digest, posting)
        return Outcome.APPLIED

    def _take(self, event: Event, digest: str, posting: Posting | PlayerPosting) -> None:
        self._event_digests[event.event_id] = digest
        self.applied.append(Applied(event, digest, posting))


def hand_of(message: EventMessage) -> str | None:
    """Return the hand that a message settles or voids, None for other messages."""
    if isinstance(message, pb.HandSettled | pb.HandVoided):
        return message.hand_id
    return None


def _same(known: str | None, digest: str, reason: str) -> bool:
    """Tell whether something was applied before with this very content."""
    if known is None:
        return False
    if known != digest:
        raise RejectedError(reason, "it was applied before with other content")
    return True
