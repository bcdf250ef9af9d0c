"""Decks that wait: kept as they are, dealt once, on every database."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from poker.actions import ActionKind
from services.common.database import migrate, open_engine, reading
from services.gateway import steps
from services.gateway.app import MIGRATIONS
from services.gateway.dealer import RandomDealer
from services.gateway.fairness import commit_to
from services.gateway.model import Commitment, EndReason
from services.gateway.store import commits, prepared
from services.gateway.store.schema import HANDS, PREPARED, USERS
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
        for user in (ANA, BEN):
            connection.execute(
                sa.insert(USERS).values(
                    user_id=user.user_id,
                    kind=user.kind,
                    display_name=user.display_name,
                    created_at=user.created_at,
                )
            )
    yield engine
    engine.dispose()


def commitment(chance: int) -> Commitment:
    return commit_to(RandomDealer(random.Random(chance)))


def keep(engine: Engine, holder: str, deck: Commitment) -> bool:
    with engine.begin() as connection:
        return prepared.keep(connection, holder, deck, NOON)


def waiting(engine: Engine, holder: str) -> Commitment | None:
    with reading(engine) as connection:
        return prepared.find(connection, holder)


def begin(engine: Engine, step: steps.Step) -> steps.Step:
    """Store a new table whose deck was waiting."""
    with engine.begin() as connection:
        prepare(connection, step)
        commits.create(connection, step)
    return step


def commit(engine: Engine, step: steps.Step) -> steps.Step:
    with engine.begin() as connection:
        commits.commit(connection, step)
    return step


def test_a_deck_waits_as_it_was_prepared(engine: Engine) -> None:
    assert waiting(engine, "u_1") is None
    assert keep(engine, "u_1", commitment(1))
    assert waiting(engine, "u_1") == commitment(1)
    assert waiting(engine, "u_2") is None


def test_a_deck_that_waits_is_never_replaced_eng_009(engine: Engine) -> None:
    keep(engine, "u_1", commitment(1))
    assert not keep(engine, "u_1", commitment(2))
    assert waiting(engine, "u_1") == commitment(1)


def test_of_many_that_prepare_at_once_one_deck_stays(engine: Engine) -> None:
    decks = [commitment(number) for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        kept = list(pool.map(lambda deck: keep(engine, "u_1", deck), decks))
    assert kept.count(True) == 1
    assert waiting(engine, "u_1") == decks[kept.index(True)]


def test_a_deck_is_used_once(engine: Engine) -> None:
    keep(engine, "u_1", commitment(1))
    with engine.begin() as connection:
        assert prepared.use(connection, commitment(1).root)
        assert not prepared.use(connection, commitment(1).root)
    assert waiting(engine, "u_1") is None


def test_dealing_uses_up_a_deck_and_leaves_the_next_one(engine: Engine) -> None:
    first = begin(engine, sat_down())
    table_id = first.scene.table.table_id
    assert waiting(engine, table_id) == first.following
    assert first.following is not None
    assert first.scene.match.next_commit_root == first.following.root
    commit(engine, acted(first.scene, ActionKind.FOLD))
    assert waiting(engine, table_id) == first.following


def test_a_hand_from_a_deck_that_does_not_wait_is_not_dealt(engine: Engine) -> None:
    first = begin(engine, sat_down())
    folded = commit(engine, acted(first.scene, ActionKind.FOLD))
    foreign = dealt(folded.scene)
    with pytest.raises(commits.VersionConflictError):
        commit(engine, foreign)
    with reading(engine) as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(HANDS)).scalar_one() == 1
    assert waiting(engine, first.scene.table.table_id) == first.following


def test_no_table_is_made_without_the_deck_that_waits(engine: Engine) -> None:
    with pytest.raises(commits.VersionConflictError), engine.begin() as connection:
        commits.create(connection, sat_down())
    with reading(engine) as connection:
        assert connection.execute(sa.select(HANDS)).all() == []


def test_the_database_itself_refuses_a_deck_dealt_twice_eng_009(engine: Engine) -> None:
    first = begin(engine, sat_down(ANA))
    second = sat_down(BEN)
    shuffle = first.scene.hand.shuffle
    scene = replace(second.scene, hand=replace(second.scene.hand, shuffle=shuffle))
    with pytest.raises(IntegrityError):
        begin(engine, replace(second, scene=scene))


def test_when_a_match_ends_its_waiting_deck_is_forgotten(engine: Engine) -> None:
    first = begin(engine, sat_down())
    keep(engine, ANA.user_id, commitment(9))
    folded = commit(engine, acted(first.scene, ActionKind.FOLD))
    commit(engine, steps.settle(folded.scene, EndReason.SETTLED, NOON))
    with reading(engine) as connection:
        assert connection.execute(sa.select(PREPARED.c.holder)).scalars().all() == [ANA.user_id]
