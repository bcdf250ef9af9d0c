"""Nothing on the table jumps while hands are played."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import DESKTOP, PHONE, guest_page
from tests.support.gateways import stacked_deck
from tests.support.live_servers import Served, served
from tests.support.table_page import (
    act_once,
    click_check_or_call,
    deal_next,
    finish_hand,
    ready_or_over,
    sit_down,
)
from tests.support.web_client import BUILT
from tests.support.web_stage import WITHOUT_SEED
from tests.support.web_trace import read_trace, watch

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('tables') / 'tables.sqlite3'}"
    with served(url, web_root=BUILT) as gateway:
        yield gateway


FASTEST = "localStorage.setItem('riverboat.settings', '{\"speed\":2}')"


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def moving(browser: Browser, gateway: Served, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A watched page of a fresh guest, with all motion at its fastest."""
    gateway.dealer.decks = [
        stacked_deck("QcJd", "AsKh", "Kc7s2d3s9c"),
        stacked_deck("AsKh", "QcJd", "Kc7s2d3s9c", player_on_button=False),
    ]
    with guest_page(
        browser, gateway.base_url, request.param, WITHOUT_SEED, FASTEST, motion="no-preference"
    ) as page:
        watch(page)
        yield page


def shove(page: Page) -> None:
    page.get_by_test_id("shortcut-all_in").click()
    page.get_by_test_id("action-raise").click()


def moved(page: Page) -> list[dict[str, Any]]:
    shifts: list[dict[str, Any]] = read_trace(page)["shifts"]
    return shifts


def drawn_anew(browser: Browser, page: Page, play: Callable[[], None]) -> list[str]:
    """What the browser had to draw anew during `play`, thing by thing."""
    browser.start_tracing(page=page, categories=["disabled-by-default-blink.invalidation"])
    play()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    kind = "InvalidateDisplayItemClient"
    return [event["args"]["client"] for event in events if event["name"] == kind]


def test_the_layout_stays_as_it_is_during_hands(moving: Page) -> None:
    sit_down(moving)
    # What the lobby did is none of this.
    moving.goto(moving.url)
    finish_hand(moving, click_check_or_call)
    assert moved(moving) == []
    deal_next(moving, moving.get_by_test_id("next-hand").click)
    assert not ready_or_over(moving)
    act_once(moving, shove)
    assert ready_or_over(moving)
    expect(moving.get_by_test_id("hand-result")).to_contain_text("You win")
    assert moved(moving) == []


def test_the_board_is_not_drawn_anew_when_something_else_changes(
    browser: Browser, moving: Page
) -> None:
    sit_down(moving)
    assert not ready_or_over(moving)
    drawn = drawn_anew(browser, moving, moving.get_by_test_id("shortcut-all_in").click)
    assert any("BUTTON" in thing for thing in drawn)
    drawn += drawn_anew(browser, moving, lambda: act_once(moving, click_check_or_call))
    assert [thing for thing in drawn if "class='board" in thing] == []
