"""The ledger in a database: loads what a batch of events needs, stores what it changes.

Works inside the caller's transaction. Matches are locked while a batch changes them, in one
order, so two consumers that hold the same events (after a rebalance, say) queue up.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from proto.events.v1 import events_pb2 as pb
from services.common.database import migrate
from services.common.eventlog.port import Event, is_id
from services.ledger.days import Day, day_of
from services.ledger.lines import hold_merges, lock_lines, save_merges
from services.ledger.matches import (
    Kind,
    Match,
    PlayerPosting,
    RejectedError,
    Seat,
    Status,
    Transfer,
)
from services.ledger.people import Merges
from services.ledger.posting import PLAYER_MERGED, concerns_ledger, concerns_match, read_message
from services.ledger.projections import save_names, save_standings
from services.ledger.rows import (
    balance_row,
    event_row,
    hand_row,
    match_row,
    merge_row,
    seat_day_rows,
    seat_row,
    transfer_rows,
)
from services.ledger.schema import BALANCES, EVENTS, HANDS, MATCHES, SEAT_DAYS, SEATS, TRANSFERS
from services.ledger.standings import tally_of
from services.ledger.updates import add_to_rows, insert_numbered, insert_rows, update_rows
from services.ledger.workspace import Applied, Outcome, Workspace, hand_of

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(engine: Engine) -> None:
    """Bring the ledger's database to the newest schema."""
    migrate(engine, MIGRATIONS)


def now_us() -> int:
    """Return the time of the clock in microseconds since 1970."""
    return time.time_ns() // 1000


def apply_events(
    connection: Connection, events: Sequence[Event], today: int | None = None
) -> list[Outcome]:
    """Apply events in order and store what they change, all of them or none.

    Args:
        connection: a transaction that writes.
        events: what happened, each match's in order.
        today: see `save`.

    Raises:
        RejectedError: one of them cannot be true; nothing was stored.
        sqlalchemy.exc.IntegrityError: another transaction was faster; run again.

    """
    workspace = load(connection, events)
    outcomes = [workspace.apply(event) for event in events]
    save(connection, workspace, today)
    return outcomes


def load(connection: Connection, events: Sequence[Event]) -> Workspace:
    """Return the part of the ledger that events touch, its matches locked."""
    ours = [event for event in events if concerns_ledger(event.type)]
    merges = _load_merges(connection, ours)
    keys = {event.key for event in ours if concerns_match(event.type)}
    matches = load_matches(connection, keys, lock=True)
    applied = sa.select(EVENTS.c.event_id, EVENTS.c.digest).where(
        EVENTS.c.event_id.in_({event.event_id for event in ours})
    )
    hands = (
        sa.select(HANDS.c.hand_id, EVENTS.c.digest)
        .join(EVENTS, HANDS.c.event_no == EVENTS.c.event_no)
        .where(HANDS.c.hand_id.in_(_hands_of(ours)))
    )
    return Workspace(
        matches,
        {row.event_id: row.digest for row in connection.execute(applied)},
        {row.hand_id: row.digest for row in connection.execute(hands)},
        merges,
    )


def _load_merges(connection: Connection, events: Sequence[Event]) -> Merges:
    """Return the merges that may contradict those of a batch, if it has any."""
    people: set[str] = set()
    for event in events:
        if event.type == PLAYER_MERGED:
            with suppress(RejectedError):  # it is refused when its turn comes
                message = read_message(event)
                if isinstance(message, pb.PlayerMerged):
                    people |= {message.player.player_id, message.into.player_id}
    known = {player_id for player_id in people if is_id(player_id)}
    return hold_merges(connection, known) if known else Merges()


def _hands_of(events: Iterable[Event]) -> set[str]:
    found = set()
    for event in events:
        with suppress(RejectedError):  # it is refused when its turn comes
            hand_id = hand_of(read_message(event))
            if hand_id and is_id(hand_id):
                found.add(hand_id)
    return found


def load_matches(
    connection: Connection, match_ids: Iterable[str], *, lock: bool = False
) -> dict[str, Match]:
    """Return matches as their events so far leave them; unknown ones are left out.

    Args:
        connection: a transaction, one that writes when ``lock`` is set.
        match_ids: which matches.
        lock: keep others from changing them until the transaction ends.

    """
    ids = set(match_ids)
    query = sa.select(MATCHES).where(MATCHES.c.match_id.in_(ids)).order_by(MATCHES.c.match_id)
    rows = list(connection.execute(query.with_for_update() if lock else query))
    seats = _load_seats(connection, [row.match_id for row in rows])
    return {
        row.match_id: Match(
            row.match_id,
            row.table_id,
            row.ruleset_id,
            row.big_blind_chips,
            row.started_us,
            tuple(seats[row.match_id]),
            Status(row.status),
            row.hands,
            row.last_hand_no,
            row.settled_us,
        )
        for row in rows
    }


def _load_seats(connection: Connection, match_ids: Sequence[str]) -> dict[str, list[Seat]]:
    mine = (BALANCES.c.match_id == SEATS.c.match_id) & (BALANCES.c.player_id == SEATS.c.player_id)
    query = (
        sa.select(SEATS, BALANCES.c.chips)
        .join(BALANCES, mine)
        .where(SEATS.c.match_id.in_(match_ids))
        .order_by(SEATS.c.match_id, SEATS.c.number)
    )
    found: dict[str, list[Seat]] = defaultdict(list)
    days = _load_days(connection, match_ids)
    for row in connection.execute(query):
        seat = Seat(
            row.player_id,
            row.number,
            Kind(row.kind),
            row.chips,
            row.hands,
            row.net_chips,
            row.ai_decided_hands,
            row.void_hands,
            row.last_played_us,
            tuple(days[row.match_id, row.player_id]),
        )
        found[row.match_id].append(seat)
    return found


