"""The verifiable shuffle (SPEC ENG-008, ENG-009): commitments, and proofs of what was seen.

The public half of the scheme, with its exact encoding, is `verifier`; docs/fairness.md says
what it proves. Here is what only the server can do: commit to a deck, deal it, and open
single cards of it.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from poker.cards import DECK, Card
from poker.dealing import deal_board, deal_holes
from poker.positions import left_of
from poker.setup import HandSetup
from services.gateway.dealer import Dealer
from services.gateway.model import Commitment, Shuffle
from services.gateway.verifier import (
    SALT_BYTES,
    SCHEME,
    SEED_BYTES_MAX,
    first_button,
    leaf_hash,
    left_size,
    node_hash,
    permutation_of,
)

_FULL: Final = len(DECK)


@dataclass(frozen=True, slots=True)
class Deal:
    """What decides the cards of a hand: the server's commitment, then the player's seed."""

    commitment: Commitment
    client_seed: str | None = None


def clean_seed(text: str) -> str:
    """Return a client seed as it is; raises ValueError unless 1..64 printable bytes of UTF-8."""
    if not text.isprintable() or not 1 <= len(text.encode()) <= SEED_BYTES_MAX:
        raise ValueError(f"a seed has 1 to {SEED_BYTES_MAX} bytes of printable text")
    return text


def commit_to(dealer: Dealer) -> Commitment:
    """Shuffle a deck and commit to it."""
    deck, salt_key = dealer.shuffled_deck(), dealer.new_secret()
    return Commitment(_root(_leaves(deck, salt_key)).hex(), deck, salt_key)


def deal_out(deal: Deal) -> tuple[Card, ...]:
    """Return the cards in the order in which they are dealt."""
    order = permutation_of(bytes.fromhex(deal.commitment.root), deal.client_seed)
    return tuple(deal.commitment.deck[pos] for pos in order)


def draw_button(deal: Deal, seats: Sequence[int], dealer: Dealer) -> int:
    """Return the seat with the first button, each equally likely (ENG-024).

    The server knows the deck, so where the player has a say, the seed decides this too.
    """
    if deal.client_seed is None:
        return dealer.pick_button(seats)
    return first_button(bytes.fromhex(deal.commitment.root), deal.client_seed, seats)


def places_of(setup: HandSetup, seats: Iterable[int], board_cards: int) -> list[int]:
    """Return where in the deal the hole cards of seats and the first board cards are, sorted."""
    numbers = tuple(stack.seat for stack in setup.seats)
    # In an unshuffled deck each card's index is its place.
    holes = deal_holes(DECK, len(numbers), left_of(numbers, setup.button))
    board = deal_board(DECK, len(numbers), burn=setup.rules.burn_cards)[:board_cards]
    opened = [card for seat in seats for card in holes[numbers.index(seat)]]
    return sorted(int(card) for card in (*opened, *board))


def proof_of(shuffle: Shuffle, setup: HandSetup, places: Iterable[int]) -> dict[str, Any]:
    """Return the proof of a deal with openings of the cards at these places, and no others."""
    order = permutation_of(bytes.fromhex(shuffle.root), shuffle.client_seed)
    committed = tuple(setup.deck[order.index(pos)] for pos in range(_FULL))
    leaves = _leaves(committed, shuffle.salt_key)
    return {
        "scheme": SCHEME,
        "root": shuffle.root,
        "client_seed": shuffle.client_seed,
        "permutation": order,
        "openings": [
            {
                "pos": pos,
                "card": str(committed[pos]),
                "salt": _salt(shuffle.salt_key, pos).hex(),
                "path": [node.hex() for node in _path(leaves, pos)],
            }
            for pos in (order[place] for place in places)
        ],
    }


def _leaves(deck: Sequence[Card], salt_key: bytes) -> list[bytes]:
    return [leaf_hash(pos, card, _salt(salt_key, pos)) for pos, card in enumerate(deck)]


def _salt(salt_key: bytes, pos: int) -> bytes:
    """Return a salt that tells nothing about the others to whoever lacks the key."""
    return hmac.digest(salt_key, bytes((pos,)), "sha256")[:SALT_BYTES]


def _root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    left = left_size(len(leaves))
    return node_hash(_root(leaves[:left]), _root(leaves[left:]))


def _path(leaves: Sequence[bytes], pos: int) -> list[bytes]:
    if len(leaves) == 1:
        return []
    left = left_size(len(leaves))
    if pos < left:
        return [*_path(leaves[:left], pos), _root(leaves[left:])]
    return [*_path(leaves[left:], pos - left), _root(leaves[:left])]
