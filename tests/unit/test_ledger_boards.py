"""How averages are written and compared."""

import pytest

from services.ledger.boards import average_key, bb_per_100_text, board_of
from services.ledger.matches import Kind


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
def test_bb_per_100_is_written_with_sign_and_two_decimals(net: int, hands: int, text: str) -> None:
    assert bb_per_100_text(net, hands, 100) == text


def test_a_tenth_of_a_big_blind_a_hand_is_ten_a_hundred() -> None:
    assert bb_per_100_text(10 * 700, 700, 100) == "+10.00"


def test_the_same_average_has_the_same_key() -> None:
    assert average_key(5_000, 500) == average_key(10_000, 1_000)


def test_one_chip_less_ranks_below_though_it_reads_the_same() -> None:
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
def test_results_count_on_the_right_board(ruleset: str, kind: Kind, board: str | None) -> None:
    found = board_of(ruleset, kind)
    assert (found.board_id if found else None) == board
