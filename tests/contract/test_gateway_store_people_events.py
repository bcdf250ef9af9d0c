"""What happens to people is told with it, in one transaction, on every database."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from proto.events.v1 import events_pb2 as pb
from services.common import tracing
from services.common.database import migrate, open_engine, reading
from services.common.eventlog import outbox
from services.common.eventlog.port import Event
from services.common.tracing import is_traceparent
from services.gateway.app import MIGRATIONS
from services.gateway.migrations.versions import m0007_traces
from services.gateway.model import User
from services.gateway.store import accounts, belongings, commits, idempotency, sessions, users
from services.gateway.store.accounts import Secret
from services.gateway.store.idempotency import Ticket
from services.gateway.store.schema import USERS
from services.gateway.store.sessions import NewSession
from tests.support.gateway_steps import ANA, BEN, prepare, sat_down
from tests.support.gateways import NOON

ACCOUNT = User("u_00000000000000000009", "account", "Cy", NOON, "Cy")
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
SECRET = Secret("$argon2id$...", None, "key")


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """Open a gateway's database with two guests and an account."""
    engine = open_engine(database_url)
    migrate(engine, MIGRATIONS)
    with engine.begin() as connection:
        for number, user in enumerate((ANA, BEN)):
            sessions.create_guest(connection, user, session(f"hash-{number}"))
        accounts.create(connection, ACCOUNT, "cy", SECRET, session("hash-9"))
    yield engine
    engine.dispose()


def session(token_hash: str) -> NewSession:
    return NewSession(token_hash, NOON, NOON + timedelta(days=1), None)


def told(engine: Engine) -> list[Event]:
    with reading(engine) as connection:
        return [event for _, event in outbox.read_after(connection, 0, 1_000)]


def merge(connection: Connection, guest: User = ANA) -> None:
    ticket = Ticket(ACCOUNT.user_id, f"key-{guest.user_id}", "attempt")
    idempotency.claim(connection, ticket, "print", NOON)
    belongings.merge(connection, ACCOUNT.user_id, guest.user_id, ticket, NOON)


def start_match(connection: Connection, player: User) -> None:
    step = sat_down(player, seed=int(player.user_id[-4:]))
    prepare(connection, step)
    commits.create(connection, step)


def name(user: User) -> pb.PlayerName:
    kinds = {
        "guest": pb.PARTICIPANT_KIND_GUEST,
        "account": pb.PARTICIPANT_KIND_ACCOUNT,
        "bot": pb.PARTICIPANT_KIND_BOT,
    }
    return pb.PlayerName(
        player_id=user.user_id,
        kind=kinds[user.kind],
        display_name=user.display_name,
        name_revision=user.revision,
    )


def test_a_new_name_is_told_with_its_number(engine: Engine) -> None:
    with engine.begin() as connection:
        accounts.rename(connection, ANA.user_id, "Anna", lambda _: True, NOON)
    (event,) = told(engine)
    assert (event.event_id, event.key) == (f"{ANA.user_id}.named.2", ANA.user_id)
    message = pb.PlayerNamed.FromString(event.value)
    assert message.player == name(replace(ANA, display_name="Anna", revision=2))
    assert not message.erased


def test_a_guest_who_becomes_an_account_and_a_bot_is_told_as_such(engine: Engine) -> None:
    upgraded = User(ANA.user_id, "account", "Ana_P", NOON, "Ana_P", 2)
    with engine.begin() as connection:
        accounts.upgrade(connection, upgraded, "ana_p", SECRET, session("hash-7"))
    with engine.begin() as connection:
        belongings.become_bot(connection, ANA.user_id, NOON)
    messages = [pb.PlayerNamed.FromString(event.value) for event in told(engine)]
    bot = replace(upgraded, kind="bot", revision=3)
    assert [message.player for message in messages] == [name(upgraded), name(bot)]


def test_a_merge_names_both(engine: Engine) -> None:
    with engine.begin() as connection:
        merge(connection)
    (event,) = told(engine)
    assert (event.event_id, event.key) == (f"{ANA.user_id}.merged", ANA.user_id)
    message = pb.PlayerMerged.FromString(event.value)
    assert (message.player, message.into) == (name(ANA), name(ACCOUNT))


