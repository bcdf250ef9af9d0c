"""Chance at the table: the deck, the first button, and the seeds of the bot."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from random import Random
from typing import Final, Protocol

from poker.cards import DECK, Card

SECRET_BYTES: Final = 32


class Dealer(Protocol):
    """Where chance comes from; tests inject their own."""

    def shuffled_deck(self) -> tuple[Card, ...]:
        """Return the 52 cards in a new order, from the top."""

    def pick_button(self, seats: Sequence[int]) -> int:
        """Return one of the seats, each equally likely."""

    def new_secret(self) -> bytes:
        """Return bytes that nobody can guess."""


class RandomDealer:
    """The dealer of every real table; ``rng`` defaults to the system's CSPRNG."""

    def __init__(self, rng: Random | None = None) -> None:
        self._rng = rng or secrets.SystemRandom()

    def shuffled_deck(self) -> tuple[Card, ...]:
        """Return the 52 cards in a new order, from the top."""
        deck = list(DECK)
        self._rng.shuffle(deck)
        return tuple(deck)

    def pick_button(self, seats: Sequence[int]) -> int:
        """Return one of the seats, each equally likely (ENG-024)."""
        return self._rng.choice(seats)

    def new_secret(self) -> bytes:
        """Return bytes that nobody can guess."""
        return self._rng.randbytes(SECRET_BYTES)


def bot_seed(secret: bytes, seat: int, action_no: int) -> int:
    """Return the 64-bit seed of one decision.

    It depends on the hand's secret, the deciding seat and the number of actions before it,
    so a decision repeated after a crash has the same answer, and River's own seed is
    another than that of a stand-in in the player's seat.
    """
    label = f"{seat}:{action_no}".encode()
    return int.from_bytes(hmac.new(secret, label, hashlib.sha256).digest()[:8], "big")
