"""Names and standings: what players see of the ledger, kept up with every batch.

Both are sums, maxima and latest values, so the order of matches does not matter. Whatever
changes a player's days or standings holds the lock on the player's row. Days and standings
are those of a line of the board: a player with everybody who has become part of them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.days import add_days, season_of, window_start
from services.ledger.matches import Naming, StandingChange
from services.ledger.ranks import Slot, count_ranked, save_counts
from services.ledger.rows import name_row
from services.ledger.schema import PLAYER_DAYS, PLAYERS, STANDINGS
from services.ledger.standings import (
    ALL_TIME,
    LAST_30_DAYS,
    PlayerDay,
    Standings,
    add_lasting,
    player_day_of,
    player_day_row,
    standing_of,
    standing_row,
    sum_recent,
)
from services.ledger.updates import update_rows


def lock_players(connection: Connection, player_ids: Collection[str]) -> dict[str, str | None]:
    """Keep others from changing players' days and standings until the transaction ends.

    Returns whose line the results of each are on, None for their own; strangers are left out.
    """
    if not player_ids:
        return {}
    query = sa.select(PLAYERS.c.player_id, PLAYERS.c.owner_id)
    query = query.where(PLAYERS.c.player_id.in_(player_ids))
    query = query.order_by(PLAYERS.c.player_id).with_for_update()
    return {row.player_id: row.owner_id for row in connection.execute(query)}


def save_names(connection: Connection, namings: Iterable[Naming]) -> None:
    """Let the current name of every player win; see `Naming`."""
    latest: dict[str, Naming] = {}
    for naming in namings:
        latest[naming.player_id] = later_name(latest.get(naming.player_id), naming)
    if not latest:
        return
    query = sa.select(PLAYERS).where(PLAYERS.c.player_id.in_(latest))
    query = query.order_by(PLAYERS.c.player_id).with_for_update()
    stored = {row["player_id"]: row for row in connection.execute(query).mappings()}
    new = [name_row(naming) for name, naming in latest.items() if name not in stored]
    changed = [
        {"which": player_id, **name_row(latest[player_id])}
        for player_id, row in stored.items()
        if latest[player_id].rank > tuple(row[name] for name in _NAME_RANK)
    ]
    if new:
        connection.execute(sa.insert(PLAYERS), new)
    if changed:
        update = sa.update(PLAYERS).where(PLAYERS.c.player_id == sa.bindparam("which"))
        connection.execute(update, changed)


def later_name(known: Naming | None, naming: Naming) -> Naming:
    """Return the current one of two namings; see `Naming`."""
    return naming if known is None or naming.rank > known.rank else known


def save_standings(connection: Connection, changes: Sequence[StandingChange], today: int) -> None:
    """Add the ends of matches to the players' days and rows; the players must be locked."""
    days = [
        PlayerDay(change.player_id, change.board, day) for change in changes for day in change.days
    ]
    if not days:
        return
    players = {day.player_id for day in days}
    periods = {ALL_TIME, LAST_30_DAYS, *(season_of(day.day.number) for day in days)}
    _save_player_days(connection, days)
    theirs = STANDINGS.c.player_id.in_(players) & STANDINGS.c.period.in_(periods)
    before = load_standings(connection, theirs)
    recent = sum_recent(load_recent(connection, players, today), window_start(today))
    lasting = {key: row for key, row in before.items() if key.period != LAST_30_DAYS}
    replace_standings(connection, before, lasting | add_lasting(lasting, days) | recent)


def roll_window(connection: Connection, player_ids: Collection[str], today: int) -> None:
    """Let days that are over fall out of the rolling rows of some players."""
    lock_players(connection, player_ids)
    theirs = STANDINGS.c.player_id.in_(player_ids) & (STANDINGS.c.period == LAST_30_DAYS)
    before = load_standings(connection, theirs)
    recent = sum_recent(load_recent(connection, player_ids, today), window_start(today))
    replace_standings(connection, before, recent)


def load_standings(connection: Connection, where: sa.ColumnElement[bool]) -> Standings:
    """Return stored standings."""
    rows = connection.execute(sa.select(STANDINGS).where(where)).mappings()
    return dict(standing_of(row) for row in rows)


def load_recent(connection: Connection, player_ids: Collection[str], today: int) -> list[PlayerDay]:
    """Return the days of players that are in the rolling window."""
    c = PLAYER_DAYS.c
    query = sa.select(PLAYER_DAYS).where(c.player_id.in_(player_ids), c.day >= window_start(today))
    return [player_day_of(row) for row in connection.execute(query).mappings()]


def replace_standings(connection: Connection, before: Standings, after: Standings) -> None:
    """Turn stored rows into others, and the counts that ranks are made of with them."""
    gone = [standing_row(key, before[key]) for key in before if key not in after]
    new = [standing_row(key, after[key]) for key in sorted(after) if key not in before]
    changed = [key for key in sorted(after) if key in before and before[key] != after[key]]
    olds = [standing_row(key, before[key]) for key in changed]
    news = [standing_row(key, after[key]) for key in changed]
    if gone:
        keys = [{f"old_{column.name}": row[column.name] for column in _KEY} for row in gone]
        same = (column == sa.bindparam(f"old_{column.name}") for column in _KEY)
        connection.execute(sa.delete(STANDINGS).where(*same), keys)
    if new:
        connection.execute(sa.insert(STANDINGS), new)
    if news:
        update_rows(connection, STANDINGS, news)
    counts: Counter[Slot] = Counter()
    count_ranked(counts, [*new, *news])
    count_ranked(counts, [*gone, *olds], -1)
    save_counts(connection, counts)


def _save_player_days(connection: Connection, days: Sequence[PlayerDay]) -> None:
    """Add to the stored days."""
    c = PLAYER_DAYS.c
    query = sa.select(PLAYER_DAYS).where(
        c.player_id.in_({day.player_id for day in days}),
        c.day.in_({day.day.number for day in days}),
    )
    stored = {
        _day_key(day): day for day in map(player_day_of, connection.execute(query).mappings())
    }
    sums: dict[tuple[str, str, int, str], PlayerDay] = {}
    for day in days:
        key = _day_key(day)
        old = sums.get(key) or stored.get(key)
        (added,) = add_days([] if old is None else [old.day], [day.day])
        sums[key] = PlayerDay(day.player_id, day.board, added)
    new = [player_day_row(sums[key]) for key in sorted(sums) if key not in stored]
    old_rows = [player_day_row(sums[key]) for key in sorted(sums) if key in stored]
    if new:
        connection.execute(sa.insert(PLAYER_DAYS), new)
    if old_rows:
        update_rows(connection, PLAYER_DAYS, old_rows)


def _day_key(day: PlayerDay) -> tuple[str, str, int, str]:
    return day.player_id, day.board, day.day.number, day.day.version


_KEY = tuple(STANDINGS.primary_key)
_NAME_RANK = ("name_revision", "named_us", "display_name", "kind")
"""Columns that make up `Naming.rank`."""
