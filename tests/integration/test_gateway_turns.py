"""One turn, one action: tokens, keys, two tabs, double clicks."""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from services.common.database import reading
from services.gateway.store import idempotency
from services.gateway.store.idempotency import LEASE, Claim, Ticket
from services.gateway.store.schema import ACTIONS, IDEMPOTENCY
from tests.support.gateways import House, Json, Seat, body_of, open_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down()


def played_by_the_player(house: House) -> int:
    with reading(house.sql_engine) as connection:
        query = sa.select(sa.func.count()).where(ACTIONS.c.actor == "player")
        return int(connection.execute(query).scalar_one())


def at_once(house: House, *posts: tuple[Seat, Json, str]) -> list[httpx.Response]:
    async def all_of_them() -> list[httpx.Response]:
        return await asyncio.gather(
            *(seat.guest.posting(seat.actions, body, key) for seat, body, key in posts)
        )

    return house.run(all_of_them())


def test_a_token_is_good_for_one_action_eng_047(seat: Seat) -> None:
    order = seat.order("call")
    seat.act("call")
    version = seat.state["version"]
    problem = seat.guest.refused(seat.actions, order, status=409, problem="stale-turn")
    assert problem["version"] == version
    assert seat.refresh()["version"] == version


def test_tokens_of_turns_long_gone_stay_stale(seat: Seat) -> None:
    order = seat.order("call")
    seat.play_out()
    seat.next_hand()
    seat.guest.refused(seat.actions, order, status=409, problem="stale-turn")


def test_between_hands_no_token_is_good(seat: Seat) -> None:
    order = seat.order("fold")
    seat.act("fold")
    seat.guest.refused(seat.actions, order, status=409, problem="stale-turn")


def test_of_two_different_clicks_on_one_turn_exactly_one_counts(house: House, seat: Seat) -> None:
    call, lift = seat.order("call"), seat.order("raise", 300)
    responses = at_once(house, (seat, call, "key-1"), (seat, lift, "key-2"))
    assert sorted(response.status_code for response in responses) == [200, 409]
    loser = next(response for response in responses if response.status_code == 409)
    problem = body_of(loser)
    assert problem["type"].endswith("/stale-turn")
    assert problem["version"] > 1
    assert played_by_the_player(house) == 1


def test_a_double_click_with_one_key_is_one_action(house: House, seat: Seat) -> None:
    order = seat.order("call")
    responses = at_once(house, *[(seat, order, "same-key")] * 5)
    for response in responses:
        in_progress = body_of(response).get("type", "").endswith("/idempotency-in-progress")
        assert response.status_code == 200 or in_progress
    answers = {response.text for response in responses if response.status_code == 200}
    assert len(answers) == 1
    assert played_by_the_player(house) == 1
    assert seat.guest.post(seat.actions, order, key="same-key")["events"]
    assert played_by_the_player(house) == 1


def test_a_repeated_request_gets_the_first_response_to_the_letter(house: House, seat: Seat) -> None:
    order = seat.order("call")
    first = house.run(seat.guest.posting(seat.actions, order, "key"))
    seat.refresh()
    seat.play_out()
    again = house.run(seat.guest.posting(seat.actions, order, "key"))
    assert (again.status_code, again.text) == (first.status_code, first.text)
    assert again.headers["Content-Type"] == "application/json"


def test_sitting_down_twice_with_one_key_is_one_match(house: House) -> None:
    guest = house.guest()
    body = {"ruleset": "hu_river", "buy_in": 10_000}
    first = guest.post("/v1/matches", body, status=201, key="sit")
    assert guest.post("/v1/matches", body, status=201, key="sit") == first
    assert guest.post("/v1/matches", {**body, "supersede": False}, status=201, key="sit") == first


@pytest.mark.parametrize("command", ["next-hand", "top-up", "settle"])
def test_commands_between_hands_repeat_their_response(house: House, command: str) -> None:
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    path = seat.path(command)
    first = seat.guest.post(path, {}, key="once")
    assert seat.guest.post(path, {}, key="once") == first
    assert seat.guest.post(path, None, key="once") == first


def test_a_refusal_is_repeated_for_its_key(house: House, seat: Seat) -> None:
    path = seat.path("settle")
    first = seat.guest.post(path, {}, status=409, key="early")
    seat.act("fold")
    again = seat.guest.post(path, {}, status=409, key="early")
    assert again["type"] == first["type"]
    assert seat.guest.post(path, {}, key="later")["summary"]["hands"] == 1


