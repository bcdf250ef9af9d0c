"""Rows and values: how tables, matches, hands and events look in the database."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy.engine import Row

from proto.engine.v1 import engine_pb2
from proto.poker.v1 import poker_pb2
from services.common.codec import decode_events, decode_setup, encode_event, encode_setup
from services.gateway.model import (
    EndReason,
    Hand,
    HandAction,
    HandState,
    LoggedEvent,
    Match,
    MatchState,
    Shuffle,
    Table,
    TableEvent,
    TopUp,
)
from services.gateway.rulesets import from_text

Values = dict[str, Any]


def table_values(table: Table) -> Values:
    """Return the columns of a table that change."""
    return {
        "version": table.version,
        "last_seq": table.last_seq,
        "turn_seat": table.turn_seat,
    }


def match_values(match: Match) -> Values:
    """Return the columns of a match that change."""
    return {
        "state": match.state.value,
        "closing": None if match.closing is None else match.closing.value,
        "end_reason": None if match.end_reason is None else match.end_reason.value,
        "kept_until": match.kept_until,
        "settled_at": match.settled_at,
        "stack_chips": match.stack_chips,
        "river_stack_chips": match.river_stack_chips,
        "result_chips": match.result_chips,
        "biggest_pot_won_chips": match.biggest_pot_won_chips,
        "biggest_pot_lost_chips": match.biggest_pot_lost_chips,
        "button": match.button,
        "hand_no": match.hand_no,
        "hand_id": match.hand_id,
        "hands": match.hands,
        "moves": match.moves,
        "hand_moves": match.hand_moves,
        "ai_decided": match.ai_decided,
        "next_commit_root": match.next_commit_root,
    }


def hand_values(hand: Hand) -> Values:
    """Return the columns of a hand that change while it is played."""
    return {
        "state": hand.state.value,
        "ended_at": hand.ended_at,
        "net_chips": hand.net_chips,
        "pot_chips": hand.pot_chips,
        "bot_version": hand.bot_version,
        "bot_fallback": hand.bot_fallback,
        "ai_decided": hand.ai_decided,
    }


def shuffle_values(shuffle: Shuffle | None) -> Values:
    """Return the columns of a hand that prove its deal; they never change."""
    return {
        "commit_root": None if shuffle is None else shuffle.root,
        "client_seed": None if shuffle is None else shuffle.client_seed,
        "salt_key": None if shuffle is None else shuffle.salt_key,
    }


def setup_bytes(hand: Hand) -> bytes:
    """Return a hand's setup as it is stored."""
    return encode_setup(hand.setup).SerializeToString(deterministic=True)


def event_values(event: TableEvent) -> Values:
    """Return the columns of an event's content."""
    data = None
    if event.event is not None:
        message = encode_event(event.event)
        data = message.SerializeToString(deterministic=True)
    extras = json.dumps(event.extras, separators=(",", ":"))
    return {"hand_id": event.hand_id, "name": event.name, "event": data, "extras": extras}


def table_of(row: Row[Any]) -> Table:
    """Read a table."""
    return Table(
        table_id=row.table_id,
        version=row.version,
        last_seq=row.last_seq,
        turn_seat=row.turn_seat,
        secret=bytes(row.secret),
    )


def match_of(row: Row[Any], top_ups: Sequence[TopUp]) -> Match:
    """Read a match from a row that also holds its ruleset's text."""
    return Match(
        match_id=row.match_id,
        table_id=row.table_id,
        user_id=row.user_id,
        ruleset=from_text(row.body),
        state=MatchState(row.state),
        buy_in_chips=row.buy_in_chips,
        stack_chips=row.stack_chips,
        river_stack_chips=row.river_stack_chips,
        started_at=row.started_at,
        kept_until=row.kept_until,
        button=row.button,
        hand_no=row.hand_no,
        hand_id=row.hand_id,
        hands=row.hands,
        moves=row.moves,
        hand_moves=row.hand_moves,
        result_chips=row.result_chips,
        ai_decided=row.ai_decided,
        biggest_pot_won_chips=row.biggest_pot_won_chips,
        biggest_pot_lost_chips=row.biggest_pot_lost_chips,
        top_ups=tuple(top_ups),
        closing=None if row.closing is None else EndReason(row.closing),
        settled_at=row.settled_at,
        end_reason=None if row.end_reason is None else EndReason(row.end_reason),
        played_as=row.played_as,
        next_commit_root=row.next_commit_root,
    )


def _shuffle_of(row: Row[Any]) -> Shuffle | None:
    if row.commit_root is None:
        return None
    return Shuffle(row.commit_root, row.client_seed, bytes(row.salt_key))


def hand_of(row: Row[Any], actions: tuple[HandAction, ...]) -> Hand:
    """Read a hand."""
    return Hand(
        hand_id=row.hand_id,
        match_id=row.match_id,
        hand_no=row.hand_no,
        ruleset_hash=row.ruleset_hash,
        setup=decode_setup(poker_pb2.HandSetup.FromString(bytes(row.setup))),
        secret=bytes(row.secret),
        started_at=row.started_at,
        actions=actions,
        state=HandState(row.state),
        ended_at=row.ended_at,
        bot_version=row.bot_version,
        bot_fallback=row.bot_fallback,
        ai_decided=row.ai_decided,
        net_chips=row.net_chips,
        pot_chips=row.pot_chips,
        shuffle=_shuffle_of(row),
    )


def logged_of(row: Row[Any]) -> LoggedEvent:
    """Read an event."""
    event = None
    if row.event is not None:
        (event,) = decode_events([engine_pb2.HandEvent.FromString(bytes(row.event))])
    content = TableEvent(row.name, json.loads(row.extras), event, row.hand_id)
    return LoggedEvent(row.seq, row.at, content)
