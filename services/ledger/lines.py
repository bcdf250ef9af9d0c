"""Merges in the database: whose line of a board somebody's results are on.

A merge moves what the merged player's matches have come to onto the other's line, and says
where to add what comes later. Sums do not depend on the order, so it does not matter whether
a merge comes before, between or after the events of the matches.

Two transactions never merge at once: each holds `hold_merges` until its commit. One that
settles a match of a player whom another merges is kept apart from it by the player's row,
which both lock and where it is written whose the results are.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.days import Day
from services.ledger.matches import StandingChange
from services.ledger.people import Merges
from services.ledger.projections import load_standings, lock_players, replace_standings
from services.ledger.rows import Row
from services.ledger.schema import MERGES, PLAYER_DAYS, PLAYERS, STANDINGS
from services.ledger.standings import player_day_of

MERGE_LOCK = 0x6C6564_6D6572
"""PostgreSQL advisory lock of whoever merges players; a SQLite writer is alone anyway."""


def hold_merges(connection: Connection, player_ids: Collection[str]) -> Merges:
    """Let nobody else merge until the transaction ends; returns the merges of some players.

    That is the chain from each of them to the end. It must be the first lock that a
    transaction takes of those on matches and players.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MERGE_LOCK)))
    return load_merges(connection, player_ids)


def load_merges(connection: Connection, player_ids: Collection[str]) -> Merges:
    """Return the merges of some players, from each to the end of its chain."""
    into: dict[str, str] = {}
    wanted = set(player_ids)
    while wanted:
        query = sa.select(MERGES.c.player_id, MERGES.c.into_id)
        rows = connection.execute(query.where(MERGES.c.player_id.in_(wanted)))
        into |= {row.player_id: row.into_id for row in rows}
        wanted = set(into.values()) - into.keys() - wanted
    return Merges(into)


def lock_lines(connection: Connection, player_ids: Iterable[str]) -> dict[str, str]:
    """Lock players and the lines that their results are on; returns the line of each.

    Somebody whom the ledger does not know yet has a line of their own.
    """
    owners: dict[str, str | None] = {}
    asked = set(player_ids)
    wanted: set[str] = set(asked)
    while wanted:
        owners |= lock_players(connection, wanted)
        wanted = {owner for owner in owners.values() if owner is not None} - owners.keys()
    return {player_id: _end(owners, player_id) for player_id in asked}


def _end(owners: dict[str, str | None], player_id: str) -> str:
    """Follow owners: a row that was waited for may lead on from one that was read before it."""
    while (owner := owners.get(player_id)) is not None:
        player_id = owner
    return player_id


def save_merges(
    connection: Connection, merges: Merges, rows: Sequence[Row]
) -> list[StandingChange]:
    """Store merges and take what was counted for the merged players off their lines.

    Args:
        connection: a transaction that holds the merges, and has locked the players and their
            lines.
        merges: all that concern the players, with those in ``rows``.
        rows: the new rows of ``merges``.

    Returns:
        What is to be added to the lines that it is on from now on.

    """
    if not rows:
        return []
    connection.execute(sa.insert(MERGES), rows)
    moved = []
    for row in rows:
        player_id, owner_id = row["player_id"], merges.owner_of(row["player_id"])
        theirs = (PLAYERS.c.player_id == player_id) | (PLAYERS.c.owner_id == player_id)
        connection.execute(sa.update(PLAYERS).where(theirs).values(owner_id=owner_id))
        moved += _take_off(connection, player_id, owner_id)
    return moved


def _take_off(connection: Connection, player_id: str, owner_id: str) -> list[StandingChange]:
    theirs = PLAYER_DAYS.c.player_id == player_id
    days: dict[str, list[Day]] = defaultdict(list)
    for row in connection.execute(sa.select(PLAYER_DAYS).where(theirs)).mappings():
        day = player_day_of(row)
        days[day.board].append(day.day)
    if not days:
        return []
    before = load_standings(connection, STANDINGS.c.player_id == player_id)
    replace_standings(connection, before, {})
    connection.execute(sa.delete(PLAYER_DAYS).where(theirs))
    return [StandingChange(board, owner_id, tuple(found)) for board, found in days.items()]


def rebuild_owners(connection: Connection) -> None:
    """Say of every player anew whose line their results are on, as the merges have it."""
    connection.execute(
        sa.update(PLAYERS).where(PLAYERS.c.owner_id.is_not(None)).values(owner_id=None)
    )
    rows = connection.execute(sa.select(MERGES.c.player_id, MERGES.c.into_id)).all()
    merges = Merges({row.player_id: row.into_id for row in rows})
    owners = [{"which": row.player_id, "whose": merges.owner_of(row.player_id)} for row in rows]
    if owners:
        update = sa.update(PLAYERS).where(PLAYERS.c.player_id == sa.bindparam("which"))
        connection.execute(update.values(owner_id=sa.bindparam("whose")), owners)


def players_on_line(connection: Connection, player_id: str) -> list[str]:
    """Return a player and everybody who has become part of them."""
    query = sa.select(PLAYERS.c.player_id).where(PLAYERS.c.owner_id == player_id)
    return [player_id, *connection.execute(query).scalars()]
