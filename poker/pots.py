"""Who can win which chips: a pure function of what was put in and who is still in.

Players are indices into the lists here.
"""

from collections.abc import Sequence

from poker.errors import InvariantError, Reason

Layer = tuple[int, tuple[int, ...]]


def uncalled(bets: Sequence[int]) -> tuple[int, int] | None:
    """Return (player, chips) of the part of the highest bet that nobody matched, or None.

    Bets of folded players count as put in (SPEC ENG-067).
    """
    highest = max(bets)
    player = bets.index(highest)
    others = max(bet for index, bet in enumerate(bets) if index != player)
    return (player, highest - others) if highest > others else None


def pot_layers(put_in: Sequence[int], folded: Sequence[bool]) -> list[Layer]:
    """Split the chips into pots of (chips, players who may win it), main pot first.

    A pot ends at each level at which a player who is still in has put in all they will: so
    every pot has its own set of claimants, and folds never make a pot of their own (SPEC
    ENG-070, ENG-071). Chips of folded players above the highest such level join the last pot.
    """
    levels = sorted({chips for chips, out in zip(put_in, folded, strict=True) if not out and chips})
    if not levels:
        raise InvariantError(Reason.POT_WITHOUT_CLAIMANT)
    layers: list[Layer] = []
    below = 0
    for level in levels:
        top = max(put_in) if level == levels[-1] else level
        chips = sum(min(paid, top) - min(paid, below) for paid in put_in)
        claimants = tuple(
            player for player, paid in enumerate(put_in) if paid >= level and not folded[player]
        )
        layers.append((chips, claimants))
        below = level
    return layers


def split(chips: int, winners: Sequence[int]) -> list[tuple[int, int]]:
    """Divide one pot among its winners, who come in order from the left of the button.

    Odd chips go one at a time to the first of them (SPEC ENG-073). Returns (winner, chips).
    """
    share, odd = divmod(chips, len(winners))
    return [(winner, share + (1 if at < odd else 0)) for at, winner in enumerate(winners)]
