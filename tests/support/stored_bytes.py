"""How much the databases and the broker of a site hold."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from services.common.database import open_engine
from tests.support.whole_site import WholeSite


def stored_bytes(site: WholeSite) -> dict[str, int]:
    """Return bytes by store: tables and ledger (indexes included), and the broker's log."""
    found = {"tables": _database(site.gateway_url), "ledger": _database(site.ledger_url)}
    if site.broker is not None:
        logs = (site.broker.home / "data").glob("riverboat.*/*.log")
        found["log"] = sum(log.stat().st_size for log in logs)
    return found


def _database(url: str) -> int:
    path = make_url(url).database
    if url.startswith("sqlite"):
        assert path is not None
        files = [Path(path), Path(f"{path}-wal")]
        return sum(file.stat().st_size for file in files if file.exists())
    engine = open_engine(url, read_only=True)
    try:
        with engine.connect() as connection:
            size = sa.func.pg_database_size(sa.func.current_database())
            return int(connection.execute(sa.select(size)).scalar_one())
    finally:
        engine.dispose()
