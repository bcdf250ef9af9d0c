"""The two ways of a person to play: a mouse (or thumb) and a keyboard."""

from dataclasses import dataclass
from typing import Protocol

from playwright.sync_api import Page, expect

from tests.support.table_page import act_once, ready_or_over

CHEAP_CHIPS = 300
"""Four calls of so much, one a street, cost no stack of 3,000."""


class Way(Protocol):
    """How somebody tells the table what they want."""

    def passive(self, page: Page) -> None: ...

    def fold(self, page: Page) -> None: ...

    def least_raise(self, page: Page) -> None: ...

    def next_hand(self, page: Page) -> None: ...

    def top_up(self, page: Page) -> None: ...


@dataclass(frozen=True)
class Mouse:
    """Clicks."""

    def passive(self, page: Page) -> None:
        page.get_by_test_id("action-check-call").click()

    def fold(self, page: Page) -> None:
        page.get_by_test_id("action-fold").click()

    def least_raise(self, page: Page) -> None:
        page.get_by_test_id("shortcut-min").click()
        page.get_by_test_id("action-raise").click()

    def next_hand(self, page: Page) -> None:
        page.get_by_test_id("next-hand").click()

    def top_up(self, page: Page) -> None:
        page.get_by_test_id("top-up").click()


@dataclass(frozen=True)
class Keyboard:
    """Presses keys and nothing else."""

    def passive(self, page: Page) -> None:
        page.keyboard.press("c")

    def fold(self, page: Page) -> None:
        page.keyboard.press("f")

    def least_raise(self, page: Page) -> None:
        page.keyboard.press("1")
        page.keyboard.press("r")

    def next_hand(self, page: Page) -> None:
        page.keyboard.press("n")

    def top_up(self, page: Page) -> None:
        page.keyboard.press("t")


def play_carefully(page: Page, way: Way, *, bold: bool) -> None:
    """Play a hand to its end without ever risking a stack.

    Bold is to raise once where that is cheap and then to call what is cheap; otherwise
    everything that costs anything is given up.
    """
    may_raise = bold
    while not ready_or_over(page):
        price = price_of(page)
        if may_raise and raises_cheaply(page):
            may_raise = False
            act_once(page, way.least_raise)
        elif price == 0 or (bold and price <= CHEAP_CHIPS):
            act_once(page, way.passive)
        else:
            act_once(page, way.fold)
    # Right after the end keys are not taken yet, lest they were meant for the hand.
    expect(page.get_by_test_id("settle")).to_be_enabled()


def price_of(page: Page) -> int:
    """What it costs to stay, read off the button; 0 when checking is free."""
    return number_in(page.get_by_test_id("action-check-call").inner_text())


def raises_cheaply(page: Page) -> bool:
    """Whether the shortcut of the smallest raise can be had, and for little."""
    least = page.locator('[data-testid="shortcut-min"][aria-disabled="false"]')
    return least.count() == 1 and 0 < number_in(least.locator("small").inner_text()) <= CHEAP_CHIPS


def number_in(text: str) -> int:
    """The whole number in a text such as "Call 1,200"; 0 when there is none."""
    return int("".join(filter(str.isdigit, text)) or "0")
