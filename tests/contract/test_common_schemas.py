"""Which schemas a service takes: its own and later ones, none from before."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Engine

from services.common.database import SchemaError, migrate, open_engine, require_schema
from services.gateway.app import MIGRATIONS as GATEWAY
from services.ledger.store import MIGRATIONS as LEDGER

VERSION = sa.table("alembic_version", sa.column("version_num"))


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url)
    yield engine
    engine.dispose()


def pretend(engine: Engine, revision: str) -> None:
    with engine.begin() as connection:
        connection.execute(sa.update(VERSION).values(version_num=revision))


@pytest.mark.parametrize("scripts", [GATEWAY, LEDGER], ids=["gateway", "ledger"])
def test_a_schema_of_before_is_refused(scripts: Path, engine: Engine) -> None:
    with pytest.raises(SchemaError, match="not there"):
        require_schema(engine, scripts)
    migrate(engine, scripts)
    require_schema(engine, scripts)
    newest, *older = [script.revision for script in ScriptDirectory(str(scripts)).walk_revisions()]
    assert older
    for revision in older:
        pretend(engine, revision)
        with pytest.raises(SchemaError, match=f"is {revision}, {newest} is needed"):
            require_schema(engine, scripts)


@pytest.mark.parametrize("scripts", [GATEWAY, LEDGER], ids=["gateway", "ledger"])
def test_a_schema_of_the_next_release_is_taken(scripts: Path, engine: Engine) -> None:
    migrate(engine, scripts)
    pretend(engine, "9999")
    require_schema(engine, scripts)