def test_whoever_is_erased_is_told_of_with_everybody_in_them(engine: Engine) -> None:
    with engine.begin() as connection:
        merge(connection)
    with engine.begin() as connection:
        belongings.erase(connection, ACCOUNT.user_id, lambda _: True, NOON)
    messages = [pb.PlayerNamed.FromString(event.value) for event in told(engine)[1:]]
    assert {message.player.player_id for message in messages} == {ANA.user_id, ACCOUNT.user_id}
    for message in messages:
        assert message.erased
        assert (message.player.display_name, message.player.name_revision) == (
            users.ERASED_NAME,
            2,
        )


def test_what_is_refused_tells_nothing(engine: Engine) -> None:
    with pytest.raises(users.RevisionConflictError), engine.begin() as connection:
        accounts.rename(connection, ANA.user_id, "Anna", lambda _: False, NOON)
    with pytest.raises(belongings.NoAccountError), engine.begin() as connection:
        belongings.become_bot(connection, ANA.user_id, NOON)
    assert told(engine) == []


def test_a_match_tells_how_often_its_player_was_renamed(engine: Engine) -> None:
    with engine.begin() as connection:
        start_match(connection, replace(ANA, revision=4))
    message = pb.MatchStarted.FromString(told(engine)[0].value)
    assert [one.name_revision for one in message.participants] == [4, 0]


def test_all_events_of_a_transaction_have_the_trace_of_their_cause(engine: Engine) -> None:
    with tracing.traced_as(TRACE), engine.begin() as connection:
        start_match(connection, ANA)
    assert {event.traceparent for event in told(engine)} == {TRACE}


def test_what_nobody_asked_for_is_traced_by_itself(engine: Engine) -> None:
    for player in (ANA, BEN):
        with engine.begin() as connection:
            start_match(connection, player)
    traces = {event.traceparent for event in told(engine)}
    assert len(traces) == 2
    assert all(trace is not None and is_traceparent(trace) for trace in traces)


@pytest.mark.parametrize("batch", [1_000, 1])
def test_who_was_renamed_merged_or_erased_before_there_were_events_is_told_of_once(
    engine: Engine, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(m0007_traces, "BATCH", batch)
    dee, eve, new = (
        User(f"u_0000000000000000001{n}", "guest", called, NOON)
        for n, called in enumerate(("Dee", "Eve", "New"))
    )
    with engine.begin() as connection:
        for number, user in enumerate((dee, eve, new), start=20):
            sessions.create_guest(connection, user, session(f"hash-{number}"))
        for player in (ANA, BEN, dee):
            start_match(connection, player)
        merge(connection)
        accounts.rename(connection, BEN.user_id, "Benjamin", lambda _: True, NOON)
        # Eve has never played: nobody has to know.
        accounts.rename(connection, eve.user_id, "Evelyn", lambda _: True, NOON)
        connection.execute(
            sa.update(USERS)
            .where(USERS.c.user_id == dee.user_id)
            .values(erased_at=NOON, display_name=users.ERASED_NAME, revision=5)
        )
        connection.execute(sa.delete(outbox.OUTBOX))
        connection.exec_driver_sql("ALTER TABLE outbox DROP COLUMN traceparent")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0006'")
    migrate(engine, MIGRATIONS)
    migrate(engine, MIGRATIONS)
    events = told(engine)
    assert {event.event_id for event in events} == {
        f"{ANA.user_id}.named.1",
        f"{ANA.user_id}.merged",
        f"{BEN.user_id}.named.2",
        f"{dee.user_id}.named.5",
    }
    found = {event.event_id: event.value for event in events}
    merged = pb.PlayerMerged.FromString(found[f"{ANA.user_id}.merged"])
    assert (merged.player, merged.into) == (name(ANA), name(ACCOUNT))
    gone = pb.PlayerNamed.FromString(found[f"{dee.user_id}.named.5"])
    assert (gone.erased, gone.player.display_name) == (True, users.ERASED_NAME)
