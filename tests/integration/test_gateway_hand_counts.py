"""The board, the player's own pages and the ledger count the same hands."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from proto.ledger.v1 import ledger_pb2_grpc
from services.common.database import open_engine, reading
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.outbox import to_microseconds
from services.ledger.consumer import POLL_SECONDS, Consumer
from services.ledger.schema import SEATS
from services.ledger.service import LedgerServicer
from services.ledger.store import upgrade
from tests.support.gateways import House, open_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def ledger(house: House, tmp_path: Path) -> Iterator[Engine]:
    """Open a ledger that the house reads its leaderboards from."""
    engine = open_engine(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    upgrade(engine)

    async def serve() -> grpc.aio.Server:
        server = grpc.aio.server()
        servicer = LedgerServicer(engine, lambda: to_microseconds(house.clock()))
        ledger_pb2_grpc.add_LedgerServiceServicer_to_server(servicer, server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        await house.channel.close()
        house.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
        return server

    server = house.run(serve())
    house.restart()
    yield engine
    house.run(server.stop(None))
    engine.dispose()


def test_hands_on_the_board_are_those_of_the_profile_and_the_ledger_ldr_012(
    house: House, ledger: Engine
) -> None:
    consumer = Consumer(ledger, EmbeddedSource(house.sql_engine, 0))
    guest = house.guest("Otter")
    for hands in (1, 3):
        seat = guest.sit_down()
        for number in range(hands):
            if number:
                seat.next_hand()
            seat.play_out()
        seat.do("settle")
    guest.sit_down().play_out()  # finished, but its match is still open
    while consumer.run_once(0):
        pass
    row = guest.get("/v1/leaderboards/hu_river/me")["row"]
    matches = guest.get("/v1/matches")["items"]
    settled = [match for match in matches if match["state"] == "settled"]
    assert row["hands"] == sum(match["hands"] for match in settled) == 4
    assert row["net_chips"] == sum(match["result_chips"] for match in settled)
    played = [guest.get(f"/v1/matches/{match['id']}/hands")["items"] for match in settled]
    assert row["hands"] == sum(len(hands) for hands in played)
    assert guest.get("/v1/lobby")["standing"]["hands"] == 4
    with reading(ledger) as connection:
        mine = SEATS.c.player_id == guest.user["id"]
        query = sa.select(sa.func.sum(SEATS.c.hands)).where(mine)
        assert connection.execute(query).scalar_one() == 5  # with the hand of the open match


def test_a_settled_match_is_on_the_board_with_the_next_poll_ldr_011(
    house: House, ledger: Engine
) -> None:
    """Events wait for no more than one poll; five seconds are allowed."""
    assert POLL_SECONDS <= 5
    consumer = Consumer(ledger, EmbeddedSource(house.sql_engine, 0))
    guest = house.guest("Otter")
    seat = guest.sit_down()
    seat.play_out()
    consumer.run_once(0)
    assert guest.get("/v1/leaderboards/hu_river/me")["row"] is None
    seat.do("settle")
    consumer.run_once(0)
    assert guest.get("/v1/leaderboards/hu_river/me")["row"]["hands"] == 1
    (row,) = guest.get("/v1/leaderboards/hu_river?section=qualifying&window=season")["items"]
    assert (row["you"], row["hands"], row["margin_95"]) == (True, 1, None)
