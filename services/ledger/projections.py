"""Names and standings: what players see of the ledger, kept up with every batch.

Both are sums, maxima and latest values, so the order of matches does not matter.
"""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.ledger.boards import average_key
from services.ledger.matches import Naming, StandingChange
from services.ledger.rows import name_row
from services.ledger.schema import PLAYERS, STANDINGS

StandingKey = tuple[str, str]


def save_names(connection: Connection, namings: Iterable[Naming]) -> None:
    """Let the latest name of every player win."""
    latest: dict[str, Naming] = {}
    for naming in namings:
        latest[naming.player_id] = later_name(latest.get(naming.player_id), naming)
    if not latest:
        return
    query = sa.select(PLAYERS.c.player_id, PLAYERS.c.named_us)
    query = query.where(PLAYERS.c.player_id.in_(latest)).order_by(PLAYERS.c.player_id)
    stored = {row.player_id: row.named_us for row in connection.execute(query.with_for_update())}
    new = [name_row(naming) for name, naming in latest.items() if name not in stored]
    changed = [
        {"which": player_id, **name_row(latest[player_id])}
        for player_id, named_us in stored.items()
        if latest[player_id].named_us >= named_us
    ]
    if new:
        connection.execute(sa.insert(PLAYERS), new)
    if changed:
        update = sa.update(PLAYERS).where(PLAYERS.c.player_id == sa.bindparam("which"))
        connection.execute(update, changed)


def later_name(known: Naming | None, naming: Naming) -> Naming:
    """Return the later of two namings; the second one when they are of the same time."""
    return naming if known is None or naming.named_us >= known.named_us else known


def save_standings(connection: Connection, changes: Iterable[StandingChange]) -> None:
    """Add the ends of matches to the players' rows."""
    by_key: dict[StandingKey, list[StandingChange]] = {}
    for change in changes:
        by_key.setdefault((change.board, change.player_id), []).append(change)
    if not by_key:
        return
    stored = _lock_standings(connection, by_key)
    for key, row in stored.items():
        _update_standing(connection, key, fold_standing(row, by_key[key]))
    new = [fold_standing(None, group) for key, group in by_key.items() if key not in stored]
    if new:
        connection.execute(sa.insert(STANDINGS), new)


def fold_standing(row: dict[str, Any] | None, changes: Iterable[StandingChange]) -> dict[str, Any]:
    """Return a player's row after the ends of matches, at least one; pure."""
    for change in changes:
        row = _add(row or {}, change)
    return row or {}


def _add(old: dict[str, Any], change: StandingChange) -> dict[str, Any]:
    hands = old.get("hands", 0) + change.hands
    net_chips = old.get("net_chips", 0) + change.net_chips
    whole, rest = average_key(net_chips, hands) if hands else (0, 0)
    return {
        "board": change.board,
        "player_id": change.player_id,
        "hands": hands,
        "net_chips": net_chips,
        "average_whole": whole,
        "average_rest": rest,
        "ai_decided_hands": old.get("ai_decided_hands", 0) + change.ai_decided_hands,
        "void_hands": old.get("void_hands", 0) + change.void_hands,
        "last_played_us": max(old.get("last_played_us", 0), change.last_played_us),
        # When the result was reached; a match without hands does not change it.
        "settled_us": max(old.get("settled_us", 0), change.settled_us if change.hands else 0),
    }


def _lock_standings(
    connection: Connection, keys: Iterable[StandingKey]
) -> dict[StandingKey, dict[str, Any]]:
    players = {player_id for _, player_id in keys}
    query = (
        sa.select(STANDINGS)
        .where(STANDINGS.c.player_id.in_(players))
        .order_by(STANDINGS.c.board, STANDINGS.c.player_id)
        .with_for_update()
    )
    wanted = set(keys)
    rows = connection.execute(query).mappings()
    found = {(row["board"], row["player_id"]): dict(row) for row in rows}
    return {key: row for key, row in found.items() if key in wanted}


def _update_standing(connection: Connection, key: StandingKey, row: dict[str, Any]) -> None:
    where = (STANDINGS.c.board == key[0]) & (STANDINGS.c.player_id == key[1])
    connection.execute(sa.update(STANDINGS).where(where).values(row))
