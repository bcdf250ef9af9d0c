"""The part of an audit that adds up: from the days of seats to what ranks players.

The days of seats were compared with the events before. Here they are summed up again, player
by player, and every sum must be the stored one. Memory is that of a chunk of players, and of
the stretches in ``rank_counts``.
"""

from collections import Counter
from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.common.eventlog.rows import any_text
from services.ledger.compare import Comparison
from services.ledger.days import Day, add_days, settled, window_start
from services.ledger.matches import Status
from services.ledger.ranks import SLOT_COLUMNS, Slot, count_ranked
from services.ledger.report import Report
from services.ledger.schema import (
    MATCHES,
    PLAYER_DAYS,
    PLAYERS,
    RANK_COUNTS,
    SEAT_DAYS,
    STANDINGS,
)
from services.ledger.standings import (
    ALL_TIME,
    ANY_VERSION,
    LAST_30_DAYS,
    PlayerDay,
    Standings,
    StoredRow,
    add_lasting,
    player_day_row,
    standing_row,
    sum_recent,
    tally_of,
)

CHUNK = 500
"""Players that are summed up at once."""


class Tallies:
    """Sums of days against the stored ones."""

    def __init__(self, connection: Connection, comparison: Comparison, report: Report) -> None:
        self._connection = connection
        self._comparison = comparison
        self._report = report
        self._counts: Counter[Slot] = Counter()

    def compare(self, player_ids: Collection[str], today: int) -> None:
        """Compare everything that belongs to these players, and the counts of all."""
        players = sorted(player_ids)
        for start in range(0, len(players), CHUNK):
            self._compare_players(players[start : start + CHUNK], today)
        counts = [
            {**dict(zip(SLOT_COLUMNS, slot, strict=True)), "players": players}
            for slot, players in self._counts.items()
        ]
        self._comparison.compare(RANK_COUNTS, sa.true(), counts)

    def _compare_players(self, players: list[str], today: int) -> None:
        try:
            days = load_settled_days(self._connection, players)
        except (TypeError, ValueError):
            self._report.find(f"days of players {players[0]} to {players[-1]} cannot be summed up")
            days = []
        theirs = PLAYER_DAYS.c.player_id.in_(players)
        self._comparison.compare(PLAYER_DAYS, theirs, map(player_day_row, days))
        recent: Standings = {}
        for player_id, since in self._window_starts(players, today).items():
            recent |= sum_recent([day for day in days if day.player_id == player_id], since)
        standings = add_lasting({}, days) | recent
        rows = [standing_row(key, standing) for key, standing in standings.items()]
        count_ranked(self._counts, rows)
        self._comparison.compare(STANDINGS, STANDINGS.c.player_id.in_(players), rows)
        whole = [key for key in standings if (key.period, key.version) == (ALL_TIME, ANY_VERSION)]
        self._report.standings += len(whole)

    def _window_starts(self, players: list[str], today: int) -> dict[str, int]:
        """Return where the rolling window of each player may begin.

        It may be behind, as the window only goes on while the ledger runs, but not ahead.
        """
        latest = window_start(today)
        starts = dict.fromkeys(players, latest)
        c = STANDINGS.c
        query = sa.select(c.player_id, sa.type_coerce(c.from_day, sa.types.NullType())).where(
            c.player_id.in_(players), c.period == LAST_30_DAYS, c.version == ANY_VERSION
        )
        with any_text(self._connection):
            for player_id, from_day in self._connection.execute(query):
                if type(from_day) is int:
                    starts[player_id] = min(latest, from_day)
        return starts


def load_settled_days(connection: Connection, players: Collection[str]) -> list[PlayerDay]:
    """Sum up the days of seats in settled matches, for the lines of some players.

    Those of somebody who became part of another are on that one's line, and have none.

    Raises:
        TypeError: a stored value is of another type.
        ValueError: likewise.

    """
    columns = [
        sa.type_coerce(column, sa.types.NullType()).label(column.name) for column in SEAT_DAYS.c
    ]
    line = sa.func.coalesce(PLAYERS.c.owner_id, PLAYERS.c.player_id)
    theirs = PLAYERS.c.owner_id.in_(players) | (
        PLAYERS.c.owner_id.is_(None) & PLAYERS.c.player_id.in_(players)
    )
    query = (
        sa.select(*columns, sa.type_coerce(MATCHES.c.settled_us, sa.types.NullType()).label("at"))
        .add_columns(line.label("line"))
        .join(MATCHES, MATCHES.c.match_id == SEAT_DAYS.c.match_id)
        .join(PLAYERS, PLAYERS.c.player_id == SEAT_DAYS.c.player_id)
        .where(theirs, MATCHES.c.status != Status.OPEN.value)
    )
    found: dict[tuple[str, str], tuple[Day, ...]] = {}
    with any_text(connection):
        for row in connection.execute(query).mappings():
            key = row["line"], row["board"]
            found[key] = add_days(found.get(key, ()), settled([_day(row)], int(row["at"])))
    return [PlayerDay(*key, day) for key, days in found.items() for day in days]


def _day(row: StoredRow) -> Day:
    return Day(int(row["day"]), str(row["version"]), tally_of(row))
