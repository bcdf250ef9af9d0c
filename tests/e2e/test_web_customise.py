"""A person chooses bet sizes and settings, and finds them again."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.support.browser import PATIENCE_MS
from tests.support.system import System
from tests.support.table_page import deal_next, ready_or_over, sit_down

pytestmark = pytest.mark.browser

SMALL: ViewportSize = {"width": 360, "height": 640}
PREFLOP = ["Min", "2 BB", "2.5 BB", "3 BB", "30%", "50%", "70%", "Pot", "All-in"]


def come_to_a_turn(page: Page) -> None:
    """Sit down, and deal on while River folds before this player has a turn."""
    sit_down(page)
    while ready_or_over(page):
        deal_next(page, page.get_by_test_id("next-hand").click)


def open_dialog(page: Page) -> Locator:
    page.get_by_test_id("customise-open").click()
    dialog = page.get_by_test_id("customise")
    expect(dialog.get_by_test_id("customise-spot")).to_contain_text("present spot")
    page.get_by_test_id("customise-preflop").check()
    return dialog


def add(page: Page, kind: str, size: str) -> None:
    page.get_by_test_id("customise-kind").select_option(kind)
    page.get_by_test_id("customise-value").fill(size)
    page.get_by_test_id("customise-value").press("Enter")


def labels(dialog: Locator) -> Locator:
    return dialog.get_by_test_id("customise-list").locator("b")


def save(page: Page) -> None:
    page.get_by_test_id("customise-save").click()
    expect(page.get_by_test_id("customise-said")).to_have_text("Saved to your account.")


def test_chosen_bet_sizes_are_on_the_table_and_there_after_a_reload(page: Page) -> None:
    come_to_a_turn(page)
    dialog = open_dialog(page)
    expect(labels(dialog)).to_have_text(PREFLOP)
    add(page, "bb", "7")
    row = dialog.get_by_role("listitem").filter(has_text="7 BB")
    expect(row).to_contain_text("700")
    page.get_by_role("button", name="Move 7 BB up").press("ArrowUp")
    page.get_by_role("button", name="Remove Min").click()
    mine = ["2 BB", "2.5 BB", "3 BB", "30%", "50%", "70%", "Pot", "7 BB", "All-in"]
    expect(labels(dialog)).to_have_text([*mine[:-2], "7 BB", "All-in"])
    save(page)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("shortcut-bb_7")).to_contain_text("700")
    page.reload()
    expect(page.get_by_test_id("shortcut-bb_7")).to_contain_text("700")
    expect(page.get_by_test_id("shortcut-min")).to_have_count(0)


def test_the_eleventh_is_refused_and_the_defaults_come_back(page: Page) -> None:
    come_to_a_turn(page)
    dialog = open_dialog(page)
    add(page, "pot_fraction", "3/4")
    expect(labels(dialog)).to_have_count(10)
    add(page, "bb", "9")
    said = page.get_by_test_id("customise-said")
    expect(said).to_contain_text("at most 10")
    expect(labels(dialog)).to_have_count(10)
    save(page)
    page.get_by_test_id("customise-reset").click()
    expect(said).to_contain_text("defaults")
    expect(labels(dialog)).to_have_text(PREFLOP)


def test_a_change_on_another_device_is_shown_and_not_written_over(page: Page) -> None:
    come_to_a_turn(page)
    dialog = open_dialog(page)
    answer = page.request.put(
        "/v1/me/bet-presets",
        headers={"If-Match": "*", "Sec-Fetch-Site": "same-origin"},
        data={"preflop": [{"kind": "allin"}], "postflop": [{"kind": "min"}]},
    )
    assert answer.ok, answer.text()
    add(page, "bb", "7")
    page.get_by_test_id("customise-save").click()
    expect(page.get_by_test_id("customise-said")).to_contain_text("another device")
    expect(labels(dialog)).to_have_text(["All-in"])
    page.get_by_test_id("customise-mine").click()
    expect(labels(dialog)).to_have_text([*PREFLOP, "7 BB"])
    save(page)


def test_settings_are_of_the_account_and_not_only_of_the_browser(page: Page) -> None:
    page.goto("/")
    page.get_by_test_id("settings-open").click()
    page.get_by_test_id("setting-theme").select_option("light")
    page.get_by_test_id("setting-contrast").select_option("high")
    page.get_by_test_id("setting-leftHanded").check()
    expect(page.get_by_test_id("settings-state")).to_contain_text("Saved to your account.")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    page.evaluate("localStorage.removeItem('riverboat.settings')")
    page.reload()
    for name, value in (("theme", "light"), ("contrast", "high"), ("hand", "left")):
        expect(root).to_have_attribute(f"data-{name}", value)


def test_a_small_phone_shows_all_of_it_by_keyboard_alone(browser: Browser, system: System) -> None:
    context = browser.new_context(viewport=SMALL, base_url=system.base_url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    come_to_a_turn(page)
    page.get_by_test_id("customise-open").press("Enter")
    dialog = page.get_by_test_id("customise")
    expect(labels(dialog).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert dialog.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    page.get_by_test_id("customise-save").press("Enter")
    expect(page.get_by_test_id("customise-said")).to_be_in_viewport()
    expect(page.get_by_test_id("customise-said")).to_have_text(re.compile("Saved"))
    scrolls_to_its_end(page, dialog, dialog.get_by_test_id("customise-add"))
    page.keyboard.press("Escape")
    page.get_by_test_id("settings-open").press("Enter")
    dialog = page.get_by_test_id("settings")
    scrolls_to_its_end(page, dialog, dialog.get_by_test_id("settings-state"))
    context.close()


def scrolls_to_its_end(page: Page, dialog: Locator, last: Locator) -> None:
    """A dialog hints at what is out of sight; keys reach all of it, and the hint goes."""
    body = dialog.get_by_test_id("dialog-body")
    expect(body).to_have_class(re.compile(r"\bbelow\b"))
    expect(last).not_to_be_in_viewport()
    dialog.get_by_role("checkbox").or_(dialog.get_by_role("radio")).first.focus()
    page.keyboard.press("Shift+Tab")
    expect(body).to_be_focused()
    page.keyboard.press("End")
    expect(last).to_be_in_viewport()
    expect(body).not_to_have_class(re.compile(r"\bbelow\b"))
    expect(body).to_have_class(re.compile(r"\babove\b"))
