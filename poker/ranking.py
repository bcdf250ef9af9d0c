"""How strong a hand is: the best five of five to seven cards, as one comparable int.

A strength is readable. Its five lowest hex digits are the ranks of the winning five cards in
the order in which the rules compare them, the digit above them is the class, so that::

    >>> from poker.cards import parse_cards
    >>> f"{rank(parse_cards('AsAh8c8dKd')):06x}"   # two pair: A A 8 8 K
    '2cc66b'

and comparing two ints compares the class, then its ranks in order, then the kickers. Suits
have no rank (SPEC ENG-080..085).

The ranks of each suit are one mask of 13 bits. Which ranks occur once, twice, three and four
times follows from the four masks by a few set operations, and the strength from those by the
plain rules; three small tables answer what a mask holds. Nothing is remembered between calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Final

from poker.cards import Card
from poker.errors import MalformedError, Reason

if TYPE_CHECKING:
    # Machine integers, when compiled; plain ints otherwise.
    from mypy_extensions import i64


class Category(StrEnum):
    """The nine classes of hands, weakest first; a royal flush is a straight flush."""

    __repr__ = Enum.__str__

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    TRIPS = "trips"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    QUADS = "quads"
    STRAIGHT_FLUSH = "straight_flush"


CATEGORIES: Final = tuple(Category)
STRAIGHT: Final = CATEGORIES.index(Category.STRAIGHT)
FLUSH: Final = CATEGORIES.index(Category.FLUSH)
STRAIGHT_FLUSH: Final = CATEGORIES.index(Category.STRAIGHT_FLUSH)

_PAIR: Final = CATEGORIES.index(Category.PAIR) << 20
_TWO_PAIR: Final = CATEGORIES.index(Category.TWO_PAIR) << 20
_TRIPS: Final = CATEGORIES.index(Category.TRIPS) << 20
_FULL_HOUSE: Final = CATEGORIES.index(Category.FULL_HOUSE) << 20
_QUADS: Final = CATEGORIES.index(Category.QUADS) << 20

_RANKS: Final = 13
_MASK: Final = (1 << _RANKS) - 1
_HAS_FLUSH: Final = 16


def _top_five() -> list[int]:
    """Return the five highest ranks of every mask, highest first; a rank is a hex digit."""
    tops = [0] * (_MASK + 1)
    for mask in range(1, _MASK + 1):
        highest = mask.bit_length() - 1
        tops[mask] = highest << 16 | tops[mask ^ 1 << highest] >> 4
    return tops


def _straights() -> list[int]:
    """Return the ranks of the highest straight in every mask, 0 where there is none.

    The ace also counts below the deuce.
    """
    straights = [0] * (_MASK + 1)
    for top in range(3, _RANKS):
        ranks = [(top - down) % _RANKS for down in range(5)]
        needed = sum(1 << at for at in ranks)
        # The masks that hold it, and maybe others: the higher straights come later and win.
        more = rest = _MASK ^ needed
        while True:
            straights[needed | more] = _strength(0, ranks)
            if not more:
                break
            more = (more - 1) & rest
    return straights


def _tallies() -> list[int]:
    """Return how many ranks every mask has, and `_HAS_FLUSH` more from five on."""
    return [mask.bit_count() + _HAS_FLUSH * (mask.bit_count() >= 5) for mask in range(_MASK + 1)]


def rank(cards: Sequence[Card]) -> int:
    """Return the strength of the best five of 5..7 distinct cards; higher is better.

    Equal strengths split the pot. Raises MalformedError for another number of cards or a
    card that occurs twice.
    """
    hand = cards if isinstance(cards, tuple) else tuple(cards)
    count: i64 = len(hand)
    seen: i64 = 0
    # Not a literal: mypyc would shift it as a 32-bit int.
    one: i64 = _ONE[0]
    for card in hand:
        index: i64 = card
        seen |= one << _RANKS * (index & 3) + (index >> 2)
    if count < 5 or count > 7:
        raise MalformedError(Reason.INVALID_HAND, cards=len(hand))
    clubs: i64 = seen & _MASK
    diamonds: i64 = seen >> _RANKS & _MASK
    hearts: i64 = seen >> 2 * _RANKS & _MASK
    spades: i64 = seen >> 3 * _RANKS
    # A card that occurs twice leaves its mask one short.
    tally: i64 = _TALLIES[clubs] + _TALLIES[diamonds] + _TALLIES[hearts] + _TALLIES[spades]
    if tally == count:
        return _rank_unsuited(clubs, diamonds, hearts, spades)
    if tally != count + _HAS_FLUSH:
        raise MalformedError(Reason.DUPLICATE_CARD)
    for suited in (clubs, diamonds, hearts):
        if _TALLIES[suited] > _HAS_FLUSH:
            return _rank_suited(suited)
    return _rank_suited(spades)


def category(cards: Sequence[Card]) -> Category:
    """Return the class of the best five of 5..7 distinct cards; errors as for `rank`."""
    return category_of(rank(cards))


def category_of(strength: int) -> Category:
    """Return the class of a strength that `rank` returned."""
    return CATEGORIES[strength >> 20]


def ranks_of(strength: int) -> tuple[int, int, int, int, int]:
    """Return the ranks (0 deuce .. 12 ace) of the winning five in comparing order.

    The ace of a five-high straight comes last.
    """
    return (
        strength >> 16 & 15,
        strength >> 12 & 15,
        strength >> 8 & 15,
        strength >> 4 & 15,
        strength & 15,
    )


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the winning five of 5..7 distinct cards, in comparing order.

    Where cards of one rank are interchangeable the earlier in ``cards`` is taken. Errors as
    for `rank`.
    """
    strength = rank(cards)
    left = list(cards)
    if strength >> 20 in {FLUSH, STRAIGHT_FLUSH}:
        suits = [card & 3 for card in left]
        left = [card for card in left if suits.count(card & 3) >= 5]
    chosen = []
    for wanted in ranks_of(strength):
        card = next(card for card in left if card >> 2 == wanted)
        left.remove(card)
        chosen.append(card)
    return tuple(chosen)


