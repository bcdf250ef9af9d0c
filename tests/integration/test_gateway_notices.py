"""Notices: what a person finds on the next visit about what happened meanwhile."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.common.database import reading
from services.gateway.notices import News
from services.gateway.store import notices
from tests.support.gateways import NOON, House, Json, Seat, open_house


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def expire(house: House) -> None:
    house.clock.advance(hours=24)
    house.run(house.gateway.sweeper.sweep())


def inbox(seat: Seat, query: str = "") -> list[Json]:
    return list(seat.guest.get(f"/v1/me/notices{query}")["items"])


def kinds(seat: Seat) -> list[str]:
    return [item["type"] for item in inbox(seat)]


def leave_a_hand_to_the_stand_in(seat: Seat) -> None:
    seat.act("fold")
    seat.next_hand()
    for _ in range(3):
        seat.take_free()


def test_the_next_visit_tells_of_the_hand_that_was_decided_hu_071(house: House, seat: Seat) -> None:
    leave_a_hand_to_the_stand_in(seat)
    hand_id = seat.state["hand"]["id"]
    expire(house)
    decided, ended = seat.guest.get("/v1/lobby")["notices"]
    record = seat.guest.get(f"/v1/hands/{hand_id}")
    net = next(event for event in record["events"] if event["type"] == "hand.ai_decided")["data"][
        "net"
    ]
    assert decided["type"] == "hand.ai_decided"
    assert decided["data"] == {
        "match_id": seat.match_id,
        "table_id": seat.table_id,
        "hand_id": hand_id,
        "hand_no": 2,
        "net_chips": net,
        "net_bb": decided["data"]["net_bb"],
    }
    assert ended["type"] == "match.settled"
    assert (ended["data"]["cause"], ended["data"]["hands"]) == ("expired", 2)
    assert ended["data"]["result_chips"] == net - 50
    assert [decided["seq"], ended["seq"]] == [1, 2]


def test_a_superseded_match_is_told_of_too(seat: Seat) -> None:
    leave_a_hand_to_the_stand_in(seat)
    seat.guest.sit_down(supersede=True)
    assert kinds(seat) == ["hand.ai_decided", "match.settled"]
    assert inbox(seat)[1]["data"]["cause"] == "superseded"


def test_a_void_match_and_a_void_hand_are_told_of(house: House, seat: Seat) -> None:
    expire(house)
    assert kinds(seat) == ["match.voided"]
    again = seat.guest.sit_down()
    again.act("fold")
    again.next_hand()
    again.guest.sit_down(supersede=True)
    assert kinds(seat) == ["match.voided", "hand.voided", "match.settled"]


def test_what_one_does_oneself_is_no_news(seat: Seat) -> None:
    seat.act("fold")
    seat.do("settle")
    assert inbox(seat) == []


def test_notices_come_in_pages_without_gaps(house: House, seat: Seat) -> None:
    for _ in range(5):
        expire(house)
        seat = seat.guest.sit_down()
    page = seat.guest.get("/v1/me/notices?limit=2")
    assert [item["seq"] for item in page["items"]] == [1, 2]
    assert (page["next_cursor"], page["last_seq"]) == ("2", 5)
    page = seat.guest.get(f"/v1/me/notices?limit=3&after={page['next_cursor']}")
    assert [item["seq"] for item in page["items"]] == [3, 4, 5]
    assert page["next_cursor"] is None
    assert inbox(seat, "?after=5") == inbox(seat, "?after=99") == []


def test_a_notice_that_was_read_leaves_the_lobby_and_stays_in_the_list(
    house: House, seat: Seat
) -> None:
    expire(house)
    path = "/v1/me/notices/1/read"
    for _ in range(2):
        response = seat.guest.send("POST", path)
        assert (response.status_code, response.text) == (204, "")
    assert seat.guest.get("/v1/lobby")["notices"] == []
    assert [item["read"] for item in inbox(seat)] == [True]


@pytest.mark.parametrize(
    ("seq", "status", "problem"),
    [(2, 404, "not-found"), (0, 422, "request-invalid"), ("x", 422, "request-invalid")],
)
def test_only_notices_that_are_there_can_be_read(
    house: House, seat: Seat, seq: object, status: int, problem: str
) -> None:
    expire(house)
    seat.guest.refused(f"/v1/me/notices/{seq}/read", status=status, problem=problem)


def test_the_notices_of_others_are_not_ones_own(house: House, seat: Seat) -> None:
    expire(house)
    other = house.guest("Ben")
    assert other.get("/v1/me/notices")["items"] == []
    other.refused("/v1/me/notices/1/read", status=404, problem="not-found")
    assert [item["read"] for item in inbox(seat)] == [False]


def test_notices_written_at_once_are_numbered_without_gaps(house: House, seat: Seat) -> None:
    user_id = seat.guest.user["id"]

    def write(number: int) -> None:
        with house.sql_engine.begin() as connection:
            news = [News("match.expiring", {"number": number})] * (1 + number % 3)
            notices.append(connection, user_id, news, NOON)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(12)))
    with reading(house.sql_engine) as connection:
        found = notices.notices_after(connection, user_id, 0, 100)
        assert notices.last_seq(connection, user_id) == len(found) == 24
    assert [notice.seq for notice in found] == list(range(1, 25))


def test_a_rolled_back_transaction_leaves_no_gap(house: House, seat: Seat) -> None:
    user_id = seat.guest.user["id"]
    news = [News("match.expiring", {})]
    with house.sql_engine.connect() as connection, connection.begin() as transaction:
        notices.append(connection, user_id, news, NOON)
        transaction.rollback()
    with house.sql_engine.begin() as connection:
        notices.append(connection, user_id, news, NOON)
        assert notices.last_seq(connection, user_id) == 1
