from hypothesis import given
from hypothesis import strategies as st

from poker.pots import pot_layers, split, uncalled

tables = st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=2, max_size=9).filter(
    lambda table: any(chips and not folded for chips, folded in table)
)


@given(tables)
def test_each_chip_is_in_the_pot_of_those_who_matched_it(table: list[tuple[int, bool]]) -> None:
    """Compare with the slowest way: chip by chip, from each player's first to their last."""
    put_in, folded = [chips for chips, _ in table], [out for _, out in table]
    expected: dict[tuple[int, ...], int] = {}
    claimants: tuple[int, ...] = ()
    for level in range(1, max(put_in) + 1):
        live = tuple(at for at, chips in enumerate(put_in) if chips >= level and not folded[at])
        claimants = live or claimants
        expected[claimants] = expected.get(claimants, 0) + sum(paid >= level for paid in put_in)
    assert pot_layers(put_in, folded) == [(chips, seats) for seats, chips in expected.items()]


@given(st.integers(1, 10**12), st.integers(1, 9))
def test_split_is_whole_fair_and_favours_the_first(chips: int, winners: int) -> None:
    shares = [share for _, share in split(chips, range(winners))]
    assert sum(shares) == chips
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1


@given(st.lists(st.integers(0, 100), min_size=2, max_size=9))
def test_after_the_return_two_players_share_the_highest_bet(bets: list[int]) -> None:
    back = uncalled(bets)
    if back is not None:
        bets[back[0]] -= back[1]
        assert back[1] > 0
    assert bets.count(max(bets)) >= 2
