"""How averages are written and compared."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.ledger.boards import (
    average_key,
    bb_per_100_text,
    board_of,
    distance_text,
    margin_text,
    percent_text,
)
from services.ledger.days import Tally
from services.ledger.matches import Kind
from services.ledger.ranks import slots_of


@pytest.mark.parametrize(
    ("net", "hands", "text"),
    [
        (5_000, 500, "+10.00"),
        (10_000, 1_000, "+10.00"),
        (4_999, 500, "+10.00"),
        (-5_000, 500, "-10.00"),
        (0, 500, "0.00"),
        (1, 1_000_000, "0.00"),
        (-1, 1_000_000, "0.00"),
        (1, 200, "+0.01"),  # exactly half a hundredth: away from zero
        (-1, 200, "-0.01"),
        (1, 201, "0.00"),
        (10, 1, "+10.00"),
        (-123_456, 1, "-123456.00"),
        (1, 3, "+0.33"),
        (2, 3, "+0.67"),
    ],
)
def test_bb_per_100_has_a_sign_and_two_decimals_ldr_009(net: int, hands: int, text: str) -> None:
    assert bb_per_100_text(net, hands, 100) == text


def test_a_tenth_of_a_big_blind_a_hand_is_ten_a_hundred_ldr_001() -> None:
    assert bb_per_100_text(10 * 700, 700, 100) == "+10.00"


def test_the_same_average_has_the_same_key() -> None:
    assert average_key(5_000, 500) == average_key(10_000, 1_000)


def test_one_chip_less_ranks_below_though_it_reads_the_same_ldr_005() -> None:
    assert average_key(4_999, 500) < average_key(5_000, 500)


def test_averages_below_zero_order_too() -> None:
    keys = [average_key(net, hands) for net, hands in ((-3, 2), (-1, 1), (-1, 2), (0, 9), (1, 3))]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_an_average_needs_hands() -> None:
    with pytest.raises(ValueError, match="hands"):
        average_key(5, 0)
    with pytest.raises(ValueError, match="hands"):
        average_key(5, 2**31)


@pytest.mark.parametrize(
    ("ruleset", "kind", "board"),
    [
        ("hu_river", Kind.GUEST, "hu_river"),
        ("hu_river", Kind.ACCOUNT, "hu_river"),
        ("hu_river", Kind.BOT, "hu_river_bots"),
        ("hu_river", Kind.HOUSE, None),
        ("practice", Kind.GUEST, None),
        ("party", Kind.ACCOUNT, None),
    ],
)
def test_results_count_on_the_right_board_ldr_004(
    ruleset: str, kind: Kind, board: str | None
) -> None:
    found = board_of(ruleset, kind)
    assert (found.board_id if found else None) == board


@pytest.mark.parametrize(
    ("nets", "text"),
    [
        ([], None),
        ([700], None),
        ([5, 5, 5, 5], "0.00"),
        # Mean 0, variance 20,000: 1.96 x sqrt(20,000 / 2) = 196 chips a hand.
        ([100, -100], "196.00"),
        # Mean 50, variance 10,000 / 3: 1.96 x sqrt(10,000 / 12) = 56.58.
        ([0, 0, 100, 100], "56.58"),
        ([-10_000, 10_000, 300, -300], "8005.27"),
    ],
)
def test_the_95_percent_interval_comes_from_the_sample_variance_ldr_009(
    nets: list[int], text: str | None
) -> None:
    assert margin_text(tally_of_nets(nets), 100) == text


def tally_of_nets(nets: list[int]) -> Tally:
    return Tally(len(nets), sum(nets), sum(net**2 for net in nets))


@given(st.lists(st.integers(-(10**15), 10**15), min_size=2, max_size=60), st.integers(1, 10**6))
def test_the_interval_is_rounded_once_and_half_up(nets: list[int], big_blind: int) -> None:
    count = len(nets)
    mean = Fraction(sum(nets), count)
    variance = sum(((net - mean) ** 2 for net in nets), Fraction()) / (count - 1)
    square = Fraction(19_600, big_blind) ** 2 * variance / count
    with localcontext() as context:
        context.prec = 120
        root = (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
        hundredths = int(root + Decimal("0.5"))
    expected = f"{hundredths // 100}.{hundredths % 100:02d}"
    assert margin_text(tally_of_nets(nets), big_blind) == expected


@pytest.mark.parametrize(
    ("average", "better", "text"),
    [
        (Fraction(3), Fraction(4), "1.00"),
        (Fraction(4_999, 500), Fraction(10), "0.01"),  # 0.002, never shown as nothing
        (Fraction(-1, 3), Fraction(1, 3), "0.67"),
        (Fraction(0), Fraction(1, 10**12), "0.01"),
    ],
)
def test_what_is_missing_to_a_rank_is_rounded_up_ldr_010(
    average: Fraction, better: Fraction, text: str
) -> None:
    assert distance_text(average, better, 100) == text


def test_shares_have_one_decimal_ldr_009() -> None:
    pairs = [(0, 0), (0, 5), (3, 512), (1, 2_000), (1, 8), (7, 7)]
    texts = [percent_text(*pair) for pair in pairs]
    assert texts == ["0.0", "0.0", "0.6", "0.1", "12.5", "100.0"]


AVERAGES = st.tuples(st.integers(-(10**9), 10**9), st.integers(1, 10**6))


@given(AVERAGES, AVERAGES)
def test_stretches_of_averages_are_in_the_order_of_the_averages_ldr_005(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    low, high = sorted([average_key(*one), average_key(*other)])
    assert all(a <= b for a, b in zip(slots_of(*low), slots_of(*high), strict=True))
    wide, whole, fine = slots_of(*low)
    assert (wide, whole) == (fine >> 12, fine >> 6)
