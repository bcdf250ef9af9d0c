"""A real Chromium, or a reason why there is none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

DESKTOP: ViewportSize = {"width": 1180, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE_MS = 30_000

CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium; without one skip the test, or fail it where CI=true."""
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@contextmanager
def guest_page(
    browser: Browser,
    base_url: str,
    size: ViewportSize,
    *scripts: str,
    motion: Literal["reduce", "no-preference"] = "reduce",
) -> Iterator[Page]:
    """Give a fresh guest's page; any error that the page reports fails the test.

    ``scripts`` run before the page's own.
    """
    context = browser.new_context(
        viewport=size,
        base_url=base_url,
        reduced_motion=motion,
        # What a worker answers no test can see or hold up; it has tests of its own.
        service_workers="block",
    )
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    for script in scripts:
        context.add_init_script(script)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@contextmanager
def device(profile: Path, base_url: str) -> Iterator[BrowserContext]:
    """Start a Chromium that keeps what it is given, as at home: no private window."""
    path = chromium_path()
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=path,
            args=CHROMIUM_ARGS,
            base_url=base_url,
            reduced_motion="reduce",
        )
        yield context
        context.close()


def chromium_path() -> str:
    """Return where Chromium is; without one skip the test, or fail it where CI=true."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        reason = f"no browser: none of {', '.join(NAMES)} is installed"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path
