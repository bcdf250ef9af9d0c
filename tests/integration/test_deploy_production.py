"""The Compose project's own commands, variables and probes, as processes on real stores.

There is no container engine here, so names of containers become loopback addresses; all else
is taken from docker-compose.yml as it stands: what runs, in which order, with which settings.
"""

import json
import random
import re
import sys
from collections.abc import Iterator

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url

from tests.support.composed import Composed, Stores, project, running
from tests.support.player import Json, Player, careful
from tests.support.system import until

JOBS = ("databases", "gateway-migrate", "ledger-migrate", "ledger-topics")
OWNERS = ("gateway", "ledger")


def forget_databases(server: URL) -> None:
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for owner in OWNERS:
            connection.execute(sa.text(f"DROP DATABASE IF EXISTS {owner} WITH (FORCE)"))
            connection.execute(sa.text(f"DROP ROLE IF EXISTS {owner}"))
    engine.dispose()


@pytest.fixture
def stores(postgres_server_url: str, kafka_bootstrap: str) -> Iterator[Stores]:
    """Real servers without these databases, before and after."""
    server = make_url(postgres_server_url).set(drivername="postgresql+psycopg")
    forget_databases(server)
    yield Stores(
        postgres=f"{server.host}:{server.port}",
        kafka=kafka_bootstrap,
        administrator={
            "PGUSER": str(server.username),
            "PGPASSWORD": str(server.password or ""),
        },
    )
    forget_databases(server)


@pytest.mark.timeout(600)  # everything is started and probed here, program by program
def test_compose_s_processes_play_hands_and_count_every_chip(
    stores: Stores, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with running(Composed(project(), stores), tmp_path_factory.mktemp("logs")) as system:
        gateway = f"http://{system.address('gateway', 8000)}"
        ready = httpx.get(f"{gateway}/readyz", trust_env=False)
        assert ready.status_code == 200, ready.text
        a_match_reaches_the_leaderboard(gateway)
        river_decided_by_itself(gateway)
        metrics_are_served_where_prometheus_asks(system)
        every_chip_is_where_it_should_be(system)
        for job in JOBS:
            done = system.run(job)
            assert done.returncode == 0, f"{job} again: {done.stdout}{done.stderr}"


def a_match_reaches_the_leaderboard(gateway: str) -> None:
    with Player(gateway) as player:
        player.join("Ada")
        seat, rng = player.sit_down(), random.Random(7)
        seat.finish_hand(careful, rng)
        for _ in range(4):
            if seat.state["match"]["state"] == "between_hands":
                seat.next_hand()
                seat.finish_hand(careful, rng)
        summary = seat.settle()

        def standing() -> Json:
            return player.get("/v1/leaderboards/hu_river/me")

        until(lambda: standing()["row"] is not None, "the ledger knows the match")
        row = standing()["row"]
        assert (row["hands"], row["net_chips"]) == (summary["hands"], summary["net_chips"])


def river_decided_by_itself(gateway: str) -> None:
    """A River that cannot be reached would be noticed by nothing else: the fixed rule plays on."""
    page = httpx.get(f"{gateway}/metrics", trust_env=False).text
    count = re.search(r"^riverboat_river_fallbacks_total (\S+)$", page, re.MULTILINE)
    assert count is not None
    assert float(count[1]) == 0


def metrics_are_served_where_prometheus_asks(system: Composed) -> None:
    for name in ("engine", "bot", "ledger"):
        answer = httpx.get(f"http://{system.address(name, 9100)}/metrics", trust_env=False)
        assert answer.status_code == 200
        assert "riverboat_" in answer.text, name


def every_chip_is_where_it_should_be(system: Composed) -> None:
    audit = system.run("ledger-migrate", [sys.executable, "-m", "services.ledger", "audit"])
    assert audit.returncode == 0, audit.stdout + audit.stderr
    assert json.loads(audit.stdout.splitlines()[-1])
