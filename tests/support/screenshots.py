"""Pictures of every screen of the web client, with the same hands each time.

`make screenshots` writes all into .cache/screenshots, and the README's into docs/images;
`python -m tests.support.screenshots phone-dark` only those that look like that.
"""

import base64
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support.browser import chromium
from tests.support.web_stage import Stage, web_stage
from tests.support.web_tour import Tour

REPO = Path(__file__).resolve().parents[2]
ALL = REPO / ".cache" / "screenshots"
CHOSEN = REPO / "docs" / "images"
PATIENCE_MS = 60_000
WEBP_QUALITY = 82

DESKTOP: ViewportSize = {"width": 1180, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}


@dataclass(frozen=True)
class Look:
    """A window of some size, in some colours, with so many pixels to a point."""

    name: str
    size: ViewportSize
    theme: str
    scale: float

    @property
    def script(self) -> str:
        """What a browser remembers whose person chose these colours."""
        return f"localStorage.setItem('riverboat.settings', '{{\"theme\": \"{self.theme}\"}}')"


LOOKS = (
    Look("desktop-dark", DESKTOP, "dark", 1.5),
    Look("desktop-light", DESKTOP, "light", 1),
    Look("phone-dark", PHONE, "dark", 2),
    Look("phone-light", PHONE, "light", 1),
)

README = {
    ("desktop-dark", "table-run-out"): "table.webp",
    ("desktop-light", "lobby-resume"): "lobby.webp",
    ("phone-dark", "table-flop"): "phone.webp",
}


def take(browser: Browser, stage: Stage, look: Look) -> None:
    """Walk through the client once, taking every screen."""
    context = browser.new_context(
        viewport=look.size,
        device_scale_factor=look.scale,
        base_url=stage.base_url,
        reduced_motion="reduce",
        service_workers="block",
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(look.script)
    page = context.new_page()
    for name in Tour(page, stage).screens():
        page.screenshot(path=ALL / f"{look.name}-{name}.png")
        if chosen := README.get((look.name, name)):
            (CHOSEN / chosen).write_bytes(webp(page))
    context.close()


def webp(page: Page) -> bytes:
    """Return what is on the screen, small."""
    inspector = page.context.new_cdp_session(page)
    taken = inspector.send("Page.captureScreenshot", {"format": "webp", "quality": WEBP_QUALITY})
    inspector.detach()
    return base64.b64decode(taken["data"])


def main() -> None:
    """Write all pictures."""
    ALL.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with (
        tempfile.TemporaryDirectory() as home,
        web_stage(Path(home)) as stage,
        chromium() as browser,
    ):
        wanted = sys.argv[1:] or [look.name for look in LOOKS]
        for look in LOOKS:
            if look.name in wanted:
                take(browser, stage, look)


if __name__ == "__main__":
    main()
