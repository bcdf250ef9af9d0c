"""A match played by ear: by names, roles and live regions, and nothing that is only seen."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.support.listener import Listener, listener
from tests.support.system import System, until

pytestmark = pytest.mark.browser

RANKS = "two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace"
CARD = rf"(?:{RANKS}) of (?:clubs|diamonds|hearts|spades)"
BOARD = rf"(Flop: {CARD}, {CARD}, {CARD}|Turn: {CARD}|River card: {CARD})$"
RESULT = r"(You win|River wins) [\d,]+|Split pot"
MOVE = r"(fold|check|call|bet|raise)s?\b"
MOST_HANDS = 40


@pytest.fixture
def context(browser: Browser, system: System) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=system.base_url, reduced_motion="reduce")
    context.set_default_timeout(30_000)
    yield context
    context.close()


def choose_no_animation(ear: Listener) -> None:
    page = ear.page
    page.get_by_role("button", name="Settings", exact=True).press("Enter")
    page.get_by_role("combobox", name="Animation speed").select_option(label="Off")
    page.keyboard.press("Escape")


def take_a_seat(ear: Listener) -> None:
    """Sit down, and hear one's two cards by their names."""
    ear.page.goto("/")
    choose_no_animation(ear)
    ear.page.get_by_role("button", name="Sit down").press("Enter")
    assert re.fullmatch(rf"You hold {CARD}, {CARD}", ear.wait_for("You hold"))


def heard(ear: Listener, pattern: str) -> bool:
    return any(re.search(pattern, said) for said in ear.heard)


def has_heard_all(ear: Listener) -> bool:
    """Whether moves of both, a board to its last card, hands and a result were told."""
    wanted = (rf"^You {MOVE}", rf"^River {MOVE}", "Flop:", "Turn:", "River card:", rf"{CARD}\)$")
    return all(heard(ear, pattern) for pattern in (*wanted, RESULT))


def check_what_was_heard(ear: Listener, turns: int, hands: int) -> None:
    """Every turn said what it costs, every hand its result, and every card its name."""
    ear.listen()
    told = [said for said in ear.heard if said.startswith("Your turn.")]
    assert len(told) >= turns
    assert all(re.search(r"You may check\.|Call [\d,]+", said) for said in told), told
    assert sum(bool(re.match(RESULT, said)) for said in ear.heard) >= hands
    boards = [said for said in ear.heard if re.match(r"(Flop|Turn|River card):", said)]
    assert all(re.match(BOARD, said) for said in boards), boards
    assert not any(sign in said for said in ear.heard for sign in "♠♥♦♣")


def read_the_summary(ear: Listener, hands: int) -> None:
    page = ear.page
    expect(page.get_by_role("heading", level=1, name="Match settled")).to_be_visible()
    told = page.get_by_role("main").aria_snapshot()
    assert re.search(r"[\d,.]+ BB", told), told
    for words in ("Final stack", "Buy-in", "Net", "BB per 100 hands"):
        assert words in told
    count = "1 hand" if hands == 1 else f"{hands} hands"
    expect(page.get_by_text(f"{count} for the leaderboard")).to_be_visible()


class ByButtons:
    """The graphical table: buttons by their names."""

    def __init__(self, ear: Listener) -> None:
        self.page = ear.page

    def _button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(name), disabled=False)

    def is_over(self) -> bool:
        """Wait for one's turn or the end of the hand; return whether that is its end."""
        over, turn = self._button("^Settle & leave"), self._button("^(Check|Call)")
        expect(over.or_(turn).first).to_be_visible()
        return over.count() > 0

    def check_or_call(self) -> None:
        self._button("^(Check|Call)").press("Enter")

    def has_next(self) -> bool:
        return self._button("^Next hand").count() > 0

    def next_hand(self) -> None:
        self._button("^Next hand").press("Enter")

    def settle(self) -> None:
        self._button("^Settle & leave").press("Enter")


class ByCommands:
    """The text table: what is typed."""

    def __init__(self, ear: Listener) -> None:
        self.ear = ear
        self.field = ear.page.get_by_role("textbox", name="Command")
        self.now = ear.page.get_by_role("region", name="Now")

    def type(self, line: str) -> None:
        """Type a command; when the turn has come only now, confirm it."""
        self.field.fill(line)
        refused = self.ear.page.get_by_role("status").filter(has_text="come only now")

        def taken() -> bool:
            self.field.press("Enter")
            return refused.count() == 0

        until(taken, f"{line} is taken")

    def ask(self, line: str, words: str) -> str:
        """Type a line and wait until an answer with ``words`` is told; return that."""
        self.ear.listen()
        self.type(line)
        return self.ear.wait_for(words)

    def possible(self) -> list[str]:
        """Wait for one's turn or the end of the hand; return what can be typed then."""
        sentence = re.compile(r"You can type: ([^.]*\b(?:check|call|settle)\b[^.]*)\.")
        expect(self.now).to_contain_text(sentence)
        found = sentence.search(self.now.inner_text())
        assert found, "what can be typed has changed although nothing was done"
        return found[1].split(", ")

    def is_over(self) -> bool:
        return "settle" in self.possible()

    def check_or_call(self) -> None:
        self.type("check" if "check" in self.possible() else "call")

    def has_next(self) -> bool:
        return "next" in self.possible()

    def next_hand(self) -> None:
        self.type("next")

    def settle(self) -> None:
        self.type("settle")


