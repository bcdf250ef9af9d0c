"""Which shortcuts can be chosen, what they are called and how they are kept (UI-030)."""

from fractions import Fraction
from typing import Any

import pytest

from poker.actions import Street
from services.gateway.preset_sets import (
    DEFAULTS,
    Flaw,
    PresetSets,
    PresetValueError,
    Wish,
    from_text,
    parse,
    read_rows,
    to_text,
)
from services.gateway.presets import Preset, PresetKind
from services.gateway.problems import ProblemError, ProblemType
from tests.support.spots import Spot

MIN, ALL_IN = Wish(PresetKind.MIN), Wish(PresetKind.ALL_IN)


def bb(text: str) -> Wish:
    return Wish(PresetKind.BIG_BLINDS, text)


def percent(text: str) -> Wish:
    return Wish(PresetKind.PERCENT, text)


def fraction(text: str) -> Wish:
    return Wish(PresetKind.FRACTION, text)


def labels(row: tuple[Preset, ...]) -> list[str]:
    return [preset.label for preset in row]


def test_the_defaults_before_the_flop_are_nine_ui_021() -> None:
    assert labels(DEFAULTS.on(Street.PREFLOP)) == [
        "Min", "2 BB", "2.5 BB", "3 BB", "30%", "50%", "70%", "Pot", "All-in",
    ]  # fmt: skip


@pytest.mark.parametrize("street", [Street.FLOP, Street.TURN, Street.RIVER])
def test_the_defaults_after_the_flop_are_seven_ui_022(street: Street) -> None:
    assert labels(DEFAULTS.on(street)) == ["Min", "30%", "50%", "⅔ pot", "70%", "Pot", "All-in"]


@pytest.mark.parametrize(
    ("wish", "value", "label"),
    [
        (bb("0.5"), Fraction(1, 2), "0.5 BB"),
        (bb("2.50"), Fraction(5, 2), "2.5 BB"),
        (bb("100"), Fraction(100), "100 BB"),
        (bb("20.0"), Fraction(20), "20 BB"),
        (percent("1"), Fraction(1), "1%"),
        (percent("33.3"), Fraction(333, 10), "33.3%"),
        (percent("66.67"), Fraction(6_667, 100), "66.67%"),
        (percent("100"), Fraction(100), "100%"),
        (percent("500"), Fraction(500), "500%"),
        (fraction("1/12"), Fraction(1, 12), "1/12 pot"),
        (fraction("2/3"), Fraction(2, 3), "⅔ pot"),
        (fraction("2/4"), Fraction(1, 2), "½ pot"),
        (fraction("4/4"), Fraction(1), "Pot"),
        (fraction("3/2"), Fraction(3, 2), "1½ pot"),
        (fraction("17/12"), Fraction(17, 12), "17/12 pot"),
        (fraction("2/1"), Fraction(2), "2x pot"),
        (fraction("60/12"), Fraction(5), "5x pot"),
    ],
    ids=lambda item: item.value if isinstance(item, Wish) else None,
)
def test_values_are_exact_and_have_a_label(wish: Wish, value: Fraction, label: str) -> None:
    preset = parse(wish)
    assert (preset.value, preset.label) == (value, label)


@pytest.mark.parametrize(
    ("wish", "flaw"),
    [
        (Wish(PresetKind.MIN, "1"), Flaw.VALUE_UNUSED),
        (Wish(PresetKind.ALL_IN, ""), Flaw.VALUE_UNUSED),
        (Wish(PresetKind.BIG_BLINDS), Flaw.VALUE_MISSING),
        (Wish(PresetKind.FRACTION), Flaw.VALUE_MISSING),
        *((bb(text), Flaw.MALFORMED) for text in (
            "", " ", "2,5", " 2", "2 ", "+2", "-2", "2.", ".5", "02", "1e1", "1_0", "0x2", "2/1",
            "2.555", "1000", "٢", "²", "½", "nan", "inf", "2\n", "2.5BB", "9" * 5_000,
        )),
        *((bb(text), Flaw.OUT_OF_BOUNDS) for text in ("0", "0.0", "0.25", "2.4", "100.5", "999")),
        *((percent(text), Flaw.MALFORMED) for text in ("30%", "33.333", "1/2", "")),
        *((percent(text), Flaw.OUT_OF_BOUNDS) for text in ("0", "0.99", "500.01", "501")),
        *((fraction(text), Flaw.MALFORMED) for text in (
            "1", "0/3", "2/0", "1/-2", "2 / 3", "1/2/3", "0.5", "100/20", "1/100", "⅔",
        )),
        *((fraction(text), Flaw.OUT_OF_BOUNDS) for text in ("1/13", "4/24", "61/12", "11/2")),
    ],
)  # fmt: skip
def test_values_of_another_form_or_out_of_bounds_are_refused(wish: Wish, flaw: Flaw) -> None:
    with pytest.raises(PresetValueError) as refused:
        parse(wish)
    assert refused.value.flaw is flaw
    assert refused.value.message


