"""What a person is told about what happened to their matches while they were away (HU-071)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.gateway.model import EndReason, Hand, Match
from services.gateway.money import big_blinds_text
from services.gateway.reports import time_text

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class News:
    """Something to tell a person; ``data`` is JSON and holds no card."""

    type: str
    data: Json


@dataclass(frozen=True, slots=True)
class Notice:
    """News as a person keeps it: ``seq`` numbers theirs from 1 without gaps."""

    seq: int
    type: str
    at: datetime
    data: Json
    read_at: datetime | None = None


def notice_json(notice: Notice) -> Json:
    """Return a notice as its person sees it."""
    return {
        "seq": notice.seq,
        "type": notice.type,
        "at": time_text(notice.at),
        "read": notice.read_at is not None,
        "data": notice.data,
    }


def hand_decided(match: Match, hand: Hand) -> News:
    """Tell that a hand was finished by the computer in the person's place."""
    net_chips = hand.net_chips or 0
    data = {
        **_place(match),
        "hand_id": hand.hand_id,
        "hand_no": hand.hand_no,
        "net_chips": net_chips,
        "net_bb": big_blinds_text(net_chips, match.ruleset.big_blind_chips),
    }
    return News("hand.ai_decided", data)


def match_ended(match: Match, cause: EndReason) -> News:
    """Tell that a match ended without its player; ``cause`` is expired or superseded."""
    void = match.end_reason is EndReason.VOID
    data = {
        **_place(match),
        "cause": cause.value,
        "hands": match.hands,
        "result_chips": match.result_chips,
        "result_bb": big_blinds_text(match.result_chips, match.ruleset.big_blind_chips),
    }
    return News("match.voided" if void else "match.settled", data)


def hand_voided(match: Match, hand: Hand, cause: EndReason) -> News:
    """Tell that an open hand does not count, because its player left."""
    data = {**_place(match), "hand_id": hand.hand_id, "hand_no": hand.hand_no}
    return News("hand.voided", {**data, "cause": cause.value})


def match_expiring(match: Match) -> News:
    """Tell that a match is not kept much longer."""
    return News("match.expiring", {**_place(match), "kept_until": time_text(match.kept_until)})


def _place(match: Match) -> Json:
    return {"match_id": match.match_id, "table_id": match.table_id}
