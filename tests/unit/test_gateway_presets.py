"""The shortcut tables of SPEC 1.7, row by row."""

from dataclasses import dataclass

import pytest

from poker.actions import ActionKind, Legal, RaiseRange, Street
from services.gateway.presets import NO_RAISE, OVER_STACK, Spot, offers

PREFLOP_LABELS = ["Min", "2 BB", "2.5 BB", "3 BB", "30%", "50%", "70%", "Pot", "All-in"]
POSTFLOP_LABELS = ["Min", "30%", "50%", "⅔ pot", "70%", "Pot", "All-in"]


@dataclass(frozen=True)
class Row:
    """A spot and its amounts; ``grey`` has one letter a button: - b(elow) s(tack)."""

    name: str
    pot: int
    own: int
    call: int
    full_min: int
    top: int
    amounts: list[int]
    grey: str
    big_blind: int = 100
    bet: bool = False

    @property
    def street(self) -> Street:
        return Street.PREFLOP if len(self.amounts) == 9 else Street.FLOP

    @property
    def spot(self) -> Spot:
        kind = ActionKind.BET if self.bet else ActionKind.RAISE
        raises = RaiseRange(kind, min(self.full_min, self.top), self.full_min, self.top)
        legal = Legal(
            seat=1,
            can_fold=self.call > 0,
            can_check=self.call == 0,
            to_call_chips=self.call,
            call_all_in=False,
            raises=raises,
        )
        return Spot(self.street, self.big_blind, self.pot, self.own, legal)


PREFLOP = [
    Row("P1 button, unopened", 150, 50, 50, 200, 10_000,
        [200, 200, 250, 300, 160, 200, 240, 300, 10_000], "----b----"),
    Row("P2 big blind after a limp", 200, 100, 0, 200, 10_000,
        [200, 200, 250, 300, 160, 200, 240, 300, 10_000], "----b----"),
    Row("P3 big blind v 200", 300, 100, 100, 300, 10_000,
        [300, 200, 250, 300, 320, 400, 480, 600, 10_000], "-bb------"),
    Row("P4 big blind v 250", 350, 100, 150, 400, 10_000,
        [400, 200, 250, 300, 400, 500, 600, 750, 10_000], "-bbb-----"),
    Row("P5 big blind v 300", 400, 100, 200, 500, 10_000,
        [500, 200, 250, 300, 480, 600, 720, 900, 10_000], "-bbbb----"),
    Row("P6 button 300 v 3-bet 900", 1_200, 300, 600, 1_500, 10_000,
        [1_500, 200, 250, 300, 1_440, 1_800, 2_160, 2_700, 10_000], "-bbbb----"),
    Row("P7 button, buy-in 3,000", 150, 50, 50, 200, 3_000,
        [200, 200, 250, 300, 160, 200, 240, 300, 3_000], "----b----"),
    Row("P8 button, 160 in total", 150, 50, 50, 200, 160,
        [200, 200, 250, 300, 160, 200, 240, 300, 160], "ssssbsss-"),
    Row("P12 button, 200 in total", 150, 50, 50, 200, 200,
        [200, 200, 250, 300, 160, 200, 240, 300, 200], "--ssb-ss-"),
]  # fmt: skip

