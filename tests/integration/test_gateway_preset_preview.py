"""Trying shortcuts in a spot before they are saved (the Customize dialog)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.gateway.ratelimit import RateLimiter
from tests.support.gateways import Guest, House, Json, Seat, open_house

ROW = [
    {"kind": "min"},
    {"kind": "bb", "value": "1.5"},
    {"kind": "pot_percent", "value": "33.3"},
    {"kind": "pot_fraction", "value": "5/1"},
    {"kind": "bb", "value": "100"},
    {"kind": "allin"},
]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


@pytest.fixture
def seat(house: House) -> Seat:
    return house.guest("Ana").sit_down(9_000)


def path(seat: Seat) -> str:
    return f"/v1/tables/{seat.table_id}/preview"


def preview(seat: Seat, row: list[Json]) -> list[tuple[str, int | None, str | None]]:
    answer = seat.guest.post(path(seat), {"presets": row})
    assert answer["version"] == seat.state["version"]
    assert all(item["enabled"] is (item["reason"] is None) for item in answer["presets"])
    return [(item["label"], item["amount"], item["reason"]) for item in answer["presets"]]


def test_amounts_and_grey_reasons_are_those_of_the_spot(seat: Seat) -> None:
    assert preview(seat, ROW) == [
        ("Min", 200, None),
        ("1.5 BB", 150, "below the minimum raise to 200"),
        ("33.3%", 167, "below the minimum raise to 200"),
        ("5x pot", 1_100, None),
        ("100 BB", 10_000, "more than your stack"),
        ("All-in", 9_000, None),
    ]


def test_a_preview_agrees_with_what_the_table_offers(seat: Seat) -> None:
    saved = seat.guest.get("/v1/me/bet-presets")
    seat.act("call")
    row = [{"kind": item["kind"], "value": item["value"]} for item in saved["postflop"]]
    answer = seat.guest.post(path(seat), {"presets": row})
    assert seat.legal is not None
    assert answer["presets"] == seat.legal["presets"]


def test_nothing_is_saved_or_moved(seat: Seat) -> None:
    before = seat.refresh()
    preview(seat, ROW)
    assert seat.guest.get("/v1/me/bet-presets")["customised"] is False
    assert seat.refresh() == before


def test_between_hands_it_is_nobodys_turn(seat: Seat) -> None:
    seat.play_out()
    body = seat.guest.refused(path(seat), {"presets": ROW}, status=409, problem="not-your-turn")
    assert body["version"] == seat.state["version"]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ([], "preset-limit"),
        ([{"kind": "bb", "value": str(number)} for number in range(1, 12)], "preset-limit"),
        ([{"kind": "min"}, {"kind": "min"}], "preset-invalid"),
        ([{"kind": "bb", "value": "0.1"}], "preset-invalid"),
        ([{"kind": "bb", "value": 2}], "request-invalid"),
    ],
)
def test_what_cannot_be_saved_cannot_be_tried(seat: Seat, row: list[Json], problem: str) -> None:
    body = seat.guest.refused(path(seat), {"presets": row}, status=422, problem=problem)
    assert body.get("set", "presets") == "presets"


def test_only_the_player_of_the_table_may_ask(house: House, seat: Seat) -> None:
    body = {"presets": ROW}
    house.guest("Ben").refused(path(seat), body, status=403, problem="not-seated")
    seat.guest.refused(
        "/v1/tables/t_00000000000000000000/preview", body, status=404, problem="not-found"
    )
    Guest(house).refused(path(seat), body, status=401, problem="no-session")


def test_an_engine_that_is_away_is_said_so(house: House, seat: Seat) -> None:
    house.restart()
    house.engine.down = True
    seat.guest.refused(path(seat), {"presets": ROW}, status=503, problem="engine-unavailable")


def test_a_dialog_may_ask_as_often_as_a_page_may_read(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'limited.sqlite3'}"
    spent: list[str] = []

    class Watched(RateLimiter):
        def spend(self, name: str, caller: str) -> None:
            spent.append(name)
            super().spend(name, caller)

    with open_house(url, limiter=Watched()) as house:
        seat = house.guest("Ana").sit_down()
        spent.clear()
        preview(seat, ROW)
        assert spent == ["reads"]
