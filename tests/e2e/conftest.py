"""The running system and a browser, once for all end-to-end tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import DESKTOP, PHONE, chromium, guest_page
from tests.support.system import System, running_system
from tests.support.web_stage import Stage, web_stage


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    with running_system(tmp_path_factory.mktemp("home"), RATE_LIMITS="off") as system:
        yield system


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A gateway whose cards and opponent follow a script, without the other services."""
    with web_stage(tmp_path_factory.mktemp("stage")) as stage:
        yield stage


# Playwright keeps an event loop running, in which no other test could run one of its own: it
# must not outlive the module.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(browser: Browser, system: System, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh guest's page; any error that the page reports fails the test."""
    with guest_page(browser, system.base_url, request.param) as page:
        yield page
