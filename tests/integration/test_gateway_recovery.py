"""Crashes, outages and races: the same match goes on, no move lost or doubled."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from poker.actions import Action, ActionKind
from poker.view import HandView
from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.gateway.model import Scene
from services.gateway.store import queries
from services.gateway.store.schema import ACTIONS
from services.gateway.sweeper import STUCK
from tests.support.gateways import House, Json, Seat, open_house, passive, published, shoving

# The player on the button limps; River checks its option and then, first to act, the flop.
LIMPED = [(1, "call", "player"), (2, "check", "river"), (2, "check", "river")]


class KilledError(BaseException):
    """Stands for the death of the process: no handler of errors sees it."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def stored(house: House, seat: Seat) -> Scene:
    with reading(house.sql_engine) as connection:
        scene = queries.load_scene(connection, seat.table_id)
    assert scene is not None
    return scene


def actions(house: House) -> list[tuple[int, str, str]]:
    with reading(house.sql_engine) as connection:
        query = sa.select(ACTIONS).order_by(ACTIONS.c.hand_id, ACTIONS.c.action_no)
        return [(row.seat, row.kind, row.actor) for row in connection.execute(query)]


def die_before_river(house: House, seat: Seat, order: Json, key: str) -> None:
    """Have the process die after the player's action is stored, before River's is."""

    async def die() -> None:
        raise KilledError

    house.river.before = die
    with pytest.raises(KilledError):
        house.run(seat.guest.posting(seat.actions, order, key))
    house.river.before = None


def until_the_player_may_act(house: House, seat: Seat) -> None:
    async def wait() -> None:
        async with asyncio.timeout(10):
            while stored(house, seat).table.turn_seat != 1:
                await asyncio.sleep(0.01)

    house.run(wait())


def test_after_a_crash_the_next_read_drives_river_on(house: House, seat: Seat) -> None:
    before = stored(house, seat)
    die_before_river(house, seat, seat.order("call"), "key")
    halfway = stored(house, seat)
    assert halfway.table.turn_seat == 2
    assert halfway.hand.setup == before.hand.setup
    state = seat.refresh()
    assert state["turn"] == {"seat": 1}
    assert actions(house) == LIMPED
    assert stored(house, seat).hand.setup == before.hand.setup


def test_after_a_crash_the_sweep_drives_river_on(house: House, seat: Seat) -> None:
    die_before_river(house, seat, seat.order("call"), "key")
    house.restart()
    until_the_player_may_act(house, seat)
    assert actions(house) == LIMPED


def test_a_table_that_a_dead_neighbour_left_is_found_by_the_periodic_sweep(
    house: House, seat: Seat
) -> None:
    replica = house.assemble()
    die_before_river(house, seat, seat.order("call"), "key")
    assert house.run(replica.sweeper.sweep()).driven == 0, "River may still be thinking"
    house.clock.now += STUCK
    assert house.run(replica.sweeper.sweep()).driven == 1
    house.run(replica.close())
    assert actions(house) == LIMPED


def test_after_a_crash_the_same_key_gets_the_response_that_was_lost(
    house: House, seat: Seat
) -> None:
    order = seat.order("call")
    die_before_river(house, seat, order, "key")
    house.restart()
    body = seat.guest.post(seat.actions, order, key="key")
    names = [event["type"] for event in body["events"]]
    assert names.count("action.taken") == len(LIMPED)
    assert body["legal"] is not None
    assert actions(house) == LIMPED
    assert seat.guest.post(seat.actions, order, key="key") == body


def test_after_a_crash_the_lobby_sets_the_table_in_motion(house: House, seat: Seat) -> None:
    die_before_river(house, seat, seat.order("call"), "key")
    seat.guest.get("/v1/lobby")
    until_the_player_may_act(house, seat)


def test_a_crash_before_the_commit_changes_nothing(house: House, seat: Seat) -> None:
    before = stored(house, seat)

    def die() -> None:
        raise KilledError

    house.engine.before_act = die
    order = seat.order("call")
    with pytest.raises(KilledError):
        house.run(seat.guest.posting(seat.actions, order, "key"))
    house.engine.before_act = lambda: None
    assert stored(house, seat) == before
    house.restart()
    house.clock.advance(seconds=5)
    assert seat.guest.post(seat.actions, order, key="key")["version"] > before.table.version
    assert actions(house) == LIMPED


def test_a_decision_made_again_has_the_same_seed_and_the_same_view(
    house: House, seat: Seat
) -> None:
    die_before_river(house, seat, seat.order("call"), "key")
    seat.refresh()
    lost, again, *_ = house.river.asked
    assert lost == again


def test_an_engine_that_is_away_is_a_503_and_the_same_key_works_later(
    house: House, seat: Seat
) -> None:
    before = stored(house, seat)
    order = seat.order("call")
    house.engine.down = True
    response = house.run(seat.guest.posting(seat.actions, order, "key"))
    assert response.status_code == 503
    assert response.json()["type"].endswith("/engine-unavailable")
    assert response.headers["Retry-After"] == "1"
    assert stored(house, seat) == before
    house.engine.down = False
    seat.guest.post(seat.actions, order, key="key")
    assert actions(house) == LIMPED


