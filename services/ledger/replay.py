"""The second half of an audit: post every stored event again and compare what follows.

Needs memory for the open matches, and for a row a player; not for the events.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from services.common.eventlog.outbox import to_event
from services.common.eventlog.port import Event
from services.common.eventlog.rows import RawRow, read_raw
from services.ledger.compare import Comparison
from services.ledger.matches import (
    Match,
    Naming,
    PlayerPosting,
    Posting,
    RejectedError,
    Status,
)
from services.ledger.people import Merges, post_player
from services.ledger.posting import PlayerMessage, concerns_ledger, post, read_message
from services.ledger.projections import later_name
from services.ledger.report import Report
from services.ledger.rows import (
    Row,
    balance_row,
    bank_row,
    event_row,
    hand_row,
    match_row,
    merge_row,
    name_row,
    seat_day_rows,
    seat_row,
    transfer_rows,
)
from services.ledger.schema import (
    BALANCES,
    EVENTS,
    HANDS,
    MATCHES,
    MERGES,
    PLAYER_DAYS,
    PLAYERS,
    RANK_COUNTS,
    SEAT_DAYS,
    SEATS,
    STANDINGS,
    TRANSFERS,
)
from services.ledger.tallies import Tallies

CHUNK = 1000
"""Events, or matches, that are compared at once."""

DERIVED = (
    EVENTS,
    TRANSFERS,
    HANDS,
    BALANCES,
    MATCHES,
    SEATS,
    PLAYERS,
    MERGES,
    SEAT_DAYS,
    PLAYER_DAYS,
    STANDINGS,
    RANK_COUNTS,
)

_ONCE_AN_EVENT = ("event_no", "debit", "credit")


class Replay:
    """Rebuilds the ledger from its events, and compares every table as it goes."""

    def __init__(self, connection: Connection, report: Report, today: int) -> None:
        self._connection = connection
        self._report = report
        self._today = today
        self._comparison = Comparison(connection, report)
        self._open: dict[str, Match] = {}
        self._last_transfers: dict[object, int] = {}
        self._names: dict[str, Naming] = {}
        self._merges = Merges()
        self._merge_rows: list[Row] = []
        self._bank_chips = 0

    def run(self) -> None:
        """Replay everything; what differs is added to the report."""
        for rows in _journal(self._connection):
            self._replay(rows)
        left = list(self._open.values())
        for start in range(0, len(left), CHUNK):
            self._compare_matches(left[start : start + CHUNK])
        self._compare_totals()
        self._comparison.finish(DERIVED)

    def _replay(self, rows: Sequence[RawRow]) -> None:
        """Replay a chunk of the journal and compare what it left in other tables."""
        transfers: list[Row] = []
        hands: list[Row] = []
        closed: list[Match] = []
        for row in rows:
            self._report.events += 1
            event = self._checked_event(row)
            posting = None if event is None else self._posted(event)
            if event is None or posting is None:
                continue
            number = _number(row)
            transfers += transfer_rows(number, event, posting)
            if posting.hand is not None:
                hands.append(hand_row(number, event.key, posting.hand))
            if isinstance(posting, PlayerPosting):
                self._take_player(number, posting)
            else:
                closed += self._take(posting)
        first, last = _number(rows[0]), _number(rows[-1])
        moved = TRANSFERS.c.event_no.between(first, last)
        stored = self._comparison.compare(TRANSFERS, moved, transfers, _ONCE_AN_EVENT)
        self._check_order(transfers, stored)
        self._comparison.compare(HANDS, HANDS.c.event_no.between(first, last), hands)
        self._compare_matches(closed)
        for match in closed:
            self._last_transfers.pop(match.match_id, None)

    def _checked_event(self, row: RawRow) -> Event | None:
        """Return the event in a row, None when it is none or none of the ledger's."""
        self._comparison.saw(EVENTS, 1)
        number = _number(row)
        try:
            event = to_event(row, "match_id")
        except ValueError as error:
            self._report.find(f"events {number} is no event: {error}")
            return None
        expected = event_row(event, row["applied_us"])
        wrong = [name for name, value in expected.items() if row[name] != value]
        if wrong:
            what = " and ".join(wrong)
            self._report.find(f"events {number} is not what was applied: its {what} differs")
        if not concerns_ledger(event.type):
            self._report.find(f"events {number} has a type that the ledger does not apply")
            return None
        return event

    def _posted(self, event: Event) -> Posting | PlayerPosting | None:
        try:
            message = read_message(event)
            if isinstance(message, PlayerMessage):
                return post_player(self._merges, message, event)
            return post(self._open.get(event.key), message, event)
        except RejectedError as error:
            self._report.find(f"event {event.event_id} would be refused: {error}")
            return None

    def _take(self, posting: Posting) -> list[Match]:
        """Go on from a posting; returns the match if that closed it."""
        match = posting.match
        self._open[match.match_id] = match
        self._name(posting.names)
        if match.status is Status.OPEN:
            return []
        del self._open[match.match_id]
        return [match]

    def _take_player(self, event_no: int, posting: PlayerPosting) -> None:
        """Go on from an event about a player."""
        self._name(posting.names)
        if posting.merge is not None:
            self._merges.add(posting.merge)
            self._merge_rows.append(merge_row(event_no, posting.merge))

    def _name(self, names: Iterable[Naming]) -> None:
        for naming in names:
            known = self._names.get(naming.player_id)
            self._names[naming.player_id] = later_name(known, naming)

    def _owner(self, player_id: str) -> str | None:
        """Return whose line a player's results are on, None for their own."""
        owner = self._merges.owner_of(player_id)
        return None if owner == player_id else owner

    def _check_order(self, transfers: Iterable[RawRow], stored: Iterable[RawRow]) -> None:
        """Find transfers whose numbers do not rise as their match goes on.

        There is no such order between matches: their transactions may overlap.
        """
        numbers = {_accounts(row): _int(row["transfer_no"]) for row in stored}
        for row in transfers:
            number = numbers.get(_accounts(row))
            if number is None:
                continue
            if number <= self._last_transfers.get(row["match_id"], 0):
                self._report.find(f"transfers {number} is out of order")
            self._last_transfers[row["match_id"]] = number

    def _compare_matches(self, matches: Sequence[Match]) -> None:
        ids = {match.match_id for match in matches}
        seats = [(match, seat) for match in matches for seat in match.seats]
        accounts = [balance_row(match, seat, seat.stack_chips) for match, seat in seats]
        self._bank_chips -= sum(int(row["chips"]) for row in accounts)
        self._comparison.compare(
            MATCHES, MATCHES.c.match_id.in_(ids), [match_row(match) for match in matches]
        )
        self._comparison.compare(
            SEATS, SEATS.c.match_id.in_(ids), [seat_row(*pair) for pair in seats]
        )
        self._comparison.compare(BALANCES, BALANCES.c.match_id.in_(ids), accounts)
        days = [row for pair in seats for row in seat_day_rows(*pair)]
        self._comparison.compare(SEAT_DAYS, SEAT_DAYS.c.match_id.in_(ids), days)
        self._report.matches += len(matches)

    def _compare_totals(self) -> None:
        """Compare the tables with a row a player, and the bank."""
        bank = [bank_row(self._bank_chips)]
        self._comparison.compare(BALANCES, BALANCES.c.match_id.is_(None), bank)
        names = [
            {**name_row(naming), "owner_id": self._owner(player_id)}
            for player_id, naming in self._names.items()
        ]
        self._comparison.compare(PLAYERS, sa.true(), names)
        self._comparison.compare(MERGES, sa.true(), self._merge_rows)
        Tallies(self._connection, self._comparison, self._report).compare(self._names, self._today)


def _journal(connection: Connection) -> Iterator[list[RawRow]]:
    """Yield the stored events in order, a chunk at a time."""
    behind: sa.ColumnElement[bool] = sa.true()
    while rows := read_raw(connection, EVENTS, behind, EVENTS.c.event_no, CHUNK):
        yield rows
        behind = EVENTS.c.event_no > _number(rows[-1])


def _accounts(row: RawRow) -> tuple[object, ...]:
    return tuple(row[name] for name in _ONCE_AN_EVENT)


def _number(row: RawRow) -> int:
    return _int(row["event_no"])


def _int(value: Any) -> int:  # noqa: ANN401 - the databases keep integers in these columns
    return int(value)
