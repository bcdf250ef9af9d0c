"""Checks the proof of a deal: this one file and Python 3.11, nothing else.

Usage: ``python verifier.py verify proof.json [--hand hand.json] [--root HEX]``, where the
files hold the answers of ``GET /v1/hands/{id}/fairness`` and ``GET /v1/hands/{id}``, and HEX
is the root that the server published before the hand.

The scheme ``riverboat-deal-1``, in which ``||`` joins bytes:

* A card is one byte ``4 * rank + suit``: ranks 0 (deuce) to 12 (ace), suits clubs,
  diamonds, hearts, spades. A position is one byte 0..51. A salt is 16 bytes.
* Leaf = SHA-256(``00`` || position || card || salt).
* Node = SHA-256(``01`` || left || right). The tree over n leaves has on its left the
  largest power of two of leaves that is smaller than n, on its right the others (RFC 6962).
  The root over the leaves of positions 0..51 is the commitment. A path holds the
  siblings from the leaf up.
* Chance drawn from a root and a client seed (1..64 bytes of UTF-8) is a stream of bytes:
  HMAC-SHA-256(key = root, label || counter || seed), where the counter has 4 bytes,
  big-endian, from 0. A number below n is a byte of the stream modulo n; bytes that are not
  below the largest multiple of n up to 256 are skipped.
* The permutation says which position is dealt i-th. Without a seed it is 0, 1, ..., 51.
  With one it starts so, and for i = 51 down to 1 the places i and j are swapped, where j is
  a number below i + 1 from the stream with the label ``riverboat-deal-1/permutation``.
* The first button of a match with a seed is the seat whose place, in ascending order, is a
  number below the count of seats from the stream labelled ``riverboat-deal-1/button``.
* Dealing: two cards each, one at a time from the left of the button, then the board; with
  burnt cards one is left out before the flop, the turn and the river.
"""

import argparse
import hashlib
import hmac
import itertools
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

SCHEME: Final = "riverboat-deal-1"
CARDS: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
SALT_BYTES: Final = 16
SEED_BYTES_MAX: Final = 64

_MEMBERS: Final = {"scheme", "root", "client_seed", "permutation", "openings"}
_OPENING: Final = {"pos", "card", "salt", "path"}
_BOARD: Final = {False: (0, 1, 2, 3, 4), True: (1, 2, 3, 5, 7)}
_REVEALS: Final = ("cards.dealt", "all_in.reveal", "showdown")


class ProofError(Exception):
    """The proof does not hold; the message says why."""


def leaf_hash(pos: int, card: int, salt: bytes) -> bytes:
    """Return the leaf of a card at a position."""
    return hashlib.sha256(bytes((0, pos, card)) + salt).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the node above two others."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def left_size(size: int) -> int:
    """Return how many of ``size`` (at least 2) leaves are on the left of the top node."""
    return 1 << (size - 1).bit_length() - 1


def root_from(pos: int, leaf: bytes, path: Sequence[bytes], size: int = len(CARDS)) -> bytes:
    """Return the root that a leaf and its path lead to; raises ProofError for a wrong length."""
    if size == 1:
        if path:
            raise ProofError("a path is too long")
        return leaf
    if not path:
        raise ProofError("a path is too short")
    left = left_size(size)
    *below, sibling = path
    if pos < left:
        return node_hash(root_from(pos, leaf, below, left), sibling)
    return node_hash(sibling, root_from(pos - left, leaf, below, size - left))


def permutation_of(root: bytes, client_seed: str | None, size: int = len(CARDS)) -> list[int]:
    """Return which position is dealt i-th; ``size`` is at most 256."""
    order = list(range(size))
    if client_seed is not None:
        stream = _stream(root, "permutation", client_seed)
        for last in range(size - 1, 0, -1):
            other = _below(last + 1, stream)
            order[last], order[other] = order[other], order[last]
    return order


def first_button(root: bytes, client_seed: str, seats: Sequence[int]) -> int:
    """Return the seat that has the first button of a match."""
    return sorted(seats)[_below(len(seats), _stream(root, "button", client_seed))]


def _stream(root: bytes, label: str, seed: str) -> Iterator[int]:
    head = f"{SCHEME}/{label}".encode()
    for counter in itertools.count():
        yield from hmac.digest(root, head + counter.to_bytes(4, "big") + seed.encode(), "sha256")


def _below(bound: int, stream: Iterator[int]) -> int:
    limit = 256 - 256 % bound
    return next(byte for byte in stream if byte < limit) % bound


def check_proof(proof: object) -> dict[int, str]:
    """Return the opened cards by their place in the deal, or raise ProofError.

    Everything in the proof counts, and everything has one spelling: with any bit of it
    changed, it does not hold.
    """
    body = _object(proof, _MEMBERS, "the proof")
    if body["scheme"] != SCHEME:
        raise ProofError("the scheme is unknown")
    root, seed = _hash(body["root"], 32), _seed(body["client_seed"])
    order = permutation_of(root, seed)
    if not _same_integers(body["permutation"], order):
        raise ProofError("the permutation does not follow from the root and the client seed")
    openings = _list(body["openings"], "the openings")
    opened = {order.index(pos): card for pos, card in (_opened(item, root) for item in openings)}
    if list(opened) != sorted(opened) or len(opened) != len(openings):
        raise ProofError("the openings are not in the order of the deal")
    if len(set(opened.values())) != len(opened):
        raise ProofError("a card is there twice")
    return opened


