"""What people save about themselves, on every database."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from services.common.database import migrate, open_engine, reading
from services.gateway.app import MIGRATIONS
from services.gateway.preferences import SavedPresets, saved_presets
from services.gateway.preset_sets import DEFAULTS
from services.gateway.store import preferences
from services.gateway.store.preferences import Kind, RevisionConflictError, Saved
from services.gateway.store.schema import USERS
from tests.support.gateway_steps import ANA, BEN
from tests.support.gateways import NOON

Allows = Callable[[int], bool]
PRESETS, SETTINGS = Kind.BET_PRESETS, Kind.SETTINGS
WRITERS = 6


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url)
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


def load(engine: Engine, user_id: str = ANA.user_id, kind: Kind = PRESETS) -> Saved:
    with reading(engine) as connection:
        return preferences.load(connection, user_id, kind)


def save(
    engine: Engine,
    body: str | None,
    allows: Allows,
    user_id: str = ANA.user_id,
    kind: Kind = PRESETS,
) -> Saved:
    with engine.begin() as connection:
        return preferences.save(connection, user_id, kind, body, allows=allows, now=NOON)


def on(*revisions: int) -> Allows:
    return lambda revision: revision in revisions


def anything(_revision: int) -> bool:
    return True


def test_everybody_starts_with_revision_zero_of_the_defaults(engine: Engine) -> None:
    assert load(engine) == Saved(0, None)


def test_a_change_on_what_was_seen_is_saved(engine: Engine) -> None:
    assert save(engine, "one", on(0)) == Saved(1, "one")
    assert load(engine) == Saved(1, "one")
    assert save(engine, "two", on(1)) == Saved(2, "two")
    assert load(engine) == Saved(2, "two")


@pytest.mark.parametrize("seen", [0, 2, -1])
def test_a_change_on_anything_else_is_refused_and_changes_nothing(
    engine: Engine, seen: int
) -> None:
    save(engine, "one", on(0))
    with pytest.raises(RevisionConflictError) as conflict:
        save(engine, "two", on(seen))
    assert conflict.value.revision == 1
    assert load(engine) == Saved(1, "one")


def test_a_refused_first_change_leaves_no_trace(engine: Engine) -> None:
    with pytest.raises(RevisionConflictError):
        save(engine, "one", on(1))
    assert load(engine) == Saved(0, None)


def test_the_way_back_to_the_defaults_is_a_change_too(engine: Engine) -> None:
    save(engine, "one", on(0))
    assert save(engine, None, on(1)) == Saved(2, None)
    # Somebody who still holds the first version must not get past the reset.
    with pytest.raises(RevisionConflictError):
        save(engine, "late", on(0, 1))
    assert load(engine) == Saved(2, None)


def test_kinds_and_people_are_apart(engine: Engine) -> None:
    save(engine, "ana's", on(0))
    save(engine, "ana's settings", on(0), kind=SETTINGS)
    save(engine, "ben's", on(0), BEN.user_id)
    assert load(engine) == Saved(1, "ana's")
    assert load(engine, kind=SETTINGS) == Saved(1, "ana's settings")
    assert load(engine, BEN.user_id) == Saved(1, "ben's")
    assert load(engine, BEN.user_id, SETTINGS) == Saved(0, None)


def test_nobody_in_particular_saves_nothing(engine: Engine) -> None:
    with pytest.raises(IntegrityError):
        save(engine, "whose?", anything, "u_nobody")


@pytest.mark.parametrize("before", [0, 1], ids=["the first change", "a later change"])
def test_of_many_changes_on_one_revision_one_is_saved(engine: Engine, before: int) -> None:
    for _ in range(before):
        save(engine, "before", anything)
    together = Barrier(WRITERS)

    def attempt(number: int) -> str | None:
        together.wait()
        try:
            return save(engine, f"writer {number}", on(before)).body
        except RevisionConflictError:
            return None

    with ThreadPoolExecutor(WRITERS) as pool:
        winners = [body for body in pool.map(attempt, range(WRITERS)) if body is not None]
    assert len(winners) == 1
    assert load(engine) == Saved(before + 1, winners[0])


def test_unconditional_changes_at_once_are_all_counted(engine: Engine) -> None:
    together = Barrier(WRITERS)

    def attempt(number: int) -> int:
        together.wait()
        return save(engine, f"writer {number}", anything).revision

    with ThreadPoolExecutor(WRITERS) as pool:
        revisions = sorted(pool.map(attempt, range(WRITERS)))
    assert revisions == list(range(1, WRITERS + 1))


def test_shortcuts_of_a_release_that_was_rolled_back_count_as_not_chosen(engine: Engine) -> None:
    newer = '{"preflop":[{"kind":"spr","value":"2"}],"postflop":[{"kind":"min","value":null}]}'
    save(engine, newer, on(0))
    with reading(engine) as connection:
        found = saved_presets(connection, ANA.user_id)
    assert found == SavedPresets(1, DEFAULTS, customised=False)
