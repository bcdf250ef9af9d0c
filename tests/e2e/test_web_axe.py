"""Nobody is shut out: axe finds nothing on any screen, at both sizes, dark and light."""

import json

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e.conftest import DESKTOP, PATIENCE_MS, PHONE
from tests.support.web_client import AXE
from tests.support.web_stage import Stage
from tests.support.web_tour import Tour

pytestmark = pytest.mark.browser

# The tour holds the clock now and then, and axe would wait for it.
REAL_TIME = "window.inRealTime = setTimeout.bind(window)"
LOOK = """
async (theme) => {
  const held = window.setTimeout;
  window.setTimeout = window.inRealTime;
  const root = document.documentElement;
  const before = root.dataset.theme;
  root.dataset.theme = theme;
  const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.all(fading.map((one) => one.finished.catch(() => null)));
  // Colours alone are another matter in another theme.
  const only = theme === before ? {} : {runOnly: ['color-contrast']};
  const {violations} = await axe.run(document, only);
  root.dataset.theme = before;
  window.setTimeout = held;
  return violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} (${node.failureSummary})`));
}
"""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_any_screen(
    browser: Browser, stage: Stage, size: ViewportSize
) -> None:
    context = browser.new_context(
        viewport=size, base_url=stage.base_url, reduced_motion="reduce", service_workers="block"
    )
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    context.add_init_script(REAL_TIME)
    context.add_init_script(AXE.read_text())
    page = context.new_page()
    found: dict[str, list[str]] = {}
    for name in Tour(page, stage).screens():
        found[name] = seen(page)
    found = {name: problems for name, problems in found.items() if problems}
    context.close()
    assert not found, json.dumps(found, indent=1)


def seen(page: Page) -> list[str]:
    return [problem for theme in ("dark", "light") for problem in page.evaluate(LOOK, theme)]
