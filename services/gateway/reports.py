"""Matches as their players see them: chips and times, never a card."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from services.gateway.model import Match, MatchState
from services.gateway.money import big_blinds_text, per_hundred_text

Json = dict[str, Any]


def time_text(at: datetime) -> str:
    """Write a time as ISO 8601 in UTC."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def match_json(match: Match) -> Json:
    """Return a match as its player sees it; ``stack`` is that of the last finished hand."""
    buy_in = match.ruleset.buy_in
    top_up_to = buy_in.max_chips if buy_in is not None else 0
    between = match.state is MatchState.BETWEEN_HANDS
    return {
        "id": match.match_id,
        "table_id": match.table_id,
        "ruleset": match.ruleset.ruleset_id,
        "state": match.state.value,
        "buy_in": match.buy_in_chips,
        "stack": match.stack_chips,
        "total_buy_in": match.total_buy_in_chips,
        "top_ups": [{"chips": item.chips, "at": time_text(item.at)} for item in match.top_ups],
        "result_chips": match.result_chips,
        "result_bb": big_blinds_text(match.result_chips, match.ruleset.big_blind_chips),
        "hands": match.hands,
        "started_at": time_text(match.started_at),
        "kept_until": time_text(match.kept_until),
        "settled_at": None if match.settled_at is None else time_text(match.settled_at),
        "can_next_hand": between,
        "can_top_up": between and match.stack_chips < top_up_to,
        "top_up_to": top_up_to,
        "can_settle": between or match.state is MatchState.BUSTED,
        "next_commit_root": match.next_commit_root if match.has_next_hand else None,
    }


def graph_json(match: Match, results: Sequence[tuple[int, int]], points: int) -> Json:
    """Return the result after each finished hand: all of them, or ``points`` spread evenly.

    ``results`` holds hand numbers and nets, in order. The first and the last are always there.
    """
    running, course = 0, []
    for hand_no, net_chips in results:
        running += net_chips
        course.append((hand_no, net_chips, running))
    if len(course) > points:
        last = len(course) - 1
        course = [course[index * last // (points - 1)] for index in range(points)]
    return {
        "match_id": match.match_id,
        "hands": len(results),
        "items": [
            {
                "hand_no": hand_no,
                "net_chips": net_chips,
                "result_chips": result_chips,
                "result_bb": big_blinds_text(result_chips, match.ruleset.big_blind_chips),
            }
            for hand_no, net_chips, result_chips in course
        ],
    }


def summary_json(match: Match, now: datetime) -> Json:
    """Return the summary of a match (HU-018); of an open one, as it stands."""
    big_blind_chips = match.ruleset.big_blind_chips
    ended_at = match.settled_at or now
    return {
        "match_id": match.match_id,
        "hands": match.hands,
        "net_chips": match.result_chips,
        "net_bb": big_blinds_text(match.result_chips, big_blind_chips),
        "bb_per_100": per_hundred_text(match.result_chips, big_blind_chips, match.hands),
        "buy_in": match.buy_in_chips,
        "top_ups": {"count": len(match.top_ups), "chips": match.top_up_chips},
        "final_stack": match.stack_chips,
        "biggest_pot_won": match.biggest_pot_won_chips,
        "biggest_pot_lost": match.biggest_pot_lost_chips,
        "ai_decided": match.ai_decided,
        "duration_seconds": int((ended_at - match.started_at).total_seconds()),
        "reason": None if match.end_reason is None else match.end_reason.value,
    }
