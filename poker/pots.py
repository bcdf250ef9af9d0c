"""Who can win which chips: a pure function of what was put in and who is still in.

Players are indices into the lists here.
"""

from collections.abc import Sequence

from poker.errors import InvariantError, Reason

Layer = tuple[int, tuple[int, ...]]


def uncalled(bets: list[int]) -> tuple[int, int] | None:
    """Return (player, chips) of the part of the highest bet that nobody matched, or None.

    Bets of folded players count as put in (SPEC ENG-067).
    """
    highest = second = owner = 0
    for player, bet in enumerate(bets):
        if bet > highest:
            highest, second, owner = bet, highest, player
        elif bet > second:
            second = bet
    return (owner, highest - second) if highest > second else None


def check_claimed(put_in: list[int], folded: list[bool]) -> None:
    """Raise InvariantError unless somebody who is still in has put in chips."""
    for player, chips in enumerate(put_in):
        if chips and not folded[player]:
            return
    raise InvariantError(Reason.POT_WITHOUT_CLAIMANT)


def pot_layers(put_in: Sequence[int], folded: Sequence[bool]) -> list[Layer]:
    """Split the chips into pots of (chips, players who may win it), main pot first.

    A pot ends at each level at which a player who is still in has put in all they will: so
    every pot has its own set of claimants, and folds never make a pot of their own (SPEC
    ENG-070, ENG-071). Chips of folded players above the highest such level join the last pot.
    """
    layers: list[Layer] = []
    below, level = 0, _next_level(put_in, folded, 0)
    if not level:
        raise InvariantError(Reason.POT_WITHOUT_CLAIMANT)
    while level:
        above = _next_level(put_in, folded, level)
        chips = 0
        claimants = []
        for player, paid in enumerate(put_in):
            if paid > below:
                chips += (min(paid, level) if above else paid) - below
            if paid >= level and not folded[player]:
                claimants.append(player)
        layers.append((chips, tuple(claimants)))
        below, level = level, above
    return layers


def _next_level(put_in: Sequence[int], folded: Sequence[bool], below: int) -> int:
    """Return the least that a player who is still in put in, of what is above; 0 for none."""
    level = 0
    for player, paid in enumerate(put_in):
        if paid > below and not folded[player] and (paid < level or not level):
            level = paid
    return level


def split(chips: int, winners: Sequence[int]) -> list[tuple[int, int]]:
    """Divide one pot among its winners, who come in order from the left of the button.

    Odd chips go one at a time to the first of them (SPEC ENG-073). Returns (winner, chips).
    """
    share, odd = chips // len(winners), chips % len(winners)
    shares = []
    for winner in winners:
        shares.append((winner, share + 1 if odd > 0 else share))
        odd -= 1
    return shares
