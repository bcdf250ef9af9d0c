"""What playing feels like in a browser: the built client, a gateway, and a person who clicks.

For each size of screen, with all motion and with little: milliseconds from the click on an action
until it is seen, layout shifts, and the frames while cards are dealt and chips fly. One JSON line
each on stdout, the gateway's log on stderr; with ``--traces DIR`` also the browser's own
recordings, for its performance panel or ui.perfetto.dev.

    python -m benchmarks.trace_web
    python -m benchmarks.trace_web --hands 10 --traces .cache/traces

A frame is late when it comes more than half a frame after its time at 60 a second. Without a
graphics processor everything is drawn by the processor. The gateway is a real one, with the rules
inside and a River that answers at once: what is measured is the client.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Page, expect

from poker.cards import Card
from services.common.logs import configure_logging
from tests.support.browser import chromium
from tests.support.gateways import stacked_deck
from tests.support.live_servers import served
from tests.support.table_page import act_once, deal_next, ready_or_over, sit_down
from tests.support.web_client import BUILT
from tests.support.web_stage import WITHOUT_SEED
from tests.support.web_trace import read_trace, watch

FRAME_MS: Final = 1000 / 60
LATE_MS: Final = 1.5 * FRAME_MS
CLICK_BUDGET_MS: Final = 100
PATIENCE_MS: Final = 60_000
SIZES: Final = {"desktop": (1180, 720), "phone": (390, 844)}
MOTIONS: Final[dict[str, Literal["reduce", "no-preference"]]] = {
    "full": "no-preference",
    "reduced": "reduce",
}
CATEGORIES: Final = (
    "devtools.timeline,disabled-by-default-devtools.timeline.frame,"
    "disabled-by-default-devtools.timeline,latencyInfo,blink.user_timing"
)

Json = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play with every size and motion, and print what was seen."""
    parser = argparse.ArgumentParser(prog="trace_web", description=__doc__)
    parser.add_argument("--hands", type=int, default=6)
    parser.add_argument("--traces", type=Path)
    options = parser.parse_args(arguments)
    configure_logging(parser.prog)
    expect.set_options(timeout=PATIENCE_MS)
    with (
        tempfile.TemporaryDirectory() as home,
        chromium() as browser,
        served(f"sqlite:///{home}/tables.sqlite3", web_root=BUILT) as gateway,
    ):
        for size, motion in product(SIZES, MOTIONS):
            name = f"{size}-{motion}"
            gateway.dealer.decks = decks(options.hands)
            seen = played(browser, gateway.base_url, name, options.hands, options.traces)
            print(json.dumps({"screen": size, "motion": motion, **seen}), flush=True)


def decks(hands: int) -> list[tuple[Card, ...]]:
    """Hands that are shown down; each wins in turn, and the last one is the player's."""
    found = []
    for index in range(hands):
        held = ("AsKh", "QcJd") if (hands - index) % 2 else ("QcJd", "AsKh")
        found.append(stacked_deck(*held, "Kc7s2d3s9c", player_on_button=index % 2 == 0))
    return found


def played(browser: Browser, base_url: str, name: str, hands: int, traces: Path | None) -> Json:
    """Play some hands on a fresh page; the last one is for everything."""
    size, motion = name.split("-")
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        base_url=base_url,
        reduced_motion=MOTIONS[motion],
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WITHOUT_SEED)
    page = context.new_page()
    watch(page)
    sit_down(page)
    page.goto(page.url)
    with recorded(browser, page, traces and traces / f"{name}.json"):
        count = play(page, hands)
    seen = read_trace(page)
    context.close()
    return {"hands": count, **summary(seen)}


@contextmanager
def recorded(browser: Browser, page: Page, to: Path | None) -> Iterator[None]:
    """Have the browser record itself, when the recording is wanted."""
    if to is None:
        yield
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    browser.start_tracing(page=page, path=to, categories=CATEGORIES.split(","))
    yield
    browser.stop_tracing()


def play(page: Page, hands: int) -> int:
    """Check and call through the hands; put everything in on the last. Return how many."""
    for hand in range(hands):
        if hand:
            if not page.get_by_test_id("next-hand").is_visible():
                return hand
            deal_next(page, page.get_by_test_id("next-hand").click)
        while not ready_or_over(page):
            act_once(page, shove if hand == hands - 1 else check_or_call)
    return hands


def check_or_call(page: Page) -> None:
    page.get_by_test_id("action-check-call").click()


def shove(page: Page) -> None:
    """Everything, or a call where nothing can be raised."""
    if not page.get_by_test_id("action-raise").is_visible():
        return check_or_call(page)
    page.get_by_test_id("shortcut-all_in").click()
    page.get_by_test_id("action-raise").click()
    return None


def summary(seen: Json) -> Json:
    """In numbers what `read_trace` saw."""
    clicks = sorted(seen["clicks"])
    shifts = sum(shift["value"] for shift in seen["shifts"])
    return {
        "click_to_seen_ms": {
            "actions": len(clicks),
            "median": middle(clicks),
            "longest": rounded(max(clicks, default=0)),
            "within_budget": sum(click <= CLICK_BUDGET_MS for click in clicks),
            "budget": CLICK_BUDGET_MS,
        },
        "layout_shift": {
            "total": round(shifts, 5),
            "moved": sorted({what for shift in seen["shifts"] for what in shift["moved"]}),
        },
        "frames": {
            kind: frames([ms for ms, moving in seen["moving"] if kind in moving.split("+")])
            for kind in ("deal", "chips")
        },
        "processors": os.cpu_count(),
        "load_1m": rounded(os.getloadavg()[0]),
    }


def frames(times: list[float]) -> Json:
    """Frames a second while something moved, and how many came late."""
    total = sum(times)
    return {
        "frames": len(times),
        "per_second": rounded(1000 * len(times) / total) if total else None,
        "median_ms": middle(sorted(times)),
        "longest_ms": rounded(max(times, default=0)),
        "late": sum(ms > LATE_MS for ms in times),
    }


def middle(ordered: list[float]) -> float | None:
    return rounded(ordered[len(ordered) // 2]) if ordered else None


def rounded(value: float) -> float:
    return round(value, 1)


if __name__ == "__main__":
    main()
