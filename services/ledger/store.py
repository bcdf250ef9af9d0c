"""The ledger in a database: loads what `posting` needs and stores what it returns.

Every function works inside the caller's transaction. Whoever changes a match holds its row
locked first, so two consumers that hold the same event (after a rebalance, say) queue up.
"""

import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import migrate
from services.common.eventlog.outbox import from_microseconds, to_microseconds
from services.common.eventlog.port import Event
from services.ledger.boards import average_key
from services.ledger.matches import (
    BANK,
    Kind,
    Match,
    Naming,
    Posting,
    Seat,
    StandingChange,
    Status,
    Transfer,
    stack_account,
)
from services.ledger.schema import (
    BALANCES,
    EVENTS,
    HANDS,
    MATCHES,
    PLAYERS,
    SEATS,
    STANDINGS,
    TRANSFERS,
)

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(engine: Engine) -> None:
    """Bring the ledger's database to the newest schema."""
    migrate(engine, MIGRATIONS)


def now_us() -> int:
    """Return the time of the clock in microseconds since 1970."""
    return time.time_ns() // 1000


def load_match(connection: Connection, match_id: str, *, lock: bool = False) -> Match | None:
    """Return a match as its events so far leave it, None when it was never started.

    Args:
        connection: a transaction, one that writes when ``lock`` is set.
        match_id: which match.
        lock: keep others from changing it until the transaction ends.

    """
    query = sa.select(MATCHES).where(MATCHES.c.match_id == match_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        return None
    return Match(
        row.match_id,
        row.table_id,
        row.ruleset_id,
        row.big_blind_chips,
        row.started_us,
        _load_seats(connection, match_id),
        Status(row.status),
        row.hands,
        row.last_hand_no,
        row.settled_us,
    )


def _load_seats(connection: Connection, match_id: str) -> tuple[Seat, ...]:
    mine = (BALANCES.c.match_id == SEATS.c.match_id) & (BALANCES.c.player_id == SEATS.c.player_id)
    query = (
        sa.select(SEATS, BALANCES.c.chips)
        .join(BALANCES, mine)
        .where(SEATS.c.match_id == match_id)
        .order_by(SEATS.c.number)
    )
    return tuple(
        Seat(
            row.player_id,
            row.number,
            Kind(row.kind),
            row.chips,
            row.hands,
            row.net_chips,
            row.ai_decided_hands,
            row.void_hands,
            row.last_played_us,
        )
        for row in connection.execute(query)
    )


def digest_of_event(connection: Connection, event_id: str) -> str | None:
    """Return the digest under which an event was applied, None when it was not."""
    query = sa.select(EVENTS.c.digest).where(EVENTS.c.event_id == event_id)
    return connection.execute(query).scalar_one_or_none()


def digest_of_hand(connection: Connection, hand_id: str) -> str | None:
    """Return the digest of the event that brought a hand, None for a new hand."""
    query = (
        sa.select(EVENTS.c.digest)
        .join(HANDS, HANDS.c.event_no == EVENTS.c.event_no)
        .where(HANDS.c.hand_id == hand_id)
    )
    return connection.execute(query).scalar_one_or_none()


def store(connection: Connection, event: Event, before: Match | None, posting: Posting) -> int:
    """Store an event and everything that it changes; return its number in the ledger.

    Raises:
        sqlalchemy.exc.IntegrityError: another transaction was faster; run again.

    """
    event_no = _insert_event(connection, event, posting.match.match_id)
    if before is None:
        _insert_match(connection, posting.match)
    else:
        _update_match(connection, before, posting.match)
    if posting.hand is not None:
        row = {
            "hand_id": posting.hand.hand_id,
            "match_id": posting.match.match_id,
            "hand_no": posting.hand.hand_no,
            "event_no": event_no,
            "voided": posting.hand.voided,
            "put_in_chips": posting.hand.put_in_chips,
            "won_chips": posting.hand.won_chips,
        }
        connection.execute(sa.insert(HANDS), row)
    _move(connection, event, event_no, posting.match.match_id, posting.transfers)
    for naming in posting.names:
        _name(connection, naming)
    for change in posting.standings:
        _change_standing(connection, change)
    return event_no


def _insert_event(connection: Connection, event: Event, match_id: str) -> int:
    row = {
        "event_id": event.event_id,
        "type": event.type,
        "match_id": match_id,
        "source": event.source,
        "time_us": to_microseconds(event.time),
        "value": event.value,
        "digest": event.digest,
        "applied_us": now_us(),
    }
    query = sa.insert(EVENTS).values(row).returning(EVENTS.c.event_no)
    return int(connection.execute(query).scalar_one())


def _insert_match(connection: Connection, match: Match) -> None:
    connection.execute(sa.insert(MATCHES), _match_row(match))
    connection.execute(sa.insert(SEATS), [_seat_row(match, seat) for seat in match.seats])
    accounts = [
        {
            "account": stack_account(match.match_id, seat.player_id),
            "match_id": match.match_id,
            "player_id": seat.player_id,
            "chips": 0,
        }
        for seat in match.seats
    ]
    connection.execute(sa.insert(BALANCES), accounts)


def _update_match(connection: Connection, before: Match, after: Match) -> None:
    new = _match_row(after)
    if new != _match_row(before):
        where = MATCHES.c.match_id == after.match_id
        connection.execute(sa.update(MATCHES).where(where).values(new))
    for old, seat in zip(before.seats, after.seats, strict=True):
        row = _seat_row(after, seat)
        if row != _seat_row(before, old):
            where = (SEATS.c.match_id == after.match_id) & (SEATS.c.player_id == seat.player_id)
            connection.execute(sa.update(SEATS).where(where).values(row))


def _move(
    connection: Connection,
    event: Event,
    event_no: int,
    match_id: str,
    transfers: Iterable[Transfer],
) -> None:
    """Insert transfers and carry them into the balances.

    Pots have no balance row: they are empty before and after every event.
    """
    rows = [
        {
            "event_no": event_no,
            "debit": transfer.debit,
            "credit": transfer.credit,
            "chips": transfer.chips,
            "kind": transfer.kind.value,
            "match_id": match_id,
            "hand_id": transfer.hand_id,
            "player_id": transfer.player_id,
            "posted_us": to_microseconds(event.time),
        }
        for transfer in transfers
    ]
    if not rows:
        return
    connection.execute(sa.insert(TRANSFERS), rows)
    deltas = balance_deltas(transfers)
    changes = [
        {"which": account, "delta": delta} for account, delta in sorted(deltas.items()) if delta
    ]
    if changes:
        update = sa.update(BALANCES).where(BALANCES.c.account == sa.bindparam("which"))
        update = update.values(chips=BALANCES.c.chips + sa.bindparam("delta"))
        connection.execute(update, changes)


def balance_deltas(transfers: Iterable[Transfer]) -> Counter[str]:
    """Return by how much transfers change each account other than pots."""
    deltas: Counter[str] = Counter()
    for transfer in transfers:
        deltas[transfer.debit] -= transfer.chips
        deltas[transfer.credit] += transfer.chips
    return Counter({account: d for account, d in deltas.items() if not account.startswith("pot:")})


def _name(connection: Connection, naming: Naming) -> None:
    query = sa.select(PLAYERS.c.named_us).where(PLAYERS.c.player_id == naming.player_id)
    named_us = connection.execute(query.with_for_update()).scalar_one_or_none()
    row = {
        "display_name": naming.display_name,
        "kind": naming.kind.value,
        "named_us": naming.named_us,
    }
    if named_us is None:
        connection.execute(sa.insert(PLAYERS).values(player_id=naming.player_id, **row))
    elif naming.named_us >= named_us:
        where = PLAYERS.c.player_id == naming.player_id
        connection.execute(sa.update(PLAYERS).where(where).values(row))


def _change_standing(connection: Connection, change: StandingChange) -> None:
    mine = (STANDINGS.c.board == change.board) & (STANDINGS.c.player_id == change.player_id)
    query = sa.select(STANDINGS).where(mine).with_for_update()
    before = connection.execute(query).mappings().one_or_none()
    row = standing_row(dict(before) if before else None, change)
    if before is None:
        connection.execute(sa.insert(STANDINGS).values(row))
    else:
        connection.execute(sa.update(STANDINGS).where(mine).values(row))


def standing_row(before: dict[str, Any] | None, change: StandingChange) -> dict[str, Any]:
    """Return a player's row on a board after the end of a match.

    The order of matches does not matter: everything is a sum or a maximum.
    """
    old = before or {}
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
        "settled_us": max(old.get("settled_us", 0), change.settled_us if change.hands else 0),
    }


