"""How a hand is shown and played in a browser: all-in, Skip, keys of one's own, leaving."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import DESKTOP, guest_page
from tests.support.gateways import stacked_deck
from tests.support.live_servers import Served, served
from tests.support.table_page import ready_or_over, sit_down
from tests.support.web_client import BUILT
from tests.support.web_stage import WITHOUT_SEED

pytestmark = pytest.mark.browser

# Notes each state of what lies open: River's cards, and how many are on the board.
NOTE = """
(() => {
  const seen = [];
  window.seenOnTheFelt = seen;
  const all = (name) => [...document.querySelectorAll(`[data-testid="${name}"]`)];
  new MutationObserver(() => {
    const cards = all('opponent-card').map((card) => card.dataset.card).join('');
    const state = `${cards} ${all('board-card').length}`;
    if (cards !== '' && state !== seen.at(-1)) seen.push(state);
  }).observe(document, { subtree: true, childList: true, attributes: true });
})();
"""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('tables') / 'tables.sqlite3'}"
    with served(url, web_root=BUILT) as gateway:
        yield gateway


@pytest.fixture
def page(browser: Browser, gateway: Served) -> Iterator[Page]:
    """The table of a fresh guest who holds ace-king on the button; River holds queens."""
    gateway.dealer.decks = [stacked_deck("AsKh", "QcQd", "Qs7s2s3s9d")]
    with guest_page(
        browser, gateway.base_url, DESKTOP, WITHOUT_SEED, NOTE, motion="no-preference"
    ) as page:
        page.clock.install()
        sit_down(page)
        assert not ready_or_over(page)
        yield page


def shove(page: Page) -> None:
    """Everything goes in, and River calls."""
    page.keyboard.press("a")
    expect(page.get_by_test_id("action-raise")).to_contain_text("ALL-IN 10,000")
    page.keyboard.press("r")


def freeze(page: Page) -> None:
    """From now on the page's time passes only in `pass_until`, however slow the machine."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def pass_until(page: Page, selector: str, count: int = 1) -> None:
    """Let time pass until there are so many of these."""
    found = page.locator(selector)
    expect(page.get_by_test_id("action-bar")).not_to_have_attribute("data-state", "sending")
    for _ in range(100):
        if found.count() == count:
            return
        page.clock.run_for(100)
    pytest.fail(f"{selector} is not there {count} times in ten seconds of the page's time")


LANDED_MS = 600
"""Until all cards of a street lie there; the next street comes later."""

RIVERS_QUEEN = '[data-testid="opponent-card"][data-card="Qc"]'
BOARD_CARDS = '[data-testid="board-card"]'


def test_an_all_in_is_turned_up_first_and_then_dealt_street_by_street(page: Page) -> None:
    freeze(page)
    shove(page)
    pass_until(page, RIVERS_QUEEN)
    own, rivers = (
        page.get_by_test_id(f"{whose}-chance").locator("span").first
        for whose in ("own", "opponent")
    )
    expect(own).to_have_count(0)
    shown = ((0, "43%", "57%"), (3, "28%", "72%"), (4, "77%", "23%"))
    for (board, yours, theirs), before in zip(shown, (None, *shown), strict=False):
        pass_until(page, BOARD_CARDS, board)
        if before is not None:
            # What the cards mean is not told while they are still on their way.
            expect(own).to_have_text(before[1])
        page.clock.run_for(LANDED_MS)
        expect(own).to_have_text(yours)
        expect(rivers).to_have_text(theirs)
    pass_until(page, BOARD_CARDS, 5)
    pass_until(page, '[data-testid="hand-result"]')
    expect(page.get_by_test_id("hand-result")).to_contain_text("You win 20,000 with a flush")
    expect(page.get_by_test_id("own-chance")).to_have_count(0)
    lifted = page.locator(".card.lifted").evaluate_all(
        "(cards) => cards.map((c) => c.dataset.card)"
    )
    assert sorted(lifted) == ["2s", "3s", "7s", "As", "Qs"]
    expect(page.get_by_test_id("pot-awards")).to_have_text("Pot 20,000 · You")
    expect(page.get_by_test_id("match-result")).to_have_text("+100.0 BB")
    seen = page.evaluate("window.seenOnTheFelt")
    assert seen == ["QcQd 0", "QcQd 3", "QcQd 4", "QcQd 5"]


def test_a_reload_in_the_middle_of_it_shows_the_end_alone(page: Page) -> None:
    freeze(page)
    shove(page)
    pass_until(page, RIVERS_QUEEN)
    page.clock.resume()
    page.reload()
    expect(page.get_by_test_id("hand-result")).to_be_visible()
    expect(page.get_by_test_id("skip")).to_have_count(0)
    assert page.evaluate("window.seenOnTheFelt") == ["QcQd 5"]


def test_skip_shows_the_result_at_once_and_says_it(page: Page) -> None:
    freeze(page)
    shove(page)
    pass_until(page, RIVERS_QUEEN)
    page.keyboard.press("s")
    expect(page.get_by_test_id("hand-result")).to_be_visible()
    expect(page.locator(BOARD_CARDS)).to_have_count(5)
    expect(page.get_by_test_id("announcer")).to_contain_text("Skipped. You win 20,000")


def test_a_key_of_ones_own_folds_and_the_old_one_no_longer_does(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_test_id("key-fold").click()
    page.keyboard.press("x")
    expect(page.get_by_test_id("keys-said")).to_have_text("Fold is now X.")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("keys")).not_to_be_visible()
    expect(page.get_by_test_id("action-fold")).to_have_text("FoldX")
    page.keyboard.press("f")
    expect(page.get_by_test_id("action-bar")).to_have_attribute("data-state", "your_turn")
    page.keyboard.press("x")
    expect(page.get_by_test_id("hand-result")).to_contain_text("River wins")


def test_everything_is_asked_about_where_that_is_wanted(page: Page) -> None:
    page.get_by_test_id("settings-open").click()
    page.get_by_test_id("setting-confirmAllIn").check()
    page.keyboard.press("Escape")
    shove(page)
    expect(page.get_by_test_id("ask")).to_contain_text("Everything goes in: 10,000.")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("ask")).not_to_be_visible()
    expect(page.get_by_test_id("action-bar")).to_have_attribute("data-state", "your_turn")
    page.keyboard.press("r")
    page.get_by_test_id("ask-yes").click()
    expect(page.locator(RIVERS_QUEEN)).to_be_visible()


def test_leaving_says_what_becomes_of_the_match(page: Page) -> None:
    page.get_by_test_id("leave-open").click()
    expect(page.get_by_test_id("leave-kept")).to_contain_text("Your seat is kept for")
    expect(page.get_by_test_id("leave-consequence")).to_have_text(
        "If you do not return, the match is called off and leaves no trace in your record."
    )
    page.get_by_test_id("leave-stay").click()
    page.get_by_test_id("action-check-call").click()
    ready_or_over(page)
    page.get_by_test_id("leave-open").click()
    page.get_by_test_id("leave-go").click()
    expect(page.get_by_test_id("resume-card")).to_be_visible()