def test_a_key_with_another_body_or_address_is_a_mismatch(seat: Seat) -> None:
    order = seat.order("call")
    seat.guest.post(seat.actions, order, key="key")
    for path, body in (
        (seat.actions, {**order, "type": "fold"}),
        (seat.path("settle"), {}),
        (seat.path("next-hand"), {}),
    ):
        problem = seat.guest.post(path, body, status=422, key="key")
        assert problem["type"].endswith("/idempotency-mismatch")


@pytest.mark.parametrize("command", ["top-up", "settle"])
def test_a_key_with_the_same_body_at_another_address_is_a_mismatch(
    house: House, command: str
) -> None:
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    seat.guest.post(seat.path("next-hand"), {}, key="key")
    problem = seat.guest.post(seat.path(command), {}, status=422, key="key")
    assert problem["type"].endswith("/idempotency-mismatch")


@pytest.mark.parametrize(
    ("command", "loser"),
    [("next-hand", "hand-in-progress"), ("top-up", "not-eligible"), ("settle", None)],
)
def test_of_two_devices_between_hands_one_is_served_hu_074(
    house: House, command: str, loser: str | None
) -> None:
    seat = house.guest().sit_down(3_000)
    seat.act("fold")
    path = seat.path(command)

    async def both() -> list[httpx.Response]:
        return await asyncio.gather(*(seat.guest.posting(path, {}, key) for key in "ab"))

    responses = house.run(both())
    refused = [body_of(response) for response in responses if response.status_code != 200]
    assert [problem["type"].rsplit("/", 1)[-1] for problem in refused] == (
        [] if loser is None else [loser]
    )
    if loser is None:
        assert responses[0].json() == responses[1].json()


def test_of_two_devices_that_sit_down_one_gets_the_match(house: House) -> None:
    guest = house.guest()
    body = {"ruleset": "hu_river", "buy_in": 10_000}

    async def both() -> list[httpx.Response]:
        return await asyncio.gather(*(guest.posting("/v1/matches", body, key) for key in "ab"))

    responses = sorted(house.run(both()), key=lambda response: response.status_code)
    assert [response.status_code for response in responses] == [201, 409]
    problem = body_of(responses[1])
    assert problem["type"].endswith("/active-match")
    assert problem["match_id"] == body_of(responses[0])["match"]["id"]


def test_keys_of_different_people_do_not_meet(house: House, seat: Seat) -> None:
    seat.act("call", key="key")
    other = house.guest("Ben").sit_down()
    other.act("call", key="key")


@pytest.mark.parametrize("key", [None, "", "k" * 129, "two words", "ümlaut"])
def test_a_command_needs_a_usable_key(seat: Seat, key: str | None) -> None:
    headers = {} if key is None else {"Idempotency-Key": key.encode("latin-1")}
    response = seat.guest.send("POST", seat.path("settle"), json={}, headers=headers)
    assert response.status_code == 422
    assert body_of(response)["type"].endswith("/request-invalid")


def test_the_longest_key_is_accepted(seat: Seat) -> None:
    seat.act("call", key="k" * 128)


def test_a_key_whose_attempt_died_is_free_when_its_lease_ends(house: House, seat: Seat) -> None:
    order = seat.order("call")
    seat.guest.post(seat.actions, order, key="key")
    seat.refresh()
    order = seat.order("check")
    # What a process leaves behind that is killed before it commits.
    orphan = {
        "user_id": seat.guest.user["id"],
        "key": "orphan",
        "fingerprint": fingerprint_of(house, seat, order),
        "attempt": "dead",
        "leased_until": house.clock.now + LEASE,
        "created_at": house.clock.now,
    }
    with house.sql_engine.begin() as connection:
        connection.execute(sa.insert(IDEMPOTENCY).values(orphan))
    response = house.run(seat.guest.posting(seat.actions, order, "orphan"))
    assert response.status_code == 409
    assert body_of(response)["type"].endswith("/idempotency-in-progress")
    assert response.headers["Retry-After"] == "1"
    house.clock.advance(seconds=LEASE.total_seconds())
    assert seat.guest.post(seat.actions, order, key="orphan")["version"] > seat.state["version"]


def fingerprint_of(house: House, seat: Seat, order: Json) -> str:
    """The fingerprint of a request, learned by sending it under another key in vain."""
    claimed: list[str] = []
    original = idempotency.claim

    def spy(connection: sa.Connection, ticket: Ticket, fingerprint: str, now: datetime) -> Claim:
        claimed.append(fingerprint)
        return original(connection, ticket, fingerprint, now)

    house.engine.down = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(idempotency, "claim", spy)
        seat.guest.post(seat.actions, order, status=503, key="probe")
    house.engine.down = False
    return claimed[0]
