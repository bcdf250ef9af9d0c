"""What holds for every commitment: permutations, trees, proofs, and proofs with a bit changed."""

import hashlib
import json
import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.gateway.fairness import _path, _root, clean_seed
from services.gateway.verifier import (
    ProofError,
    first_button,
    leaf_hash,
    permutation_of,
    root_from,
    verify,
)
from tests.support.proven_hands import ProvenHand, anything, play


def usable(text: str) -> bool:
    try:
        clean_seed(text)
    except ValueError:
        return False
    return True


ROOTS = st.binary(min_size=32, max_size=32)
SEEDS = st.text(min_size=1, max_size=64).filter(usable)


@st.composite
def proven(draw: st.DrawFn) -> ProvenHand:
    """A hand at any moment, of two or three players."""
    chance = draw(st.integers(0, 10**6))
    choices = [anything(random.Random(chance))] * draw(st.integers(0, 2))
    seats = draw(st.sampled_from([(1, 2), (2, 5), (1, 4, 9)]))
    over = draw(st.booleans())
    return play(
        chance,
        choices[:1] if len(seats) == 2 else choices,
        then=anything(random.Random(chance + 1)) if over else None,
        client_seed=draw(st.none() | SEEDS),
        seats=seats,
        burn=draw(st.booleans()),
    )


@given(ROOTS, SEEDS, st.integers(1, 52))
def test_a_permutation_has_every_position_once(root: bytes, seed: str, size: int) -> None:
    assert sorted(permutation_of(root, seed, size)) == list(range(size))


@given(ROOTS, SEEDS)
def test_a_permutation_is_repeatable_and_depends_on_root_and_seed(root: bytes, seed: str) -> None:
    order = permutation_of(root, seed)
    assert permutation_of(root, seed) == order
    assert permutation_of(hashlib.sha256(root).digest(), seed) != order
    assert permutation_of(root, hashlib.sha256(seed.encode()).hexdigest()) != order


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_permutation_comes_equally_often_eng_008(size: int) -> None:
    """Chi-square over all orders of a few positions, at one in a thousand."""
    rounds, orders = 12_000, list(permutations(range(size)))
    count = Counter(
        tuple(permutation_of(bytes(32), f"{size} {number}", size)) for number in range(rounds)
    )
    assert set(count) == set(orders)
    expected = rounds / len(orders)
    statistic = sum((count[order] - expected) ** 2 for order in orders) / expected
    assert statistic < {2: 10.83, 3: 20.52, 4: 49.73, 5: 173.62}[size]


@pytest.mark.parametrize("seats", [(1, 2), (1, 4, 9), tuple(range(1, 10))], ids=len)
def test_every_seat_gets_the_first_button_equally_often_eng_024(seats: tuple[int, ...]) -> None:
    rounds = 9_000
    count = Counter(first_button(bytes(32), f"{number}", seats) for number in range(rounds))
    expected = rounds / len(seats)
    statistic = sum((count[seat] - expected) ** 2 for seat in seats) / expected
    assert statistic < {2: 10.83, 3: 13.82, 9: 26.12}[len(seats)]


def plain_root(leaves: list[bytes]) -> bytes:
    """The root by RFC 6962's words, without our helpers."""
    if len(leaves) == 1:
        return leaves[0]
    split = max(1 << bit for bit in range(10) if 1 << bit < len(leaves))
    both = plain_root(leaves[:split]) + plain_root(leaves[split:])
    return hashlib.sha256(b"\x01" + both).digest()


@given(
    st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=70, unique=True), st.data()
)
def test_a_path_leads_from_its_leaf_to_the_root_and_from_no_other(
    leaves: list[bytes], data: st.DataObject
) -> None:
    root, pos = _root(leaves), data.draw(st.integers(0, len(leaves) - 1))
    path = _path(leaves, pos)
    assert root == plain_root(leaves)
    assert root_from(pos, leaves[pos], path, len(leaves)) == root
    assert root_from(pos, leaf_hash(0, 0, b""), path, len(leaves)) != root
    for other in set(range(len(leaves))) - {pos}:
        assert not leads_to(root, other, leaves[other], path, len(leaves))
        assert not leads_to(root, other, leaves[pos], path, len(leaves))


def leads_to(root: bytes, pos: int, leaf: bytes, path: list[bytes], size: int) -> bool:
    try:
        return root_from(pos, leaf, path, size) == root
    except ProofError:
        return False


@settings(max_examples=60)
@given(proven())
def test_a_proof_opens_what_its_player_saw_and_verifies_eng_009(hand: ProvenHand) -> None:
    deck = list(map(str, hand.hand.setup.deck))
    for stack in hand.hand.setup.seats:
        proof, record = hand.proof(stack.seat), hand.record(stack.seat)
        opened = verify(proof, record, hand.shuffle.root)
        assert all(deck[place] == card for place, card in opened.items())
        text = json.dumps(proof)
        hidden = set(range(52)) - set(opened)
        assert not any(f'"{deck[place]}"' in text for place in hidden)


@settings(max_examples=300)
@given(proven(), st.data())
def test_with_any_bit_flipped_no_proof_holds_eng_009(hand: ProvenHand, data: st.DataObject) -> None:
    """Any bit of the answer as the server sends it."""
    text = json.dumps(hand.proof(hand.hand.setup.seats[0].seat), ensure_ascii=False,
                      separators=(",", ":")).encode()  # fmt: skip
    bit = data.draw(st.integers(0, 8 * len(text) - 1))
    assert refused(flipped(text, bit))


def test_with_any_single_bit_of_one_proof_flipped_it_does_not_hold_eng_009() -> None:
    """Every bit of a small one: two openings."""
    proof = play(1, [], client_seed='§4 "river\\').proof(1)
    text = json.dumps(proof, ensure_ascii=False, separators=(",", ":")).encode()
    verify(json.loads(text))
    assert [bit for bit in range(8 * len(text)) if not refused(flipped(text, bit))] == []


def flipped(text: bytes, bit: int) -> bytes:
    changed = bytearray(text)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def refused(text: bytes) -> bool:
    try:
        verify(json.loads(text))
    except (ProofError, ValueError):
        return True
    return False
