"""Leaderboards over HTTP, from a ledger over a real socket."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from proto.ledger.v1 import ledger_pb2 as pb
from proto.ledger.v1 import ledger_pb2_grpc
from services.gateway.api import board_schemas
from services.gateway.store.users import ERASED_NAME
from tests.support.gateways import House, open_house
from tests.support.people import account, register, sign_in

PLAYED = Timestamp(seconds=int(datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp()))
ROW = pb.LeaderboardRow(
    rank=1,
    player_id="u_other",
    display_name="Ben",
    kind="guest",
    hands=500,
    net_chips=5_050,
    big_blind_chips=100,
    bb_per_100="+10.10",
    ai_decided_hands=2,
    void_hands=1,
    last_played_time=PLAYED,
    margin_95="93.41",
    ai_decided_percent="0.4",
)


class StandInLedger(ledger_pb2_grpc.LedgerServiceServicer):
    """Answers with what the test put in, and remembers what it was asked."""

    def __init__(self) -> None:
        self.rows = [ROW]
        self.own: pb.LeaderboardRow | None = None
        self.asked: list[pb.GetLeaderboardRequest] = []
        self.asked_about: list[pb.GetStandingRequest] = []
        self.next_rank: pb.NextRank | None = None
        self.standings_of: list[str] = []

    async def GetLeaderboard(  # noqa: N802
        self,
        request: pb.GetLeaderboardRequest,
        context: "grpc.aio.ServicerContext[pb.GetLeaderboardRequest, pb.GetLeaderboardResponse]",
    ) -> pb.GetLeaderboardResponse:
        self.asked.append(request)
        if request.page_token == "bad":  # noqa: S105
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no such page")
        return pb.GetLeaderboardResponse(
            rows=self.rows,
            next_page_token="more",  # noqa: S106
            as_of_time=PLAYED,
            ranked_hands=500,
            window="2026-Q2" if request.window == "season" else request.window,
            seasons=["2026-Q2", "2026-Q1"],
            versions=["river-1"],
        )

    async def GetStanding(  # noqa: N802
        self,
        request: pb.GetStandingRequest,
        context: "grpc.aio.ServicerContext[pb.GetStandingRequest, pb.GetStandingResponse]",
    ) -> pb.GetStandingResponse:
        self.standings_of.append(request.board)
        self.asked_about.append(request)
        if self.own is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no settled hand")
        return pb.GetStandingResponse(
            row=self.own, hands_to_rank=188, as_of_time=PLAYED, next_rank=self.next_rank
        )

    async def GetStatement(  # noqa: N802
        self,
        request: pb.GetStatementRequest,
        context: "grpc.aio.ServicerContext[pb.GetStatementRequest, pb.GetStatementResponse]",
    ) -> pb.GetStatementResponse:
        raise NotImplementedError


@pytest.fixture
def ledger() -> StandInLedger:
    return StandInLedger()


@pytest.fixture
def house(tmp_path: Path, ledger: StandInLedger) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:

        async def connect() -> grpc.aio.Server:
            server = grpc.aio.server()
            ledger_pb2_grpc.add_LedgerServiceServicer_to_server(ledger, server)
            port = server.add_insecure_port("127.0.0.1:0")
            await server.start()
            await house.channel.close()
            house.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
            return server

        server = house.run(connect())
        house.restart()
        yield house
        house.run(server.stop(None))


def test_a_page_is_told_as_the_ledger_tells_it(house: House, ledger: StandInLedger) -> None:
    page = house.guest().get("/v1/leaderboards/hu_river?section=ranked&limit=7&cursor=abc")
    board_schemas.BoardPage.model_validate(page, strict=True)
    assert page == {
        "board": "hu_river",
        "section": "ranked",
        "window": "all",
        "version": None,
        "as_of": "2026-05-01T12:00:00.000Z",
        "ranked_hands": 500,
        "items": [
            {
                "rank": 1,
                "name": "Ben",
                "kind": "guest",
                "bb_per_100": "+10.10",
                "margin_95": "93.41",
                "hands": 500,
                "net_chips": 5_050,
                "net_bb": "+50.5",
                "ai_decided_hands": 2,
                "ai_decided_percent": "0.4",
                "void_hands": 1,
                "last_played": "2026-05-01T12:00:00.000Z",
                "you": False,
            }
        ],
        "next_cursor": "more",
        "seasons": ["2026-Q2", "2026-Q1"],
        "versions": ["river-1"],
    }
    assert ledger.asked == [
        pb.GetLeaderboardRequest(
            board="hu_river",
            section=pb.SECTION_RANKED,
            page_size=7,
            page_token="abc",  # noqa: S106
            window="all",
        )
    ]


def test_a_board_is_asked_for_by_window_and_version_ldr_014(
    house: House, ledger: StandInLedger
) -> None:
    guest = house.guest()
    asked = {"season": "2026-Q2", "30d": "30d", "2026-Q1": "2026-Q1", "all": "all"}
    for window, told in asked.items():
        page = guest.get(f"/v1/leaderboards/bots?window={window}&version=river-1")
        board_schemas.BoardPage.model_validate(page, strict=True)
        assert (page["window"], page["version"]) == (told, "river-1")
        guest.get(f"/v1/leaderboards/bots/me?window={window}&version=river-1")
    requests: list[pb.GetLeaderboardRequest | pb.GetStandingRequest] = [
        *ledger.asked,
        *ledger.asked_about,
    ]
    assert {request.board for request in requests} == {"hu_river_bots"}
    assert [request.window for request in requests] == [*asked, *asked]
    assert {request.version for request in requests} == {"river-1"}


@pytest.mark.parametrize("window", ["week", "2026-Q5", "2026-Q1%0A", "%D9%A2026-Q1", ""])
@pytest.mark.parametrize("path", ["hu_river", "hu_river/me"])
def test_a_window_that_does_not_exist_is_invalid(
    house: House, ledger: StandInLedger, path: str, window: str
) -> None:
    problem = house.guest().get(f"/v1/leaderboards/{path}?window={window}", status=422)
    assert problem["type"].endswith("/request-invalid")
    assert ledger.asked == ledger.asked_about == []


def test_a_row_of_one_hand_has_no_interval_ldr_009(house: House, ledger: StandInLedger) -> None:
    single = pb.LeaderboardRow()
    single.CopyFrom(ROW)
    single.ClearField("margin_95")
    ledger.rows = [single]
    (row,) = house.guest().get("/v1/leaderboards/hu_river")["items"]
    assert row["margin_95"] is None


def test_qualifying_rows_have_no_rank_and_ones_own_is_marked(
    house: House, ledger: StandInLedger
) -> None:
    guest = house.guest()
    own = pb.LeaderboardRow()
    own.CopyFrom(ROW)
    own.rank, own.player_id = 0, guest.user["id"]
    ledger.rows = [own]
    (row,) = guest.get("/v1/leaderboards/hu_river?section=qualifying")["items"]
    assert (row["rank"], row["you"]) == (None, True)
    assert ledger.asked[0].section == pb.SECTION_QUALIFYING
    assert ledger.asked[0].page_size == 50


def test_anyone_may_read_a_board(house: House) -> None:
    stranger = house.guest()
    stranger.http.cookies.clear()
    assert stranger.get("/v1/leaderboards/hu_river")["items"][0]["you"] is False


def test_ones_own_standing_tells_what_is_missing_ldr_010(
    house: House, ledger: StandInLedger
) -> None:
    guest = house.guest()
    nothing = guest.get("/v1/leaderboards/hu_river/me")
    assert nothing == {
        "row": None,
        "hands_to_rank": 500,
        "ranked_hands": 500,
        "next_rank": None,
    }
    assert guest.get("/v1/lobby")["standing"] is None
    own = pb.LeaderboardRow()
    own.CopyFrom(ROW)
    own.rank, own.hands, own.player_id = 0, 312, guest.user["id"]
    ledger.own = own
    mine = guest.get("/v1/leaderboards/hu_river/me")
    board_schemas.MyStanding.model_validate(mine, strict=True)
    assert (mine["row"]["hands"], mine["row"]["you"], mine["hands_to_rank"]) == (312, True, 188)
    assert mine["next_rank"] is None
    own.rank = 4
    ledger.next_rank = pb.NextRank(rank=3, bb_per_100_missing="0.35")
    mine = guest.get("/v1/leaderboards/hu_river/me")
    board_schemas.MyStanding.model_validate(mine, strict=True)
    assert mine["row"]["rank"] == 4
    assert mine["next_rank"] == {"rank": 3, "bb_per_100_missing": "0.35"}
    assert guest.get("/v1/lobby")["standing"] == {
        "hands": 312,
        "hands_to_rank": 188,
        "bb_per_100": "+10.10",
    }


def test_a_page_that_the_ledger_does_not_know_is_invalid(house: House) -> None:
    problem = house.guest().get("/v1/leaderboards/hu_river?cursor=bad", status=422)
    assert problem["type"].endswith("/request-invalid")


def test_a_board_without_a_ledger_is_unavailable_and_the_lobby_goes_on(tmp_path: Path) -> None:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        guest = house.guest()
        response = guest.send("GET", "/v1/leaderboards/hu_river")
        assert response.status_code == 503
        assert response.json()["type"].endswith("/unavailable")
        assert "Retry-After" in response.headers
        assert guest.get("/v1/lobby")["standing"] is None


def line_of(player_id: str) -> pb.LeaderboardRow:
    """A line that the ledger tells of a player, under the name of their last match."""
    row = pb.LeaderboardRow()
    row.CopyFrom(ROW)
    row.player_id = player_id
    return row


def test_a_board_shows_what_people_are_called_now(house: House, ledger: StandInLedger) -> None:
    guest = house.guest("Ben")
    ledger.rows = [line_of(guest.user["id"])]
    register(guest, "Benjamin")
    (row,) = guest.get("/v1/leaderboards/hu_river")["items"]
    assert (row["name"], row["kind"], row["you"]) == ("Benjamin", "account", True)
    guest.send("DELETE", "/v1/me")
    (row,) = house.guest().get("/v1/leaderboards/hu_river")["items"]
    assert (row["name"], row["you"]) == (ERASED_NAME, False)


def test_what_a_merged_guest_won_bears_the_accounts_name(
    house: House, ledger: StandInLedger
) -> None:
    account(house, "Benjamin")
    guest = house.guest("Ben")
    guest_id = guest.user["id"]
    seat = guest.sit_down()
    seat.act("fold")
    seat.do("settle")
    offer = sign_in(guest, "Benjamin")["merge_offer"]
    guest.post("/v1/me/merge-guest", {"guest_token": offer["guest_token"]})
    ledger.rows = [line_of(guest_id)]
    (row,) = guest.get("/v1/leaderboards/hu_river")["items"]
    assert (row["name"], row["kind"], row["you"]) == ("Benjamin", "account", True)


def test_bots_have_a_board_of_their_own(house: House, ledger: StandInLedger) -> None:
    page = house.guest().get("/v1/leaderboards/bots")
    assert page["board"] == "bots"
    assert ledger.asked[0].board == "hu_river_bots"
    house.guest().get("/v1/leaderboards/hu_river_bots", status=404)
    robot = account(house, "robot")
    robot.get("/v1/lobby")
    robot.post("/v1/me/bot-upgrade", {"confirm": True})
    robot.get("/v1/lobby")
    assert ledger.standings_of == ["hu_river", "hu_river_bots"]
