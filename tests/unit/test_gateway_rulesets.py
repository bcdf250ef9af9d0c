"""The tables on offer."""

from dataclasses import replace

import pytest

from services.gateway.rulesets import (
    HU_RIVER,
    RULESETS,
    Ruleset,
    from_text,
    options,
    to_text,
)

FIELDS = [
    "seats", "blinds", "ante", "start", "top_up", "bust", "opponent_topup_floor",
    "reopen_rule", "fold_when_check_available", "raise_when_none_can_call", "burn_cards",
    "showdown", "button_rule", "blinds_up_every", "hand_limit", "turn_seconds",
    "idle_expiry", "counts_for",
]  # fmt: skip


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_the_option_set_has_exactly_the_fields_of_the_spec(ruleset: Ruleset) -> None:
    assert list(options(ruleset)) == FIELDS


def test_hu_river_is_the_column_of_the_spec() -> None:
    assert options(HU_RIVER) == {
        "seats": {"min": 2, "max": 2},
        "blinds": {"small": 50, "big": 100},
        "ante": 0,
        "start": {"buy_in": {"min": 3_000, "max": 10_000, "step": 50}},
        "top_up": "manual_to_max",
        "bust": "end_match",
        "opponent_topup_floor": 10_000,
        "reopen_rule": "cumulative",
        "fold_when_check_available": "forbid",
        "raise_when_none_can_call": "forbid",
        "burn_cards": False,
        "showdown": "all_at_once",
        "button_rule": "moving",
        "blinds_up_every": 0,
        "hand_limit": 0,
        "turn_seconds": 0,
        "idle_expiry": "PT24H",
        "counts_for": "river_board",
    }


def test_there_are_141_buy_ins() -> None:
    buy_in = HU_RIVER.buy_in
    assert buy_in is not None
    allowed = [chips for chips in range(20_000) if buy_in.allows(chips)]
    assert len(allowed) == 141
    assert (allowed[0], allowed[-1]) == (3_000, 10_000)
    refused = (2_950, 10_050, 3_025, -3_000, 10**30)
    assert not any(buy_in.allows(chips) for chips in refused)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_a_stored_ruleset_reads_back_the_same_and_keeps_its_hash(ruleset: Ruleset) -> None:
    again = from_text(to_text(ruleset))
    assert again == ruleset
    assert again.digest == ruleset.digest


def test_another_rule_is_another_hash() -> None:
    assert replace(HU_RIVER, burn_cards=True).digest != HU_RIVER.digest


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_no_limit_holdem_is_the_only_game_eng_003(ruleset: Ruleset) -> None:
    words = {word for name in options(ruleset) for word in name.split("_")}
    assert not words & {"game", "variant", "omaha", "tournament"}
    assert [name for name in options(ruleset) if "limit" in name] == ["hand_limit"]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_half_a_big_blind_is_a_whole_chip_eng_007(ruleset: Ruleset) -> None:
    small, big = ruleset.small_blind_chips, ruleset.big_blind_chips
    assert big % 2 == 0
    assert 1 <= small <= big
    if ruleset.buy_in is not None:
        assert ruleset.buy_in.step_chips == big // 2
