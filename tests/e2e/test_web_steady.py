"""Nothing on the table jumps while hands are played."""

from collections.abc import Iterator
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

SEEN_FROM = 0.001
"""Less than this of the screen, times how far, is letters set a fraction of a pixel aside."""


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
    return [shift for shift in read_trace(page)["shifts"] if shift["value"] >= SEEN_FROM]


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
