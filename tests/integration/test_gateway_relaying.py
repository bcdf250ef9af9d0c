"""A gateway that stops while its log does not answer."""

import threading
from collections.abc import Sequence
from pathlib import Path

from services.common.eventlog.port import EventLogError, Record
from services.gateway.app import Relaying
from tests.support.gateways import open_house

SECONDS = 60.0


class SilentSink:
    """A broker that takes a batch and says nothing, as a paused one does."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.closed = threading.Event()

    def publish(self, records: Sequence[Record]) -> None:
        assert records
        self.asked.set()
        assert self.closed.wait(SECONDS)
        raise EventLogError("closed")

    def close(self) -> None:
        self.closed.set()


def test_a_silent_log_does_not_keep_a_gateway_from_ending(tmp_path: Path) -> None:
    sink = SilentSink()
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        house.guest("Ana").sit_down()
        relay = Relaying(house.sql_engine, sink)
        relay.start()
        assert sink.asked.wait(SECONDS)
        closing = threading.Thread(target=relay.close, daemon=True)
        closing.start()
        closing.join(SECONDS / 2)
        assert not closing.is_alive()
        assert [one.name for one in threading.enumerate() if one.name == "relay"] == []