def _rank_suited(ranks: i64) -> int:
    # Five suited cards leave at most two others: no full house or quads can beat the flush.
    if _STRAIGHTS[ranks]:
        return STRAIGHT_FLUSH << 20 | _STRAIGHTS[ranks]
    return FLUSH << 20 | _TOP_FIVE[ranks]


def _rank_unsuited(clubs: i64, diamonds: i64, hearts: i64, spades: i64) -> int:
    """Rank what has no flush, by the ranks that occur at least once, twice, three times."""
    once: i64 = clubs | diamonds | hearts | spades
    # Five ranks in a row leave at most two other cards: no full house or quads beside them.
    if _STRAIGHTS[once]:
        return STRAIGHT << 20 | _STRAIGHTS[once]
    minor: i64 = clubs & diamonds
    major: i64 = hearts & spades
    twice: i64 = minor | major | (clubs | diamonds) & (hearts | spades)
    if not twice:
        return _TOP_FIVE[once]
    thrice: i64 = minor & (hearts | spades) | major & (clubs | diamonds)
    if not thrice:
        return _rank_pairs(once, twice)
    if minor & major:
        return _rank_quads(once, minor & major)
    return _rank_trips(once, twice, thrice)


def _rank_pairs(once: i64, twice: i64) -> int:
    first: i64 = _TOP_FIVE[twice] >> 16
    second: i64 = _TOP_FIVE[twice] >> 12 & 15
    if not twice & twice - 1:
        return _PAIR | first * 0x11000 | _TOP_FIVE[once ^ twice] >> 8
    # A third pair is no more than a kicker.
    kickers: i64 = once ^ _bit(first) ^ _bit(second)
    return _TWO_PAIR | first * 0x11000 | second * 0x00110 | _TOP_FIVE[kickers] >> 16


def _rank_trips(once: i64, twice: i64, thrice: i64) -> int:
    trips: i64 = _TOP_FIVE[thrice] >> 16
    # Lower trips count as a pair.
    pairs: i64 = twice ^ _bit(trips)
    if pairs:
        pair: i64 = _TOP_FIVE[pairs] >> 16
        return _FULL_HOUSE | trips * 0x11100 | pair * 0x00011
    return _TRIPS | trips * 0x11100 | _TOP_FIVE[once ^ thrice] >> 12


def _rank_quads(once: i64, quads: i64) -> int:
    kicker: i64 = _TOP_FIVE[once ^ quads] >> 16
    return _QUADS | (_TOP_FIVE[quads] >> 16) * 0x11110 | kicker


def _bit(rank_index: i64) -> i64:
    return 1 << rank_index


def _strength(index: int, ranks: Sequence[int]) -> int:
    strength = index
    for at in ranks:
        strength = strength << 4 | at
    return strength


_ONE: Final = [1]
_TOP_FIVE: Final = _top_five()
_STRAIGHTS: Final = _straights()
_TALLIES: Final = _tallies()
