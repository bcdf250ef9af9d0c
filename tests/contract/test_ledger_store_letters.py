"""Dead letters are applied when what they lacked is there, once, on SQLite and PostgreSQL."""

from collections.abc import Sequence

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from services.common.database import reading
from services.common.eventlog.port import Event, Record, Undecodable
from services.ledger.consumer import Consumer
from services.ledger.leaderboard import Scope, read_row
from services.ledger.letters import Replayed, replay_letters
from services.ledger.schema import DEAD_LETTERS, TRANSFERS
from tests.support.ledgers import apply_all, merged, run_audit, whole_match
from tests.support.list_logs import ListSource, drain

Told = list[tuple[bool, str]]


def told(replayed: Sequence[Replayed]) -> Told:
    return [(one.accepted, one.reason) for one in replayed]


def waiting(ledger: Engine) -> list[int]:
    query = sa.select(DEAD_LETTERS.c.letter_no).where(DEAD_LETTERS.c.replayed_us.is_(None))
    with reading(ledger) as connection:
        return list(connection.execute(query.order_by(DEAD_LETTERS.c.letter_no)).scalars())


def without_the_start(ledger: Engine) -> list[Event]:
    """Let a ledger refuse a match whose start it has not seen; returns the match."""
    events = whole_match("otter", [100, -30])
    drain(Consumer(ledger, ListSource(events[1:])))
    assert len(waiting(ledger)) == len(events) - 1
    return events


def test_the_rest_of_a_match_is_applied_when_its_start_has_come(ledger: Engine) -> None:
    events = without_the_start(ledger)
    apply_all(ledger, events[:1])
    replayed = list(replay_letters(ledger))
    assert told(replayed) == [(True, "")] * (len(events) - 1)
    assert [one.event_id for one in replayed] == [event.event_id for event in events[1:]]
    with reading(ledger) as connection:
        row = read_row(connection, Scope("hu_river"), "otter")
        times = set(connection.execute(sa.select(TRANSFERS.c.posted_us)).scalars())
    assert row is not None
    assert (row.tally.hands, row.tally.net_chips) == (2, 70)
    assert len(times) > 1  # each keeps the time at which it happened
    assert waiting(ledger) == []
    report = run_audit(ledger)
    assert (report.findings, report.dead_letters) == ([], 0)


def test_what_was_replayed_is_not_replayed_again_and_a_delivery_is_a_duplicate(
    ledger: Engine,
) -> None:
    events = without_the_start(ledger)
    apply_all(ledger, events[:1])
    list(replay_letters(ledger))
    assert list(replay_letters(ledger)) == []
    drain(Consumer(ledger, ListSource(events)))
    assert waiting(ledger) == []
    assert run_audit(ledger).findings == []


def test_what_still_cannot_be_true_stays_a_dead_letter(ledger: Engine) -> None:
    without_the_start(ledger)
    before = waiting(ledger)
    assert {reason for _, reason in told(list(replay_letters(ledger)))} == {"unknown_match"}
    assert waiting(ledger) == before
    assert run_audit(ledger).findings == []


def test_letters_are_replayed_by_number(ledger: Engine) -> None:
    events = without_the_start(ledger)
    apply_all(ledger, events[:1])
    first, *others = waiting(ledger)
    assert told(list(replay_letters(ledger, [first]))) == [(True, "")]
    assert waiting(ledger) == others
    assert list(replay_letters(ledger, [first, 999_999])) == []


def test_what_is_no_event_and_what_is_not_kept_whole_cannot_be_replayed(ledger: Engine) -> None:
    records: list[Record] = [Undecodable("broken", b"k", b"v"), *whole_match("otter", [1])[1:2]]
    drain(Consumer(ledger, ListSource(records)))
    assert told(list(replay_letters(ledger))) == [(False, "not_an_event"), (False, "unknown_match")]
    with ledger.begin() as connection:
        connection.execute(sa.update(DEAD_LETTERS).values(time_us=None))
    assert told(list(replay_letters(ledger))) == [
        (False, "not_an_event"),
        (False, "not_kept_whole"),
    ]


def test_a_dead_merge_is_replayed_like_a_hand(ledger: Engine) -> None:
    apply_all(ledger, [*whole_match("ana", [5]), *whole_match("guest", [10])])
    contradiction = merged("ana", "guest")
    drain(Consumer(ledger, ListSource([merged("guest", "ana"), contradiction])))
    assert told(list(replay_letters(ledger))) == [(False, "merge_in_circle")]
    assert run_audit(ledger).findings == []


def test_letters_buried_meanwhile_wait_for_the_next_time(ledger: Engine) -> None:
    without_the_start(ledger)
    replaying = replay_letters(ledger)
    next(replaying)
    drain(Consumer(ledger, ListSource([Undecodable("broken", b"k", b"v")], 0)))
    assert "not_an_event" not in {one.reason for one in replaying}


@pytest.mark.parametrize("numbers", [[], [1]])
def test_a_ledger_without_dead_letters_has_nothing_to_replay(
    ledger: Engine, numbers: list[int]
) -> None:
    assert list(replay_letters(ledger, numbers)) == []
