"""The ledger's reads over gRPC, as another service asks for them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from proto.events.v1 import events_pb2 as events_pb
from proto.ledger.v1 import ledger_pb2 as pb
from proto.ledger.v1 import ledger_pb2_grpc
from services.common.database import open_engine
from services.common.eventlog import outbox
from services.common.eventlog.outbox import to_microseconds
from services.common.rpc_errors import DETAILS_KEY
from services.ledger.days import day_of, season_of
from services.ledger.store import apply_events, upgrade
from tests.support.ledger_process import serving
from tests.support.ledgers import Script, whole_match

NOW = datetime.now(UTC).replace(microsecond=0)
"""Matches are played now, so that they are in the windows of a ledger that asks the clock."""
SEASON = season_of(day_of(to_microseconds(NOW)))
BEFORE = NOW - timedelta(days=400)
OLD_SEASON = season_of(day_of(to_microseconds(BEFORE)))


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[ledger_pb2_grpc.LedgerServiceStub]:
    outbox_url = f"sqlite:///{tmp_path / 'gateway.sqlite3'}"
    ledger_url = f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    gateway = open_engine(outbox_url)
    with gateway.begin() as connection:
        outbox.create_tables(connection)
    gateway.dispose()
    engine = open_engine(ledger_url)
    upgrade(engine)
    with engine.begin() as connection:
        for n in range(5):
            apply_events(connection, whole_match(f"p{n}", [n * 10, 0], start=BEFORE))
        apply_events(connection, whole_match("veteran", [1] * 500, start=BEFORE))
        apply_events(connection, whole_match("second", [1] * 499 + [-1], start=NOW, version="r9"))
        apply_events(connection, _robot())
    engine.dispose()
    env = {"DATABASE_URL": ledger_url, "OUTBOX_DATABASE_URL": outbox_url}
    with serving(**env) as (_process, channel):
        yield ledger_pb2_grpc.LedgerServiceStub(channel)


def _robot() -> list[Any]:
    script = Script("m-robot", "robot", "Robot", events_pb.PARTICIPANT_KIND_BOT, NOW).sit_down()
    script.hand(-300, ai_decided=True)
    script.hand(100)
    script.voided()
    script.settled()
    return script.events


def test_reads_over_grpc_ldr_009_ldr_010_ldr_014(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    _reads_a_ranked_row(stub)
    _reads_a_row_of_a_bot(stub)
    _reads_windows_and_versions(stub)
    _goes_on_in_the_season_in_which_it_began(stub)
    _pages_the_qualifying_section(stub)
    _reads_a_standing(stub)
    _pages_a_statement(stub)
    _refuses_what_is_wrong(stub)


def _reads_a_ranked_row(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    request = pb.GetLeaderboardRequest(board="hu_river", section=pb.SECTION_RANKED)
    answer = stub.GetLeaderboard(request, timeout=10)
    row, second = answer.rows
    assert (row.rank, row.display_name, row.kind) == (1, "Veteran", "guest")
    assert (row.hands, row.net_chips, row.bb_per_100) == (500, 500, "+1.00")
    assert (row.margin_95, row.ai_decided_percent) == ("0.00", "0.0")
    assert (second.rank, second.bb_per_100, second.margin_95) == (2, "+1.00", "0.01")
    assert answer.ranked_hands == 500
    assert (answer.window, list(answer.versions)) == ("all", ["r9"])
    assert list(answer.seasons) == [SEASON, OLD_SEASON]
    assert answer.HasField("as_of_time")
    assert row.HasField("last_played_time")


def _reads_a_row_of_a_bot(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    request = pb.GetLeaderboardRequest(board="hu_river_bots", section=pb.SECTION_QUALIFYING)
    (row,) = stub.GetLeaderboard(request, timeout=10).rows
    assert (row.rank, row.display_name, row.kind) == (0, "Robot", "bot")
    assert (row.hands, row.net_chips, row.bb_per_100) == (2, -200, "-100.00")
    # Mean -100, variance 80,000: 1.96 x sqrt(80,000 / 2) = 392 chips a hand.
    assert (row.margin_95, row.ai_decided_percent) == ("392.00", "50.0")
    assert (row.ai_decided_hands, row.void_hands) == (1, 1)
    assert row.last_played_time.ToDatetime(UTC) >= NOW


def _reads_windows_and_versions(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    ranked: dict[str, Any] = {"board": "hu_river", "section": pb.SECTION_RANKED}
    for window, version, told in (
        ("season", "", SEASON),
        ("30d", "", "30d"),
        (SEASON, "r9", SEASON),
        ("all", "r9", "all"),
    ):
        request = pb.GetLeaderboardRequest(**ranked, window=window, version=version)
        answer = stub.GetLeaderboard(request, timeout=10)
        assert answer.window == told
        assert [(row.rank, row.player_id) for row in answer.rows] == [(1, "second")]
        about = pb.GetStandingRequest(
            board="hu_river", player_id="second", window=window, version=version
        )
        standing = stub.GetStanding(about, timeout=10)
        assert (standing.row.rank, standing.window) == (1, told)
        assert not standing.HasField("next_rank")
    request = pb.GetLeaderboardRequest(**ranked, window="1999-Q4")
    assert list(stub.GetLeaderboard(request, timeout=10).rows) == []


def _goes_on_in_the_season_in_which_it_began(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    """A page token of a season works for "season" too, whichever season it is by then."""
    lists: dict[str, Any] = {"board": "hu_river", "section": pb.SECTION_QUALIFYING, "page_size": 2}
    first = stub.GetLeaderboard(pb.GetLeaderboardRequest(**lists, window=OLD_SEASON), timeout=10)
    token = first.next_page_token
    request = pb.GetLeaderboardRequest(**lists, window="season", page_token=token)
    answer = stub.GetLeaderboard(request, timeout=10)
    assert answer.window == OLD_SEASON
    assert [row.player_id for row in answer.rows] == ["p2", "p1"]
    for window, version in (("all", ""), ("30d", ""), (OLD_SEASON, "r9")):
        request = pb.GetLeaderboardRequest(
            **lists, window=window, version=version, page_token=token
        )
        expected = (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")
        assert _refusal(stub.GetLeaderboard, request) == expected


def _pages_the_qualifying_section(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    seen, token = [], ""
    while True:
        request = pb.GetLeaderboardRequest(
            board="hu_river", section=pb.SECTION_QUALIFYING, page_size=2, page_token=token
        )
        answer = stub.GetLeaderboard(request, timeout=10)
        seen += [(row.rank, row.player_id, row.bb_per_100) for row in answer.rows]
        token = answer.next_page_token
        if not token:
            break
    expected = ["+20.00", "+15.00", "+10.00", "+5.00", "0.00"]
    assert seen == [(0, f"p{4 - n}", text) for n, text in enumerate(expected)]


def _reads_a_standing(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    request = pb.GetStandingRequest(board="hu_river", player_id="p3")
    answer = stub.GetStanding(request, timeout=10)
    assert (answer.row.rank, answer.row.hands, answer.hands_to_rank) == (0, 2, 498)
    request = pb.GetStandingRequest(board="hu_river", player_id="veteran")
    answer = stub.GetStanding(request, timeout=10)
    assert (answer.row.rank, answer.hands_to_rank) == (1, 0)
    assert not answer.HasField("next_rank")
    request = pb.GetStandingRequest(board="hu_river", player_id="second")
    answer = stub.GetStanding(request, timeout=10)
    # 498 and 500 chips in 500 hands: 0.004 BB/100 are missing, told as 0.01.
    assert (answer.next_rank.rank, answer.next_rank.bb_per_100_missing) == (1, "0.01")


def _pages_a_statement(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    kinds, token, before = [], "", 0
    while True:
        request = pb.GetStatementRequest(player_id="p1", page_size=3, page_token=token)
        answer = stub.GetStatement(request, timeout=10)
        kinds += [transfer.kind for transfer in answer.transfers]
        changes = sum(transfer.change_chips for transfer in answer.transfers)
        assert answer.closing_chips == before == answer.opening_chips + changes
        token, before = answer.next_page_token, answer.opening_chips
        if not token:
            break
    assert before == 0
    # Per hand chips into the pot and out of it, newest first.
    assert kinds == ["cash_out", "hand", "hand", "hand", "hand", "buy_in"]


def _refuses_what_is_wrong(stub: ledger_pb2_grpc.LedgerServiceStub) -> None:
    ranked, qualifying = pb.SECTION_RANKED, pb.SECTION_QUALIFYING
    first = stub.GetLeaderboard(
        pb.GetLeaderboardRequest(board="hu_river", section=qualifying, page_size=1), timeout=10
    )
    wrong: list[tuple[Any, str]] = [
        (pb.GetLeaderboardRequest(board="hu_river"), "INVALID_SECTION"),
        (pb.GetLeaderboardRequest(board="chess", section=ranked), "UNKNOWN_BOARD"),
    ]
    for fields, reason in (
        ({"page_size": -1}, "INVALID_PAGE_SIZE"),
        ({"page_size": 101}, "INVALID_PAGE_SIZE"),
        ({"page_token": "!"}, "INVALID_PAGE_TOKEN"),
        ({"page_token": "AAAA"}, "INVALID_PAGE_TOKEN"),
        ({"page_token": "x" * 5000}, "INVALID_PAGE_TOKEN"),
        ({"page_token": first.next_page_token}, "INVALID_PAGE_TOKEN"),  # of another section
        ({"window": "week"}, "INVALID_WINDOW"),
        ({"window": "2026-Q5"}, "INVALID_WINDOW"),
        ({"version": "a\nb"}, "INVALID_VERSION"),
        ({"version": "x" * 129}, "INVALID_VERSION"),
    ):
        request = pb.GetLeaderboardRequest(board="hu_river", section=ranked, **fields)
        wrong.append((request, reason))
    for request, reason in wrong:
        assert _refusal(stub.GetLeaderboard, request) == (_CODES[reason], reason)
    for player_id, reason in (
        ("", "INVALID_PLAYER_ID"),
        ("a\0b", "INVALID_PLAYER_ID"),
        ("x" * 200, "INVALID_PLAYER_ID"),
        ("nobody", "NO_STANDING"),
        ("river", "NO_STANDING"),
    ):
        about = pb.GetStandingRequest(board="hu_river", player_id=player_id)
        assert _refusal(stub.GetStanding, about) == (_CODES[reason], reason)
    statement = pb.GetStatementRequest(player_id="p1", page_token=first.next_page_token)
    expected = (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")
    assert _refusal(stub.GetStatement, statement) == expected


_CODES = {
    "INVALID_SECTION": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_PAGE_SIZE": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_WINDOW": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_VERSION": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_PAGE_TOKEN": grpc.StatusCode.INVALID_ARGUMENT,
    "INVALID_PLAYER_ID": grpc.StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_BOARD": grpc.StatusCode.NOT_FOUND,
    "NO_STANDING": grpc.StatusCode.NOT_FOUND,
}


def _refusal(call: Any, request: Any) -> tuple[grpc.StatusCode, str]:  # noqa: ANN401
    """Return the code of a refused call and the reason in its ErrorInfo."""
    with pytest.raises(grpc.RpcError) as caught:
        call(request, timeout=10)
    error = caught.value
    assert isinstance(error, grpc.Call)
    status = status_pb2.Status.FromString(dict(error.trailing_metadata())[DETAILS_KEY])
    (detail,) = status.details
    info = error_details_pb2.ErrorInfo()
    assert detail.Unpack(info)
    assert (info.domain, status.code) == ("riverboat", error.code().value[0])
    assert status.message == error.details()
    return error.code(), info.reason