def _match_row(match: Match) -> dict[str, Any]:
    return {
        "match_id": match.match_id,
        "table_id": match.table_id,
        "ruleset_id": match.ruleset_id,
        "big_blind_chips": match.big_blind_chips,
        "status": match.status.value,
        "hands": match.hands,
        "last_hand_no": match.last_hand_no,
        "started_us": match.started_us,
        "settled_us": match.settled_us,
    }


def _seat_row(match: Match, seat: Seat) -> dict[str, Any]:
    return {
        "match_id": match.match_id,
        "player_id": seat.player_id,
        "number": seat.number,
        "kind": seat.kind.value,
        "hands": seat.hands,
        "net_chips": seat.net_chips,
        "ai_decided_hands": seat.ai_decided_hands,
        "void_hands": seat.void_hands,
        "last_played_us": seat.last_played_us,
    }


def stored_event(row: sa.Row[Any]) -> Event:
    """Return the event in a row of the journal."""
    return Event(
        event_id=row.event_id,
        type=row.type,
        key=row.match_id,
        value=bytes(row.value),
        time=from_microseconds(row.time_us),
        source=row.source,
    )


def bank_balance(connection: Connection) -> int:
    """Return the bank's balance: minus the chips on all tables."""
    query = sa.select(BALANCES.c.chips).where(BALANCES.c.account == BANK)
    return int(connection.execute(query).scalar_one())
