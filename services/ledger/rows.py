"""The rows that events leave in the tables.

The store writes them; the audit makes them again and compares. Columns that the database or
the clock fills in (``transfer_no``) are not in them.
"""

import hashlib
from typing import Any

from services.common.eventlog.outbox import to_microseconds
from services.common.eventlog.port import Event
from services.common.eventlog.rows import RawRow, to_bytes
from services.ledger.boards import board_of
from services.ledger.days import Day
from services.ledger.matches import (
    BANK,
    HandRecord,
    Match,
    Merge,
    Naming,
    PlayerPosting,
    Posting,
    Seat,
    Transfer,
    stack_account,
)
from services.ledger.standings import tally_columns

Row = dict[str, Any]

SEALED = (
    "event_id",
    "type",
    "match_id",
    "source",
    "time_us",
    "value",
    "digest",
    "applied_us",
)


def seal(row: RawRow) -> str:
    """Hash everything in a row of ``events`` but its number."""
    parts = []
    for name in SEALED:
        data = to_bytes(row[name])
        parts += [len(data).to_bytes(8, "big"), data]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def event_row(event: Event, applied_us: object) -> Row:
    """Return an event as the journal keeps it, applied at a time."""
    row = {
        "event_id": event.event_id,
        "type": event.type,
        "match_id": event.key,
        "source": event.source,
        "time_us": to_microseconds(event.time),
        "value": event.value,
        "digest": event.digest,
        "applied_us": applied_us,
    }
    return {**row, "seal": seal(row)}


def hand_row(event_no: int, match_id: str, hand: HandRecord) -> Row:
    """Return a hand that an event settled or voided."""
    return {
        "hand_id": hand.hand_id,
        "match_id": match_id,
        "hand_no": hand.hand_no,
        "event_no": event_no,
        "voided": hand.voided,
        "put_in_chips": hand.put_in_chips,
        "won_chips": hand.won_chips,
    }


def transfer_rows(event_no: int, event: Event, posting: Posting | PlayerPosting) -> list[Row]:
    """Return the transfers of an event, in order."""
    return [_transfer_row(event_no, event, transfer) for transfer in posting.transfers]


def _transfer_row(event_no: int, event: Event, transfer: Transfer) -> Row:
    return {
        "event_no": event_no,
        "debit": transfer.debit,
        "credit": transfer.credit,
        "chips": transfer.chips,
        "kind": transfer.kind.value,
        "match_id": event.key,
        "hand_id": transfer.hand_id,
        "player_id": transfer.player_id,
        "posted_us": to_microseconds(event.time),
    }


def match_row(match: Match) -> Row:
    """Return a match as it stands."""
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


def seat_row(match: Match, seat: Seat) -> Row:
    """Return a seat of a match as it stands; its chips are in ``balances``."""
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


def seat_day_rows(match: Match, seat: Seat) -> list[Row]:
    """Return what is counted of a seat, empty for one that counts on no board."""
    board = board_of(match.ruleset_id, seat.kind)
    if board is None:
        return []
    return [_seat_day_row(match, seat, board.board_id, day) for day in seat.days]


def _seat_day_row(match: Match, seat: Seat, board_id: str, day: Day) -> Row:
    return {
        "match_id": match.match_id,
        "player_id": seat.player_id,
        "day": day.number,
        "version": day.version,
        "board": board_id,
        **tally_columns(day.tally),
    }


def balance_row(match: Match, seat: Seat, chips: int) -> Row:
    """Return the account of a seat with so many chips in it."""
    return {
        "account": stack_account(match.match_id, seat.player_id),
        "match_id": match.match_id,
        "player_id": seat.player_id,
        "chips": chips,
    }


def bank_row(chips: int) -> Row:
    """Return the account of the bank: minus the chips on all tables."""
    return {"account": BANK, "match_id": None, "player_id": None, "chips": chips}


def name_row(naming: Naming) -> Row:
    """Return what a player is called."""
    return {
        "player_id": naming.player_id,
        "display_name": naming.display_name,
        "kind": naming.kind.value,
        "named_us": naming.named_us,
        "name_revision": naming.revision,
    }


def merge_row(event_no: int, merge: Merge) -> Row:
    """Return a merge that an event told of."""
    return {
        "player_id": merge.player_id,
        "into_id": merge.into_id,
        "merged_us": merge.merged_us,
        "event_no": event_no,
    }
