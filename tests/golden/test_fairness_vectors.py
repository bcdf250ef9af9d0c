"""The Python verifier and the server's half of the scheme agree with the shared vectors."""

import json
from typing import Any

import pytest

from services.gateway.verifier import (
    CARDS,
    ProofError,
    first_button,
    leaf_hash,
    permutation_of,
    verify,
)
from tests.support.fairness_vectors import VECTORS, build, changed, text_of

Json = dict[str, Any]
STORED: Json = json.loads(VECTORS.read_text(encoding="utf-8"))


def test_the_stored_vectors_are_what_the_code_makes() -> None:
    assert VECTORS.read_text(encoding="utf-8") == text_of(build())


@pytest.mark.parametrize("case", STORED["leaves"], ids=lambda case: case["card"])
def test_a_leaf_is_the_hash_of_position_card_and_salt(case: Json) -> None:
    leaf = leaf_hash(case["pos"], CARDS.index(case["card"]), bytes.fromhex(case["salt"]))
    assert leaf.hex() == case["leaf"]


@pytest.mark.parametrize("case", STORED["permutations"])
def test_a_permutation_and_a_first_button_follow_from_root_and_seed(case: Json) -> None:
    root, seed = bytes.fromhex(case["root"]), case["client_seed"]
    assert permutation_of(root, seed) == case["permutation"]
    if seed is not None:
        assert first_button(root, seed, (2, 1)) == case["first_button"]


@pytest.mark.parametrize("case", STORED["valid"], ids=lambda case: case["name"])
def test_a_valid_proof_holds_alone_and_with_its_hand_eng_009(case: Json) -> None:
    opened = verify(case["proof"])
    assert verify(case["proof"], case["hand"], case["proof"]["root"]) == opened
    assert len(opened) == len(case["proof"]["openings"])


@pytest.mark.parametrize("change", STORED["invalid"], ids=lambda change: change["why"])
def test_an_invalid_proof_is_refused(change: Json) -> None:
    case = changed(STORED["valid"][STORED["changed"]], change)
    with pytest.raises(ProofError):
        verify(case["proof"], case["hand"])
