"""The second half of an audit: post every stored event again and compare.

Needs memory for the open matches, and for a row a player; not for the events.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.common.eventlog.port import Event
from services.ledger.audit import Report
from services.ledger.matches import (
    HandRecord,
    Match,
    Naming,
    Posting,
    RejectedError,
    Status,
    Transfer,
    TransferKind,
)
from services.ledger.posting import post, read_message
from services.ledger.projections import fold_standing, later_name
from services.ledger.schema import EVENTS, HANDS, MATCHES, PLAYERS, STANDINGS, TRANSFERS
from services.ledger.store import load_matches, stored_event

CHUNK_EVENTS = 1000


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the database keeps of one event."""

    event: Event
    digest: str
    transfers: tuple[Transfer, ...]
    hand: HandRecord | None


class Replay:
    """Rebuilds the ledger's projections from its events, and compares as it goes."""

    def __init__(self, connection: Connection, report: Report) -> None:
        self._connection = connection
        self._report = report
        self._open: dict[str, Match] = {}
        self._names: dict[str, Naming] = {}
        self._standings: dict[tuple[str, str], dict[str, Any]] = {}
        self._matches = 0

    def run(self) -> None:
        """Replay everything; what differs is added to the report."""
        for stored in _journal(self._connection):
            self._report.events += 1
            self._replay(stored)
        for match in self._open.values():
            self._compare_match(match)
        self._compare_counts()
        self._compare_names()
        self._compare_standings()

    def _replay(self, stored: _Stored) -> None:
        event = stored.event
        if event.digest != stored.digest:
            self._report.find(f"event {event.event_id} is not what was applied")
        try:
            posting = post(self._open.get(event.key), read_message(event), event)
        except RejectedError as error:
            self._report.find(f"event {event.event_id} would be refused: {error}")
            return
        if posting.transfers != stored.transfers:
            self._report.find(f"transfers of event {event.event_id} are not what follows from it")
        if posting.hand != stored.hand:
            self._report.find(f"the hand of event {event.event_id} is not what follows from it")
        self._take(posting)

    def _take(self, posting: Posting) -> None:
        match = posting.match
        self._matches += match.match_id not in self._open
        self._open[match.match_id] = match
        for naming in posting.names:
            known = self._names.get(naming.player_id)
            self._names[naming.player_id] = later_name(known, naming)
        for change in posting.standings:
            key = change.board, change.player_id
            self._standings[key] = fold_standing(self._standings.get(key), [change])
        if match.status is not Status.OPEN:
            self._compare_match(match)
            del self._open[match.match_id]

    def _compare_match(self, match: Match) -> None:
        stored = load_matches(self._connection, [match.match_id]).get(match.match_id)
        by_seat = sorted(match.seats, key=lambda seat: seat.number)
        if stored is None or (stored.seats, _facts(stored)) != (tuple(by_seat), _facts(match)):
            self._report.find(f"match {match.match_id} is not what its events make it")

    def _compare_counts(self) -> None:
        query = sa.select(sa.func.count()).select_from(MATCHES)
        stored = self._connection.execute(query).scalar_one()
        self._report.matches = int(stored)
        if stored != self._matches:
            self._report.find(f"{stored} matches stored, {self._matches} started by events")
        orphans = self._connection.execute(
            sa.select(sa.func.count())
            .select_from(TRANSFERS)
            .where(TRANSFERS.c.event_no.not_in(sa.select(EVENTS.c.event_no)))
        ).scalar_one()
        if orphans:
            self._report.find(f"{orphans} transfers belong to no event")

    def _compare_names(self) -> None:
        stored = {
            row.player_id: Naming(row.player_id, row.display_name, row.kind, row.named_us)
            for row in self._connection.execute(sa.select(PLAYERS))
        }
        for player_id in sorted(stored.keys() | self._names.keys()):
            if stored.get(player_id) != self._names.get(player_id):
                self._report.find(f"player {player_id} is not called what events say")

    def _compare_standings(self) -> None:
        rows = self._connection.execute(sa.select(STANDINGS)).mappings()
        stored = {(row["board"], row["player_id"]): dict(row) for row in rows}
        self._report.standings = len(stored)
        for key in sorted(stored.keys() | self._standings.keys()):
            if stored.get(key) != self._standings.get(key):
                self._report.find(f"the standing of {key[1]} on {key[0]} is not the sum of hands")


def _facts(match: Match) -> tuple[object, ...]:
    """Return everything but the seats, whose order in an event is free."""
    return (
        match.table_id,
        match.ruleset_id,
        match.big_blind_chips,
        match.started_us,
        match.status,
        match.hands,
        match.last_hand_no,
        match.settled_us,
    )


def _journal(connection: Connection) -> Iterator[_Stored]:
    """Yield the stored events in order, each with what it left in other tables."""
    last = 0
    while True:
        query = sa.select(EVENTS).where(EVENTS.c.event_no > last).order_by(EVENTS.c.event_no)
        rows = list(connection.execute(query.limit(CHUNK_EVENTS)))
        if not rows:
            return
        transfers = _transfers(connection, last, rows[-1].event_no)
        hands = _hands(connection, last, rows[-1].event_no)
        last = rows[-1].event_no
        for row in rows:
            yield _Stored(
                stored_event(row),
                row.digest,
                tuple(transfers.get(row.event_no, ())),
                hands.get(row.event_no),
            )


def _transfers(connection: Connection, after: int, upto: int) -> dict[int, list[Transfer]]:
    found: dict[int, list[Transfer]] = defaultdict(list)
    query = (
        sa.select(TRANSFERS)
        .where(TRANSFERS.c.event_no > after, TRANSFERS.c.event_no <= upto)
        .order_by(TRANSFERS.c.transfer_no)
    )
    for row in connection.execute(query):
        transfer = Transfer(
            row.debit,
            row.credit,
            row.chips,
            TransferKind(row.kind),
            row.player_id,
            row.hand_id,
        )
        found[row.event_no].append(transfer)
    return found


def _hands(connection: Connection, after: int, upto: int) -> dict[int, HandRecord]:
    query = sa.select(HANDS).where(HANDS.c.event_no > after, HANDS.c.event_no <= upto)
    return {
        row.event_no: HandRecord(
            row.hand_id, row.hand_no, row.voided, row.put_in_chips, row.won_chips
        )
        for row in connection.execute(query)
    }
