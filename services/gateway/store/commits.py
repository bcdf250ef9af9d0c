"""How a step is written.

`commit` is the one door through which a table changes. It is guarded by the version that
the step was built from, so of several writers exactly one succeeds, on any number of
gateway replicas.
"""

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from services.gateway.model import OPEN_STATES, Hand, Match
from services.gateway.rulesets import Ruleset, to_text
from services.gateway.steps import Step
from services.gateway.store import notices, prepared, users
from services.gateway.store.announcements import tell
from services.gateway.store.hints import Hint, announce
from services.gateway.store.rows import (
    event_values,
    hand_values,
    match_values,
    setup_bytes,
    shuffle_values,
    table_values,
)
from services.gateway.store.schema import (
    ACTIONS,
    EVENTS,
    HANDS,
    MATCHES,
    RULESETS,
    TABLES,
    TOP_UPS,
    VOIDS,
    insert_or_ignore,
)


class VersionConflictError(Exception):
    """The table has moved on since the step's scene was read; read it again."""


class MatchOpenError(Exception):
    """The person already has an open match."""


def create(connection: Connection, step: Step) -> None:
    """Store a new table with its match, first hand and events.

    Raises MatchOpenError when the player has an open match, and PersonGoneError when they are
    no longer who they were; the transaction is then lost.
    """
    scene = step.scene
    users.check_can_play(connection, scene.player)
    _remember_ruleset(connection, scene.match.ruleset)
    connection.execute(
        sa.insert(TABLES).values(
            table_id=scene.table.table_id,
            secret=scene.table.secret,
            moved_at=step.at,
            **table_values(scene.table),
        )
    )
    try:
        connection.execute(
            sa.insert(MATCHES).values(
                match_id=scene.match.match_id,
                table_id=scene.match.table_id,
                user_id=scene.match.user_id,
                ruleset_hash=scene.match.ruleset.digest,
                started_at=scene.match.started_at,
                buy_in_chips=scene.match.buy_in_chips,
                **match_values(scene.match),
            )
        )
    except IntegrityError as error:
        raise MatchOpenError from error
    _append(connection, step)


def commit(connection: Connection, step: Step) -> None:
    """Write a step; raises VersionConflictError when it is built on an old version."""
    scene = step.scene
    moved = connection.execute(
        sa.update(TABLES)
        .where(
            TABLES.c.table_id == scene.table.table_id,
            TABLES.c.version == step.seen_version,
            # A warning adds an event to a version, so the version alone is not enough.
            TABLES.c.last_seq == step.seen_seq,
        )
        .values(moved_at=step.at, **table_values(scene.table))
    )
    if moved.rowcount != 1:
        raise VersionConflictError
    connection.execute(
        sa.update(MATCHES)
        .where(MATCHES.c.match_id == scene.match.match_id)
        .values(**match_values(scene.match))
    )
    _append(connection, step)


def move_matches(connection: Connection, from_user_id: str, to_user_id: str) -> None:
    """Make one person's matches another's; events go on naming who began them.

    The open one gets a new version, so that a step built for its former owner is built again.
    """
    theirs = MATCHES.c.user_id == from_user_id
    tables = sa.select(MATCHES.c.table_id).where(
        theirs, MATCHES.c.state.in_([state.value for state in OPEN_STATES])
    )
    connection.execute(
        sa.update(TABLES).where(TABLES.c.table_id.in_(tables)).values(version=TABLES.c.version + 1)
    )
    connection.execute(
        sa.update(MATCHES)
        .where(theirs)
        .values(
            user_id=to_user_id,
            played_as=sa.func.coalesce(MATCHES.c.played_as, MATCHES.c.user_id),
        )
    )
    connection.execute(
        sa.update(VOIDS).where(VOIDS.c.user_id == from_user_id).values(user_id=to_user_id)
    )


def _append(connection: Connection, step: Step) -> None:
    _use_commitment(connection, step)
    _save_top_ups(connection, step.scene.match)
    _save_hand(connection, step.scene.hand)
    _append_events(connection, step)
    notices.append(connection, step.scene.match.user_id, step.news, step.at)
    tell(connection, step.outbox)
    announce(connection, *_hints(step))


def _hints(step: Step) -> list[Hint]:
    """Return who has news: the table's viewers, and the player about matches and notices."""
    table, match = step.scene.table, step.scene.match
    found = [Hint(table.table_id, table.last_seq)]
    if step.seen_version == 0 or step.news or not match.is_open:
        found.append(Hint(match.user_id))
    return found


def _use_commitment(connection: Connection, step: Step) -> None:
    """Use up the commitment to the deck that was dealt and keep that to the next one.

    A deck that somebody else dealt meanwhile is a conflict: each is dealt once.
    """
    table_id, shuffle = step.scene.table.table_id, step.scene.hand.shuffle
    if step.following is not None:
        if shuffle is None or not prepared.use(connection, shuffle.root):
            raise VersionConflictError
        prepared.keep(connection, table_id, step.following, step.at)
    if not step.scene.match.is_open:
        prepared.discard(connection, table_id)


def _save_top_ups(connection: Connection, match: Match) -> None:
    """Add the top-ups that are not stored yet."""
    query = sa.select(sa.func.count()).where(TOP_UPS.c.match_id == match.match_id)
    known = connection.execute(query).scalar_one() if match.top_ups else 0
    for number, top_up in enumerate(match.top_ups[known:], start=known + 1):
        connection.execute(
            sa.insert(TOP_UPS).values(
                match_id=match.match_id, top_up_no=number, chips=top_up.chips, at=top_up.at
            )
        )


def _save_hand(connection: Connection, hand: Hand) -> None:
    """Insert the hand or bring it up to date, with the actions that are not stored yet."""
    values = hand_values(hand)
    updated = connection.execute(
        sa.update(HANDS).where(HANDS.c.hand_id == hand.hand_id).values(**values)
    )
    if updated.rowcount == 0:
        connection.execute(
            sa.insert(HANDS).values(
                hand_id=hand.hand_id,
                match_id=hand.match_id,
                hand_no=hand.hand_no,
                ruleset_hash=hand.ruleset_hash,
                setup=setup_bytes(hand),
                secret=hand.secret,
                started_at=hand.started_at,
                button=hand.setup.button,
                **shuffle_values(hand.shuffle),
                **values,
            )
        )
    query = sa.select(sa.func.count()).where(ACTIONS.c.hand_id == hand.hand_id)
    known = connection.execute(query).scalar_one() if hand.actions else 0
    for number, item in enumerate(hand.actions[known:], start=known):
        connection.execute(
            sa.insert(ACTIONS).values(
                hand_id=hand.hand_id,
                action_no=number,
                seat=item.action.seat,
                kind=item.action.kind.value,
                to_chips=item.action.to_chips,
                actor=item.actor.value,
            )
        )


def _append_events(connection: Connection, step: Step) -> None:
    first = step.scene.table.last_seq - len(step.events) + 1
    rows = [
        {
            "table_id": step.scene.table.table_id,
            "seq": seq,
            "at": step.at,
            **event_values(event),
        }
        for seq, event in enumerate(step.events, start=first)
    ]
    if rows:
        connection.execute(sa.insert(EVENTS), rows)


def _remember_ruleset(connection: Connection, ruleset: Ruleset) -> None:
    insert_or_ignore(
        connection,
        RULESETS,
        {
            "ruleset_hash": ruleset.digest,
            "ruleset_id": ruleset.ruleset_id,
            "body": to_text(ruleset),
        },
    )
