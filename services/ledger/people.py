"""What events about players change: names, and whose results somebody's results are. Pure.

Chips stay where the events of matches put them, in accounts of the player who sat down. A
merge only says on whose line of a board, and in whose statement, they are shown: no transfer
is needed, the books stay as they are, and it does not matter whether the hands come first.
"""

from collections.abc import Mapping

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event
from services.ledger.matches import Kind, Merge, PlayerPosting, RejectedError
from services.ledger.posting import PlayerMessage, is_person, naming_of, time_of


class Merges:
    """Who has become part of whom; changed by `add` alone, so it never has a circle.

    Args:
        into: for each player who was merged, the one they became part of.

    """

    def __init__(self, into: Mapping[str, str] | None = None) -> None:
        self._into = dict(into or {})

    def owner_of(self, player_id: str) -> str:
        """Return whose line a player's results are on: the end of the chain."""
        while player_id in self._into:
            player_id = self._into[player_id]
        return player_id

    def check(self, merge: Merge) -> None:
        """Raise RejectedError if a merge contradicts those before it."""
        known = self._into.get(merge.player_id)
        if known is not None:
            raise RejectedError("already_merged", f"{merge.player_id!r} is part of {known!r}")
        if self.owner_of(merge.into_id) == merge.player_id:
            raise RejectedError("merge_in_circle", f"{merge.into_id!r} is part of it already")

    def add(self, merge: Merge) -> None:
        """Take a merge into account; see `check`."""
        self.check(merge)
        self._into[merge.player_id] = merge.into_id


def post_player(merges: Merges, message: PlayerMessage, event: Event) -> PlayerPosting:
    """Return what an event about a player changes.

    Args:
        merges: those before it, at least of the two players; they are not changed.
        message: what `posting.read_message` returned for the event.
        event: says when it happened, where the message does not.

    Raises:
        RejectedError: the event cannot be true.

    """
    if isinstance(message, pb.PlayerNamed):
        _check(message.player)
        return PlayerPosting((naming_of(message.player, time_of(message, "named_time", event)),))
    _check(message.player)
    _check(message.into)
    merged_us = time_of(message, "merged_time", event)
    merge = Merge(message.player.player_id, message.into.player_id, merged_us)
    if merge.player_id == merge.into_id:
        raise RejectedError("merge_in_circle", "nobody becomes part of themselves")
    merges.check(merge)
    names = (naming_of(message.player, merged_us), naming_of(message.into, merged_us))
    if Kind.BOT in {name.kind for name in names}:
        # Programs have a board of their own, and nobody else's results belong on it.
        raise RejectedError("invalid_merge", "a bot neither takes results over nor gives them")
    return PlayerPosting(names, merge)


def _check(person: pb.PlayerName) -> None:
    """Refuse whom no table could seat, and the house, who is nobody's to name."""
    if person.kind == pb.PARTICIPANT_KIND_HOUSE or not is_person(person):
        raise RejectedError("invalid_player", "the player is not described properly")
