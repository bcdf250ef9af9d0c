"""Hands in words, like ``Two pair, aces and eights``."""

from typing import Final

from poker.ranking import Category, category_of, ranks_of

_SINGULAR: Final = (
    "deuce",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
_PLURAL: Final = tuple("sixes" if name == "six" else f"{name}s" for name in _SINGULAR)
_ACE: Final = 12

# Filled with the words of the first and of the second group of ranks that the class compares.
_PATTERNS: Final = {
    Category.HIGH_CARD: "High card, {one}",
    Category.PAIR: "Pair of {many}",
    Category.TWO_PAIR: "Two pair, {many} and {others}",
    Category.TRIPS: "Three of a kind, {many}",
    Category.STRAIGHT: "Straight, {one} high",
    Category.FLUSH: "Flush, {one} high",
    Category.FULL_HOUSE: "Full house, {many} full of {others}",
    Category.QUADS: "Four of a kind, {many}",
    Category.STRAIGHT_FLUSH: "Straight flush, {one} high",
}


def hand_name(strength: int) -> str:
    """Return the English name of a strength that `poker.ranking.rank` returned.

    The ace-high straight flush is called ``Royal flush``, though it is no class of its own.
    """
    category = category_of(strength)
    ranks = ranks_of(strength)
    if category is Category.STRAIGHT_FLUSH and ranks[0] == _ACE:
        return "Royal flush"
    second = ranks[2] if category is Category.TWO_PAIR else ranks[3]
    return _PATTERNS[category].format(
        one=_SINGULAR[ranks[0]], many=_PLURAL[ranks[0]], others=_PLURAL[second]
    )
