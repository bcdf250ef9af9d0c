"""From a player's days to the rows that rank them: one a period and version of River. Pure.

A row sums days. Rows of all time and of seasons only ever grow, so what is new is added to
them; the row of the rolling window is summed anew from the days that are still in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from services.ledger.boards import average_key
from services.ledger.days import Day, Tally, season_of

ALL_TIME: Final = "all"
LAST_30_DAYS: Final = "30d"
ANY_VERSION: Final = ""

Row = dict[str, Any]
StoredRow = Mapping[Any, Any]
"""A row by column name, however it was read."""


@dataclass(frozen=True, slots=True, order=True)
class StandingKey:
    """Whose row it is, and which hands it sums.

    ``period`` is `ALL_TIME`, `LAST_30_DAYS` or a season; ``version`` is `ANY_VERSION` or one
    version of River.
    """

    player_id: str
    board: str
    period: str
    version: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A row's content; ``from_day`` is the oldest day in a rolling row, 0 in others."""

    tally: Tally
    settled_us: int
    from_day: int = 0


Standings = dict[StandingKey, Standing]


def add_lasting(
    standings: Mapping[StandingKey, Standing], days: Iterable["PlayerDay"]
) -> Standings:
    """Return the rows of all time and of seasons that days change, as they are then."""
    changed: Standings = {}
    for player_day in days:
        for period in (ALL_TIME, season_of(player_day.day.number)):
            for key in player_day.keys(period):
                old = changed.get(key) or standings.get(key)
                changed[key] = _plus(old, player_day.day)
    return changed


def sum_recent(days: Iterable["PlayerDay"], since: int) -> Standings:
    """Return the rows of the rolling window that begins with a day."""
    found: Standings = {}
    for player_day in days:
        number = player_day.day.number
        if number < since:
            continue
        for key in player_day.keys(LAST_30_DAYS):
            old = found.get(key)
            new = _plus(old, player_day.day)
            from_day = number if old is None else min(old.from_day, number)
            found[key] = Standing(new.tally, new.settled_us, from_day)
    return found


@dataclass(frozen=True, slots=True)
class PlayerDay:
    """A day of one player on one board."""

    player_id: str
    board: str
    day: Day

    def keys(self, period: str) -> list[StandingKey]:
        """Return the rows of a period that the day is part of."""
        versions = dict.fromkeys((ANY_VERSION, self.day.version))
        return [StandingKey(self.player_id, self.board, period, v) for v in versions]


def standing_row(key: StandingKey, standing: Standing) -> Row:
    """Return a row of ``standings``."""
    tally = standing.tally
    whole, rest = average_key(tally.net_chips, tally.hands) if tally.hands else (0, 0)
    return {
        "player_id": key.player_id,
        "board": key.board,
        "period": key.period,
        "version": key.version,
        **tally_columns(tally),
        "average_whole": whole,
        "average_rest": rest,
        "settled_us": standing.settled_us,
        "from_day": standing.from_day,
    }


def standing_of(row: StoredRow) -> tuple[StandingKey, Standing]:
    """Return what a row of ``standings`` says."""
    key = StandingKey(row["player_id"], row["board"], row["period"], row["version"])
    return key, Standing(tally_of(row), row["settled_us"], row["from_day"])


def player_day_row(player_day: PlayerDay) -> Row:
    """Return a row of ``player_days``."""
    day = player_day.day
    return {
        "player_id": player_day.player_id,
        "board": player_day.board,
        "day": day.number,
        "version": day.version,
        **tally_columns(day.tally),
        "settled_us": day.settled_us,
    }


def player_day_of(row: StoredRow) -> PlayerDay:
    """Return what a row of ``player_days`` says."""
    day = Day(row["day"], row["version"], tally_of(row), row["settled_us"])
    return PlayerDay(row["player_id"], row["board"], day)


def tally_columns(tally: Tally) -> Row:
    """Return a tally as columns; the squares as text, because they may pass 64 bits."""
    return {
        "hands": tally.hands,
        "net_chips": tally.net_chips,
        "net_squares": str(tally.net_squares),
        "ai_decided_hands": tally.ai_decided_hands,
        "void_hands": tally.void_hands,
        "last_played_us": tally.last_played_us,
    }


def tally_of(row: StoredRow) -> Tally:
    """Return the tally in a row.

    Raises:
        ValueError: the row holds something else than numbers.

    """
    return Tally(
        int(row["hands"]),
        int(row["net_chips"]),
        int(row["net_squares"]),
        int(row["ai_decided_hands"]),
        int(row["void_hands"]),
        int(row["last_played_us"]),
    )


def _plus(old: Standing | None, day: Day) -> Standing:
    if old is None:
        return Standing(day.tally, day.settled_us)
    return Standing(old.tally + day.tally, max(old.settled_us, day.settled_us), old.from_day)
