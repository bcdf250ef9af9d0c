"""A match against River over HTTP, from sitting down to the summary."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.gateways import (
    House,
    Seat,
    folding,
    open_house,
    passive,
    shoving,
    stacked_deck,
)

ACES, KINGS, BOARD = "AsAh", "KdKc", "2c7d9h3sJc"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def named(events: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [event["data"] for event in events if event["type"] == name]


def win_all_in(house: House, seat: Seat) -> None:
    """Get everything in on the button with the better hand."""
    house.river.choose = passive
    seat.act("raise", seat.state["legal"]["raise"]["max_to"])


def test_the_first_hand_is_dealt_at_once_hu_006(house: House, seat: Seat) -> None:
    assert [event["type"] for event in seat.events] == [
        "match.started", "hand.started", "blinds.posted", "cards.dealt", "turn.started",
    ]  # fmt: skip
    assert [event["seq"] for event in seat.events] == [1, 2, 3, 4, 5]
    hand = seat.state["hand"]
    assert (hand["no"], hand["button"], hand["street"], hand["pot_total"]) == (1, 1, "preflop", 150)
    assert seat.legal is not None
    assert seat.legal["to_call"] == 50
    assert seat.legal["raise"]["min_to"] == 200
    assert seat.legal["raise"]["step"] == 50
    assert seat.state["turn"] == {"seat": 1}


def test_the_opponent_is_river_a_computer_hu_002(seat: Seat) -> None:
    ana, river = seat.state["seats"]
    assert (ana["name"], ana["kind"], ana["tag"], ana["you"], ana["pos"]) == (
        "Ana", "human", "guest", True, "BTN/SB",
    )  # fmt: skip
    assert (river["name"], river["kind"], river["you"]) == ("River", "computer", False)


def test_river_brings_100_big_blinds_whatever_the_buy_in_hu_005(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    stacks = {item["no"]: item["stack"] + item["bet"] for item in seat.state["seats"]}
    assert stacks == {1: 3_000, 2: 10_000}


@pytest.mark.parametrize("buy_in", [2_950, 10_050, 3_025, 0, -3_000, 10**30])
def test_other_buy_ins_are_refused_with_the_bounds_hu_004(house: House, buy_in: int) -> None:
    problem = house.guest().refused(
        "/v1/matches",
        {"ruleset": "hu_river", "buy_in": buy_in},
        status=422,
        problem="invalid-buy-in",
    )
    assert (problem["min"], problem["max"], problem["step"]) == (3_000, 10_000, 50)


@pytest.mark.parametrize("ruleset", ["party", "practice", "nope", ""])
def test_only_heads_up_tables_are_open_hu_001(house: House, ruleset: str) -> None:
    body = {"ruleset": ruleset, "buy_in": 10_000}
    house.guest().refused("/v1/matches", body, status=422, problem="invalid-ruleset")


def test_the_button_alternates(house: House, seat: Seat) -> None:
    buttons = []
    for _ in range(4):
        buttons.append(seat.state["hand"]["button"])
        seat.play_out()
        seat.next_hand()
    assert buttons == [1, 2, 1, 2]


def test_the_result_counts_only_what_was_won_at_the_table_hu_020(house: House, seat: Seat) -> None:
    house.river.choose = folding
    seat.act("raise", 300)
    assert seat.state["match"]["result_bb"] == "+1.0"
    house.river.choose = shoving
    seat.next_hand()
    assert seat.state["match"]["result_bb"] == "+1.0"
    seat.act("fold")
    match = seat.state["match"]
    assert match["result_bb"] == "0.0"
    assert match["result_chips"] == match["stack"] - match["total_buy_in"]


def test_top_up_brings_the_stack_to_exactly_the_maximum_hu_011(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    assert seat.state["match"]["can_top_up"]
    body = seat.do("top-up")
    assert (body["stack"], body["added"], body["total_buy_in"]) == (10_000, 7_050, 10_050)
    own = body["snapshot"]["seats"][0]
    assert own["stack"] == 10_000
    match = body["snapshot"]["match"]
    assert match["result_bb"] == "-0.5"
    assert [item["chips"] for item in match["top_ups"]] == [7_050]
    assert not match["can_top_up"]
    seat.guest.refused(seat.path("top-up"), status=409, problem="not-eligible")
    seat.next_hand()
    assert seat.state["seats"][0]["stack"] + seat.state["seats"][0]["bet"] == 10_000


def test_between_hands_commands_are_refused_during_a_hand_hu_017(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    version = seat.state["version"]
    for command in ("next-hand", "top-up", "settle"):
        seat.guest.refused(seat.path(command), status=409, problem="hand-in-progress")
    assert seat.refresh()["version"] == version


def test_river_tops_up_before_every_hand_and_keeps_what_it_won_hu_014(
    house: House, seat: Seat
) -> None:
    house.river.choose = folding
    seat.act("raise", 300)
    house.river.choose = shoving
    events = seat.next_hand()["events"]
    assert named(events, "opponent.topped_up") == [{"seat": 2, "added": 100, "stack": 10_000}]
    seat.act("fold")
    house.river.choose = passive
    assert named(seat.next_hand()["events"], "opponent.topped_up") == []
    river = seat.state["seats"][1]
    assert river["stack"] + river["bet"] == 10_100


def test_a_busted_river_buys_in_again_and_the_win_stays_hu_015(house: House) -> None:
    house.dealer.decks = [stacked_deck(ACES, KINGS, BOARD)]
    seat = house.guest().sit_down()
    win_all_in(house, seat)
    match = seat.state["match"]
    assert (match["state"], match["stack"], match["result_bb"]) == (
        "between_hands",
        20_000,
        "+100.0",
    )
    assert not match["can_top_up"]
    events = seat.next_hand()["events"]
    assert named(events, "opponent.rebought") == [{"seat": 2, "added": 10_000, "stack": 10_000}]
    assert seat.state["seats"][0]["stack"] + seat.state["seats"][0]["bet"] == 20_000


def test_a_busted_player_can_only_settle_hu_016(house: House) -> None:
    house.dealer.decks = [stacked_deck(KINGS, ACES, BOARD)]
    seat = house.guest().sit_down(3_000)
    win_all_in(house, seat)
    match = seat.state["match"]
    assert (match["state"], match["stack"]) == ("busted", 0)
    assert (match["can_next_hand"], match["can_top_up"], match["can_settle"]) == (
        False,
        False,
        True,
    )
    for command in ("next-hand", "top-up"):
        seat.guest.refused(seat.path(command), status=409, problem="match-busted")
    summary = seat.do("settle")["summary"]
    assert (summary["net_chips"], summary["final_stack"]) == (-3_000, 0)


def test_an_all_in_shows_both_hands_then_the_streets(house: House) -> None:
    house.dealer.decks = [stacked_deck(ACES, KINGS, BOARD)]
    seat = house.guest().sit_down()
    win_all_in(house, seat)
    names = [event["type"] for event in seat.events]
    assert names[names.index("all_in.reveal") :] == [
        "all_in.reveal", "street.dealt", "street.dealt", "street.dealt", "showdown",
        "pot.awarded", "hand.ended",
    ]  # fmt: skip
    shown = {
        hand["seat"]: hand["cards"] for hand in named(seat.events, "all_in.reveal")[0]["hands"]
    }
    assert shown == {1: ["As", "Ah"], 2: ["Kd", "Kc"]}
    assert seat.state["seats"][1]["cards"] == ["Kd", "Kc"]
    assert seat.state["hand"]["result"]["pots"] == [
        {"chips": 20_000, "winners": [{"seat": 1, "chips": 20_000}]}
    ]


def test_settling_sums_the_match_up_and_closes_it_hu_018_hu_019(house: House) -> None:
    seat = house.guest("Ana").sit_down(3_000)
    seat.act("fold")
    seat.do("top-up")
    house.clock.advance(minutes=5)
    first = seat.do("settle")
    assert first["summary"] == {
        "match_id": seat.match_id,
        "hands": 1,
        "net_chips": -50,
        "net_bb": "-0.5",
        "bb_per_100": "-50.00",
        "buy_in": 3_000,
        "top_ups": {"count": 1, "chips": 7_050},
        "final_stack": 10_000,
        "biggest_pot_won": 0,
        "biggest_pot_lost": 100,
        "ai_decided": 0,
        "duration_seconds": 300,
        "reason": "settled",
    }
    house.clock.advance(minutes=5)
    assert seat.do("settle") == first
    assert seat.guest.get(seat.path("summary")) == first
    for command in ("next-hand", "top-up"):
        seat.guest.refused(seat.path(command), status=409, problem="match-closed")
    order = {"turn_token": "1-x", "type": "check"}
    seat.guest.refused(seat.actions, order, status=409, problem="match-closed")


def test_the_lobby_offers_to_resume_the_open_match_hu_062(house: House) -> None:
    guest = house.guest("Ana")
    assert guest.get("/v1/lobby")["resume"] is None
    seat = guest.sit_down()
    resume = guest.get("/v1/lobby")["resume"]
    assert resume["match_id"] == seat.match_id
    assert (resume["hand_no"], resume["your_turn"]) == (1, True)
    assert resume["consequence"] == "void_match"
    assert guest.get("/v1/matches/current")["match"]["id"] == seat.match_id
    seat.act("fold")
    assert guest.get("/v1/lobby")["resume"]["consequence"] == "settle"
    seat.do("settle")
    assert guest.get("/v1/lobby")["resume"] is None
    guest.get("/v1/matches/current", status=404)


def test_matches_hands_and_events_are_listed(house: House, seat: Seat) -> None:
    for _ in range(3):
        seat.play_out()
        seat.next_hand()
    guest = seat.guest
    assert [item["id"] for item in guest.get("/v1/matches")["items"]] == [seat.match_id]
    page = guest.get(seat.path("hands") + "?limit=3")
    assert [row["hand_no"] for row in page["items"]] == [4, 3, 2]
    rest = guest.get(seat.path("hands") + f"?limit=3&cursor={page['next_cursor']}")
    assert [row["hand_no"] for row in rest["items"]] == [1]
    assert rest["next_cursor"] is None
    finished = page["items"][1]
    assert finished["state"] == "finished"
    assert len(finished["board"]) == 5
    assert finished["net_bb"].startswith(("+", "-", "0.0"))
    events, since = [], 0
    while True:
        part = guest.get(f"/v1/tables/{seat.table_id}/events?since={since}&limit=7")
        events += part["items"]
        if part["next_cursor"] is None:
            break
        since = int(part["next_cursor"])
    assert [event["seq"] for event in events] == list(range(1, part["last_seq"] + 1))
    assert events == seat.events


def test_a_stored_hand_is_told_as_its_player_saw_it_hu_002(house: House, seat: Seat) -> None:
    seat.play_out()
    record = seat.guest.get(f"/v1/hands/{seat.state['hand']['id']}")
    assert record["events"] == seat.state["log"]
    assert record["ruleset"]["id"] == "hu_river"
    assert record["seats"][1] == {
        "no": 2,
        "name": "River",
        "kind": "computer",
        "stack": 10_000,
        "you": False,
    }


def test_other_peoples_things_are_not_there(house: House, seat: Seat) -> None:
    seat.play_out()
    other = house.guest("Ben")
    hand_id = seat.state["hand"]["id"]
    theirs = [f"/v1/matches/{seat.match_id}", seat.path("summary"), seat.path("hands")]
    for path in (*theirs, f"/v1/hands/{hand_id}"):
        assert other.get(path, status=404)["type"].endswith("/not-found")
    for path in (f"/v1/tables/{seat.table_id}", f"/v1/tables/{seat.table_id}/events"):
        assert other.get(path, status=403)["type"].endswith("/not-seated")
    for command in ("next-hand", "top-up", "settle"):
        other.refused(seat.path(command), status=404, problem="not-found")
    order = {"turn_token": "1-x", "type": "fold"}
    other.refused(seat.actions, order, status=403, problem="not-seated")
    assert other.get("/v1/matches")["items"] == []


def test_the_table_has_an_etag_that_changes_with_its_version(seat: Seat) -> None:
    path = f"/v1/tables/{seat.table_id}"
    response = seat.guest.send("GET", path)
    tag = response.headers["ETag"]
    assert tag == f'"{seat.state["version"]}"'
    unchanged = seat.guest.send("GET", path, headers={"If-None-Match": tag})
    assert (unchanged.status_code, unchanged.text) == (304, "")
    seat.act("call")
    changed = seat.guest.send("GET", path, headers={"If-None-Match": tag})
    assert changed.status_code == 200


def test_only_a_raise_of_the_whole_stack_may_be_short(house: House) -> None:
    seat = house.guest().sit_down()
    problem = seat.guest.refused(
        seat.actions, seat.order("raise", 150), status=422, problem="illegal-action"
    )
    assert problem["reason"] == "below_minimum"
    assert (problem["to_call"], problem["min_to"], problem["max_to"]) == (50, 200, 10_000)


def test_folding_when_checking_is_free_is_refused(house: House, seat: Seat) -> None:
    seat.act("call")
    assert seat.legal is not None
    assert not seat.legal["can_fold"]
    problem = seat.guest.refused(
        seat.actions, seat.order("fold"), status=422, problem="illegal-action"
    )
    assert problem["reason"] == "nothing_to_call"


def test_shoving_hands_that_are_called_end_in_one_answer(house: House) -> None:
    house.river.choose = shoving
    seat = house.guest().sit_down()
    body = seat.act("call")
    assert body["legal"] is not None
    assert body["legal"]["raise"] is None
    assert {preset["reason"] for preset in body["legal"]["presets"]} == {"no raise"}
    ended = seat.act("call")
    assert ended["legal"] is None
    assert ended["events"][-1]["type"] == "hand.ended"
