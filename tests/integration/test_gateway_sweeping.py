"""The sweep, on every database and from several replicas at once; the clock is the test's."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.gateway.gateway import Gateway
from services.gateway.model import Scene
from services.gateway.store import claims, commits, queries
from services.gateway.sweeper import BATCH, STUCK, WARN_AHEAD, Swept
from tests.support.gateways import House, Seat, open_house, published

DAY = timedelta(hours=24)
MOMENT = timedelta(microseconds=1)


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def sweep(house: House) -> Swept:
    return house.run(house.gateway.sweeper.sweep())


def sweep_together(house: House, replicas: int) -> list[Swept]:
    async def all_of_them() -> list[Swept]:
        gateways: list[Gateway] = [house.assemble() for _ in range(replicas)]
        try:
            return await asyncio.gather(*(gateway.sweeper.sweep() for gateway in gateways))
        finally:
            for gateway in gateways:
                await gateway.close()

    return house.run(all_of_them())


def stored(house: House, seat: Seat) -> Scene:
    with reading(house.sql_engine) as connection:
        scene = queries.load_scene(connection, seat.table_id)
    assert scene is not None
    return scene


def interrupt_river(house: House, seat: Seat) -> None:
    """Have the process die after the player's call is stored, before River acts."""

    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting(seat.actions, seat.order("call"), "key"))
    house.river.before = None


def test_nothing_to_do_is_nothing_done(house: House, seat: Seat) -> None:
    before = stored(house, seat)
    assert sweep(house) == Swept(0, 0, 0, 0)
    assert stored(house, seat) == before


def test_the_sweep_makes_the_comparison_of_commands_hu_069(house: House, seat: Seat) -> None:
    seat.act("fold")
    house.clock.now = stored(house, seat).match.kept_until - MOMENT
    assert sweep(house).ended == 0
    house.clock.now += MOMENT
    assert sweep(house).ended == 1
    assert stored(house, seat).match.end_reason == "expired"
    assert stored(house, seat).match.settled_at == house.clock.now


@pytest.mark.parametrize("swept", [False, True])
def test_too_late_is_too_late_whether_the_sweep_was_there_or_not_hu_069(
    house: House, seat: Seat, swept: bool
) -> None:
    order = seat.order("call")
    house.clock.now += DAY
    if swept:
        sweep(house)
    seat.guest.refused(seat.actions, order, status=410, problem="match-expired")
    seat.guest.refused(seat.path("settle"), status=410, problem="match-expired")
    assert stored(house, seat).match.state == "void"


def test_a_command_that_came_in_time_is_not_late_for_having_taken_long_hu_069(
    house: House, seat: Seat
) -> None:
    house.clock.now = stored(house, seat).match.kept_until - MOMENT

    def dawdle() -> None:
        house.clock.now += timedelta(seconds=5)

    house.engine.before_act = dawdle
    seat.act("fold")
    assert seat.match()["hands"] == 1


def test_a_command_that_loses_to_the_sweep_is_told_that_it_is_too_late_hu_069(
    house: House, seat: Seat
) -> None:
    """The sweep ends the match while the engine thinks about an action that came in time."""
    house.clock.now = stored(house, seat).match.kept_until - MOMENT
    order = seat.order("call")

    class Overtaken:
        def __init__(self) -> None:
            self.original = house.engine.act

        async def __call__(self, *args: object) -> object:
            house.engine.act = self.original  # type: ignore[method-assign]  # once
            house.clock.now += MOMENT
            await house.gateway.sweeper.sweep()
            return await self.original(*args)  # type: ignore[arg-type]  # passed on

    house.engine.act = Overtaken()  # type: ignore[method-assign,assignment]  # a slow engine
    seat.guest.refused(seat.actions, order, status=410, problem="match-expired")
    assert stored(house, seat).match.moves == 0