def test_an_engine_lost_after_the_players_move_does_not_lose_the_move(
    house: House, seat: Seat
) -> None:
    async def pull_the_plug() -> None:
        house.engine.down = True

    house.river.before = pull_the_plug
    order = seat.order("call")
    assert house.run(seat.guest.posting(seat.actions, order, "key")).status_code == 503
    house.river.before = None
    assert seat.guest.send("GET", f"/v1/tables/{seat.table_id}").status_code == 503
    house.engine.down = False
    body = seat.guest.post(seat.actions, order, key="key")
    assert body["legal"] is not None
    assert actions(house) == LIMPED


def test_an_engine_that_is_away_deals_no_hand(house: House, seat: Seat) -> None:
    seat.act("fold")
    house.engine.down = True
    assert house.run(seat.guest.posting(seat.path("next-hand"), {}, "key")).status_code == 503
    assert house.run(seat.guest.posting(seat.path("settle"), {}, "s")).status_code == 200


@pytest.mark.parametrize("broken", ["down", "illegal", "foreign seat"])
def test_a_broken_river_is_replaced_by_the_fixed_rule_and_flagged_hu_031_hu_032(
    house: House, seat: Seat, broken: str
) -> None:
    def illegal(view: HandView) -> Action:
        return Action(2 if broken == "illegal" else 1, ActionKind.RAISE, 101)

    house.river.down = broken == "down"
    house.river.choose = illegal
    seat.act("call")
    assert actions(house)[1] == (2, "check", "fallback")
    taken = [event["data"] for event in seat.state["log"] if event["type"] == "action.taken"]
    assert [data["auto"] for data in taken] == [False, True, True]
    seat.play_out()
    record = seat.guest.get(f"/v1/hands/{seat.state['hand']['id']}")
    assert record["tags"] == ["bot_fallback"]
    settled = [message for message in published(house) if isinstance(message, pb.HandSettled)]
    assert [message.bot_fallback for message in settled] == [True]


def test_the_fixed_rule_calls_a_small_price_and_folds_to_a_large_one(
    house: House, seat: Seat
) -> None:
    seat.act("raise", 300)
    house.river.down = True
    seat.act("bet", 100)
    assert actions(house)[-2:] == [(2, "call", "fallback"), (2, "check", "fallback")]
    seat.act("bet", 800)
    assert actions(house)[-1] == (2, "fold", "fallback")


def test_replicas_that_drive_one_table_at_once_make_one_move(house: House, seat: Seat) -> None:
    die_before_river(house, seat, seat.order("call"), "key")

    async def drive_together() -> list[Scene]:
        replicas = [house.assemble() for _ in range(4)]
        return await asyncio.gather(*(replica.driver.drive(seat.table_id) for replica in replicas))

    scenes = house.run(drive_together())
    assert {scene.table.version for scene in scenes} == {stored(house, seat).table.version}
    assert actions(house) == LIMPED


def test_rivers_answer_counts_only_for_the_version_it_was_asked_about(
    house: House, seat: Seat
) -> None:
    """While one replica waits for River, another plays the hand on."""
    die_before_river(house, seat, seat.order("call"), "key")

    async def overtaken() -> None:
        house.river.before = None
        faster = house.assemble()
        await faster.driver.drive(seat.table_id)

    house.river.before = overtaken
    house.river.choose = passive
    scene = house.run(house.gateway.driver.drive(seat.table_id))
    assert actions(house) == LIMPED
    assert scene.table.turn_seat == 1


def test_a_crash_in_a_run_of_rivers_moves_resumes_in_the_middle_eng_094(house: House) -> None:
    house.dealer.first_button = 2
    house.river.choose = passive
    guest = house.guest()

    async def die() -> None:
        raise KilledError

    house.river.before = die
    body = {"ruleset": "hu_river", "buy_in": 10_000}
    with pytest.raises(KilledError):
        house.run(guest.posting("/v1/matches", body, "sit"))
    house.river.before = None
    house.restart()
    sat_down = guest.post("/v1/matches", body, status=201, key="sit")
    assert sat_down["snapshot"]["turn"] == {"seat": 1}
    assert guest.get("/v1/matches/current")["match"]["id"] == sat_down["match"]["id"]
    assert actions(house) == [(2, "call", "river")]


def test_a_settled_match_whose_answer_was_lost_is_answered_again(
    house: House, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat.act("fold")

    def die(*_: object) -> None:
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr("services.gateway.api.views.summary_json", die)
        with pytest.raises(KilledError):
            house.run(seat.guest.posting(seat.path("settle"), {}, "key"))
    assert stored(house, seat).match.state == "settled"
    summary = seat.guest.post(seat.path("settle"), {}, key="key")["summary"]
    assert summary["reason"] == "settled"


def test_a_shove_that_river_calls_is_one_transaction_of_chips(house: House, seat: Seat) -> None:
    house.river.choose = shoving
    seat.act("call")
    seat.act("call")
    settled = [message for message in published(house) if isinstance(message, pb.HandSettled)]
    assert len(settled) == 1
    assert sum(result.net_chips for result in settled[0].results) == 0
