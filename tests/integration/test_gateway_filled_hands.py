"""Hands from before the lists of hands learn their button and pot when the schema moves on."""

import importlib
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from services.common.database import reading
from services.gateway.store.schema import HANDS
from tests.support.gateways import House, open_house

MIGRATION = importlib.import_module("services.gateway.migrations.versions.m0005_lifecycle")


def facts(house: House) -> list[tuple[Any, ...]]:
    query = sa.select(HANDS.c.hand_id, HANDS.c.button, HANDS.c.pot_chips).order_by(HANDS.c.hand_id)
    with reading(house.sql_engine) as connection:
        return [tuple(row) for row in connection.execute(query)]


@pytest.mark.parametrize("batch", [1_000, 2, 1])
def test_stored_hands_learn_what_new_hands_are_born_with(
    database_url: str, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MIGRATION, "BATCH", batch)
    with open_house(database_url) as house:
        seat = house.guest().sit_down()
        for _ in range(3):
            seat.play_out()
            seat.next_hand()
        known = facts(house)
        assert len(known) == 4
        with house.sql_engine.begin() as connection:
            connection.execute(sa.update(HANDS).values(button=None, pot_chips=None))
            with Operations.context(MigrationContext.configure(connection)):
                MIGRATION._fill_hands()
        assert facts(house) == known
