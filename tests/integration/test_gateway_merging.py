"""What a guest played becomes an account's: matches, hands and an open table."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from services.common.database import open_engine, reading
from services.common.eventlog import outbox
from services.ledger.audit import audit
from services.ledger.schema import SEATS
from services.ledger.store import apply_events, upgrade
from tests.support.gateways import Guest, House, Json, Seat, open_house
from tests.support.people import account, browser, send_as, session_of, sign_in


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as house:
        yield house


@pytest.fixture
def ledger_engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    upgrade(engine)
    yield engine
    engine.dispose()


def play_a_match(guest: Guest, hands: int = 2) -> Seat:
    """Fold a few hands and settle."""
    seat = guest.sit_down()
    for number in range(hands):
        if number:
            seat.next_hand()
        while seat.legal is not None:
            seat.act("fold" if seat.legal["can_fold"] else "check")
    seat.do("settle")
    return seat


def guest_and_offer(house: House, *, open_match: bool = False) -> tuple[Guest, Json]:
    """A browser that played as a guest, and has now signed in to an account."""
    account(house)
    guest = house.guest("Otter")
    play_a_match(guest)
    if open_match:
        guest.sit_down()
    return guest, sign_in(guest)["merge_offer"]


def merge(guest: Guest, offer: Json, *, key: str | None = None) -> Json:
    body = {"guest_token": offer["guest_token"]}
    return guest.post("/v1/me/merge-guest", body, key=key)


def test_whoever_played_as_a_guest_is_offered_to_bring_it_along(house: House) -> None:
    guest, offer = guest_and_offer(house)
    assert offer["guest_token"].startswith("rbm_")
    del offer["guest_token"]
    assert offer == {"display_name": "Otter", "matches": 1, "hands": 2, "open_match": False}
    assert guest.get("/v1/matches")["items"] == []


def test_a_guest_without_matches_has_nothing_to_offer(house: House) -> None:
    account(house)
    guest = house.guest()
    old = session_of(guest)
    assert sign_in(guest)["merge_offer"] is None
    assert send_as(guest, old, "GET", "/v1/me").status_code == 401


def test_the_guests_matches_and_hands_become_the_accounts(house: House) -> None:
    guest, offer = guest_and_offer(house)
    own = play_a_match(guest, hands=1)
    assert merge(guest, offer) == {"hands_moved": 2}
    matches = guest.get("/v1/matches")["items"]
    assert len(matches) == 2
    assert sum(match["hands"] for match in matches) == 3
    moved = next(match for match in matches if match["id"] != own.match_id)
    hand = guest.get(f"/v1/matches/{moved['id']}/hands")["items"][0]
    record = guest.get(f"/v1/hands/{hand['hand_id']}")
    assert record["seats"][0]["name"] == "ana_p"


def test_the_guest_is_gone_after_the_merge(house: House) -> None:
    account(house)
    guest = house.guest("Otter")
    play_a_match(guest)
    old = session_of(guest)
    offer = sign_in(guest)["merge_offer"]
    # The offer may be declined: until then the guest lives on.
    assert send_as(guest, old, "GET", "/v1/me").status_code == 200
    merge(guest, offer)
    assert send_as(guest, old, "GET", "/v1/me").status_code == 401
    body = {"guest_token": offer["guest_token"]}
    guest.refused("/v1/me/merge-guest", body, status=404, problem="not-found")


def test_an_open_table_moves_along_and_is_played_on(house: House, ledger_engine: Engine) -> None:
    guest, offer = guest_and_offer(house, open_match=True)
    assert offer["open_match"]
    assert merge(guest, offer) == {"hands_moved": 2}
    resume = guest.get("/v1/lobby")["resume"]
    state = guest.get(f"/v1/tables/{resume['table_id']}")
    seat = Seat(
        guest,
        {
            "match": {"id": resume["match_id"]}, "table_id": resume["table_id"],
            "snapshot": state, "events": [],
        },
    )  # fmt: skip
    assert state["seats"][0]["name"] == "ana_p"
    seat.play_out()
    seat.do("settle")
    assert seat.match()["hands"] == 1
    # The ledger was told of one player from the first event to the last.
    assert ledgers_hands(house, ledger_engine) == {guest.house.guests[1].user["id"]: 3}


def ledgers_hands(house: House, ledger_engine: Engine) -> dict[str, int]:
    """Let the ledger read everything; return finished hands by player."""
    with reading(house.sql_engine) as connection:
        events = [event for _, event in outbox.read_after(connection, 0, 100_000)]
    with ledger_engine.begin() as connection:
        apply_events(connection, events)
    assert audit(ledger_engine).findings == []
    with reading(ledger_engine) as connection:
        rows = connection.execute(SEATS.select().where(SEATS.c.kind != "house")).all()
    found: Counter[str] = Counter()
    for row in rows:
        found[row.player_id] += row.hands
    return dict(found)


def test_two_open_tables_are_not_merged(house: House) -> None:
    guest, offer = guest_and_offer(house, open_match=True)
    seat = guest.sit_down()
    body = {"guest_token": offer["guest_token"]}
    problem = guest.refused("/v1/me/merge-guest", body, status=409, problem="merge-conflict")
    assert problem["reason"] == "two-open-matches"
    seat.act("fold")
    seat.do("settle")
    assert merge(guest, offer) == {"hands_moved": 2}
    assert guest.get("/v1/lobby")["resume"] is not None


def test_a_match_whose_time_is_over_stands_in_nobodys_way(house: House) -> None:
    account(house)
    guest = house.guest("Otter")
    play_a_match(guest)
    guest.sit_down()
    house.clock.advance(hours=20)
    offer = sign_in(guest)["merge_offer"]
    seat = guest.sit_down()
    house.clock.advance(hours=5)
    assert merge(guest, offer) == {"hands_moved": 2}
    assert guest.get("/v1/lobby")["resume"]["match_id"] == seat.match_id


def test_a_merge_is_answered_the_same_way_again(house: House) -> None:
    guest, offer = guest_and_offer(house)
    assert merge(guest, offer, key="k") == merge(guest, offer, key="k") == {"hands_moved": 2}


def test_a_merge_sent_twice_at_once_moves_everything_once(house: House) -> None:
    guest, offer = guest_and_offer(house)
    body = {"guest_token": offer["guest_token"]}

    async def twice() -> list[int]:
        calls = [guest.posting("/v1/me/merge-guest", body, key) for key in ("a", "b", "c")]
        return [response.status_code for response in await asyncio.gather(*calls)]

    statuses = house.run(twice())
    assert statuses.count(200) == 1
    assert set(statuses) <= {200, 404, 409}
    assert len(guest.get("/v1/matches")["items"]) == 1


def test_an_offer_is_for_the_account_that_got_it_and_for_a_day(house: House) -> None:
    guest, offer = guest_and_offer(house)
    other = account(house, "mallory")
    body = {"guest_token": offer["guest_token"]}
    other.refused("/v1/me/merge-guest", body, status=404, problem="not-found")
    for token in (session_of(guest), "rbm_x", "x"):
        other.refused("/v1/me/merge-guest", {"guest_token": token}, status=404, problem="not-found")
    house.clock.advance(hours=25)
    guest.refused("/v1/me/merge-guest", body, status=404, problem="not-found")


def test_an_account_is_never_offered_another_account(house: House) -> None:
    ben = account(house, "ben")
    play_a_match(ben)
    account(house)
    old = session_of(ben)
    assert sign_in(ben)["merge_offer"] is None
    assert send_as(ben, old, "GET", "/v1/me").status_code == 401


def test_recovering_an_account_makes_the_offer_too(house: House) -> None:
    words = account(house).post("/v1/me/recovery-code")["words"]
    guest = house.guest("Otter")
    play_a_match(guest)
    offer = guest.post("/v1/sessions/recover", {"words": words})["merge_offer"]
    assert merge(guest, offer) == {"hands_moved": 2}
    assert browser(house).get("/v1/me", status=401)


def test_what_the_guest_was_not_told_yet_is_told_to_the_account(house: House) -> None:
    account(house)
    guest = house.guest("Otter")
    seat = guest.sit_down()
    for _ in range(4):
        seat.take_free()
    house.clock.advance(hours=25)
    house.run(house.gateway.sweeper.sweep())
    house.run(house.gateway.driver.drive(seat.table_id))
    told = [notice["data"] for notice in guest.get("/v1/lobby")["notices"]]
    assert told
    merge(guest, sign_in(guest)["merge_offer"])
    assert [notice["data"] for notice in guest.get("/v1/lobby")["notices"]] == told
