"""The 52 cards as small ints that read as text.

A card's index is ``4 * rank + suit`` with rank 0 (deuce) to 12 (ace) and suits in the
order clubs, diamonds, hearts, spades, so an index serves any lookup table.
"""

from collections.abc import Iterable
from typing import Final, Self

from poker.errors import MalformedError, Reason

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK_SIZE: Final = 52


class Card(int):
    """One card, an int 0..51 whose ``str`` is its text, like ``As`` or ``Td``."""

    __slots__ = ()

    def __new__(cls, index: int) -> Self:
        """Return the card with this index; raises MalformedError outside 0..51."""
        if not isinstance(index, int) or not 0 <= index < DECK_SIZE:
            raise MalformedError(Reason.UNKNOWN_CARD, card=str(index)[:8])
        return super().__new__(cls, index)

    @property
    def rank(self) -> int:
        """0 for a deuce to 12 for an ace."""
        return self >> 2

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
        return self & 3

    def __str__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


DECK: Final[tuple[Card, ...]] = tuple(Card(index) for index in range(DECK_SIZE))
_BY_TEXT: Final = {str(card): card for card in DECK}


def parse_card(text: str) -> Card:
    """Read ``As``; raises MalformedError(UNKNOWN_CARD) for anything else."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise MalformedError(Reason.UNKNOWN_CARD, card=text[:8]) from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written without gaps, like ``AsKh`` (empty text gives none)."""
    return tuple(parse_card(text[at : at + 2]) for at in range(0, len(text), 2))


def cards_text(cards: Iterable[Card]) -> str:
    """Write cards without gaps, the inverse of `parse_cards`."""
    return "".join(map(str, cards))
