"""Which bet and raise sizes the abstract game has at each depth."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

BB: Final = 100
"""Amounts of the abstract game are in hundredths of a big blind."""
DEPTHS_BB: Final = (8, 12, 17, 25, 35, 50, 70, 100, 140, 200, 300, 500)

LIMP_COST: Final = 12
"""About an eighth of a big blind: small beside what a hand is worth, and where stacks are short
enough for the limp to be clearly better there is none."""

PLAIN_SHARE: Final = 0.3
"""Enough for common mistakes to be punished, little enough to stay sound against good play.

Deeper than 100 big blinds it falls as stacks grow: what can be won from mistakes grows with them,
and would soon outweigh all else.
"""


STYLES: Final = 2
"""Counted up when the plain styles change: what met other styles is another strategy."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of one abstract game; all-in can always be chosen as well.

    ``opens`` and ``over_limp`` are raise-to in hundredths of a big blind; ``reraises`` holds,
    for the second, third ... raise before the flop, multiples of the raise faced. ``bets`` and
    ``raises`` are fractions of the pot after a call, a tuple a street (flop, turn, river).
    ``raises_max`` limits bets and raises with a size, by street; all-in may follow the last.
    A size that would put in more than ``commit`` of the stack is left to the all-in. With
    ``push_or_fold`` the button's first action is one of those two, to compare with the
    solved game. ``limp_cost``, in hundredths of a big blind, is what a limp of the button is
    held to cost beyond its chips while training: it breaks near ties for the raise, which
    wins at once from everyone who folds too much. ``plain_share`` is how often, while
    training, the other player follows a plain style instead of the strategy (see `styles`),
    ``styles`` which `STYLES` those are.
    """

    stack: int
    opens: tuple[int, ...]
    over_limp: tuple[int, ...]
    reraises: tuple[tuple[float, ...], ...]
    bets: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    raises: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    raises_max: tuple[int, int, int]
    commit: float = 0.6
    push_or_fold: bool = False
    limp_cost: int = 0
    plain_share: float = 0.0
    styles: int = STYLES

    def to_json(self) -> dict[str, Any]:
        """Return the sizes as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Sizes":
        """Read what `to_json` wrote."""
        flop, turn, river = (tuple(row) for row in data["bets"])
        on_flop, on_turn, on_river = (tuple(row) for row in data["raises"])
        first, second, third = data["raises_max"]
        return cls(
            stack=data["stack"],
            opens=tuple(data["opens"]),
            over_limp=tuple(data["over_limp"]),
            reraises=tuple(tuple(row) for row in data["reraises"]),
            bets=(flop, turn, river),
            raises=(on_flop, on_turn, on_river),
            raises_max=(first, second, third),
            commit=data["commit"],
            push_or_fold=data["push_or_fold"],
            limp_cost=data["limp_cost"],
            plain_share=data.get("plain_share", 0.0),
            styles=data.get("styles", 1),
        )


def sizes_for(depth_bb: int) -> Sizes:
    """Return the sizes used at a depth of `DEPTHS_BB`.

    Shallow games have fewer opens, deep ones fewer flop bets, so that each has at most about
    1.5 million information sets.
    """
    sizes = Sizes(
        stack=BB * depth_bb,
        opens=(200, 300),
        over_limp=(300,),
        reraises=((3.2, 5.5), (2.3,), (2.2,)),
        bets=((1 / 3, 2 / 3, 1.25), (0.5, 1.0), (0.5, 1.0)),
        raises=((0.7,), (0.7,), (0.7,)),
        raises_max=(3, 3, 3),
        plain_share=PLAIN_SHARE * min(1.0, 100 / depth_bb),
    )
    if depth_bb >= 30:
        sizes = replace(sizes, opens=(225, 350, 700), over_limp=(350, 600), raises_max=(3, 2, 2))
    if depth_bb >= 50:
        sizes = replace(sizes, limp_cost=LIMP_COST)
    if depth_bb > 100:
        sizes = replace(sizes, bets=((1 / 3, 1.0), (0.5, 1.0), (0.5, 1.0)))
    if depth_bb > 200:
        reraises = ((3.2,), (2.3,), (2.2,))
        sizes = replace(sizes, opens=(225, 350), over_limp=(350,), reraises=reraises)
    return sizes
