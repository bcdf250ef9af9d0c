"""All that the database holds of one table, in one snapshot."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from poker.events import ActionTaken
from services.gateway.model import PLAYER_SEAT, Hand, HandState, LoggedEvent, Match, Table
from services.gateway.store import queries
from services.gateway.store.schema import HANDS


@dataclass(frozen=True, slots=True)
class Stored:
    """A table; ``moves`` are the player's own actions by their place in the log."""

    table: Table
    match: Match
    hands: tuple[Hand, ...]
    events: tuple[LoggedEvent, ...]

    @property
    def moves(self) -> dict[int, tuple[str, int | None]]:
        """Return the logged actions of the player that no program chose."""
        return {
            event.seq: (event.content.event.kind.value, event.content.event.to_chips)
            for event in self.events
            if isinstance(event.content.event, ActionTaken)
            and event.content.event.seat == PLAYER_SEAT
            and not event.content.extras["auto"]
        }


def load(connection: Connection, table_id: str, before: Stored | None = None) -> Stored:
    """Return a table that exists; what ``before`` has of what never changes is not read again."""
    scene = queries.load_scene(connection, table_id)
    assert scene is not None, f"{table_id} is gone"
    over = () if before is None else tuple(hand for hand in before.hands if _is_over(hand))
    log = () if before is None else before.events
    ids = connection.execute(
        sa.select(HANDS.c.hand_id)
        .where(HANDS.c.match_id == scene.match.match_id, HANDS.c.hand_no > len(over))
        .order_by(HANDS.c.hand_no)
    )
    hands = [queries.load_hand(connection, hand_id) for hand_id in ids.scalars().all()]
    events = queries.load_events(connection, table_id, len(log))
    return Stored(
        scene.table,
        scene.match,
        (*over, *(hand for hand in hands if hand is not None)),
        (*log, *events),
    )


def _is_over(hand: Hand) -> bool:
    return hand.state is not HandState.OPEN
