"""Everything has its room on a phone: nothing is cut off, wraps or lies on something else."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, ViewportSize, expect

from tests.support.browser import guest_page
from tests.support.spots import Json, seen
from tests.support.table_page import act_once, ready_or_over, sit_down
from tests.support.web_stage import WITHOUT_SEED, Stage
from tests.unit.test_gateway_presets import ROWS

pytestmark = pytest.mark.browser

PHONES: tuple[ViewportSize, ...] = ({"width": 390, "height": 844}, {"width": 360, "height": 740})
SETTINGS = "localStorage.setItem('riverboat.settings', JSON.stringify({unit: 'bb'}))"
TEN_SIZES = (
    "Min", "2.5 BB", "12.5 BB", "99.5 BB", "62.5%", "137.5%", "\N{VULGAR FRACTION TWO THIRDS} pot",
    "2x pot", "Pot", "All-in",
)  # fmt: skip
# The buttons of the bar whose words reach over the edge, or are on more lines than they should be.
MISFITS = """
() => {
  const wordsOf = (button) => {
    const found = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    const boxes = [];
    while (found.nextNode()) {
      // What is only read out takes no room.
      if (getComputedStyle(found.currentNode.parentElement).clipPath !== 'none') continue;
      const words = document.createRange();
      words.selectNodeContents(found.currentNode);
      boxes.push(...words.getClientRects());
    }
    return boxes;
  };
  return [...document.querySelectorAll('[data-testid="action-bar"] button')].flatMap((button) => {
    const edge = button.getBoundingClientRect();
    const boxes = wordsOf(button).filter((box) => box.width > 0);
    const within = (box) => box.left >= edge.left && box.right <= edge.right;
    const lines = new Set(boxes.map((box) => Math.round(box.top))).size;
    const most = button.dataset.testid.startsWith('shortcut-') ? 2 : 1;
    const seen = edge.left >= 0 && edge.right <= innerWidth && edge.bottom <= innerHeight;
    return seen && lines <= most && boxes.every(within) ? [] : [`${button.innerText} (${lines})`];
  });
}
"""


@pytest.fixture(params=PHONES, ids=lambda phone: str(phone["width"]))
def phone(browser: Browser, stage: Stage, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh guest's phone, on which amounts are in big blinds."""
    with guest_page(browser, stage.base_url, request.param, SETTINGS, WITHOUT_SEED) as page:
        yield page


def overlap(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def with_ten_sizes() -> Json:
    """The table of a spot with as many bet sizes as there may be, and amounts that are long."""
    (row,) = (row for row in ROWS if row.name == "F9")
    snapshot = seen(row.spot.hand())
    presets = snapshot["legal"]["presets"]
    snapshot["legal"]["presets"] = [
        {**presets[0], "id": f"size_{place}", "label": label, "amount": 1_234 + place}
        for place, label in enumerate(TEN_SIZES)
    ]
    return snapshot


def test_the_lobby_offers_a_seat_on_the_first_screen(phone: Page) -> None:
    phone.goto("/")
    expect(phone.get_by_test_id("sit-down")).to_be_in_viewport(ratio=1)
    banner = phone.get_by_role("banner").bounding_box()
    assert banner is not None
    assert banner["height"] <= 2 * 48 + 8


def test_ten_bet_sizes_and_long_amounts_stay_within_their_buttons(phone: Page) -> None:
    body = json.dumps(with_ten_sizes())

    def answer(route: Route) -> None:
        route.fulfill(body=body, content_type="application/json")

    phone.route("**/v1/tables/*", answer)
    phone.goto("/table/t_0000000000000000spot")
    assert not ready_or_over(phone)
    expect(phone.locator('[data-testid^="shortcut-"]')).to_have_count(len(TEN_SIZES))
    assert phone.evaluate(MISFITS) == []
    phone.get_by_test_id("shortcut-size_3").click()
    expect(phone.get_by_test_id("action-raise")).to_have_accessible_name("Raise to 12.37 BB")
    assert phone.evaluate(MISFITS) == []


def test_what_somebody_won_lies_on_nothing_else(phone: Page, stage: Stage) -> None:
    stage.deal(("AdAc", "5d4s", "KsQh9d7h2c"), ("AdAc", "5d4s", "KsQh9d7h2c"))
    stage.script.lines = ["raise all"]
    sit_down(phone)
    assert not ready_or_over(phone)
    act_once(phone, lambda page: page.get_by_test_id("action-raise").click())
    assert not ready_or_over(phone)
    act_once(phone, lambda page: page.get_by_test_id("action-fold").click())
    assert ready_or_over(phone)
    won = phone.get_by_test_id("opponent-won")
    expect(won).to_be_in_viewport(ratio=1)
    rivers = phone.locator(".seat.top")
    for other in (rivers.locator(".plate"), rivers.locator(".said > *")):
        assert not overlap(won, other)
    assert phone.evaluate(MISFITS) == []