def refusal(**rows: list[Wish]) -> tuple[ProblemType, dict[str, Any]]:
    with pytest.raises(ProblemError) as refused:
        read_rows(rows)
    return refused.value.problem_type, refused.value.facts


def test_ten_are_possible_in_the_order_given() -> None:
    row = [ALL_IN, *(bb(str(number)) for number in range(9, 1, -1)), MIN]
    found = read_rows({"preflop": row})["preflop"]
    assert labels(found) == ["All-in", *(f"{number} BB" for number in range(9, 1, -1)), "Min"]


@pytest.mark.parametrize("count", [0, 11, 500])
def test_no_shortcut_and_the_eleventh_are_refused(count: int) -> None:
    problem, facts = refusal(preflop=[MIN], postflop=[MIN] * count)
    assert problem is ProblemType.PRESET_LIMIT
    assert facts == {"set": "postflop", "count": count, "min": 1, "max": 10}


def test_every_flaw_is_named_by_set_and_place() -> None:
    problem, facts = refusal(preflop=[MIN, bb("2.4"), bb("x")], postflop=[ALL_IN, fraction("1/20")])
    assert problem is ProblemType.PRESET_INVALID
    assert [(item["set"], item["index"], item["reason"]) for item in facts["errors"]] == [
        ("preflop", 1, "out_of_bounds"),
        ("preflop", 2, "malformed"),
        ("postflop", 1, "out_of_bounds"),
    ]
    assert all(item["message"] for item in facts["errors"])


@pytest.mark.parametrize(
    "pair",
    [(MIN, MIN), (bb("2.5"), bb("2.50")), (fraction("1/2"), fraction("2/4"))],
    ids=["kind", "decimals", "fractions"],
)
def test_the_same_shortcut_twice_is_refused_however_it_is_written(pair: tuple[Wish, Wish]) -> None:
    problem, facts = refusal(preflop=[pair[0], ALL_IN, pair[1]])
    assert problem is ProblemType.PRESET_INVALID
    assert [(item["index"], item["reason"]) for item in facts["errors"]] == [(2, "duplicate")]


def test_equal_amounts_are_not_merged_ui_028() -> None:
    row = read_rows({"any": [percent("100"), fraction("1/1"), percent("50"), fraction("1/2")]})
    assert labels(row["any"]) == ["100%", "Pot", "50%", "½ pot"]
    two, least, half = (0, 1, 5)
    amounts = [offer["amount"] for offer in Spot((10_000, 10_000), 1).legal()["presets"]]
    assert amounts[two] == amounts[least] == amounts[half] == 200


def test_names_are_different_where_values_look_alike() -> None:
    alike = [percent("2.3"), fraction("2/3"), percent("23"), bb("2.5"), bb("25"), fraction("2/1")]
    assert len({parse(wish).preset_id for wish in alike}) == len(alike)


def test_sets_are_read_back_as_they_were_saved() -> None:
    sets = PresetSets((parse(bb("2.5")), parse(MIN)), (parse(fraction("2/3")), parse(ALL_IN)))
    assert from_text(to_text(sets)) == sets


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"preflop":[{"kind":"spr","value":"2"}],"postflop":[]}',
     '{"preflop":[{"kind":"bb","value":"0.3"}],"postflop":[]}',
     '{"preflop":[{"kind":null}],"postflop":[]}', '{"preflop":7,"postflop":[]}'],
)  # fmt: skip
def test_a_saved_text_of_another_release_is_told_apart(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_text(text)


@pytest.mark.parametrize(
    ("spot", "share", "amount"),
    [
        # UI-025: 127.5 and 283.3 of a pot of 425; 30 % of 699 on top of a bet of 137.
        (Spot((10_000, 10_000, 25), 2, "200 c"), percent("30"), 128),
        (Spot((10_000, 10_000, 25), 2, "200 c"), fraction("2/3"), 283),
        (Spot((10_000, 25, 10_000), 1, "200 c 137"), percent("30"), 347),
        (Spot((10_000, 25, 10_000), 1, "200 c 137"), fraction("3/10"), 347),
        (Spot((10_000, 10_000), 1), bb("2.5"), 250),
        (Spot((10_000, 10_000), 1), percent("33.3"), 167),
        (Spot((10_000, 10_000), 1), percent("500"), 1_100),
    ],
)
def test_own_shortcuts_are_rounded_half_up_after_the_product(
    spot: Spot, share: Wish, amount: int
) -> None:
    row = (parse(share),)
    (offer,) = spot.legal(PresetSets(row, row))["presets"]
    assert offer["amount"] == amount
