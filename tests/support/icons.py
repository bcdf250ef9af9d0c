"""Draws the icons of the installed web client: `python -m tests.support.icons`."""

from pathlib import Path

from playwright.sync_api import Page

from tests.support.browser import chromium

PUBLIC = Path(__file__).resolve().parents[2] / "services" / "gateway" / "web" / "public"

FELT = "radial-gradient(circle at 50% 38%, #1d7a5f, #08352b 72%)"

# What a system may cut away from a maskable icon lies outside of a circle of 80 %: there is
# only felt. The round one is drawn as it is, and phones that cut nothing round get a square.
ROUND, CUT, SQUARE = ("transparent", 100), (FELT, 78), (FELT, 88)
ICONS = {
    "icon-192.png": (192, *ROUND),
    "icon-512.png": (512, *ROUND),
    "maskable-192.png": (192, *CUT),
    "maskable-512.png": (512, *CUT),
    "touch-180.png": (180, *SQUARE),
}


def draw(page: Page, size: int, background: str, percent: int) -> bytes:
    """Return a PNG of the emblem, so much of its edge wide, on a background."""
    emblem = (PUBLIC / "favicon.svg").read_text()
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(
        f"<body style='margin:0;height:100vh;display:grid;place-items:center;"
        f"background:{background}'><div style='width:{percent}%;line-height:0'>{emblem}</div>"
    )
    return page.screenshot(omit_background=True)


def main() -> None:
    """Write all icons."""
    folder = PUBLIC / "icons"
    folder.mkdir(exist_ok=True)
    with chromium() as browser:
        page = browser.new_page()
        for name, look in ICONS.items():
            (folder / name).write_bytes(draw(page, *look))


if __name__ == "__main__":
    main()
