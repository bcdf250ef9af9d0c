"""The lines of SPEC 1.2 about setting up a match and about what comes between hands."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from poker.view import view_for
from services.common.codec import encode_bot_view
from services.common.database import reading
from services.gateway.lifecycle import Lifecycle
from services.gateway.river_client import DEADLINE_SECONDS
from services.gateway.rulesets import HU_RIVER
from services.gateway.store.schema import ACTIONS, HANDS, MATCHES
from tests.support.gateways import (
    NOON,
    Guest,
    House,
    Seat,
    folding,
    open_house,
    shoving,
    stacked_deck,
)
from tests.support.river import reshuffled_unseen
from tests.support.scripted_hands import play, table

SIT_DOWN = {"ruleset": "hu_river", "buy_in": 10_000}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def rows(house: House, table: sa.Table) -> list[dict[str, Any]]:
    with reading(house.sql_engine) as connection:
        return [dict(row) for row in connection.execute(sa.select(table)).mappings()]


@pytest.mark.parametrize("seats", [1, 3, 6, 9, 0, "2", None])
def test_a_match_has_two_seats_and_multi_way_opens_later_hu_001(house: House, seats: Any) -> None:  # noqa: ANN401
    guest = house.guest()
    body = {**SIT_DOWN, "seats": seats}
    guest.refused("/v1/matches", body, status=422, problem="request-invalid")
    assert guest.get("/v1/matches")["items"] == []
    offers = {item["id"]: item["open"] for item in guest.get("/v1/rulesets")["items"]}
    assert [name for name, is_open in offers.items() if is_open] == ["hu_river"]
    guest.post("/v1/matches", {**SIT_DOWN, "seats": 2}, status=201)


def test_blinds_are_50_and_100_without_antes_hu_003(house: House, seat: Seat) -> None:
    posts = next(event for event in seat.events if event["type"] == "blinds.posted")["data"]
    assert [post["chips"] for post in posts["posts"]] == [50, 100]
    assert seat.state["hand"]["pot_total"] == 150
    assert seat.guest.get("/v1/rulesets/hu_river")["ante"] == 0


def test_every_half_big_blind_from_30_to_100_can_be_bought_in_for_hu_004(house: House) -> None:
    assert HU_RIVER.buy_in is not None
    allowed = [chips for chips in range(20_000) if HU_RIVER.buy_in.allows(chips)]
    assert len(allowed) == 141
    assert (allowed[0], allowed[1], allowed[-1]) == (3_000, 3_050, 10_000)
    offer = house.guest().get("/v1/lobby")["presets"][0]["buy_in"]
    assert offer == {"min": 3_000, "max": 10_000, "step": 50, "default": 10_000}
    assert house.guest().sit_down(3_050).state["match"]["buy_in"] == 3_050


def test_every_hands_result_is_recorded_hu_006(house: House, seat: Seat) -> None:
    for _ in range(3):
        seat.play_out()
        seat.next_hand()
    seat.play_out()
    hands = rows(house, HANDS)
    assert [hand["state"] for hand in hands] == ["finished"] * 4
    assert sum(hand["net_chips"] for hand in hands) == seat.match()["result_chips"]


def test_superseding_does_what_was_told_or_nothing_hu_007(house: House, seat: Seat) -> None:
    """Told that nothing counts, the player's other tab finishes the hand."""
    told = seat.guest.refused("/v1/matches", SIT_DOWN, status=409, problem="active-match")
    assert told["consequence"] == "void_match"
    order = {**SIT_DOWN, "supersede": True, "consequence": told["consequence"]}
    seat.act("fold")
    version = seat.refresh()["version"]
    again = seat.guest.refused("/v1/matches", order, status=409, problem="active-match")
    assert (again["match_id"], again["consequence"]) == (seat.match_id, "settle")
    assert seat.refresh()["version"] == version
    seat.guest.post("/v1/matches", {**order, "consequence": "settle"}, status=201)
    assert seat.match()["state"] == "settled"


def test_what_river_owes_comes_before_the_consequence_is_told_hu_007(
    house: House, seat: Seat
) -> None:
    """River, about to call an all-in, was interrupted: the hand ends with its call."""

    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting(seat.actions, seat.order("raise", 10_000), "key"))
    house.river.before = None
    assert seat.guest.get("/v1/lobby")["resume"]["consequence"] == "settle"


def test_a_refused_wish_for_a_match_leaves_the_open_one_alone_hu_007(
    house: House, seat: Seat
) -> None:
    before = seat.refresh()["version"]
    for wrong in ({"buy_in": 3_025}, {"ruleset": "party"}, {"seats": 6}):
        body = {**SIT_DOWN, "supersede": True, **wrong}
        assert seat.guest.post("/v1/matches", body, status=422)
    house.engine.down = True
    seat.guest.post("/v1/matches", {**SIT_DOWN, "supersede": True}, status=503)
    house.engine.down = False
    assert seat.refresh()["version"] == before
    assert seat.match()["state"] == "in_hand"


