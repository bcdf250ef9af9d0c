"""The shortcut tables of SPEC 1.7 in a browser: each row is a whole table on the page."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browser import DESKTOP, guest_page
from tests.support.live_servers import Served, served
from tests.support.spots import Json, Spot, seen
from tests.support.web_client import BUILT
from tests.unit.test_gateway_presets import CLOSED, POSTFLOP_LABELS, PREFLOP_LABELS, ROWS, Row

pytestmark = pytest.mark.browser

HANDS = count(1)

NO_AMOUNT = "\N{EN DASH}"
TABLE = "/table/t_0000000000000000spot"
READ = """
() => {
  const said = (element) => element?.innerText.replace(/\\s+/g, ' ').trim() ?? null;
  const find = (name) => document.querySelector(`[data-testid="${name}"]`);
  const rows = [...document.querySelectorAll('[data-testid^="shortcut-"]')];
  return {
    shortcuts: rows.map((button) => [
      said(button.querySelector('span')),
      said(button.querySelector('small')),
      button.getAttribute('aria-disabled') === 'true' ? button.title : '',
      button.disabled || button.tabIndex < 0,
    ]),
    call: said(find("action-check-call")),
    fold: find('action-fold') !== null,
    raise: said(find('action-raise')),
    slider: find('slider') && [find('slider').min, find('slider').max, find('slider').step],
    why: said(find('no-raise')),
  };
}
"""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('tables') / 'tables.sqlite3'}"
    with served(url, web_root=BUILT) as gateway:
        yield gateway


NO_KEYS = "localStorage.setItem('riverboat.settings', '{\"keys\":false}')"


@pytest.fixture(scope="module")
def page(browser: Browser, gateway: Served) -> Iterator[Page]:
    """A guest's page without keys on its buttons; what no shortcut says would be in the way."""
    with guest_page(browser, gateway.base_url, DESKTOP, NO_KEYS) as page:
        page.goto("/")
        expect(page.get_by_test_id("sit-down")).to_be_visible()
        yield page


def shown(page: Page, spot: Spot) -> Json:
    """What the page says when this is the table; it looks again, as after a while in background."""
    snapshot = seen(spot.hand())
    snapshot["hand"]["no"] = next(HANDS)

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(snapshot), content_type="application/json")

    page.unroute("**/v1/tables/*")
    page.route("**/v1/tables/*", answer)
    if urlsplit(page.url).path == TABLE:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    else:
        page.goto(TABLE)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hand {snapshot['hand']['no']}")
    ready = page.locator('[data-testid="action-check-call"][aria-disabled="false"]')
    expect(ready).to_be_visible()
    return dict(page.evaluate(READ))


def number(chips: int) -> str:
    return f"{chips:,}"


def reason(letter: str, row: Row) -> str:
    opening = row.call == 0 and row.name.startswith("F")
    below = "below the minimum bet of" if opening else "below the minimum raise to"
    return {"-": "", "s": "more than your stack", "b": f"{below} {number(row.least)}"}[letter]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_amounts_and_grey_reasons_on_the_page_are_those_of_the_section(
    page: Page, row: Row
) -> None:
    read = shown(page, row.spot)
    labels = PREFLOP_LABELS if len(row.amounts) == len(PREFLOP_LABELS) else POSTFLOP_LABELS
    assert read["shortcuts"] == [
        [label, number(amount), reason(letter, row), False]
        for label, amount, letter in zip(labels, row.amounts, row.grey, strict=True)
    ]
    least = min(row.least, row.top)
    assert read["slider"] == [str(least), str(row.top), "1"]
    assert (read["call"], read["why"]) == (
        f"Call {number(row.call)}" if row.call else "Check",
        None,
    )
    bets = "Bet" if reason("b", row).startswith("below the minimum bet") else "Raise to"
    expected = f"ALL-IN {number(row.top)}" if least == row.top else f"{bets} {number(least)}"
    assert read["raise"] == expected


@pytest.mark.parametrize(("name", "spot", "call"), CLOSED, ids=[row[0] for row in CLOSED])
def test_every_button_on_the_page_is_grey_when_no_raise_is_possible(
    page: Page, name: str, spot: Spot, call: int
) -> None:
    read = shown(page, spot)
    assert read["shortcuts"] == [[label, NO_AMOUNT, "no raise", False] for label in PREFLOP_LABELS]
    assert (read["raise"], read["slider"], read["fold"]) == (None, None, True)
    takes_all = " · ALL-IN" if name == "P9" else ""
    assert read["call"] == f"Call {number(call)}{takes_all}"
    why = {"P9": "A call takes your whole stack"}
    assert read["why"] == why.get(name, "Nobody is left who could call a raise")


def test_a_grey_button_pressed_changes_nothing_and_says_why(page: Page) -> None:
    (row,) = (row for row in ROWS if row.name == "P5")
    shown(page, row.spot)
    page.get_by_test_id("shortcut-bb_2").click(force=True)
    expect(page.get_by_test_id("notice")).to_have_text("2 BB: below the minimum raise to 500")
    expect(page.get_by_test_id("action-raise")).to_have_text("Raise to 500")
    page.get_by_test_id("shortcut-pot").click()
    expect(page.get_by_test_id("action-raise")).to_have_text("Raise to 900")
    expect(page.get_by_test_id("shortcut-pot")).to_have_attribute("aria-pressed", "true")


def test_the_rows_shown_are_all_of_the_section() -> None:
    assert len(ROWS) + len(CLOSED) == 31
    assert Path(BUILT / "index.html").exists()