def _opened(item: object, root: bytes) -> tuple[int, str]:
    opening = _object(item, _OPENING, "an opening")
    pos, card = opening["pos"], opening["card"]
    if type(pos) is not int or not 0 <= pos < len(CARDS) or card not in CARDS:
        raise ProofError("an opening has no such position or card")
    path = [_hash(text, 32) for text in _list(opening["path"], "a path")]
    leaf = leaf_hash(pos, CARDS.index(card), _hash(opening["salt"], SALT_BYTES))
    if not hmac.compare_digest(root_from(pos, leaf, path), root):
        raise ProofError(f"{card} at position {pos} does not lead to the root")
    return pos, card


def _object(value: object, members: set[str], what: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != members:
        raise ProofError(f"{what} must have exactly the members {', '.join(sorted(members))}")
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise ProofError(f"{what} must be a list")
    return value


def _same_integers(value: object, numbers: list[int]) -> bool:
    # In Python True equals 1 and 1.0 too; in a proof they don't.
    return value == numbers and isinstance(value, list) and all(type(item) is int for item in value)


def _hash(value: object, size: int) -> bytes:
    if not isinstance(value, str) or not re.fullmatch(rf"[0-9a-f]{{{2 * size}}}", value):
        raise ProofError(f"a hash or salt must be {size} bytes in lower-case hexadecimal")
    return bytes.fromhex(value)


def _seed(value: object) -> str | None:
    if value is None:
        return None
    try:
        if isinstance(value, str) and 1 <= len(value.encode()) <= SEED_BYTES_MAX:
            return value
    except UnicodeEncodeError:
        pass  # half a surrogate pair: refused below
    raise ProofError(f"the client seed must be text of 1 to {SEED_BYTES_MAX} bytes")


def seen_cards(hand: Mapping[str, Any]) -> dict[int, str]:
    """Return the cards of a hand's record by their place in the deal.

    Raises ProofError when two events name different cards for one place.
    """
    seats = sorted(seat["no"] for seat in hand["seats"])
    order = [seat for seat in seats if seat > hand["button"]]
    order += [seat for seat in seats if seat <= hand["button"]]
    seen: dict[int, str] = {}
    board = (2 * len(seats) + at for at in _BOARD[hand["ruleset"]["burn_cards"]])
    for event in hand["events"]:
        if event["type"] == "street.dealt":
            for card in event["data"]["cards"]:
                _see(seen, next(board), card)
        elif event["type"] in _REVEALS:
            for shown in event["data"]["hands"]:
                for number, card in enumerate(shown["cards"]):
                    _see(seen, number * len(seats) + order.index(shown["seat"]), card)
    return seen


def _see(seen: dict[int, str], place: int, card: str | None) -> None:
    if card is not None and seen.setdefault(place, card) != card:
        raise ProofError("the hand's record contradicts itself")


def check_hand(proof: Mapping[str, Any], opened: dict[int, str], hand: Mapping[str, Any]) -> None:
    """Raise ProofError unless a checked proof is that of the hand, as its player saw it."""
    started = next(event["data"] for event in hand["events"] if event["type"] == "hand.started")
    if started["commit_root"] != proof["root"]:
        raise ProofError("the hand began with another root")
    if opened != seen_cards(hand):
        raise ProofError("the cards that were opened are not the cards that were seen")
    seed, seats = proof["client_seed"], [seat["no"] for seat in hand["seats"]]
    if hand["hand_no"] == 1 and seed is not None:
        button = first_button(bytes.fromhex(proof["root"]), seed, seats)
        if button != hand["button"]:
            raise ProofError("the first button does not follow from the root and the client seed")


def verify(proof: object, hand: object = None, noted_root: str | None = None) -> dict[int, str]:
    """Check a proof, against the hand's record and the noted root where they are given.

    Returns the opened cards by their place in the deal; raises ProofError.
    """
    opened = check_proof(proof)
    body: dict[str, Any] = proof  # type: ignore[assignment]  # as was just checked
    if noted_root is not None and noted_root != body["root"]:
        raise ProofError("the root is not the one that was noted")
    if hand is not None:
        try:
            check_hand(body, opened, hand)  # type: ignore[arg-type]  # if it is none, that is told
        except (AttributeError, LookupError, StopIteration, TypeError, ValueError) as error:
            raise ProofError("the hand's record cannot be read") from error
    return opened


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify files; returns 0 when the proof holds, 1 when not, 2 when a file is unreadable."""
    parser = argparse.ArgumentParser(prog="verifier", description="Check the proof of a deal.")
    commands = parser.add_subparsers(required=True, metavar="verify")
    command = commands.add_parser("verify", help="check a proof")
    command.add_argument("proof", type=Path, help="answer of GET /v1/hands/{id}/fairness")
    command.add_argument("--hand", type=Path, help="answer of GET /v1/hands/{id}")
    command.add_argument("--root", help="root that was published before the hand")
    chosen = parser.parse_args(arguments)
    try:
        proof = json.loads(chosen.proof.read_bytes())
        hand = None if chosen.hand is None else json.loads(chosen.hand.read_bytes())
    except (OSError, RecursionError, ValueError) as error:
        sys.stderr.write(f"cannot read: {error}\n")
        return 2
    try:
        opened = verify(proof, hand, chosen.root)
    except ProofError as error:
        sys.stderr.write(f"NOT PROVEN: {error}\n")
        return 1
    lines = [
        f"  card {place + 1:2} of the deal is {card}, from position {proof['permutation'][place]}\n"
        for place, card in opened.items()
    ]
    sys.stdout.write(f"proven: root {proof['root']}\n{''.join(lines)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
