"""What the browser can say of a deal: by the roots and seeds that it noted, and without them."""

import json

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browser import DESKTOP
from tests.support.table_page import deal_next, finish_hand, give_up, sit_down

pytestmark = pytest.mark.browser

only_desktop = pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
NOTES = "riverboat.deals"
EXCHANGE = """
([store, name, value]) => {
  const notes = JSON.parse(localStorage.getItem(store));
  for (const note of notes) note[name] = value;
  localStorage.setItem(store, JSON.stringify(notes));
}
"""


def play_a_hand(page: Page) -> None:
    sit_down(page)
    finish_hand(page, give_up)


def open_hands(page: Page) -> Locator:
    page.goto("/history")
    hands = page.get_by_test_id("history-hand")
    expect(hands.first).to_be_visible()
    return hands


def check_deal(page: Page) -> Locator:
    """Have the deal of the hand on this page checked; return what is said of it."""
    page.get_by_test_id("fair-deal-check").click()
    verdict = page.get_by_test_id("fair-deal-verdict")
    expect(verdict.locator(".verdict")).to_be_visible()
    return verdict


def checked(page: Page, name: str) -> Locator:
    return page.locator(f'[data-testid="fair-deal-{name}"][data-checked="true"]')


def test_a_deal_is_checked_by_what_was_noted_before_it(page: Page) -> None:
    play_a_hand(page)
    deal_next(page, page.get_by_test_id("next-hand").click)
    finish_hand(page, give_up)
    expect(open_hands(page)).to_have_count(2)
    for place in range(2):
        open_hands(page).nth(place).click()
        expect(check_deal(page)).to_have_attribute("data-verdict", "holds")
        expect(checked(page, "root")).to_contain_text("fixed before your part")
        expect(checked(page, "seed")).to_contain_text("Your part is in the shuffle")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@only_desktop
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("announced", "the deck is not the one"),
        ("dealt", "the deck is not the one"),
        ("seed", "your part in the shuffle is not the one"),
    ],
)
def test_a_note_that_says_something_else_fails_the_check(page: Page, name: str, words: str) -> None:
    play_a_hand(page)
    other = "0" * 64
    page.evaluate(EXCHANGE, [NOTES, name, other])
    open_hands(page).first.click()
    verdict = check_deal(page)
    expect(verdict).to_have_attribute("data-verdict", "exchanged")
    expect(verdict).to_contain_text("The check failed")
    expect(verdict).to_contain_text(words)
    expect(page.get_by_test_id("fair-deal")).to_contain_text(other)
    expect(page.get_by_test_id("fair-deal-root")).to_have_count(0)


@only_desktop
def test_a_seed_that_was_exchanged_on_its_way_fails_the_check(page: Page) -> None:
    def exchange(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        assert body["client_seed"]
        body["client_seed"] = "chosen by somebody else"
        route.continue_(post_data=json.dumps(body))

    page.route("**/v1/matches", exchange)
    play_a_hand(page)
    open_hands(page).first.click()
    verdict = check_deal(page)
    expect(verdict).to_have_attribute("data-verdict", "exchanged")
    expect(page.get_by_test_id("fair-deal")).to_contain_text("chosen by somebody else")


@only_desktop
def test_the_table_warns_of_another_deck_goes_on_and_leads_to_the_check(page: Page) -> None:
    def exchange(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["snapshot"]["hand"]["commit_root"] = "0" * 64
        route.fulfill(response=answer, json=body)

    play_a_hand(page)
    warning = page.get_by_test_id("match-notice")
    expect(warning).to_have_count(0)
    page.route("**/next-hand", exchange)
    deal_next(page, page.get_by_test_id("next-hand").click)
    finish_hand(page, give_up)
    expect(warning).to_contain_text("hand 2 is dealt from another deck than was announced")
    warning.get_by_role("link", name="Check this deal").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hand 2")
    expect(check_deal(page)).to_have_attribute("data-verdict", "exchanged")


@only_desktop
def test_without_notes_the_check_says_what_it_cannot_tell(page: Page) -> None:
    play_a_hand(page)
    page.evaluate("store => localStorage.removeItem(store)", NOTES)
    open_hands(page).first.click()
    expect(check_deal(page)).to_have_attribute("data-verdict", "holds")
    for name in ("root", "seed"):
        expect(checked(page, name)).to_have_count(0)
        expect(page.get_by_test_id(f"fair-deal-{name}")).to_contain_text("Not checked")
    expect(page.get_by_test_id("fair-deal")).to_contain_text("another device")
