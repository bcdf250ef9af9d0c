"""A match by what a screen reader tells: roles, names and live regions, and the Enter key."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import DESKTOP, PHONE, guest_page
from tests.support.table_page import AT_ONCE, MAX_TURNS, deal_next, ready_or_over
from tests.support.web_stage import WITHOUT_SEED, Stage

pytestmark = pytest.mark.browser

HANDS = (("AhKh", "QsQd", "Kd9h4c2h7s"), ("5d4s", "AdAc", "KsQh9d7h2c"))
SIZES = pytest.mark.parametrize("page", [DESKTOP, PHONE], ids=["desktop", "phone"], indirect=True)


@pytest.fixture
def page(browser: Browser, stage: Stage, request: pytest.FixtureRequest) -> Iterator[Page]:
    with guest_page(browser, stage.base_url, request.param, WITHOUT_SEED, AT_ONCE) as page:
        yield page


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{name}"))


def said(page: Page) -> str:
    """What was announced last."""
    return page.locator("[aria-live=assertive]").inner_text()


def take_what_is_offered(page: Page) -> None:
    """Check or call, by what the announcement of the turn says is possible."""
    words = said(page)
    assert words.startswith("Your turn.")
    name = "Check" if "You may check" in words else "Call"
    with page.expect_response("**/actions"):
        button(page, name).press("Enter")
    expect(page.get_by_test_id("action-bar")).not_to_have_attribute("data-state", "sending")


def play_out(page: Page) -> None:
    for _ in range(MAX_TURNS):
        if ready_or_over(page):
            expect(button(page, "Settle")).to_be_enabled()
            return
        take_what_is_offered(page)
    pytest.fail(f"the hand is not over after {MAX_TURNS} turns")


@SIZES
def test_a_match_is_played_by_what_is_told(page: Page, stage: Stage) -> None:
    stage.deal(*HANDS)
    page.goto("/")
    button(page, "Sit down").press("Enter")
    log = page.get_by_role("log")
    expect(log).to_contain_text("ace of hearts")
    mine = page.get_by_role("region", name=re.compile("^You,"))
    for card in ("ace of hearts", "king of hearts"):
        expect(mine.get_by_role("img", name=card)).to_be_visible()
    expect(
        page.get_by_role("region", name=re.compile("^River")).get_by_role("img")
    ).not_to_have_count(0)
    play_out(page)
    assert re.search(r"You win 200 with (a )?pair", said(page)), said(page)
    expect(log).to_contain_text("queen of spades")
    deal_next(page, lambda: button(page, "Next hand").press("Enter"))
    play_out(page)
    assert "River wins" in said(page)
    button(page, "Settle").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Match settled")
    page.get_by_role("link", name="See the leaderboard").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Leaderboard")
