"""Idempotency keys and sessions, on every database."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from services.common.database import migrate, open_engine, reading
from services.gateway.app import MIGRATIONS
from services.gateway.store import idempotency, sessions
from services.gateway.store.idempotency import CLOCK_SKEW, LEASE, Answer, Claim, Ticket
from services.gateway.store.sessions import NewSession
from tests.support.gateway_steps import ANA, BEN
from tests.support.gateways import NOON

RECEIPT = {"table_id": "t_1", "since": 4}
FIRST = Ticket(ANA.user_id, "key", "attempt-1")
SECOND = Ticket(ANA.user_id, "key", "attempt-2")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    else:
        url = request.getfixturevalue("postgres_url")
    engine = open_engine(url)
    migrate(engine, MIGRATIONS)
    with engine.begin() as connection:
        for number, user in enumerate((ANA, BEN)):
            session = NewSession(f"hash-{number}", NOON, NOON + timedelta(days=1))
            sessions.create_guest(connection, user, session)
    yield engine
    engine.dispose()


def claim(
    engine: Engine, ticket: Ticket, fingerprint: str = "print", now: datetime = NOON
) -> Claim:
    with engine.begin() as connection:
        return idempotency.claim(connection, ticket, fingerprint, now)


def mark_done(engine: Engine, ticket: Ticket) -> None:
    with engine.begin() as connection:
        idempotency.mark_done(connection, ticket, RECEIPT)


def keep(engine: Engine, ticket: Ticket, answer: Answer) -> Answer:
    with engine.begin() as connection:
        return idempotency.keep_answer(connection, ticket, answer)


def test_a_new_key_is_free(engine: Engine) -> None:
    assert claim(engine, FIRST) == Claim(FIRST)


def test_a_running_key_is_refused(engine: Engine) -> None:
    claim(engine, FIRST)
    with pytest.raises(idempotency.InProgressError):
        claim(engine, SECOND)


def test_the_lease_of_a_gateway_whose_clock_was_ahead_does_not_block_the_key(
    engine: Engine,
) -> None:
    claim(engine, FIRST, now=NOON + timedelta(hours=25))
    assert claim(engine, SECOND) == Claim(SECOND)
    with pytest.raises(idempotency.InProgressError):
        mark_done(engine, FIRST)
    mark_done(engine, SECOND)


@pytest.mark.parametrize("ahead", [timedelta(0), CLOCK_SKEW])
def test_the_lease_of_a_gateway_whose_clock_is_nearly_right_counts(
    engine: Engine, ahead: timedelta
) -> None:
    claim(engine, FIRST, now=NOON + ahead)
    with pytest.raises(idempotency.InProgressError):
        claim(engine, SECOND)


def test_keys_of_different_people_are_different(engine: Engine) -> None:
    claim(engine, FIRST)
    other = Ticket(BEN.user_id, "key", "attempt-3")
    assert claim(engine, other) == Claim(other)


@pytest.mark.parametrize("stage", ["running", "done", "answered"])
def test_a_key_used_for_something_else_is_a_mismatch_at_every_stage(
    engine: Engine, stage: str
) -> None:
    claim(engine, FIRST)
    if stage != "running":
        mark_done(engine, FIRST)
    if stage == "answered":
        keep(engine, FIRST, Answer(200, "{}"))
    with pytest.raises(idempotency.MismatchError):
        claim(engine, SECOND, "other print")


def test_a_dead_attempt_is_taken_over_when_its_lease_ends(engine: Engine) -> None:
    claim(engine, FIRST)
    assert claim(engine, SECOND, now=NOON + LEASE) == Claim(SECOND)


def test_an_attempt_that_lost_its_key_cannot_finish(engine: Engine) -> None:
    claim(engine, FIRST)
    claim(engine, SECOND, now=NOON + LEASE)
    with pytest.raises(idempotency.InProgressError):
        mark_done(engine, FIRST)
    with engine.begin() as connection:
        assert not idempotency.keep_refusal(connection, FIRST, Answer(409, "late"))
        idempotency.release(connection, FIRST)
    mark_done(engine, SECOND)
    assert claim(engine, FIRST) == Claim(FIRST, receipt=RECEIPT)


def test_work_is_done_once(engine: Engine) -> None:
    claim(engine, FIRST)
    mark_done(engine, FIRST)
    with pytest.raises(idempotency.InProgressError):
        mark_done(engine, FIRST)


def test_done_work_hands_out_its_receipt_without_waiting_for_the_lease(engine: Engine) -> None:
    claim(engine, FIRST)
    mark_done(engine, FIRST)
    assert claim(engine, SECOND) == Claim(SECOND, receipt=RECEIPT)


def test_the_first_answer_kept_is_the_one_that_counts(engine: Engine) -> None:
    claim(engine, FIRST)
    mark_done(engine, FIRST)
    assert keep(engine, FIRST, Answer(200, "one")) == Answer(200, "one")
    assert keep(engine, SECOND, Answer(200, "two")) == Answer(200, "one")
    assert claim(engine, SECOND) == Claim(SECOND, answer=Answer(200, "one"))


def test_a_refusal_is_kept(engine: Engine) -> None:
    claim(engine, FIRST)
    with engine.begin() as connection:
        assert idempotency.keep_refusal(connection, FIRST, Answer(409, "no"))
    assert claim(engine, SECOND) == Claim(SECOND, answer=Answer(409, "no"))


def test_a_late_refusal_does_not_replace_done_work(engine: Engine) -> None:
    claim(engine, FIRST)
    mark_done(engine, FIRST)
    with engine.begin() as connection:
        assert not idempotency.keep_refusal(connection, FIRST, Answer(409, "no"))
        idempotency.release(connection, FIRST)
    assert claim(engine, SECOND) == Claim(SECOND, receipt=RECEIPT)


def test_a_released_key_can_be_tried_again_at_once(engine: Engine) -> None:
    claim(engine, FIRST)
    with engine.begin() as connection:
        idempotency.release(connection, FIRST)
    assert claim(engine, SECOND, "other print") == Claim(SECOND)


def test_of_many_claims_at_once_one_wins(engine: Engine) -> None:
    tickets = [Ticket(ANA.user_id, "key", f"attempt-{number}") for number in range(8)]

    def attempt(ticket: Ticket) -> bool:
        try:
            claim(engine, ticket)
        except idempotency.InProgressError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(attempt, tickets)).count(True) == 1


def test_a_session_ends_and_can_be_extended(engine: Engine) -> None:
    def find(now: datetime) -> object:
        with reading(engine) as connection:
            return sessions.find(connection, "hash-0", now)

    tomorrow = NOON + timedelta(days=1)
    assert find(NOON) == (ANA, NOON, tomorrow)
    assert find(tomorrow) is None
    with engine.begin() as connection:
        sessions.touch(connection, "hash-0", tomorrow, tomorrow + timedelta(days=1))
    assert find(tomorrow) == (ANA, tomorrow, tomorrow + timedelta(days=1))
    with engine.begin() as connection:
        sessions.touch(connection, "hash-0", tomorrow + timedelta(hours=1), None)
    assert find(tomorrow) == (ANA, tomorrow + timedelta(hours=1), tomorrow + timedelta(days=1))
    with engine.begin() as connection:
        sessions.end(connection, "hash-0")
    assert find(NOON) is None
