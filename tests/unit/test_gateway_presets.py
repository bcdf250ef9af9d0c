"""The shortcut tables of SPEC 1.7: every row is played with the rules and seen by a player."""

from dataclasses import dataclass, replace

import pytest

from poker.actions import Action, ActionKind
from poker.errors import IllegalActionError
from poker.setup import HandRules, ReopenRule
from services.gateway.presets import NO_RAISE, OVER_STACK
from tests.support.spots import CASH, Json, Spot

PREFLOP_LABELS = ["Min", "2 BB", "2.5 BB", "3 BB", "30%", "50%", "70%", "Pot", "All-in"]
POSTFLOP_LABELS = ["Min", "30%", "50%", "⅔ pot", "70%", "Pot", "All-in"]

PARTY = HandRules(10, 20, allow_fold_when_check_available=True)
PRACTICE = replace(PARTY, reopen_rule=ReopenRule.SINGLE, burn_cards=True)


@dataclass(frozen=True)
class Row:
    """A row of a table: the spot, what is legal, amounts, and a letter a button for grey.

    ``call`` is 0 where checking is free; ``least`` is the full minimum. Letters: - enabled,
    b(elow the minimum), s (over the stack).
    """

    name: str
    spot: Spot
    call: int
    least: int
    top: int
    amounts: list[int]
    grey: str


DEEP = (10_000, 10_000)

PREFLOP = [
    Row("P1", Spot(DEEP, 1), 50, 200, 10_000,
        [200, 200, 250, 300, 160, 200, 240, 300, 10_000], "----b----"),
    Row("P2", Spot(DEEP, 2, "c"), 0, 200, 10_000,
        [200, 200, 250, 300, 160, 200, 240, 300, 10_000], "----b----"),
    Row("P3", Spot(DEEP, 2, "200"), 100, 300, 10_000,
        [300, 200, 250, 300, 320, 400, 480, 600, 10_000], "-bb------"),
    Row("P4", Spot(DEEP, 2, "250"), 150, 400, 10_000,
        [400, 200, 250, 300, 400, 500, 600, 750, 10_000], "-bbb-----"),
    Row("P5", Spot(DEEP, 2, "300"), 200, 500, 10_000,
        [500, 200, 250, 300, 480, 600, 720, 900, 10_000], "-bbbb----"),
    Row("P6", Spot(DEEP, 1, "300 900"), 600, 1_500, 10_000,
        [1_500, 200, 250, 300, 1_440, 1_800, 2_160, 2_700, 10_000], "-bbbb----"),
    Row("P7", Spot((3_000, 10_000), 1), 50, 200, 3_000,
        [200, 200, 250, 300, 160, 200, 240, 300, 3_000], "----b----"),
    Row("P8", Spot((160, 10_000), 1), 50, 200, 160,
        [200, 200, 250, 300, 160, 200, 240, 300, 160], "ssssbsss-"),
    Row("P12", Spot((200, 10_000), 1), 50, 200, 200,
        [200, 200, 250, 300, 160, 200, 240, 300, 200], "--ssb-ss-"),
]  # fmt: skip

# Seat 1 watches from the big blind (button 2) or from the button; more players make the
# pots that two cannot: a small blind of 25 chips all-in, one that folds, three limpers.
POSTFLOP = [
    Row("F1", Spot(DEEP, 2, "300 c"), 0, 100, 9_700,
        [100, 180, 300, 400, 420, 600, 9_700], "-------"),
    Row("F2", Spot(DEEP, 1, "300 c 300"), 300, 600, 9_700,
        [600, 660, 900, 1_100, 1_140, 1_500, 9_700], "-------"),
    Row("F2'", Spot((9_800, 10_000, 10_000), 1, "c c x 300 f"), 300, 600, 9_700,
        [600, 570, 750, 900, 930, 1_200, 9_700], "-b-----"),
    Row("F3", Spot(DEEP, 1, "300 c 100"), 100, 200, 9_700,
        [200, 340, 500, 633, 660, 900, 9_700], "-------"),
    Row("F4", Spot(DEEP, 2, "300 c 300 900"), 600, 1_500, 9_700,
        [1_500, 1_620, 2_100, 2_500, 2_580, 3_300, 9_700], "-------"),
    Row("F5", Spot((800, 10_000), 2, "300 c"), 0, 100, 500,
        [100, 180, 300, 400, 420, 600, 500], "-----s-"),
    Row("F6", Spot((750, 10_000), 1, "300 c 300"), 300, 600, 450,
        [600, 660, 900, 1_100, 1_140, 1_500, 450], "ssssss-"),
    Row("F7", Spot(DEEP, 2, "c x"), 0, 100, 9_900,
        [100, 60, 100, 133, 140, 200, 9_900], "-b-----"),
    Row("F8", Spot((10_000, 10_000, 25), 2, "200 c"), 0, 100, 9_800,
        [100, 128, 213, 283, 298, 425, 9_800], "-------"),
    Row("F9", Spot((10_000, 25, 10_000), 1, "200 c 137"), 137, 274, 9_800,
        [274, 347, 487, 603, 626, 836, 9_800], "-------"),
    Row("F10", Spot((10_000, 10_000, 10_000), 2, "c f x"), 0, 100, 9_900,
        [100, 75, 125, 167, 175, 250, 9_900], "-b-----"),
    Row("F11", Spot((5_200, 10_000, 350), 1, "200 c c 100 150"), 150, 250, 5_000,
        [250, 450, 650, 817, 850, 1_150, 5_000], "-------"),
    Row("F12", Spot((5_200, 10_000, 260), 1, "200 c c x 60"), 60, 160, 5_000,
        [160, 276, 420, 540, 564, 780, 5_000], "-------"),
]  # fmt: skip


