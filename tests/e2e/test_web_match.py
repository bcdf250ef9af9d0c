"""A whole match in a real browser: twenty hands by mouse, five by keyboard alone."""

from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.support.table_hands import Keyboard, Mouse, Way, number_in, play_carefully
from tests.support.table_page import AT_ONCE, deal_next

pytestmark = pytest.mark.browser

BUY_IN, FULL = 3_000, 10_000
BY_MOUSE, BY_KEYBOARD = 20, 5
BOLD_EVERY = 4
TABS_MAX = 40


def figure(page: Page, name: str) -> int:
    return number_in(page.get_by_test_id(name).inner_text())


def sit_down_for(page: Page, chips: int) -> None:
    page.goto("/")
    page.get_by_test_id("buy-in-slider").fill(str(chips))
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("own-card")).to_have_count(2)


def top_up_if_short(page: Page, way: Way) -> int:
    """Fill the stack up where that is offered; return what was added."""
    if not page.get_by_test_id("top-up").is_visible():
        return 0
    stack, bought = figure(page, "match-stack"), figure(page, "total-buy-in")
    with page.expect_response("**/top-up") as answered:
        way.top_up(page)
    assert answered.value.ok
    expect(page.get_by_test_id("match-stack")).to_have_text(f"{FULL:,}")
    expect(page.get_by_test_id("total-buy-in")).to_have_text(f"{bought + FULL - stack:,}")
    return FULL - stack


def tab_to(page: Page, name: str) -> None:
    """Walk there by the tabulator."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.testid ?? ''") == name:
            return
    pytest.fail(f"not within {TABS_MAX} tabs: {name}")


@pytest.mark.timeout(900)
def test_a_guest_plays_a_match_from_the_lobby_to_the_board(page: Page) -> None:
    page.add_init_script(AT_ONCE)
    sit_down_for(page, BUY_IN)
    added = []
    for hand in range(1, BY_MOUSE + BY_KEYBOARD + 1):
        way: Way = Mouse() if hand <= BY_MOUSE else Keyboard()
        play_carefully(page, way, bold=hand % BOLD_EVERY == 0)
        added.append(top_up_if_short(page, way))
        if hand < BY_MOUSE + BY_KEYBOARD:
            deal_next(page, partial(way.next_hand, page))
    top_ups = [chips for chips in added if chips > 0]
    assert top_ups
    stack = figure(page, "match-stack")
    page.keyboard.press("l")
    expect(page.get_by_test_id("summary-result")).to_be_visible()
    net = stack - BUY_IN - sum(top_ups)
    expect(page.get_by_test_id("summary-result")).to_contain_text(f"{abs(net):,}")
    expect(page.get_by_role("main")).to_contain_text(f"{sum(top_ups):,}")
    tab_to(page, "see-leaderboard")
    page.keyboard.press("Enter")
    row = page.get_by_test_id("leaderboard-row-you")
    expect(row).to_contain_text(str(BY_MOUSE + BY_KEYBOARD))


def test_a_seat_is_taken_and_filled_up_by_keyboard_alone(page: Page) -> None:
    page.add_init_script(AT_ONCE)
    page.goto("/")
    expect(page.get_by_test_id("sit-down")).to_be_visible()
    tab_to(page, "buy-in-slider")
    page.keyboard.press("Home")
    tab_to(page, "sit-down")
    page.keyboard.press("Enter")
    play_carefully(page, Keyboard(), bold=False)
    expect(page.get_by_test_id("total-buy-in")).to_have_text(f"{BUY_IN:,}")
    assert top_up_if_short(page, Keyboard()) > 0