def _load_days(
    connection: Connection, match_ids: Sequence[str]
) -> dict[tuple[str, str], list[Day]]:
    query = sa.select(SEAT_DAYS).where(SEAT_DAYS.c.match_id.in_(match_ids))
    query = query.order_by(SEAT_DAYS.c.day)
    found: dict[tuple[str, str], list[Day]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        day = Day(row["day"], row["version"], tally_of(row))
        found[row["match_id"], row["player_id"]].append(day)
    return found


def save(connection: Connection, workspace: Workspace, today: int | None = None) -> None:
    """Store the events that were applied and everything that they change.

    Args:
        connection: a transaction that writes.
        workspace: what was loaded for the events, after they were applied.
        today: the day (UTC, since 1970) that the rolling window ends with; None asks the clock.

    Raises:
        sqlalchemy.exc.IntegrityError: another transaction was faster; run again.

    """
    if not workspace.applied:
        return
    numbers = _insert_events(connection, workspace.applied)
    postings = [applied.posting for applied in workspace.applied]
    _save_matches(connection, workspace)
    _save_days(connection, workspace)
    _insert_hands(connection, workspace.applied, numbers)
    _move(connection, workspace.applied, numbers)
    names = [name for posting in postings for name in posting.names]
    standings = [change for posting in postings for change in posting.standings]
    merges = [
        merge_row(numbers[entry.event.event_id], entry.posting.merge)
        for entry in workspace.applied
        if isinstance(entry.posting, PlayerPosting) and entry.posting.merge is not None
    ]
    # All at once and in one order, so that consumers never wait for each other in a circle.
    people = {name.player_id for name in names} | {change.player_id for change in standings}
    people |= {workspace.merges.owner_of(row["player_id"]) for row in merges}
    lock_lines(connection, people)
    save_names(connection, names)
    # Again: a player who was not there to lock may have been made, and merged, meanwhile.
    lines = lock_lines(connection, {change.player_id for change in standings})
    moved = save_merges(connection, workspace.merges, merges)
    if merges:
        lines = {player_id: workspace.merges.owner_of(line) for player_id, line in lines.items()}
    changes = [replace(change, player_id=lines[change.player_id]) for change in standings]
    save_standings(connection, moved + changes, day_of(now_us()) if today is None else today)


def _insert_events(connection: Connection, applied: Sequence[Applied]) -> dict[str, int]:
    """Store events and return their numbers, which rise in the order of the batch."""
    rows = [event_row(entry.event, now_us()) for entry in applied]
    numbers = insert_numbered(connection, EVENTS, rows)
    return {row["event_id"]: number for row, number in zip(rows, numbers, strict=True)}


def _save_matches(connection: Connection, workspace: Workspace) -> None:
    new = [m for key, m in workspace.matches.items() if key not in workspace.before]
    if new:
        insert_rows(connection, MATCHES, [match_row(match) for match in new])
        seats = [(match, seat) for match in new for seat in match.seats]
        insert_rows(connection, SEATS, [seat_row(*pair) for pair in seats])
        insert_rows(connection, BALANCES, [balance_row(*pair, 0) for pair in seats])
    old = [(workspace.before[key], workspace.matches[key]) for key in workspace.before]
    matches = [match_row(after) for before, after in old if match_row(before) != match_row(after)]
    update_rows(connection, MATCHES, matches)
    pairs = [
        (seat_row(before, one), seat_row(after, other))
        for before, after in old
        for one, other in zip(before.seats, after.seats, strict=True)
    ]
    changed = [after for before, after in pairs if before != after]
    update_rows(connection, SEATS, changed)


def _save_days(connection: Connection, workspace: Workspace) -> None:
    before = {_day_key(row): row for row in _day_rows(workspace.before.values())}
    rows = _day_rows(workspace.matches.values())
    new = [row for row in rows if _day_key(row) not in before]
    changed = [row for row in rows if before.get(_day_key(row), row) != row]
    insert_rows(connection, SEAT_DAYS, new)
    update_rows(connection, SEAT_DAYS, changed)


def _day_rows(matches: Iterable[Match]) -> list[dict[str, Any]]:
    return [row for match in matches for seat in match.seats for row in seat_day_rows(match, seat)]


def _day_key(row: dict[str, Any]) -> tuple[object, ...]:
    return tuple(row[column.name] for column in SEAT_DAYS.primary_key)


def _insert_hands(
    connection: Connection, applied: Sequence[Applied], numbers: dict[str, int]
) -> None:
    rows = [
        hand_row(numbers[entry.event.event_id], entry.event.key, entry.posting.hand)
        for entry in applied
        if entry.posting.hand is not None
    ]
    insert_rows(connection, HANDS, rows)


def _move(connection: Connection, applied: Sequence[Applied], numbers: dict[str, int]) -> None:
    """Store transfers and carry them into the balances.

    Pots have no balance row: they are empty before and after every event.
    """
    rows = [
        row
        for entry in applied
        for row in transfer_rows(numbers[entry.event.event_id], entry.event, entry.posting)
    ]
    insert_rows(connection, TRANSFERS, rows)
    moved = (t for entry in applied for t in entry.posting.transfers)
    add_to_rows(connection, BALANCES, BALANCES.c.chips.name, balance_deltas(moved))


def balance_deltas(transfers: Iterable[Transfer]) -> dict[str, int]:
    """Return by how much transfers change each account other than pots, where they do."""
    deltas: Counter[str] = Counter()
    for transfer in transfers:
        deltas[transfer.debit] -= transfer.chips
        deltas[transfer.credit] += transfer.chips
    return {name: d for name, d in deltas.items() if d and not name.startswith("pot:")}
