"""How connections to PostgreSQL are asked for."""

from typing import Any

import pytest
import sqlalchemy as sa

from services.common.database import open_engine


class AskedError(Exception):
    """Instead of a connection."""


@pytest.mark.parametrize("read_only", [False, True])
def test_a_server_that_vanishes_is_noticed_within_a_minute(read_only: bool) -> None:
    engine = open_engine("postgresql://tables@127.0.0.1:1/tables", read_only=read_only)
    asked: dict[str, Any] = {}

    @sa.event.listens_for(engine, "do_connect")
    def note(_dialect: object, _record: object, _given: object, options: dict[str, Any]) -> None:
        asked.update(options)
        raise AskedError

    with pytest.raises(AskedError):
        engine.connect()
    quiet = asked["keepalives_idle"] + asked["keepalives_interval"] * asked["keepalives_count"]
    assert quiet <= 60
    # Longer than a database that is stopped for half a minute; in milliseconds.
    assert 30_000 < asked["tcp_user_timeout"] <= 60_000
    assert 0 < asked["connect_timeout"] <= 10
