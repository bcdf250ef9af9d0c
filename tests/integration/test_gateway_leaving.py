"""Leaving a match: the table of SPEC 1.2, by another table and by the clock."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from poker.actions import Action
from poker.view import HandView
from proto.events.v1 import events_pb2 as pb
from tests.support.gateways import (
    NOON,
    Guest,
    House,
    Json,
    Seat,
    folding,
    open_house,
    passive,
    published,
    shoving,
)

SIT_DOWN = {"ruleset": "hu_river", "buy_in": 10_000}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def move(seat: Seat, times: int) -> None:
    for _ in range(times):
        seat.take_free()
    assert seat.legal is not None, "the hand must still be open"


def finish_hand(seat: Seat) -> None:
    """A finished hand of exactly one move."""
    seat.act("fold")


def another_table(guest: Guest) -> Json:
    return guest.post("/v1/matches", {**SIT_DOWN, "supersede": True}, status=201)


def consequence(guest: Guest) -> str:
    problem = guest.refused("/v1/matches", SIT_DOWN, status=409, problem="active-match")
    return str(problem["consequence"])


def summary(seat: Seat) -> Json:
    return dict(seat.guest.get(seat.path("summary"))["summary"])


def ended(house: House, seat: Seat) -> pb.MatchSettled:
    (message,) = [
        message
        for message in published(house)
        if isinstance(message, pb.MatchSettled) and message.match_id == seat.match_id
    ]
    return message


def hands_of(house: House, seat: Seat, kind: type) -> int:
    return sum(
        isinstance(message, kind) and getattr(message, "match_id", "") == seat.match_id
        for message in published(house)
    )


def test_an_open_match_is_told_with_the_consequence_hu_007(house: House, seat: Seat) -> None:
    problem = seat.guest.refused("/v1/matches", SIT_DOWN, status=409, problem="active-match")
    assert problem["match_id"] == seat.match_id
    assert problem["kept_until"] == "2026-05-02T12:00:00.000Z"
    assert problem["consequence"] == "void_match"


def test_row_a_between_hands_the_match_is_settled_hu_068(house: House, seat: Seat) -> None:
    finish_hand(seat)
    assert consequence(seat.guest) == "settle"
    another_table(seat.guest)
    assert summary(seat)["reason"] == "superseded"
    assert summary(seat)["hands"] == 1
    assert hands_of(house, seat, pb.HandVoided) == 0


@pytest.mark.parametrize("moves", [0, 1, 3])
def test_rows_b_and_c_within_three_moves_nothing_counts_hu_064(
    house: House, seat: Seat, moves: int
) -> None:
    move(seat, moves)
    assert consequence(seat.guest) == "void_match"
    another_table(seat.guest)
    result = summary(seat)
    assert (result["reason"], result["hands"], result["net_chips"]) == ("void", 0, 0)
    assert result["final_stack"] == 10_000
    message = ended(house, seat)
    assert message.reason == pb.MATCH_END_REASON_VOID
    assert {item.stack_chips for item in message.final_stacks} == {10_000}
    assert hands_of(house, seat, pb.HandVoided) == 1
    assert hands_of(house, seat, pb.HandSettled) == 0


def test_row_d_from_the_fourth_move_the_ai_finishes_hu_063(house: House, seat: Seat) -> None:
    house.river.choose = min_betting
    move(seat, 4)
    assert consequence(seat.guest) == "ai_decides"
    house.river.choose = passive
    another_table(seat.guest)
    result = summary(seat)
    assert (result["hands"], result["ai_decided"]) == (1, 1)
    assert ended(house, seat).hands == 1
    assert seat.guest.get(seat.path("hands"))["items"][0]["tags"] == ["ai_decided"]


def min_betting(view: HandView) -> Action:
    """Bet the least instead of checking, so that callers have a decision on every street."""
    legal = view.legal
    assert legal is not None
    if legal.can_check and legal.raises is not None:
        return Action(legal.seat, legal.raises.kind, legal.raises.min_to_chips)
    return passive(view)


def test_row_e_a_hand_without_a_move_is_void_and_the_rest_counts_hu_065(
    house: House, seat: Seat
) -> None:
    finish_hand(seat)
    seat.next_hand()
    assert consequence(seat.guest) == "void_hand"
    before = summary(seat)
    another_table(seat.guest)
    result = summary(seat)
    assert (result["reason"], result["hands"]) == ("superseded", 1)
    assert result["net_chips"] == before["net_chips"] == -50
    assert result["final_stack"] == 9_950
    assert hands_of(house, seat, pb.HandVoided) == 1
    rows = seat.guest.get(seat.path("hands"))["items"]
    assert [(row["state"], row["tags"]) for row in rows] == [
        ("void", ["not_counted"]),
        ("finished", []),
    ]


def test_row_e_holds_however_many_moves_the_match_has(house: House, seat: Seat) -> None:
    house.river.choose = min_betting
    move(seat, 4)
    finish_hand(seat)
    seat.next_hand()
    assert consequence(seat.guest) == "void_hand"
    another_table(seat.guest)
    assert (summary(seat)["reason"], summary(seat)["hands"]) == ("superseded", 1)
    assert hands_of(house, seat, pb.HandVoided) == 1


def test_row_f_the_first_three_moves_cover_the_open_hand_only_hu_064(
    house: House, seat: Seat
) -> None:
    finish_hand(seat)
    seat.next_hand()
    move(seat, 2)
    assert consequence(seat.guest) == "void_hand"
    another_table(seat.guest)
    assert (summary(seat)["hands"], summary(seat)["reason"]) == (1, "superseded")
    assert summary(seat)["final_stack"] == 9_950


def test_row_g_later_hands_are_finished_by_the_ai_hu_063(house: House, seat: Seat) -> None:
    finish_hand(seat)
    seat.next_hand()
    move(seat, 3)
    assert consequence(seat.guest) == "ai_decides"
    another_table(seat.guest)
    result = summary(seat)
    assert (result["hands"], result["ai_decided"]) == (2, 1)
    assert result["net_chips"] == result["final_stack"] - 10_000


def test_the_stand_in_sees_only_the_players_cards_and_has_a_seed_of_its_own_hu_063(
    house: House, seat: Seat
) -> None:
    finish_hand(seat)
    seat.next_hand()
    move(seat, 3)
    house.river.asked.clear()
    another_table(seat.guest)
    own = [(view, seed) for view, seed in house.river.asked if view.viewer == 1]
    assert own
    for view, _ in own:
        shown = {item.seat: item.hole_cards for item in view.seats}
        assert shown[1] is not None
        assert shown[2] is None
    seeds = [seed for _, seed in house.river.asked]
    assert len(set(seeds)) == len(seeds)


def test_row_h_a_hand_that_ends_by_itself_counts(house: House, seat: Seat) -> None:
    """The player is all-in and River, about to call, was interrupted."""

    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting(seat.actions, seat.order("raise", 10_000), "key"))
    house.river.before = None
    another_table(seat.guest)
    result = summary(seat)
    assert (result["hands"], result["ai_decided"]) == (1, 0)


def test_a_busted_match_is_settled_by_starting_another_hu_016(house: House) -> None:
    house.river.choose = shoving
    guest = house.guest()
    for _ in range(40):
        seat = guest.sit_down(3_000, supersede=True)
        while seat.legal is not None:
            seat.take_free()
        if seat.state["match"]["state"] == "busted":
            break
    assert consequence(guest) == "settle"
    another_table(guest)
    assert summary(seat)["reason"] == "superseded"


def test_superseding_with_one_key_starts_one_match(house: House, seat: Seat) -> None:
    body = {**SIT_DOWN, "supersede": True}
    first = seat.guest.post("/v1/matches", body, status=201, key="again")
    assert seat.guest.post("/v1/matches", body, status=201, key="again") == first
    assert len(seat.guest.get("/v1/matches")["items"]) == 2


def test_superseding_without_an_open_match_just_sits_down(house: House) -> None:
    house.guest().sit_down(supersede=True)


def kept_until(seat: Seat) -> datetime:
    return datetime.fromisoformat(seat.match()["kept_until"])


def test_commands_extend_the_time_and_looking_does_not_hu_060(house: House, seat: Seat) -> None:
    assert kept_until(seat) == NOON + timedelta(hours=24)
    house.clock.advance(hours=5)
    seat.refresh()
    assert kept_until(seat) == NOON + timedelta(hours=24)
    seat.act("call")
    assert kept_until(seat) == NOON + timedelta(hours=29)


@pytest.mark.parametrize(("hours", "status"), [(23.999, 200), (24, 410), (48, 410)])
def test_the_time_ends_at_the_very_moment_hu_069(
    house: House, seat: Seat, hours: float, status: int
) -> None:
    order = seat.order("call")
    house.clock.advance(hours=hours)
    assert house.run(seat.guest.posting(seat.actions, order, "key")).status_code == status


def test_an_expired_match_is_finished_by_the_table(house: House, seat: Seat) -> None:
    finish_hand(seat)
    seat.next_hand()
    move(seat, 3)
    house.clock.advance(hours=24)
    problem = seat.guest.refused(
        seat.actions, seat.order("check"), status=410, problem="match-expired"
    )
    assert problem["status"] == 410
    result = summary(seat)
    assert (result["reason"], result["hands"], result["ai_decided"]) == ("expired", 2, 1)
    seat.guest.refused(seat.path("next-hand"), status=410, problem="match-expired")


@pytest.mark.parametrize("command", ["next-hand", "top-up", "settle"])
def test_every_command_on_an_expired_match_is_gone(house: House, seat: Seat, command: str) -> None:
    finish_hand(seat)
    house.clock.advance(hours=24)
    seat.guest.refused(seat.path(command), status=410, problem="match-expired")
    assert summary(seat)["reason"] == "expired"


def test_the_lobby_ends_an_expired_match(house: House, seat: Seat) -> None:
    house.clock.advance(hours=24)
    assert seat.guest.get("/v1/lobby")["resume"] is None
    assert summary(seat)["reason"] == "void"
    seat.guest.sit_down()


def test_looking_at_an_expired_table_ends_the_match(house: House, seat: Seat) -> None:
    finish_hand(seat)
    seat.next_hand()
    house.clock.advance(hours=24)
    state = seat.refresh()
    assert (state["match"]["state"], state["legal"]) == ("settled", None)
    assert summary(seat)["reason"] == "expired"


@pytest.mark.parametrize("page", ["", "/summary"])
def test_reading_an_expired_match_ends_it(house: House, seat: Seat, page: str) -> None:
    finish_hand(seat)
    house.clock.advance(hours=24)
    seat.guest.get(f"/v1/matches/{seat.match_id}{page}")
    assert ended(house, seat).reason == pb.MATCH_END_REASON_EXPIRED


def test_an_expired_match_is_shown_while_the_engine_is_away(house: House, seat: Seat) -> None:
    finish_hand(seat)
    seat.next_hand()
    move(seat, 3)
    house.clock.advance(hours=24)
    house.engine.down = True
    assert seat.match()["state"] == "in_hand"
    assert seat.guest.get("/v1/lobby")["resume"] is None


def test_a_new_match_needs_no_supersede_once_the_old_one_expired(house: House, seat: Seat) -> None:
    finish_hand(seat)
    house.clock.advance(hours=24)
    seat.guest.sit_down()
    assert summary(seat)["reason"] == "expired"


def test_rivers_outage_is_not_the_players_time_hu_061(house: House, seat: Seat) -> None:
    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting(seat.actions, seat.order("call"), "key"))
    house.river.before = None
    house.clock.advance(hours=30)
    house.restart()
    assert seat.refresh()["legal"] is not None
    assert kept_until(seat) == NOON + timedelta(hours=54)


def test_a_stand_in_that_was_interrupted_is_taken_up_again(house: House, seat: Seat) -> None:
    finish_hand(seat)
    seat.next_hand()
    move(seat, 3)

    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    body = {**SIT_DOWN, "supersede": True}
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting("/v1/matches", body, "again"))
    house.river.before = None
    assert seat.match()["state"] == "in_hand"
    house.restart()
    house.clock.advance(seconds=5)
    seat.guest.post("/v1/matches", body, status=201, key="again")
    assert (summary(seat)["ai_decided"], summary(seat)["reason"]) == (1, "superseded")


def test_rivers_cards_of_a_void_hand_are_never_shown(house: House, seat: Seat) -> None:
    house.river.choose = folding
    another_table(seat.guest)
    record = seat.guest.get(f"/v1/hands/{seat.state['hand']['id']}")
    dealt = next(event for event in record["events"] if event["type"] == "cards.dealt")
    assert dealt["data"]["hands"][1]["cards"] == [None, None]
    state = seat.refresh()
    assert state["hand"]["void"]
    assert state["hand"]["over"]
    assert state["legal"] is None
    assert state["seats"][1]["cards"] == [None, None]
