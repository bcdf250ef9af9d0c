"""The local composition: its ports, its environment, and its patience."""

import asyncio
from pathlib import Path

import pytest

from services.local import Service, StartError, Supervisor, environment, free_ports, parse_port


@pytest.mark.parametrize("text", ["0", "-1", "65536", "70000", "8e3", " 80", "٨", "", "9" * 9])
def test_a_port_is_a_number_that_can_be_bound(text: str) -> None:
    with pytest.raises(StartError, match="1 to 65535"):
        parse_port(text)


def test_ports_at_the_limits_are_read() -> None:
    assert [parse_port("1"), parse_port("65535")] == [1, 65_535]


def test_free_ports_are_distinct() -> None:
    assert len(set(free_ports(20))) == 20


def test_production_settings_do_not_reach_the_local_services(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", "kafka:9092")
    monkeypatch.setenv("DATABASE_URL", "postgresql://production")
    assert environment({"DATABASE_URL": "sqlite://"})["DATABASE_URL"] == "sqlite://"
    assert "KAFKA_BOOTSTRAP_SERVERS" not in environment({})


def keep_a_service_that_dies(log_dir: Path, *, ready: bool, deaths: int) -> int:
    """Supervise one that exits at once; return how often it was started."""

    class Dying(Supervisor):
        starts = 0

        async def _run_once(self, service: Service) -> int:
            self.starts += 1
            if self.starts == deaths:
                self.stopping.set()
            return 1

        async def _pause(self, seconds: float) -> None:
            assert 0 < seconds <= 10

    async def supervise() -> int:
        supervisor = Dying([], log_dir)
        if ready:
            supervisor.ready.set()
        await supervisor.keep(Service("ledger", {}))
        return supervisor.starts

    return asyncio.run(supervise())


def test_a_service_that_never_lives_ends_the_start(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="ledger keeps dying"):
        keep_a_service_that_dies(tmp_path, ready=False, deaths=50)


def test_a_service_that_dies_later_is_started_for_ever(tmp_path: Path) -> None:
    assert keep_a_service_that_dies(tmp_path, ready=True, deaths=50) == 50
