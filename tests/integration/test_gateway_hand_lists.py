"""Lists of matches and hands: filters, pages that stay put, and nothing that was not shown."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from services.gateway.api import cursors
from tests.support.gateways import House, Json, Seat, folding, open_house, passive, shoving

DAY = timedelta(days=1)


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[House]:
    """For requests that are refused before the database is asked."""
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


def played(house: House) -> tuple[Seat, Seat]:
    """Two matches on two days: two hands and a void one, then one hand."""
    first = house.guest("Ana").sit_down()
    first.act("fold")  # on the button, pot 100
    first.next_hand()
    first.play_out()  # in the big blind, pot 200, shown down
    first.next_hand()
    house.clock.now += DAY / 2
    second = first.guest.sit_down(supersede=True)
    house.clock.now += DAY / 2
    second.play_out()
    return first, second


def listed(seat: Seat, query: str = "") -> list[Json]:
    return list(seat.guest.get(f"/v1/hands?{query}")["items"])


def numbers(seat: Seat, query: str) -> list[tuple[str, int]]:
    return [(row["match_id"], row["hand_no"]) for row in listed(seat, query)]


def test_hands_of_all_matches_come_newest_first(house: House) -> None:
    first, second = played(house)
    old, new = first.match_id, second.match_id
    found = numbers(first, "")
    assert found[0] == (new, 1)
    # Those of the first match began at one moment of the test's clock.
    assert sorted(found[1:]) == [(old, 1), (old, 2), (old, 3)]
    rows = listed(first, f"match={old}")
    assert {row["hand_no"] for row in rows} == {1, 2, 3}
    by_no = {row["hand_no"]: row for row in rows}
    assert [by_no[number]["pos"] for number in (1, 2, 3)] == ["BTN/SB", "BB", "BTN/SB"]
    assert [by_no[number]["pot"] for number in (1, 2, 3)] == [100, 200, None]
    assert by_no[3]["tags"] == ["not_counted"]
    assert (by_no[1]["net_chips"], by_no[1]["net_bb"]) == (-50, "-0.5")
    assert len(by_no[2]["board"]) == 5


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("pos=BTN", {1, 3}),
        ("pos=SB", {1, 3}),
        ("pos=BB", {2}),
        ("min_pot=101", {2}),
        ("min_pot=100", {1, 2}),
        ("min_pot=201", set()),
        ("tag=not_counted", {3}),
        ("tag=ai_decided", set()),
        ("tag=bot_fallback", set()),
        ("pos=BB&min_pot=200", {2}),
    ],
)
def test_filters_narrow_the_list(house: House, query: str, wanted: set[int]) -> None:
    first, _ = played(house)
    rows = listed(first, f"match={first.match_id}&{query}")
    assert {row["hand_no"] for row in rows} == wanted


def test_times_include_the_first_moment_and_exclude_the_last(house: House) -> None:
    first, second = played(house)
    begun = quote(second.guest.get(f"/v1/hands?match={second.match_id}")["items"][0]["started_at"])
    assert numbers(first, f"from={begun}") == [(second.match_id, 1)]
    assert {match for match, _ in numbers(first, f"to={begun}")} == {first.match_id}
    assert numbers(first, f"from={begun}&to={begun}") == []
    assert len(numbers(first, "from=2026-05-01&to=2026-05-02")) == 3
    assert len(numbers(first, "from=2026-05-01&to=2026-05-03")) == 4
    assert len(numbers(first, "from=0001-01-01T00:00:00%2B14:00&to=9999-12-31T23:59:59-12:00")) == 4


def test_flags_of_hands_are_found_by_their_tag(house: House) -> None:
    seat = house.guest().sit_down()
    house.river.down = True
    seat.act("call")
    house.river.down = False
    seat.play_out()
    seat.next_hand()
    for _ in range(3):
        seat.take_free()
    house.clock.now += DAY
    house.run(house.gateway.sweeper.sweep())
    assert [row["hand_no"] for row in listed(seat, "tag=bot_fallback")] == [1]
    assert [row["hand_no"] for row in listed(seat, "tag=ai_decided")] == [2]


@pytest.mark.parametrize("path", ["/v1/hands?", "/v1/matches/{match_id}/hands?", "/v1/matches?"])
def test_pages_stay_put_while_the_list_grows(house: House, path: str) -> None:
    """What is added at the front moves nothing, and every item comes exactly once."""
    guest = house.guest("Ana")
    seat = guest.sit_down()
    for _ in range(6):
        house.clock.advance(minutes=1)
        if path == "/v1/matches?":
            seat = guest.sit_down(supersede=True)
        else:
            seat.play_out()
            seat.next_hand()
    path = path.format(match_id=seat.match_id)
    whole = guest.get(path + "limit=100")["items"]
    assert len(whole) == 7
    seen, cursor = [], ""
    while True:
        page = guest.get(f"{path}limit=3{cursor}")
        seen += page["items"]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
        house.clock.advance(minutes=1)
        seat.play_out()
        seat.next_hand()
    name = "id" if path == "/v1/matches?" else "hand_id"
    assert [item[name] for item in seen] == [item[name] for item in whole]


@pytest.mark.parametrize("path", ["/v1/hands", "/v1/matches", "/v1/matches/{match_id}/hands"])
@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        "%00",
        "a" * 121,
        cursors.pack(),
        cursors.pack(1, 2),
        cursors.pack("1", "h_00000000000000000000"),
        cursors.pack(-1, "h_00000000000000000000"),
        cursors.pack(10**18, "h_00000000000000000000"),
        cursors.pack(1, "nothing"),
        cursors.pack(-1),
        cursors.pack(10**30),
        "W1tbW1tb",
        "bnVsbA",
    ],
)
def test_what_is_no_cursor_is_refused(embedded: House, path: str, cursor: str) -> None:
    seat = embedded.guest().sit_down()
    answer = seat.guest.get(f"{path.format(match_id=seat.match_id)}?cursor={cursor}", status=422)
    assert answer["type"].endswith("/request-invalid")


@pytest.mark.parametrize(
    "query",
    [
        "tag=lucky",
        "pos=UTG",
        "min_pot=-1",
        "min_pot=x",
        "from=yesterday",
        "to=2026-13-01",
        "limit=0",
        "limit=101",
        f"match={'m' * 65}",
    ],
)
def test_filters_that_make_no_sense_are_refused(embedded: House, query: str) -> None:
    answer = embedded.guest().get(f"/v1/hands?{query}", status=422)
    assert answer["type"].endswith("/request-invalid")


def test_the_hands_of_others_are_in_no_list(house: House) -> None:
    first, _ = played(house)
    other = house.guest("Ben")
    assert other.get("/v1/hands")["items"] == []
    assert other.get(f"/v1/hands?match={first.match_id}")["items"] == []
    other.get(first.path("graph"), status=404)


def test_rivers_mucked_cards_are_in_no_record_of_a_hand(house: House) -> None:
    """River folds, or the player does: whatever is read later, its cards stay hidden."""
    seat = house.guest().sit_down()
    house.river.choose = folding
    seat.act("raise", 300)
    hand_ids = [seat.state["hand"]["id"]]
    house.river.choose = shoving
    seat.next_hand()
    hand_ids.append(seat.state["hand"]["id"])
    seat.act("fold")
    house.river.choose = passive
    seat.do("settle")
    for hand_id in hand_ids:
        events = seat.guest.get(f"/v1/hands/{hand_id}")["events"]
        dealt = next(event for event in events if event["type"] == "cards.dealt")
        hands: dict[int, Any] = {item["seat"]: item["cards"] for item in dealt["data"]["hands"]}
        assert hands[2] == [None, None]
        assert None not in hands[1]
        assert not [event for event in events if event["type"] in {"all_in.reveal", "showdown"}]


def test_the_graph_is_the_result_after_each_finished_hand(house: House) -> None:
    first, _ = played(house)
    graph = first.guest.get(first.path("graph"))
    assert [point["hand_no"] for point in graph["items"]] == [1, 2]
    assert graph["items"][0] == {
        "hand_no": 1,
        "net_chips": -50,
        "result_chips": -50,
        "result_bb": "-0.5",
    }
    assert graph["hands"] == 2
    assert graph["items"][-1]["result_chips"] == first.match()["result_chips"]


def test_a_long_graph_is_thinned_to_its_ends_and_points_between(house: House) -> None:
    seat = house.guest().sit_down()
    for _ in range(8):
        seat.play_out()
        seat.next_hand()
    whole = seat.guest.get(seat.path("graph"))["items"]
    assert [point["hand_no"] for point in whole] == list(range(1, 9))
    thin = seat.guest.get(seat.path("graph") + "?points=3")
    assert [point["hand_no"] for point in thin["items"]] == [1, 4, 8]
    assert thin["hands"] == 8
    assert all(point in whole for point in thin["items"])
    seat.guest.get(seat.path("graph") + "?points=1", status=422)


def test_an_unplayed_match_has_an_empty_graph(house: House) -> None:
    seat = house.guest().sit_down()
    assert seat.guest.get(seat.path("graph"))["items"] == []