def test_after_a_hand_there_are_three_ways_on_hu_010(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    offers = ("can_next_hand", "can_top_up", "can_settle")
    assert [seat.match()[offer] for offer in offers] == [False, False, False]
    seat.act("fold")
    assert [seat.match()[offer] for offer in offers] == [True, True, True]
    seat.do("top-up")
    assert [seat.match()[offer] for offer in offers] == [True, False, True]
    assert seat.legal is None


def test_there_is_no_top_up_before_the_first_hand_hu_012(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    seat.guest.refused(seat.path("top-up"), status=409, problem="hand-in-progress")
    assert seat.match()["total_buy_in"] == 3_000


def test_winnings_above_100_big_blinds_stay_on_the_table_hu_013(house: House) -> None:
    house.dealer.decks = [stacked_deck("AsAh", "KdKc", "2c7d9h3sJc")]
    seat = house.guest().sit_down()
    seat.act("raise", 4_300)
    while seat.legal is not None:
        seat.take_free()
    assert seat.state["match"]["stack"] == 14_300
    assert not seat.state["match"]["can_top_up"]
    seat.next_hand()
    own = seat.state["seats"][0]
    assert own["stack"] + own["bet"] == 14_300
    document = seat.guest.get("/openapi.json")
    assert not [path for path in document["paths"] if "cash" in path or "withdraw" in path]


def test_a_busted_match_settles_itself_with_the_same_result_hu_016(house: House) -> None:
    house.river.choose = shoving
    results = []
    for ending in ("settle", "expiry", "another table"):
        house.dealer.decks = [stacked_deck("KdKc", "AsAh", "2c7d9h3sJc")]
        seat = house.guest().sit_down(3_000)
        while seat.legal is not None:
            seat.take_free()
        assert seat.state["match"]["state"] == "busted"
        if ending == "settle":
            seat.do("settle")
        elif ending == "expiry":
            house.clock.advance(hours=24)
            house.run(house.gateway.sweeper.sweep())
        else:
            house.dealer.decks = []
            seat.guest.sit_down(supersede=True)
        summary = seat.guest.get(seat.path("summary"))["summary"]
        results.append((summary["hands"], summary["net_chips"], summary["final_stack"]))
    assert results == [(1, -3_000, 0)] * 3


def test_a_settled_match_is_closed_to_every_command_hu_019(house: House, seat: Seat) -> None:
    order = seat.order("fold")
    seat.act("fold")
    first = seat.do("settle")
    assert seat.do("settle") == first
    for command in ("next-hand", "top-up"):
        seat.guest.refused(seat.path(command), status=409, problem="match-closed")
    seat.guest.refused(seat.actions, order, status=409, problem="match-closed")


def test_the_stack_and_the_total_buy_in_are_there_after_a_hand_hu_021(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    assert (seat.match()["stack"], seat.match()["total_buy_in"]) == (2_950, 3_000)
    seat.do("top-up")
    assert (seat.match()["stack"], seat.match()["total_buy_in"]) == (10_000, 10_050)


def test_river_is_asked_the_same_whatever_the_player_holds_hu_030() -> None:
    """The request has no field for other cards, so swapping them changes not one byte."""
    hand = play(table({1: 10_000, 2: 10_000}, button=1), "1 call", "2 check")
    rng = Random(3)
    asked = set()
    for _ in range(20):
        other = reshuffled_unseen(hand, rng)
        view = view_for(other.snapshot(), 2)
        asked.add(encode_bot_view(view).SerializeToString(deterministic=True))
    assert len(asked) == 1


def test_river_has_ten_seconds_and_no_more_hu_031(tmp_path: Path) -> None:
    """A River that never answers: the fixed rule acts, and the hand says so."""
    assert DEADLINE_SECONDS == Lifecycle().river_seconds == 10
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url, lifecycle=Lifecycle(river_seconds=0.05)) as house:
        seat = house.guest().sit_down()

        async def think_for_ever() -> None:
            await asyncio.Event().wait()

        house.river.before = think_for_ever
        seat.act("call")
        assert seat.legal is not None
        actors = [(row["kind"], row["actor"]) for row in rows(house, ACTIONS)]
        assert actors == [("call", "player"), ("check", "fallback"), ("check", "fallback")]
        assert [hand["bot_fallback"] for hand in rows(house, HANDS)] == [True]


def test_rivers_version_is_kept_with_every_hand_hu_033(house: House, seat: Seat) -> None:
    house.river.choose = folding
    seat.act("raise", 300)
    seat.next_hand()
    assert [hand["bot_version"] for hand in rows(house, HANDS)] == ["scripted-1", "scripted-1"]


def test_any_device_of_the_same_person_resumes_the_hand_hu_062(house: House, seat: Seat) -> None:
    cards = seat.state["seats"][0]["cards"]
    house.clock.advance(hours=23, minutes=59)
    phone = Guest(house)
    phone.http.cookies = httpx.Cookies(seat.guest.http.cookies)
    resume = phone.get("/v1/lobby")["resume"]
    assert (resume["match_id"], resume["your_turn"]) == (seat.match_id, True)
    assert resume["kept_until"] == "2026-05-02T12:00:00.000Z"
    state = phone.get(f"/v1/tables/{resume['table_id']}")
    assert state["seats"][0]["cards"] == cards
    assert state["legal"]["turn_token"] == seat.order("call")["turn_token"]


def test_blinds_deals_and_top_ups_are_no_moves_hu_066(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    seat.do("top-up")
    seat.next_hand()
    seat.take_free()
    (match,) = rows(house, MATCHES)
    assert (match["moves"], match["hand_moves"]) == (2, 1)


@pytest.mark.parametrize("ruleset", ["party", "practice"])
def test_only_another_river_match_supersedes_hu_067(house: House, seat: Seat, ruleset: str) -> None:
    body = {"ruleset": ruleset, "buy_in": 2_000, "supersede": True}
    seat.guest.refused("/v1/matches", body, status=422, problem="invalid-ruleset")
    assert seat.match()["state"] == "in_hand"


def test_the_stand_in_finishes_one_hand_and_starts_none_hu_070(house: House, seat: Seat) -> None:
    seat.act("fold")
    seat.next_hand()
    for _ in range(3):
        seat.take_free()
    house.clock.advance(hours=24)
    house.run(house.gateway.sweeper.sweep())
    assert [hand["state"] for hand in rows(house, HANDS)] == ["finished", "finished"]
    assert seat.match()["state"] == "settled"


def test_what_the_stand_in_does_counts_but_is_no_move_of_ones_own_hu_072(
    house: House, seat: Seat
) -> None:
    seat.act("fold")
    seat.next_hand()
    for _ in range(3):
        seat.take_free()
    house.clock.advance(hours=24)
    house.run(house.gateway.sweeper.sweep())
    last = [hand for hand in rows(house, HANDS) if hand["ai_decided"]]
    assert len(last) == 1
    summary = seat.guest.get(seat.path("summary"))["summary"]
    assert (summary["hands"], summary["net_chips"]) == (2, -50 + last[0]["net_chips"])
    (match,) = rows(house, MATCHES)
    by_player = [row for row in rows(house, ACTIONS) if row["actor"] == "player"]
    by_stand_in = [row for row in rows(house, ACTIONS) if row["actor"] == "stand_in"]
    assert by_stand_in
    assert match["moves"] == len(by_player) == 4
    taken = [
        event["data"]
        for event in seat.guest.get(f"/v1/hands/{last[0]['hand_id']}")["events"]
        if event["type"] == "action.taken" and event["data"]["seat"] == 1
    ]
    assert [data["auto"] for data in taken] == [False] * 3 + [True] * len(by_stand_in)


def test_a_guest_without_cookies_has_left_hu_075(house: House, seat: Seat) -> None:
    """Nobody can come back to that seat: the table decides, a day later."""
    seat.act("fold")
    seat.next_hand()
    assert seat.guest.send("DELETE", "/v1/sessions/current").status_code == 204
    house.clock.advance(hours=24)
    assert house.run(house.gateway.sweeper.sweep()).ended == 1
    (match,) = rows(house, MATCHES)
    assert (match["state"], match["end_reason"], match["hands"]) == ("settled", "expired", 1)


def test_the_hold_runs_from_the_last_command_of_the_seat_hu_060(house: House) -> None:
    seat = house.guest().sit_down(3_000)
    for command in ("fold", "top-up", "next-hand"):
        house.clock.advance(hours=3)
        if command == "fold":
            seat.act("fold")
        elif command == "top-up":
            seat.do("top-up")
        else:
            seat.next_hand()
        expected = house.clock.now + timedelta(hours=24)
        assert seat.match()["kept_until"] == expected.isoformat(timespec="milliseconds").replace(
            "+00:00", "Z"
        )
        for path in ("/v1/lobby", "/v1/matches", seat.path("hands")):
            house.clock.advance(minutes=1)
            seat.guest.get(path)
        house.clock.now = expected - timedelta(hours=24)


def test_refused_commands_do_not_extend_the_hold_hu_060(house: House, seat: Seat) -> None:
    house.clock.advance(hours=3)
    seat.guest.refused(seat.path("settle"), status=409, problem="hand-in-progress")
    wrong = {**seat.order("raise"), "to": 101}
    seat.guest.refused(seat.actions, wrong, status=422, problem="illegal-action")
    assert seat.match()["kept_until"] == "2026-05-02T12:00:00.000Z"
    assert house.clock.now > NOON
