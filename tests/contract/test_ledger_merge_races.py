"""Matches that are settled while their players are merged are counted once, on one line."""

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError, OperationalError

from services.common.database import reading
from services.common.eventlog.port import Event
from services.ledger.leaderboard import Scope, read_row
from tests.support.ledgers import apply_all, merged, run_audit, whole_match

PAIRS = 12
TRIES = 50


def apply_like_a_consumer(ledger: Engine, streams: list[list[Event]]) -> None:
    """Apply streams, each in a transaction, again when another one was faster."""
    for stream in streams:
        for _ in range(TRIES):
            try:
                apply_all(ledger, stream)
            except (IntegrityError, OperationalError):
                continue
            break
        else:
            raise AssertionError("never came through")


def test_settling_and_merging_at_once_loses_and_doubles_nothing(ledger: Engine) -> None:
    matches = [whole_match(f"guest{n}", [10, -3], match_id=f"m{n}") for n in range(PAIRS)]
    later = [whole_match(f"guest{n}", [1], match_id=f"later{n}") for n in range(PAIRS)]
    into_middle = [[merged(f"guest{n}", f"middle{n}")] for n in range(PAIRS)]
    into_end = [[merged(f"middle{n}", "end")] for n in range(PAIRS)]
    with ThreadPoolExecutor(4) as pool:
        works = [
            pool.submit(apply_like_a_consumer, ledger, streams)
            for streams in (matches, into_middle, later, into_end[::-1])
        ]
        for work in works:
            work.result()
    with reading(ledger) as connection:
        row = read_row(connection, Scope("hu_river"), "end")
    assert row is not None
    assert (row.tally.hands, row.tally.net_chips) == (3 * PAIRS, 8 * PAIRS)
    assert run_audit(ledger).findings == []