def test_while_river_owes_an_action_the_match_is_driven_not_ended_hu_061(
    house: House, seat: Seat
) -> None:
    interrupt_river(house, seat)
    house.clock.now += 2 * DAY
    found = sweep(house)
    assert (found.ended, found.driven) == (0, 1)
    match = stored(house, seat).match
    assert match.is_open
    assert match.kept_until == house.clock.now + DAY


def test_an_outage_of_river_moves_the_hold_by_its_length_hu_061(house: House, seat: Seat) -> None:
    interrupt_river(house, seat)
    promised = stored(house, seat).match.kept_until
    house.clock.now += timedelta(hours=2)
    sweep(house)
    assert stored(house, seat).match.kept_until == promised + timedelta(hours=2)


def test_with_river_broken_its_fallback_acts_first_hu_061(house: House, seat: Seat) -> None:
    interrupt_river(house, seat)
    house.river.down = True
    house.clock.now += DAY
    sweep(house)
    scene = stored(house, seat)
    assert scene.hand.bot_fallback
    assert scene.table.turn_seat == 1
    assert scene.match.kept_until == house.clock.now + DAY


def test_a_table_that_moved_lately_is_left_to_whoever_moved_it(house: House, seat: Seat) -> None:
    interrupt_river(house, seat)
    house.clock.now += STUCK - MOMENT
    assert sweep(house).driven == 0
    house.clock.now += MOMENT
    assert sweep(house).driven == 1
    assert stored(house, seat).table.turn_seat == 1


def test_a_hand_of_an_absent_player_is_finished_and_settled_hu_063(
    house: House, seat: Seat
) -> None:
    seat.act("fold")
    seat.next_hand()
    for _ in range(3):
        seat.take_free()
    house.clock.now += DAY
    assert sweep(house).ended == 1
    match = stored(house, seat).match
    assert (match.end_reason, match.hands, match.ai_decided) == ("expired", 2, 1)


@pytest.mark.parametrize("replicas", [2, 5])
def test_sweeps_from_several_replicas_settle_each_match_once(house: House, replicas: int) -> None:
    seats = [house.guest().sit_down() for _ in range(8)]
    for seat in seats[:4]:
        seat.act("fold")
        seat.next_hand()
        for _ in range(3):
            seat.take_free()
    interrupted = house.guest().sit_down()
    interrupt_river(house, interrupted)
    house.clock.now += DAY
    found = sweep_together(house, replicas)
    assert sum(item.ended for item in found) == len(seats)
    assert sum(item.driven for item in found) == 1
    ends = Counter(
        message.match_id for message in published(house) if isinstance(message, pb.MatchSettled)
    )
    assert ends == Counter(seat.match_id for seat in seats)
    for seat in seats:
        assert seat.guest.get("/v1/me/notices")["last_seq"] in {1, 2}
    assert sweep(house).ended == 0


def test_a_claim_that_was_not_worked_off_is_taken_up_when_it_ends(house: House, seat: Seat) -> None:
    """A sweeper died with the claim in its hands."""
    house.clock.now += DAY
    with house.sql_engine.begin() as connection:
        assert claims.claim_expired(connection, house.clock.now, 10) == [seat.table_id]
        assert claims.claim_expired(connection, house.clock.now, 10) == []
    assert sweep(house).ended == 0
    house.clock.now += claims.LEASE
    assert sweep(house).ended == 1


def test_rows_that_another_sweep_has_locked_are_skipped_and_not_waited_for_hu_069(
    postgres_url: str,
) -> None:
    with open_house(postgres_url) as house:
        seats = [house.guest().sit_down() for _ in range(2)]
        house.clock.now += DAY
        with house.sql_engine.begin() as first, house.sql_engine.begin() as second:
            locked = claims.claim_expired(first, house.clock.now, 1)
            free = claims.claim_expired(second, house.clock.now, 10)
        assert sorted(locked + free) == sorted(seat.table_id for seat in seats)
        assert (len(locked), len(free)) == (1, 1)


