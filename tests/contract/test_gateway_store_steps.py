"""What a step writes can be read back, once, on every database."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from poker.actions import ActionKind
from services.common.database import migrate, open_engine, reading
from services.common.eventlog import outbox
from services.gateway import steps
from services.gateway.app import MIGRATIONS
from services.gateway.model import EndReason, Scene, User
from services.gateway.steps import Step
from services.gateway.store import claims, commits, queries, sessions
from services.gateway.store.schema import METADATA, UtcTime
from services.gateway.store.sessions import NewSession
from tests.support.gateway_steps import ANA, BEN, acted, dealt, prepare, sat_down
from tests.support.gateways import NOON


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


def create(engine: Engine, step: Step) -> Scene:
    with engine.begin() as connection:
        prepare(connection, step)
        commits.create(connection, step)
    return step.scene


def commit(engine: Engine, step: Step) -> Scene:
    with engine.begin() as connection:
        prepare(connection, step)
        commits.commit(connection, step)
    return step.scene


def load(engine: Engine, scene: Scene) -> Scene | None:
    with reading(engine) as connection:
        return queries.load_scene(connection, scene.table.table_id)


def published(engine: Engine) -> list[tuple[str, str]]:
    with reading(engine) as connection:
        return [(event.type, event.key) for _, event in outbox.read_after(connection, 0, 1000)]


def rows_of(engine: Engine) -> dict[str, int]:
    """How many rows each table has: to see that nothing was written."""
    with reading(engine) as connection:
        return {
            table.name: connection.execute(
                sa.select(sa.func.count()).select_from(table)
            ).scalar_one()
            for table in (*METADATA.sorted_tables, outbox.OUTBOX)
        }


def folded(scene: Scene) -> Step:
    return acted(scene, ActionKind.FOLD)


def test_the_migrations_make_exactly_the_tables_of_the_code(engine: Engine) -> None:
    def same_type(*args: object) -> bool | None:
        # A time is a BIGINT to the database.
        return False if isinstance(args[4], UtcTime) else None

    expected = {*METADATA.tables, *outbox.METADATA.tables}
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": same_type,
                "include_name": lambda name, kind, _: kind != "table" or name in expected,
            },
        )
        # Several collections are documented, but not typed.
        assert compare_metadata(context, cast("sa.MetaData", [METADATA, outbox.METADATA])) == []


def test_migrating_twice_changes_nothing(engine: Engine) -> None:
    before = rows_of(engine)
    migrate(engine, MIGRATIONS)
    assert rows_of(engine) == before


def test_a_new_match_reads_back_the_same(engine: Engine) -> None:
    scene = create(engine, sat_down())
    assert load(engine, scene) == scene


def test_an_unknown_table_is_none(engine: Engine) -> None:
    with reading(engine) as connection:
        assert queries.load_scene(connection, "t_nope") is None


def test_every_step_of_two_hands_reads_back_the_same(engine: Engine) -> None:
    scene = create(engine, sat_down())
    for _ in range(3):
        scene = commit(
            engine, acted(scene, ActionKind.CALL if scene.table.version == 1 else ActionKind.CHECK)
        )
        assert load(engine, scene) == scene
    while scene.table.turn_seat is not None:
        scene = commit(engine, acted(scene, ActionKind.CHECK))
    assert load(engine, scene) == scene
    scene = commit(engine, dealt(scene))
    assert load(engine, scene) == scene
    scene = commit(engine, folded(scene))
    lower = replace(scene, match=replace(scene.match, stack_chips=4_000))
    scene = commit(engine, steps.top_up(lower, 10_000, NOON))
    scene = commit(engine, steps.settle(scene, EndReason.SETTLED, NOON))
    assert load(engine, scene) == scene


def test_events_are_numbered_without_gaps_and_read_back_in_full(engine: Engine) -> None:
    first = sat_down()
    scene = create(engine, first)
    second = folded(scene)
    commit(engine, second)
    with reading(engine) as connection:
        log = queries.load_events(connection, scene.table.table_id, 0)
    assert [item.seq for item in log] == list(range(1, second.scene.table.last_seq + 1))
    assert [item.content for item in log] == [*first.events, *second.events]


def test_a_page_of_events_starts_behind_the_known_one(engine: Engine) -> None:
    scene = create(engine, sat_down())
    with reading(engine) as connection:
        page = queries.load_events(connection, scene.table.table_id, 2, 2)
    assert [item.seq for item in page] == [3, 4]


def test_a_step_on_an_old_version_is_refused_and_writes_nothing(engine: Engine) -> None:
    scene = create(engine, sat_down())
    commit(engine, acted(scene, ActionKind.CALL))
    before = rows_of(engine)
    with pytest.raises(commits.VersionConflictError):
        commit(engine, folded(scene))
    assert rows_of(engine) == before


def test_of_many_writers_on_one_version_exactly_one_succeeds(engine: Engine) -> None:
    scene = create(engine, sat_down())
    competing = [acted(scene, ActionKind.RAISE, 200 + 50 * number) for number in range(6)]

    def attempt(step: Step) -> bool:
        try:
            commit(engine, step)
        except commits.VersionConflictError:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        outcomes = list(pool.map(attempt, competing))
    assert outcomes.count(True) == 1
    winner = competing[outcomes.index(True)]
    assert load(engine, scene) == winner.scene


def test_a_person_has_one_open_match(engine: Engine) -> None:
    scene = create(engine, sat_down())
    before = rows_of(engine)
    with pytest.raises(commits.MatchOpenError):
        create(engine, sat_down(seed=2))
    assert rows_of(engine) == before
    create(engine, sat_down(BEN, seed=3))
    scene = commit(engine, steps.void_hand(scene, EndReason.VOID, NOON))
    create(engine, sat_down(seed=4))


def test_the_outbox_is_written_with_the_step(engine: Engine) -> None:
    scene = create(engine, sat_down())
    commit(engine, folded(scene))
    key = scene.match.match_id
    assert published(engine) == [
        ("riverboat.match.started.v1", key),
        ("riverboat.chips.bought.v1", key),
        ("riverboat.chips.bought.v1", key),
        ("riverboat.hand.settled.v1", key),
    ]


def test_a_step_whose_event_was_published_before_is_rolled_back(engine: Engine) -> None:
    scene = create(engine, sat_down())
    scene = commit(engine, folded(scene))
    again = steps.settle(scene, EndReason.SETTLED, NOON)
    doubled = replace(again, outbox=(*again.outbox, *again.outbox))
    before = rows_of(engine)
    with pytest.raises(IntegrityError):
        commit(engine, doubled)
    assert rows_of(engine) == before
    assert load(engine, scene) == scene


def waiting(engine: Engine) -> list[str]:
    """Claim what waits for a program."""
    with engine.begin() as connection:
        return claims.claim_waiting(connection, NOON, timedelta(), 10)


def test_waiting_tables_are_those_where_a_program_must_act(engine: Engine) -> None:
    scene = create(engine, sat_down())
    create(engine, sat_down(BEN, seed=3))
    assert waiting(engine) == []
    scene = commit(engine, acted(scene, ActionKind.CALL))
    assert waiting(engine) == [scene.table.table_id]
    assert waiting(engine) == [], "it is claimed"


def test_a_table_whose_player_left_waits_too(engine: Engine) -> None:
    scene = create(engine, sat_down())
    scene = commit(engine, steps.begin_closing(scene, EndReason.EXPIRED, NOON))
    assert waiting(engine) == [scene.table.table_id]


def test_the_open_match_of_a_person_is_found_until_it_ends(engine: Engine) -> None:
    scene = create(engine, sat_down())
    with reading(engine) as connection:
        assert queries.find_open_table(connection, ANA.user_id) == scene.table.table_id
        assert queries.find_open_table(connection, BEN.user_id) is None
    commit(engine, steps.void_hand(scene, EndReason.SUPERSEDED, NOON))
    with reading(engine) as connection:
        assert queries.find_open_table(connection, ANA.user_id) is None


def test_matches_are_listed_newest_first_in_pages(engine: Engine) -> None:
    ended = []
    for number in range(3):
        step = sat_down(seed=number)
        later = NOON + timedelta(minutes=number)
        match = replace(step.scene.match, started_at=later)
        scene = create(engine, replace(step, scene=replace(step.scene, match=match)))
        commit(engine, steps.void_hand(scene, EndReason.VOID, NOON))
        ended.append(match.match_id)
    with reading(engine) as connection:
        first = queries.list_matches(connection, ANA.user_id, None, 2)
        position = (first[-1].started_at, first[-1].match_id)
        second = queries.list_matches(connection, ANA.user_id, position, 2)
    assert [match.match_id for match in (*first, *second)] == ended[::-1]


def test_hands_are_listed_newest_first_in_pages(engine: Engine) -> None:
    scene = create(engine, sat_down())
    for seed in range(2, 5):
        scene = commit(
            engine, folded(scene) if scene.table.turn_seat == 1 else acted(scene, ActionKind.FOLD)
        )
        scene = commit(engine, dealt(scene, seed))
    with reading(engine) as connection:
        first = queries.list_hands(connection, scene.match.match_id, None, 3)
        rest = queries.list_hands(connection, scene.match.match_id, first[-1].hand_no, 3)
    assert [hand.hand_no for hand in (*first, *rest)] == [4, 3, 2, 1]
    assert first[0] == scene.hand


def test_times_are_exact_and_need_a_zone(engine: Engine) -> None:
    moment = NOON + timedelta(microseconds=123_457)
    person = User("u_00000000000000000003", "guest", "Cy", moment)
    with engine.begin() as connection:
        session = NewSession("hash-3", moment, moment + timedelta(days=1))
        sessions.create_guest(connection, person, session)
    with reading(engine) as connection:
        found = sessions.find(connection, "hash-3", moment)
    assert found == (person, moment, moment + timedelta(days=1))
