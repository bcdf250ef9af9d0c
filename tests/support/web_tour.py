"""A walk through every screen and dialog of the web client, always with the same hands.

`Tour.screens` yields a name each time another screen is up and nothing on it moves.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.support.gateways import NOON
from tests.support.table_page import deal_next, ready_or_over
from tests.support.web_stage import WITHOUT_SEED, Stage

HANDS = (
    ("AhKh", "QsQd", "Kd9h4c2h7s"),
    ("8c7d", "AcJd", "Th9s2d3cQh"),
    # Decks lie ready a hand ahead, so that one of these is never dealt: all are lost.
    *[("5d4s", "AdAc", "KsQh9d7h2c")] * 6,
)
RUN_OUT_MS = 2_300
"""From the call of an all-in to the flop: the hands are up, two streets are to come."""


@dataclass
class Tour:
    """One guest's way through the client, on one page."""

    page: Page
    stage: Stage

    def screens(self) -> Iterator[str]:
        """Bring up one screen after another."""
        self.page.clock.install(time=NOON)
        self.page.add_init_script(WITHOUT_SEED)
        self.stage.deal(*HANDS)
        yield from self._lobby()
        yield from self._a_hand_that_is_won()
        yield from self._a_hand_that_is_left()
        yield from self._after_the_match()
        yield from self._a_match_that_is_lost()
        yield from self._reading()
        yield from self._out_of_reach()

    def _lobby(self) -> Iterator[str]:
        self.page.goto("/")
        expect(self._at("sit-down")).to_be_visible()
        yield "lobby"
        self._at("profile").click()
        expect(self._at("name-input")).to_be_visible()
        yield "name"
        self.page.keyboard.press("Escape")

    def _a_hand_that_is_won(self) -> Iterator[str]:
        self.stage.script.lines = ["call", "check", "raise 1500", "call"]
        self._at("sit-down").click()
        self._my_turn()
        yield "table-preflop"
        self._shortcut("2.5 BB").click()
        self._raise()
        self._shortcut("70%").click()
        yield "table-flop"
        self._raise()
        yield "table-raised"
        yield from self._dialogs_at_the_table()
        self.page.keyboard.press("a")
        yield "table-all-in"
        yield from self._run_out()
        assert ready_or_over(self.page)
        yield "table-won"

    def _dialogs_at_the_table(self) -> Iterator[str]:
        for opener, dialog in (("customise-open", "customise"), ("settings-open", "settings")):
            self._at(opener).click()
            expect(self._at(dialog).get_by_role("heading", level=2)).to_be_visible()
            if dialog == "customise":
                expect(self._at("customise-list")).to_be_visible()
            yield f"dialog-{dialog}"
            self.page.keyboard.press("Escape")
            expect(self._at(dialog).get_by_role("heading")).to_have_count(0)
        self.page.keyboard.press("?")
        expect(self._at("keys").get_by_role("heading", level=2)).to_be_visible()
        yield "dialog-keys"
        self.page.keyboard.press("Escape")
        expect(self._at("keys").get_by_role("heading")).to_have_count(0)

    def _run_out(self) -> Iterator[str]:
        """All in, and the clock held while the streets come."""
        page = self.page
        # On a connection that was just lost, everything would be shown at once.
        expect(self._at("connection")).to_have_attribute("data-state", "live")
        page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 2)
        with page.expect_response("**/actions"):
            self._at("action-raise").click()
        expect(self._at("action-bar")).to_have_attribute("data-state", "animating")
        page.clock.run_for(RUN_OUT_MS)
        expect(self.page.locator('[data-testid="opponent-card"][data-card="Qs"]')).to_be_visible()
        expect(self._at("own-chance")).to_be_visible()
        yield "table-run-out"
        page.clock.resume()

    def _a_hand_that_is_left(self) -> Iterator[str]:
        script = self.stage.script
        self._deal()
        self._my_turn()
        # The big blind acts last before the flop, and first after it.
        self._take_what_is_free()
        self._my_turn()
        script.moving.clear()
        self._at("action-check-call").click()
        expect(self._at("action-bar")).to_contain_text("thinking")
        yield "table-thinking"
        script.moving.set()
        self._my_turn()
        yield from self._as_text()
        self._at("leave-open").click()
        expect(self._at("leave-consequence")).to_be_visible()
        yield "dialog-leave"
        self._at("leave-go").click()
        expect(self._at("resume-card")).to_be_visible()
        yield "lobby-resume"
        self._at("sit-down").click()
        expect(self._at("supersede-confirm")).to_be_visible()
        yield "dialog-supersede"
        self.page.keyboard.press("Escape")
        self._at("resume").click()
        self._my_turn()
        self._check_down()
        yield "table-lost"

    def _as_text(self) -> Iterator[str]:
        self._at("settings-open").click()
        self._at("setting-textTable").check()
        self.page.keyboard.press("Escape")
        expect(self._at("text-table")).to_be_visible()
        yield "table-text"
        self._at("graphical-table").click()
        expect(self._at("own-card")).to_have_count(2)

    def _after_the_match(self) -> Iterator[str]:
        self._at("settle").click()
        expect(self._at("summary-result")).to_be_visible()
        yield "summary"

    def _a_match_that_is_lost(self) -> Iterator[str]:
        self.page.goto("/")
        self._at("buy-in-slider").fill("3000")
        self.stage.script.lines = ["raise all"]
        self._at("sit-down").click()
        self._my_turn()
        self._shortcut("2.5 BB").click()
        self._raise()
        expect(self._at("no-raise")).to_be_visible()
        yield "table-no-raise"
        self._at("action-fold").click()
        assert ready_or_over(self.page)
        yield "table-top-up"
        self.stage.script.lines = ["raise all"]
        self._deal()
        self._my_turn()
        self._at("action-check-call").click()
        assert ready_or_over(self.page)
        yield "table-busted"
        self.page.goto("/")
        expect(self._at("finished-card")).to_be_visible()
        yield "lobby-finished"

    def _reading(self) -> Iterator[str]:
        for name, path in (
            ("leaderboard", "/leaderboard"),
            ("history", "/history"),
            ("profile", "/me"),
            ("settings", "/settings"),
            ("help", "/help"),
            ("rules", "/help/rules/hu_river"),
            ("missing", "/nowhere"),
        ):
            self._visit(path)
            yield name
        self._visit("/history")
        self._at("history-hand").last.click()
        expect(self._at("replay")).to_be_visible()
        self._quiet()
        yield "replayer"

    def _out_of_reach(self) -> Iterator[str]:
        self.page.route("**/v1/**", lambda route: route.abort())
        self.page.goto("/leaderboard")
        self.page.clock.run_for(3_000)
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        yield "unreachable"
        self.page.context.set_offline(True)
        expect(self._at("offline-page")).to_be_visible()
        yield "offline"
        self.page.context.set_offline(False)
        self.page.unroute("**/v1/**")

    def _at(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def _shortcut(self, label: str) -> Locator:
        shortcuts = self.page.locator('[data-testid^="shortcut-"]')
        exact = self.page.get_by_text(re.compile(f"^{re.escape(label)}$"))
        return shortcuts.filter(has=exact)

    def _my_turn(self) -> None:
        assert not ready_or_over(self.page)

    def _raise(self) -> None:
        """Act for the amount that stands there, and come to the next turn."""
        with self.page.expect_response("**/actions"):
            self._at("action-raise").click()
        expect(self._at("action-bar")).not_to_have_attribute("data-state", "sending")
        self._my_turn()

    def _deal(self) -> None:
        deal_next(self.page, self._at("next-hand").click)

    def _take_what_is_free(self) -> None:
        with self.page.expect_response("**/actions"):
            self._at("action-check-call").click()
        expect(self._at("action-bar")).not_to_have_attribute("data-state", "sending")

    def _check_down(self) -> None:
        while not ready_or_over(self.page):
            self._take_what_is_free()

    def _visit(self, path: str) -> None:
        self.page.goto(path)
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        self._quiet()

    def _quiet(self) -> None:
        self.page.wait_for_load_state("networkidle")
        expect(self.page.get_by_text("One moment…")).to_have_count(0)