POSTFLOP = [
    Row("F1 pot 600 unopened", 600, 0, 0, 100, 9_700,
        [100, 180, 300, 400, 420, 600, 9_700], "-------", bet=True),
    Row("F2 pot 600, then bet 300", 900, 0, 300, 600, 9_700,
        [600, 660, 900, 1_100, 1_140, 1_500, 9_700], "-------"),
    Row("F2' 600 with the bet of 300", 600, 0, 300, 600, 9_700,
        [600, 570, 750, 900, 930, 1_200, 9_700], "-b-----"),
    Row("F3 pot 600, bet 100", 700, 0, 100, 200, 9_700,
        [200, 340, 500, 633, 660, 900, 9_700], "-------"),
    Row("F4 I bet 300, River raises to 900", 1_800, 300, 600, 1_500, 9_700,
        [1_500, 1_620, 2_100, 2_500, 2_580, 3_300, 9_700], "-------"),
    Row("F5 pot 600 unopened, 500 behind", 600, 0, 0, 100, 500,
        [100, 180, 300, 400, 420, 600, 500], "-----s-", bet=True),
    Row("F6 pot 600, bet 300, 450 behind", 900, 0, 300, 600, 450,
        [600, 660, 900, 1_100, 1_140, 1_500, 450], "ssssss-"),
    Row("F7 pot 200 unopened", 200, 0, 0, 100, 9_900,
        [100, 60, 100, 133, 140, 200, 9_900], "-b-----", bet=True),
    Row("F8 pot 425 unopened", 425, 0, 0, 100, 9_000,
        [100, 128, 213, 283, 298, 425, 9_000], "-------", bet=True),
    Row("F9 pot 425, bet 137", 562, 0, 137, 274, 9_000,
        [274, 347, 487, 603, 626, 836, 9_000], "-------"),
    Row("F10 pot 250 unopened", 250, 0, 0, 100, 9_000,
        [100, 75, 125, 167, 175, 250, 9_000], "-b-----", bet=True),
    Row("F11 bet 100, short all-in 150", 850, 0, 150, 250, 5_000,
        [250, 450, 650, 817, 850, 1_150, 5_000], "-------"),
    Row("F12 short opening all-in 60", 660, 0, 60, 160, 5_000,
        [160, 276, 420, 540, 564, 780, 5_000], "-------"),
]  # fmt: skip

PARTY = [
    Row("under the gun, unopened", 30, 0, 20, 40, 2_000,
        [40, 40, 50, 60, 35, 45, 55, 70, 2_000], "----b----", big_blind=20),
    Row("facing 60 after blinds", 90, 0, 60, 100, 2_000,
        [100, 40, 50, 60, 105, 135, 165, 210, 2_000], "-bbb-----", big_blind=20),
    Row("short big blind of 40", 90, 0, 100, 200, 2_000,
        [200, 200, 250, 300, 157, 195, 233, 290, 2_000], "----bb---"),
]  # fmt: skip


def grey_letter(reason: str | None) -> str:
    if reason is None:
        return "-"
    return "s" if reason == OVER_STACK else "b"


@pytest.mark.parametrize("row", [*PREFLOP, *POSTFLOP, *PARTY], ids=lambda row: row.name)
def test_amounts_and_grey_buttons_are_those_of_the_table(row: Row) -> None:
    found = offers(row.spot)
    labels = PREFLOP_LABELS if row.street is Street.PREFLOP else POSTFLOP_LABELS
    assert [offer.preset.label for offer in found] == labels
    assert [offer.amount_chips for offer in found] == row.amounts
    assert "".join(grey_letter(offer.reason) for offer in found) == row.grey


@pytest.mark.parametrize(
    ("name", "call", "all_in"),
    [
        ("P9 button, 60 in total", 10, True),
        ("P10 covering a shove", 9_900, False),
        ("P11 v a big blind all-in for 100", 50, False),
    ],
)
def test_every_button_is_grey_when_no_raise_is_possible(name: str, call: int, all_in: bool) -> None:
    legal = Legal(1, True, False, call, all_in, None)
    found = offers(Spot(Street.PREFLOP, 100, 10_150, 50, legal))
    assert len(found) == 9, name
    assert {(offer.amount_chips, offer.reason) for offer in found} == {(None, NO_RAISE)}


def test_reasons_name_the_minimum_that_was_missed() -> None:
    raising, betting = offers(PREFLOP[0].spot)[4], offers(POSTFLOP[7].spot)[1]
    assert raising.reason == "below the minimum raise to 200"
    assert betting.reason == "below the minimum bet of 100"