def ring(name: str, rules: HandRules) -> list[Row]:
    """The last lines of the section, at six seats; seat 1 is under the gun or next."""
    full, blinds = (2_000,) * 6, replace(rules, small_blind_chips=50, big_blind_chips=100)
    return [
        Row(f"{name} UTG unopened", Spot(full, 4, rules=rules), 20, 40, 2_000,
            [40, 40, 50, 60, 35, 45, 55, 70, 2_000], "----b----"),
        Row(f"{name} facing 60", Spot(full, 3, "60", rules), 60, 100, 2_000,
            [100, 40, 50, 60, 105, 135, 165, 210, 2_000], "-bbb-----"),
        Row(f"{name} short BB", Spot((*full[:5], 40), 4, rules=blinds), 100, 200, 2_000,
            [200, 200, 250, 300, 157, 195, 233, 290, 2_000], "----bb---"),
    ]  # fmt: skip


ROWS = [*PREFLOP, *POSTFLOP, *ring("party", PARTY), *ring("practice", PRACTICE)]


def grey_letter(offer: Json) -> str:
    assert offer["enabled"] is (offer["reason"] is None)
    if offer["enabled"]:
        return "-"
    return "s" if offer["reason"] == OVER_STACK else "b"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_amounts_and_grey_buttons_are_those_of_the_table(row: Row) -> None:
    legal = row.spot.legal()
    raises, offers = legal["raise"], legal["presets"]
    assert (legal["to_call"], legal["can_check"]) == (row.call, row.call == 0)
    assert (raises["full_min_to"], raises["max_to"]) == (row.least, row.top)
    assert raises["min_to"] == min(row.least, row.top)
    assert raises["presets"] == offers
    labels = PREFLOP_LABELS if len(row.amounts) == 9 else POSTFLOP_LABELS
    assert [offer["label"] for offer in offers] == labels
    assert [offer["amount"] for offer in offers] == row.amounts
    assert "".join(map(grey_letter, offers)) == row.grey


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_rules_accept_the_amounts_of_enabled_buttons_and_refuse_the_grey_ones(
    row: Row,
) -> None:
    legal = row.spot.legal()
    for offer in legal["presets"]:
        hand = row.spot.hand()
        action = Action(1, ActionKind(legal["raise"]["kind"]), offer["amount"])
        # The one legal amount below the full minimum is the whole stack, which is All-in's.
        if offer["enabled"] or offer["amount"] == row.top:
            hand.act(action)
        else:
            with pytest.raises(IllegalActionError):
                hand.act(action)


CLOSED = [
    ("P9", Spot((60, 10_000), 1), 10),
    ("P10", Spot((12_000, 10_000), 2, "10000"), 9_900),
    ("P11", Spot((10_000, 100), 1), 50),
]


@pytest.mark.parametrize(("name", "spot", "call"), CLOSED, ids=[row[0] for row in CLOSED])
def test_every_button_is_grey_when_no_raise_is_possible(name: str, spot: Spot, call: int) -> None:
    legal = spot.legal()
    assert legal["raise"] is None, name
    assert (legal["to_call"], legal["can_fold"], legal["can_check"]) == (call, True, False)
    assert legal["call_all_in"] is (name == "P9")
    assert [offer["label"] for offer in legal["presets"]] == PREFLOP_LABELS
    found = {(offer["amount"], offer["enabled"], offer["reason"]) for offer in legal["presets"]}
    assert found == {(None, False, NO_RAISE)}


@pytest.mark.parametrize(
    ("play", "index", "reason"),
    [
        ("c", 4, "below the minimum raise to 200"),
        ("c x", 1, "below the minimum bet of 100"),
        ("10000", 0, "no raise"),
    ],
    ids=["below a raise", "below a bet", "no raise"],
)
def test_reasons_name_the_minimum_that_was_missed(play: str, index: int, reason: str) -> None:
    assert Spot(DEEP, 2, play).legal()["presets"][index]["reason"] == reason


def test_a_button_over_the_stack_says_so() -> None:
    assert Spot((200, 10_000), 1).legal()["presets"][2]["reason"] == "more than your stack"


def test_the_rows_are_those_of_the_section() -> None:
    names = [row.name for row in ROWS] + [name for name, _, _ in CLOSED]
    expected = {f"P{number}" for number in range(1, 13)} | {f"F{n}" for n in range(1, 13)} | {"F2'"}
    assert {name for name in names if " " not in name} == expected
    assert len(names) == len(set(names)) == 31
    assert CASH.big_blind_chips == 100
