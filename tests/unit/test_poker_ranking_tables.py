"""The tables that ranking looks sets of ranks up in, each against the plain definition."""

from poker.ranking import _straights, _tallies, _top_five

EVERY_SET = [[rank for rank in range(13) if mask >> rank & 1] for mask in range(1 << 13)]
# Five ranks in a row, the highest first; the ace is also below the deuce.
STRAIGHTS = [[12, 11, 10, 9, 8], *[[top - down for down in range(5)] for top in range(11, 3, -1)]]
WHEEL = [3, 2, 1, 0, 12]


def as_digits(ranks: list[int]) -> int:
    """Write ranks as hex digits, the first as the highest of five."""
    return int("".join(f"{rank:x}" for rank in ranks).ljust(5, "0"), 16)


def test_highest_five_of_every_set_of_ranks_come_first_eng_084() -> None:
    assert _top_five() == [as_digits(ranks[::-1][:5]) for ranks in EVERY_SET]


def test_highest_straight_in_every_set_of_ranks_is_found_eng_083() -> None:
    expected = []
    for ranks in EVERY_SET:
        held = [row for row in [*STRAIGHTS, WHEEL] if set(row) <= set(ranks)]
        expected.append(as_digits(held[0]) if held else 0)
    assert _straights() == expected


def test_five_ranks_of_one_suit_count_as_a_flush_eng_080() -> None:
    assert _tallies() == [len(ranks) + 16 * (len(ranks) >= 5) for ranks in EVERY_SET]
