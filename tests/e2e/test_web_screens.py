"""What was played is found again: the list of hands, a replay, the summary that adds up."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import DESKTOP, PATIENCE_MS
from tests.support.system import System
from tests.support.table_page import (
    AT_ONCE,
    click_check_or_call,
    deal_next,
    finish_hand,
    sit_down,
)

pytestmark = pytest.mark.browser

HANDS = 3
only_desktop = pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)


def play_hands(page: Page, hands: int = HANDS) -> int:
    """Sit down and play so many hands, fewer when the chips are gone; return how many."""
    page.add_init_script(AT_ONCE)
    sit_down(page)
    for played in range(1, hands + 1):
        finish_hand(page, click_check_or_call)
        if played == hands or not page.get_by_test_id("next-hand").is_visible():
            return played
        deal_next(page, page.get_by_test_id("next-hand").click)
    raise AssertionError("no hand was asked for")


def settle(page: Page) -> None:
    page.get_by_test_id("settle").click()
    expect(page.get_by_test_id("summary-result")).to_be_visible()


def open_history(page: Page) -> Locator:
    page.get_by_role("link", name="History").click()
    expect(page.get_by_test_id("history")).to_be_visible()
    return page.get_by_test_id("history-hand")


def figures(text: str) -> list[int]:
    """Return the whole numbers of a text in chips, with their signs."""
    found = re.findall(r"([+\u2212-]?)(\d[\d,]*)", text)
    return [
        (-1 if sign in "\u2212-" and sign else 1) * int(n.replace(",", "")) for sign, n in found
    ]


def cards(page: Page, testid: str) -> list[str | None]:
    return [card.get_attribute("data-card") for card in page.get_by_test_id(testid).all()]


def never_sideways(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page.url


def test_a_hand_that_was_played_is_listed_and_replayed_step_by_step(page: Page) -> None:
    played = play_hands(page)
    own = cards(page, "own-card")
    result = page.get_by_test_id("hand-result").inner_text().split("\n")[0]
    settle(page)
    hands = open_history(page)
    expect(hands).to_have_count(played)
    expect(hands.first).to_contain_text(f"Hand {played}")
    assert cards(page, "history-card")[:2] == own
    never_sideways(page)

    hands.first.click()
    steps = page.get_by_test_id("replay-step")
    expect(steps).to_have_text(re.compile(r"^Step 1 of \d+$"))
    expect(page.get_by_test_id("own-card")).to_have_count(0)
    never_sideways(page)
    forward = page.get_by_test_id("replay-forward")
    told = []
    while forward.get_attribute("aria-disabled") == "false":
        forward.click()
        told.append(page.get_by_test_id("replay-told").inner_text())
    assert all(told), told
    assert cards(page, "own-card") == own
    assert result.split(" \u2014 ")[0] in page.get_by_test_id("replay-result").inner_text()
    expect(steps).to_have_text(f"Step {len(told) + 1} of {len(told) + 1}")


@only_desktop
def test_a_replay_is_played_by_keys_and_by_itself(page: Page) -> None:
    play_hands(page, 1)
    settle(page)
    open_history(page).first.click()
    steps = page.get_by_test_id("replay-step")
    expect(steps).to_have_text(re.compile("^Step 1 of"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(steps).to_have_text(re.compile("^Step 2 of"))
    page.get_by_test_id("replay-speed").select_option("4")
    page.get_by_test_id("replay-toggle").click()
    expect(page.get_by_test_id("replay-last")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_test_id("replay-toggle")).to_have_attribute("aria-label", "Play")
    page.get_by_test_id("jump-preflop").click()
    expect(page.get_by_test_id("own-card")).to_have_count(2)
    assert cards(page, "opponent-card") == ["", ""]


@only_desktop
def test_the_deal_of_a_replayed_hand_is_proven_in_the_browser(page: Page) -> None:
    play_hands(page, 1)
    settle(page)
    open_history(page).first.click()
    page.get_by_test_id("fair-deal-check").click()
    expect(page.get_by_test_id("fair-deal-verdict")).to_have_attribute("data-verdict", "holds")


def test_a_summary_adds_up_and_leads_to_its_hands(page: Page) -> None:
    played = play_hands(page)
    stack = figures(page.get_by_test_id("match-stack").inner_text())
    bought = figures(page.get_by_test_id("total-buy-in").inner_text())
    settle(page)
    never_sideways(page)
    net = figures(page.get_by_test_id("summary-result").locator("span").inner_text())
    assert net == [stack[0] - bought[0]]
    shown = figures(page.get_by_test_id("summary-identity").inner_text())
    assert shown[0] - sum(shown[1:-1]) == shown[-1] == net[0]
    course = page.get_by_test_id("graph-point")
    expect(course).to_contain_text(f"After hand {played}:")
    expect(page.get_by_test_id("summary-progress")).to_contain_text(f"now {played} of 500")

    page.get_by_test_id("replay-hands").click()
    nets = page.get_by_test_id("history-chips")
    expect(nets).to_have_count(played)
    assert sum(figures(text)[0] for text in nets.all_inner_texts()) == net[0]


@only_desktop
def test_the_own_record_says_what_the_board_says(page: Page) -> None:
    played = play_hands(page, 1)
    settle(page)
    page.get_by_test_id("see-leaderboard").click()
    expect(page.get_by_test_id("my-standing")).to_contain_text("to a rank")
    page.get_by_test_id("my-standing").get_by_role("link").click()
    expect(page.get_by_test_id("profile-totals")).to_contain_text(re.compile(rf"Hands\s*{played}"))
    expect(page.get_by_test_id("profile-match")).to_have_count(1)
    never_sideways(page)


@only_desktop
def test_filters_stay_in_the_address(page: Page) -> None:
    play_hands(page, 1)
    settle(page)
    open_history(page)
    page.get_by_test_id("history-filters").locator("summary").click()
    page.get_by_test_id("filter-tag").select_option("not_counted")
    expect(page.get_by_test_id("history-empty")).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("history-empty")).to_be_visible()
    page.get_by_test_id("filters-clear").click()
    expect(page.get_by_test_id("history-hand")).to_have_count(1)


def test_a_screen_whose_code_does_not_come_offers_to_reload(
    browser: Browser, system: System
) -> None:
    # Without a worker, which would have the code already.
    context = browser.new_context(base_url=system.base_url, service_workers="block")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_test_id("sit-down")).to_be_visible()
    context.route("**/assets/History*.js", lambda route: route.abort())
    page.get_by_role("link", name="History").first.click()
    expect(page.get_by_test_id("screen-failed")).to_be_visible()
    context.unroute("**/assets/History*.js")
    page.get_by_test_id("screen-failed").get_by_role("button").click()
    expect(page.get_by_test_id("history-empty")).to_be_visible()
    context.close()
