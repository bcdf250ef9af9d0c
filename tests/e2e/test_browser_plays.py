"""A person plays River in a real browser, by mouse and by keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.table_page import (
    click_check_or_call,
    deal_next,
    finish_hand,
    ready_or_over,
    sit_down,
)

pytestmark = pytest.mark.browser


def press_check_or_call(page: Page) -> None:
    page.keyboard.press("c")


def settle(page: Page) -> None:
    page.get_by_test_id("settle").click()
    expect(page.get_by_test_id("summary-result")).to_be_visible()


def test_a_hand_by_mouse_ends_on_the_leaderboard(page: Page) -> None:
    sit_down(page)
    finish_hand(page, click_check_or_call)
    settle(page)
    page.get_by_test_id("see-leaderboard").click()
    expect(page.get_by_test_id("leaderboard-row-you")).to_contain_text("1")
    expect(page.get_by_role("table").first).to_be_in_viewport()


def test_a_match_by_keyboard_alone(page: Page) -> None:
    sit_down(page)
    finish_hand(page, press_check_or_call)
    expect(page.get_by_test_id("match-result")).to_contain_text(re.compile(r"\d BB"))
    if page.get_by_test_id("next-hand").is_visible():
        deal_next(page, lambda: page.keyboard.press("n"))
        finish_hand(page, press_check_or_call)
    page.keyboard.press("l")
    expect(page.get_by_test_id("summary-result")).to_be_visible()


def test_the_hand_is_the_same_after_a_reload(page: Page) -> None:
    sit_down(page)
    before = page.get_by_test_id("own-card").all_inner_texts()
    page.reload()
    expect(page.get_by_test_id("own-card")).to_have_count(2)
    assert page.get_by_test_id("own-card").all_inner_texts() == before


def test_a_double_click_is_one_action(page: Page) -> None:
    posted: list[str] = []
    page.on(
        "request", lambda request: posted.append(request.url) if "/actions" in request.url else None
    )
    sit_down(page)
    while ready_or_over(page):
        deal_next(page, page.get_by_test_id("next-hand").click)
    button = page.get_by_test_id("action-check-call")
    with page.expect_response("**/actions"):
        button.dblclick(no_wait_after=True)
    expect(page.get_by_test_id("action-bar")).not_to_have_attribute("data-state", "sending")
    assert len(posted) == 1


def test_the_page_never_scrolls_sideways(page: Page) -> None:
    sit_down(page)
    for path in ("/", "/leaderboard", page.url):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, path