def play_hand(hands: ByButtons | ByCommands) -> int:
    """Check or call until the hand is over; return how many turns that took."""
    turns = 0
    while not hands.is_over():
        hands.check_or_call()
        turns += 1
    return turns


def play_until_all_is_heard(ear: Listener, hands: ByButtons | ByCommands) -> int:
    """Play hands until every kind of news was told; return how many it took."""
    turns = 0
    for count in range(1, MOST_HANDS + 1):
        turns += play_hand(hands)
        ear.listen()
        if has_heard_all(ear) or not hands.has_next():
            check_what_was_heard(ear, turns, count)
            return count
        hands.next_hand()
    pytest.fail(f"not all was heard in {MOST_HANDS} hands: {ear.heard}")


def test_a_match_is_played_to_its_summary_by_names_and_live_regions(
    context: BrowserContext,
) -> None:
    ear = listener(context)
    take_a_seat(ear)
    own = ear.page.get_by_role("region", name=re.compile("^You, (BTN.SB|BB)$"))
    expect(own.get_by_role("img", name=re.compile(f"^{CARD}$"))).to_have_count(2)
    hands = ByButtons(ear)
    count = play_until_all_is_heard(ear, hands)
    hands.settle()
    read_the_summary(ear, count)


def open_text_table(ear: Listener) -> ByCommands:
    """By Tab from the top of the page, as somebody would who does not see it."""
    link = ear.page.get_by_role("button", name="Text table")
    for _ in range(60):
        ear.page.keyboard.press("Tab")
        if link.evaluate("(button) => button === document.activeElement"):
            break
    ear.page.keyboard.press("Enter")
    hands = ByCommands(ear)
    expect(hands.field).to_be_focused()
    return hands


def test_a_match_is_played_as_text(context: BrowserContext) -> None:
    ear = listener(context)
    take_a_seat(ear)
    hands = open_text_table(ear)
    assert re.fullmatch(rf"You hold {CARD}, {CARD}\.", hands.ask("cards", "You hold"))
    for line, answer in (
        ("stack", "River, "),
        ("pot", "The pot is"),
        ("result", "Your result so far is"),
        ("dance", "“dance” is no command"),
        ("help", "raise amount: "),
    ):
        hands.ask(line, answer)
    headings = ear.page.get_by_role("heading", level=2)
    expect(headings).to_have_text(
        ["Now", "Your cards", "Board", "Stacks and bets", "Match", "Hand log"]
    )
    count = play_until_all_is_heard(ear, hands)
    hands.settle()
    read_the_summary(ear, count)


def test_the_text_table_raises_exactly_what_is_typed(context: BrowserContext) -> None:
    ear = listener(context)
    take_a_seat(ear)
    hands = open_text_table(ear)
    turn = come_to_a_raise(hands)
    least = re.findall(r"Minimum (?:raise to|bet) ([\d,]+)", turn)[0].replace(",", "")
    hands.ask(f"raise {int(least) - 1}", "That is not allowed")
    amount = f"{int(least) + 37:,}"
    hands.type(f"raise {amount}")
    ear.wait_for(f"You bet {amount}" if "Minimum bet" in turn else f"You raise to {amount}")


def come_to_a_raise(hands: ByCommands) -> str:
    """Deal and check until a raise is possible on one's turn; return what the turn said."""
    for _ in range(MOST_HANDS):
        if hands.is_over():
            hands.next_hand()
        elif "Minimum " in (said := hands.now.inner_text()):
            return said
        else:
            hands.check_or_call()
    pytest.fail("no raise was possible")


def test_a_german_browser_is_spoken_to_in_german_until_another_language_is_chosen(
    browser: Browser, system: System
) -> None:
    context = browser.new_context(base_url=system.base_url, locale="de-DE")
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto("/")
    root = page.locator("html")
    expect(root).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Platz nehmen")).to_be_visible()
    page.get_by_role("button", name="Einstellungen", exact=True).click()
    page.get_by_role("combobox", name="Sprache").select_option(label="English")
    expect(root).to_have_attribute("lang", "en")
    expect(page.get_by_role("combobox", name="Language")).to_be_visible()
    expect(page.get_by_text("Saved to your account.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    context.close()


def test_the_rules_start_exactly_their_table(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/help")
    page.get_by_role("link", name="Heads-up against River").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules: Heads-up against River")
    expect(page.get_by_role("row", name=re.compile("^Blinds 50 . 100"))).to_be_visible()
    page.get_by_role("button", name="Play against the AI").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hand 1")
