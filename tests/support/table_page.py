"""A person at a table in the browser: what several browser tests do on the way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

MAX_TURNS = 40

AT_ONCE = "localStorage.setItem('riverboat.settings', JSON.stringify({speed: 0}))"
"""An init script: nothing is told step by step, for tests of something else."""


def sit_down(page: Page) -> None:
    """Open the lobby as a guest and take a seat."""
    page.goto("/")
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("own-card")).to_have_count(2)


def ready_or_over(page: Page) -> bool:
    """Wait for this player's turn or the end of the hand; return whether it is over."""
    over = page.get_by_test_id("hand-result")
    ready = page.locator('[data-testid="action-check-call"][aria-disabled="false"]')
    expect(over.or_(ready).first).to_be_visible()
    return over.is_visible()


def finish_hand(page: Page, act: Callable[[Page], None]) -> None:
    """Act until the hand is over, whoever has to act first."""
    for _ in range(MAX_TURNS):
        if ready_or_over(page):
            expect(page.get_by_test_id("settle")).to_be_enabled()
            return
        act_once(page, act)
    pytest.fail(f"the hand is not over after {MAX_TURNS} turns")


def act_once(page: Page, act: Callable[[Page], None]) -> None:
    """Act on this player's turn and wait until the answer is on the table."""
    with page.expect_response("**/actions") as answered:
        act(page)
    assert answered.value.ok
    expect(page.get_by_test_id("action-bar")).not_to_have_attribute("data-state", "sending")


def deal_next(page: Page, ask: Callable[[], None]) -> None:
    """Ask for the next hand and wait until its cards lie on the table."""
    title = page.get_by_role("heading", level=1)
    before = title.inner_text()
    # Until the hand has been told to its end, the button is there and grey.
    expect(page.get_by_test_id("next-hand")).to_be_enabled()
    ask()
    expect(title).not_to_have_text(before)


def click_check_or_call(page: Page) -> None:
    """Check or call by mouse."""
    page.get_by_test_id("action-check-call").click()


def give_up(page: Page) -> None:
    """Fold, or check where that is free: nobody is out of chips by that."""
    fold = page.get_by_test_id("action-fold")
    (fold if fold.is_visible() else page.get_by_test_id("action-check-call")).click()
