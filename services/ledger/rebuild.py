"""Balances made again from the transfers, and what ranks players from the events behind them.

Needed once when these tables are new, and for whoever doubts them. The result is what the
consumer would have made, to the chip, whatever the order in which it did (LDR-011). Memory is
that of a chunk of matches or players, however many hands they played.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.outbox import to_event
from services.common.eventlog.port import Event
from services.common.eventlog.rows import RawRow
from services.ledger.audit import sum_transfers
from services.ledger.days import Day, add_days, hand_played, hand_voided, window_start
from services.ledger.lines import rebuild_owners
from services.ledger.matches import Kind, Match, RejectedError, Seat
from services.ledger.posting import concerns_ledger, read_message, time_of
from services.ledger.ranks import Slot, count_ranked, save_counts
from services.ledger.rows import seat_day_rows
from services.ledger.schema import (
    BALANCES,
    EVENTS,
    HANDS,
    MATCHES,
    PLAYER_DAYS,
    PLAYERS,
    RANK_COUNTS,
    SEAT_DAYS,
    SEATS,
    STANDINGS,
)
from services.ledger.standings import add_lasting, player_day_row, standing_row, sum_recent
from services.ledger.tallies import load_settled_days
from services.ledger.updates import insert_rows

CHUNK = 200
"""Matches, or players, that are in memory at once."""

FETCH = 1_000
"""Hands that are in memory at once."""


class UnreadableEventError(Exception):
    """A stored event cannot be read any more: the journal was changed by another hand."""


def rebuild_balances(connection: Connection) -> None:
    """Set every balance to what the transfers into and out of the account come to.

    Args:
        connection: a transaction that nobody writes beside; see `lock_out`.

    """
    moved = sum_transfers()
    mine = sa.select(moved.c.chips).where(moved.c.account == BALANCES.c.account)
    connection.execute(sa.update(BALANCES).values(chips=0).where(~mine.exists()))
    chips = sa.update(BALANCES).values(chips=moved.c.chips)
    connection.execute(chips.where(BALANCES.c.account == moved.c.account))


def rebuild_boards(connection: Connection, today: int) -> int:
    """Make the days of seats and players, standings and counts anew; returns the hands read.

    Args:
        connection: a transaction that nobody writes beside; see `lock_out`.
        today: the day (UTC, since 1970) that the rolling window ends with.

    Raises:
        UnreadableEventError: the transaction must be rolled back.

    """
    for table in (RANK_COUNTS, STANDINGS, PLAYER_DAYS, SEAT_DAYS):
        connection.execute(sa.delete(table))
    rebuild_owners(connection)
    hands = sum(
        _rebuild_matches(connection, ids) for ids in _chunks(connection, MATCHES.c.match_id)
    )
    counts: Counter[Slot] = Counter()
    for players in _chunks(connection, PLAYERS.c.player_id):
        _rebuild_players(connection, players, today, counts)
    save_counts(connection, counts)
    return hands


def lock_out(connection: Connection) -> None:
    """Let consumers and the rolling window wait until the transaction ends.

    On SQLite, a transaction that writes is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE matches, players IN EXCLUSIVE MODE")


def _chunks(connection: Connection, key: sa.Column[Any]) -> Iterator[list[str]]:
    query = sa.select(key).order_by(key).limit(CHUNK)
    found = list(connection.execute(query).scalars())
    while found:
        yield found
        found = list(connection.execute(query.where(key > found[-1])).scalars())


def _rebuild_matches(connection: Connection, match_ids: list[str]) -> int:
    """Store the days of the seats of some matches; returns how many hands they had."""
    matches = _load_matches(connection, match_ids)
    query = (
        sa.select(EVENTS, HANDS.c.match_id.label("played_in"))
        .join(HANDS, HANDS.c.event_no == EVENTS.c.event_no)
        .where(HANDS.c.match_id.in_(match_ids))
        .order_by(HANDS.c.match_id, HANDS.c.hand_no)
    )
    hands = 0
    with connection.execute(query, execution_options={"yield_per": FETCH}) as streamed:
        for row in streamed.mappings():
            match = matches[row["played_in"]]
            matches[match.match_id] = _with_hand(match, dict(row))
            hands += 1
    rows = [
        row
        for match in matches.values()
        for seat in match.seats
        for row in seat_day_rows(match, seat)
    ]
    insert_rows(connection, SEAT_DAYS, rows)
    return hands


def _load_matches(connection: Connection, match_ids: list[str]) -> dict[str, Match]:
    """Return matches with their seats, before the first hand."""
    query = (
        sa.select(MATCHES, SEATS.c.player_id, SEATS.c.number, SEATS.c.kind)
        .join(SEATS, SEATS.c.match_id == MATCHES.c.match_id)
        .where(MATCHES.c.match_id.in_(match_ids))
        .order_by(MATCHES.c.match_id, SEATS.c.number)
    )
    found: dict[str, Match] = {}
    for row in connection.execute(query):
        match = found.get(row.match_id) or Match(
            row.match_id, row.table_id, row.ruleset_id, row.big_blind_chips, row.started_us, ()
        )
        seat = Seat(row.player_id, row.number, Kind(row.kind))
        found[row.match_id] = replace(match, seats=(*match.seats, seat))
    return found


def _with_hand(match: Match, row: RawRow) -> Match:
    try:
        days = _days(match, to_event(row, "match_id"))
    except (ValueError, RejectedError) as error:
        raise UnreadableEventError(f"event {row['event_no']}: {error}") from error
    return replace(match, seats=tuple(_with_day(seat, days) for seat in match.seats))


def _days(match: Match, event: Event) -> dict[str, Day]:
    """Return what an event that ends a hand adds to its players' days."""
    message = read_message(event) if concerns_ledger(event.type) else None
    if isinstance(message, pb.HandVoided):
        void = hand_voided(time_of(message, "voided_time", event), message.bot_version)
        return {seat.player_id: void for seat in match.seats}
    if isinstance(message, pb.HandSettled):
        return _played(message, time_of(message, "settled_time", event))
    raise ValueError(f"{event.type} ends no hand")


def _played(message: pb.HandSettled, ended_us: int) -> dict[str, Day]:
    version, ai_decided = message.bot_version, message.ai_decided
    return {
        result.player_id: hand_played(result.net_chips, ended_us, version, ai_decided=ai_decided)
        for result in message.results
    }


def _with_day(seat: Seat, days: dict[str, Day]) -> Seat:
    day = days.get(seat.player_id)
    return seat if day is None else replace(seat, days=add_days(seat.days, [day]))


def _rebuild_players(
    connection: Connection, players: list[str], today: int, counts: Counter[Slot]
) -> None:
    days = load_settled_days(connection, players)
    if not days:
        return
    insert_rows(connection, PLAYER_DAYS, [player_day_row(day) for day in days])
    standings = add_lasting({}, days) | sum_recent(days, window_start(today))
    rows = [standing_row(key, standing) for key, standing in standings.items()]
    insert_rows(connection, STANDINGS, rows)
    count_ranked(counts, rows)
