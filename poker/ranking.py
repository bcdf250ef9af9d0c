"""How strong a hand is: the best five of five to seven cards, as one comparable int.

A strength is readable. Its five lowest hex digits are the ranks of the winning five cards in
the order in which the rules compare them, the digit above them is the class, so that::

    >>> from poker.cards import parse_cards
    >>> f"{rank(parse_cards('AsAh8c8dKd')):06x}"   # two pair: A A 8 8 K
    '2cc66b'

and comparing two ints compares the class, then its ranks in order, then the kickers. Suits
have no rank (SPEC ENG-080..085).

There are few rank patterns (49,205 for seven cards) but many hands (133,784,560): each
pattern is worked out by the plain rules once, when it first occurs, and looked up afterwards.
"""

from collections.abc import Sequence
from enum import Enum, StrEnum
from typing import Final

from poker.cards import Card
from poker.errors import MalformedError, Reason


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

# The class of a hand without straight or flush follows from how many cards its two most
# frequent ranks have.
_BY_COUNTS: Final = {
    (1, 1): CATEGORIES.index(Category.HIGH_CARD),
    (2, 1): CATEGORIES.index(Category.PAIR),
    (2, 2): CATEGORIES.index(Category.TWO_PAIR),
    (3, 1): CATEGORIES.index(Category.TRIPS),
    (3, 2): CATEGORIES.index(Category.FULL_HOUSE),
    (4, 1): CATEGORIES.index(Category.QUADS),
}

# A card's key counts it twice over: three bits for each of the 13 ranks (at most four cards),
# above them four bits for each suit. The suit counters start at 3, so that five cards of a
# suit set the counter's top bit: one mask finds a flush.
_SUITS_FROM: Final = 3 * 13
_RANK_COUNTS: Final = (1 << _SUITS_FROM) - 1
_KEYS: Final = tuple(
    (1 << 3 * (card >> 2)) + (1 << _SUITS_FROM + 4 * (card & 3)) for card in range(52)
)
_START: Final = 0x3333 << _SUITS_FROM
_FLUSH_BITS: Final = 0x8888 << _SUITS_FROM

# Filled as patterns occur; bounded by the number of patterns (73,775 and 4,719).
_UNSUITED: Final[dict[int, int]] = {}
_SUITED: Final[dict[int, int]] = {}


def rank(cards: Sequence[Card]) -> int:
    """Return the strength of the best five of 5..7 distinct cards; higher is better.

    Equal strengths split the pot. Raises MalformedError for another number of cards or a
    card that occurs twice.
    """
    key = _START
    for card in cards:
        key += _KEYS[card]
    if not 5 <= len(cards) <= 7:
        raise MalformedError(Reason.INVALID_HAND, cards=len(cards))
    if len(set(cards)) != len(cards):
        raise MalformedError(Reason.DUPLICATE_CARD)
    if key & _FLUSH_BITS:
        return _rank_suited(cards, key)
    pattern = key & _RANK_COUNTS
    strength = _UNSUITED.get(pattern)
    if strength is None:
        strength = _UNSUITED[pattern] = _work_out_unsuited(pattern)
    return strength


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
        suit = _flush_suit(sum(_KEYS[card] for card in cards) + _START)
        left = [card for card in left if card & 3 == suit]
    chosen = []
    for wanted in ranks_of(strength):
        card = next(card for card in left if card >> 2 == wanted)
        left.remove(card)
        chosen.append(card)
    return tuple(chosen)


def _rank_suited(cards: Sequence[Card], key: int) -> int:
    # Five suited cards leave at most two others: no full house or quads can beat the flush.
    suit = _flush_suit(key)
    pattern = 0
    for card in cards:
        if card & 3 == suit:
            pattern |= 1 << (card >> 2)
    strength = _SUITED.get(pattern)
    if strength is None:
        strength = _SUITED[pattern] = _work_out_suited(pattern)
    return strength


def _flush_suit(key: int) -> int:
    return ((key & _FLUSH_BITS) >> _SUITS_FROM).bit_length() - 1 >> 2


def _work_out_suited(mask: int) -> int:
    straight = _straight(mask)
    if straight:
        return _strength(STRAIGHT_FLUSH, straight)
    return _strength(FLUSH, [at for at in range(12, -1, -1) if mask >> at & 1][:5])


def _work_out_unsuited(pattern: int) -> int:
    counts = [pattern >> 3 * at & 7 for at in range(13)]
    # Five ranks in a row leave at most two other cards: no full house or quads beside them.
    straight = _straight(sum(1 << at for at, count in enumerate(counts) if count))
    if straight:
        return _strength(STRAIGHT, straight)
    groups = sorted(((count, at) for at, count in enumerate(counts) if count), reverse=True)
    # In comparing order: the most frequent ranks first, then the others from the top. The
    # second group of a hand counts for at most a pair, and after quads only as a kicker.
    (first, first_rank), (second, second_rank) = groups[0], groups[1]
    second = 1 if first == 4 else min(second, 2)
    used = {first_rank, second_rank} if second == 2 else {first_rank}
    five = [first_rank] * first + ([second_rank] * 2 if second == 2 else [])
    five += [at for at in range(12, -1, -1) if counts[at] and at not in used]
    return _strength(_BY_COUNTS[first, second], five[:5])


def _straight(mask: int) -> list[int] | None:
    """Return the ranks of the highest straight, top first; the ace also counts below the deuce."""
    with_low_ace = mask << 1 | mask >> 12 & 1
    for top in range(12, 2, -1):
        if with_low_ace >> top - 3 & 31 == 31:
            return [(top - down) % 13 for down in range(5)]
    return None


def _strength(index: int, ranks: Sequence[int]) -> int:
    strength = index
    for at in ranks:
        strength = strength << 4 | at
    return strength