def test_what_was_swept_is_counted(house: House, seat: Seat) -> None:
    house.clock.now += DAY
    sweep(house)
    text = seat.guest.send("GET", "/metrics").text
    assert 'riverboat_swept_total{what="ended"} 1.0' in text


def test_a_match_that_cannot_be_ended_does_not_hold_up_the_others(house: House, seat: Seat) -> None:
    seat.act("fold")
    seat.next_hand()
    for _ in range(3):
        seat.take_free()
    other = house.guest("Ben").sit_down()
    house.engine.down = True
    house.clock.now += DAY
    assert sweep(house).ended == 2
    assert stored(house, other).match.state == "void", "needs no engine"
    assert stored(house, seat).match.is_open
    house.engine.down = False
    house.clock.now += claims.LEASE + STUCK
    assert sweep(house).driven == 1, "the stand-in had taken the seat"
    assert stored(house, seat).match.end_reason == "expired"


def test_a_sweep_takes_a_bounded_batch_and_says_that_there_is_more(
    house: House, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.gateway.sweeper.BATCH", 2)
    seats = [seat, *(house.guest().sit_down() for _ in range(4))]
    house.clock.now += DAY
    found = [sweep(house) for _ in range(4)]
    assert [item.ended for item in found] == [2, 2, 1, 0]
    assert found[0].is_full
    assert all(not stored(house, one).match.is_open for one in seats)
    assert BATCH >= 2


def test_the_player_is_warned_once_and_keeps_the_turn(house: House, seat: Seat) -> None:
    before = stored(house, seat)
    order = seat.order("call")
    house.clock.now = before.match.kept_until - WARN_AHEAD - MOMENT
    assert sweep(house).warned == 0
    house.clock.now += MOMENT
    assert [sweep(house).warned for _ in range(2)] == [1, 0]
    after = stored(house, seat)
    assert (after.table.version, after.match) == (before.table.version, before.match)
    events = seat.guest.get(f"/v1/tables/{seat.table_id}/events?since={before.table.last_seq}")
    (event,) = events["items"]
    assert event["type"] == "match.expiring"
    assert event["data"]["kept_until"] == "2026-05-02T12:00:00.000Z"
    assert seat.guest.post(seat.actions, order)["version"] > before.table.version


def test_the_warned_players_open_pages_are_told_to_look(
    house: House, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics: list[str] = []
    monkeypatch.setattr(
        commits, "announce", lambda _, *hints: topics.extend(hint.topic for hint in hints)
    )
    house.clock.now = stored(house, seat).match.kept_until - WARN_AHEAD
    sweep(house)
    assert topics == [seat.table_id, seat.guest.user["id"]]


def test_every_hold_gets_its_own_warning(house: House, seat: Seat) -> None:
    seat.act("fold")
    for expected in (1, 2):
        house.clock.now = stored(house, seat).match.kept_until - WARN_AHEAD
        sweep(house)
        kinds = [item["type"] for item in seat.guest.get("/v1/me/notices")["items"]]
        assert kinds == ["match.expiring"] * expected
        seat.next_hand()
        seat.play_out()


def test_an_action_that_meets_a_warning_is_accepted_all_the_same(house: House, seat: Seat) -> None:
    """The warning comes while the engine thinks: the turn is still the same."""
    house.clock.now = stored(house, seat).match.kept_until - WARN_AHEAD
    replica = house.assemble()
    original = house.engine.act
    warned: list[Swept] = []

    async def overtaken(*args: object) -> object:
        if not warned:
            warned.append(await replica.sweeper.sweep())
        return await original(*args)  # type: ignore[arg-type]  # passed on

    house.engine.act = overtaken  # type: ignore[method-assign,assignment]  # a slow engine
    seat.act("call")
    house.run(replica.close())
    assert warned[0].warned == 1
    assert stored(house, seat).match.moves == 1
