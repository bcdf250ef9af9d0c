"""Chips in big blinds, as text."""

import pytest

from services.gateway.money import big_blinds_text, per_hundred_text


@pytest.mark.parametrize(
    ("chips", "big_blind", "text"),
    [
        (1_250, 100, "+12.5"),
        (0, 100, "0.0"),
        (-50, 100, "-0.5"),
        (100, 100, "+1.0"),
        (33, 100, "+0.33"),
        (-1, 100, "-0.01"),
        (1, 20, "+0.05"),
        (10**15, 100, "+10000000000000.0"),
        (1, 60, "+0.0167"),
        (-1, 3, "-0.3333"),
        (1, 10**6, "0.0"),
    ],
)
def test_big_blinds_are_exact_with_at_least_one_decimal(
    chips: int, big_blind: int, text: str
) -> None:
    assert big_blinds_text(chips, big_blind) == text


@pytest.mark.parametrize(
    ("net", "hands", "text"),
    [
        (5_000, 500, "+10.00"),
        (4_999, 500, "+10.00"),
        (-5_000, 500, "-10.00"),
        (0, 7, "0.00"),
        (-1, 100_000, "0.00"),
        (1, 200, "+0.01"),
        (0, 0, "0.00"),
    ],
)
def test_bb_per_100_has_sign_and_two_decimals_and_no_negative_zero(
    net: int, hands: int, text: str
) -> None:
    assert per_hundred_text(net, 100, hands) == text
