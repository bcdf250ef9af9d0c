"""Nobody is shut out: axe finds nothing on any screen, at both sizes, in every look."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.support.browser import DESKTOP, PATIENCE_MS, PHONE
from tests.support.web_client import AXE
from tests.support.web_stage import Stage
from tests.support.web_tour import Tour

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])

# The tour holds the clock now and then, and axe would wait for it.
REAL_TIME = "window.inRealTime = setTimeout.bind(window)"
LOOK = """
async (look) => {
  const held = window.setTimeout;
  window.setTimeout = window.inRealTime;
  const root = document.documentElement;
  const {theme, contrast} = root.dataset;
  // Colours alone are another matter in another look.
  const only = look.theme === theme && look.contrast === contrast
    ? {} : {runOnly: ['color-contrast']};
  Object.assign(root.dataset, look);
  const fading = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
  // What inherits a colour begins to fade when its parent has done so.
  for (let left = fading(); left.length > 0; left = fading())
    await Promise.all(left.map((one) => one.finished.catch(() => null)));
  const {violations} = await axe.run(document, only);
  Object.assign(root.dataset, {theme, contrast});
  window.setTimeout = held;
  return violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} (${node.failureSummary})`));
}
"""
NEW_VERSION = """
const ignored = () => undefined;
const waiting = {state: 'installed', addEventListener: ignored, postMessage: ignored};
const registration = {waiting, addEventListener: ignored, update: async () => undefined};
Object.defineProperty(navigator, 'serviceWorker', {value: {
  controller: {}, addEventListener: ignored, register: async () => registration}});
"""
"""A browser in which a new version of the client waits to be taken."""

Look = dict[str, str]
DARK: Look = {"theme": "dark", "contrast": "normal"}
THEMES: tuple[Look, ...] = (DARK, {"theme": "light", "contrast": "normal"})
HIGH: tuple[Look, ...] = tuple({**look, "contrast": "high"} for look in THEMES)

CONTRASTED = {"lobby", "table-flop", "table-won", "dialog-customise", "summary", "leaderboard"}
"""Screens that have among them everything that is coloured."""


@contextmanager
def settings(page: Page) -> Iterator[None]:
    page.get_by_test_id("settings-open").click()
    yield
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("settings").get_by_role("heading")).to_have_count(0)


def speak(page: Page, choice: str, language: str) -> None:
    with settings(page):
        page.get_by_test_id("setting-language").select_option(choice)
        expect(page.locator("html")).to_have_attribute("lang", language)


@contextmanager
def in_german(page: Page) -> Iterator[None]:
    speak(page, "de", "de")
    yield
    speak(page, "system", "en")


@contextmanager
def asked_before_all_goes_in(page: Page) -> Iterator[None]:
    with settings(page):
        page.get_by_test_id("setting-confirmAllIn").check()
    page.get_by_test_id("action-raise").click()
    expect(page.get_by_test_id("ask").get_by_role("heading")).to_be_visible()
    yield
    page.get_by_test_id("ask-no").click()
    with settings(page):
        page.get_by_test_id("setting-confirmAllIn").uncheck()


@contextmanager
def with_filters(page: Page) -> Iterator[None]:
    page.get_by_test_id("history-filters").locator("summary").click()
    expect(page.get_by_test_id("filter-tag")).to_be_visible()
    yield


MORE: dict[str, Callable[[Page], AbstractContextManager[None]]] = {
    "lobby": in_german,
    "table-flop": in_german,
    "table-all-in": asked_before_all_goes_in,
    "history": with_filters,
    "leaderboard": in_german,
    "help": in_german,
}
"""By screen: what else is looked at there, and put away again."""


@pytest.mark.timeout(900)
@SIZES
def test_axe_finds_nothing_on_any_screen(
    browser: Browser, stage: Stage, size: ViewportSize
) -> None:
    context = opened(browser, stage, size)
    page = context.new_page()
    found: dict[str, list[str]] = {}
    for name in Tour(page, stage).screens():
        found[name] = seen(page, THEMES + (HIGH if name in CONTRASTED else ()))
        if more := MORE.get(name):
            with more(page):
                found[f"{name} {more.__name__}"] = seen(page, (DARK,))
    context.close()
    assert_nothing(found)


@SIZES
def test_axe_finds_nothing_where_a_new_version_is_offered(
    browser: Browser, stage: Stage, size: ViewportSize
) -> None:
    context = opened(browser, stage, size)
    context.add_init_script(NEW_VERSION)
    page = context.new_page()
    page.goto("/help")
    expect(page.get_by_test_id("notice-action")).to_have_text("Reload")
    found = {"update": seen(page, THEMES + HIGH)}
    context.close()
    assert_nothing(found)


def opened(browser: Browser, stage: Stage, size: ViewportSize) -> BrowserContext:
    context = browser.new_context(
        viewport=size, base_url=stage.base_url, reduced_motion="reduce", service_workers="block"
    )
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    context.add_init_script(REAL_TIME)
    context.add_init_script(AXE.read_text())
    return context


def seen(page: Page, looks: tuple[Look, ...]) -> list[str]:
    return [problem for look in looks for problem in page.evaluate(LOOK, look)]


def assert_nothing(found: dict[str, list[str]]) -> None:
    problems = {name: told for name, told in found.items() if told}
    assert not problems, json.dumps(problems, indent=1)
