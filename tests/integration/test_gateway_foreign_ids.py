"""Ids that cannot be ours are not found, on databases that could not even compare them."""

from collections.abc import Iterator

import pytest

from services.gateway.api import cursors
from tests.support.gateways import House, open_house
from tests.support.people import PASSWORD, account

STRANGE = ("%00", "k_%00", "s_0123456789abcdef012%00", "%F0%9F%82%A1", "x" * 3_000)


@pytest.fixture
def house(postgres_url: str) -> Iterator[House]:
    with open_house(postgres_url) as house:
        yield house


def test_strange_ids_of_sessions_and_tokens_are_not_found(house: House) -> None:
    guest = account(house)
    for top in ("/v1/sessions", "/v1/me/tokens"):
        for strange in STRANGE:
            refused = guest.send("DELETE", f"{top}/{strange}")
            assert refused.status_code == 404, (top, strange)
            assert refused.json()["type"].endswith("/not-found")
    assert guest.get("/v1/me")["user"] == guest.user


def test_strange_ids_find_no_hands(house: House) -> None:
    guest = account(house)
    for strange in STRANGE[:-1]:
        assert guest.get(f"/v1/hands?match={strange}") == {"items": [], "next_cursor": None}


def test_strange_names_are_nobodys(house: House) -> None:
    guest = account(house)
    for strange in ("ana_p\0", "\0", "", "🂡", "ana_p' --"):
        body = {"username": strange, "password": PASSWORD}
        refused = guest.send("POST", "/v1/sessions", json=body)
        assert refused.status_code == 401, strange
        assert refused.json()["type"].endswith("/bad-credentials")


@pytest.mark.parametrize(
    "query",
    [
        "from=0001-01-01T00:00:00%2B23:59",
        "from=9999-12-31T23:59:59-23:59",
        "to=0001-01-01T00:00:00Z",
        f"min_pot={10**12}",
        f"cursor={cursors.pack(10**17, 'h_00000000000000000000')}",
        f"cursor={cursors.pack(0, 'h_00000000000000000000')}",
    ],
)
def test_hands_at_the_ends_of_time_are_none(house: House, query: str) -> None:
    assert house.guest("Ana").get(f"/v1/hands?{query}") == {"items": [], "next_cursor": None}
