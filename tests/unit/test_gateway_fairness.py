"""Commitments and proofs: what is opened for whom, and what a verifier says to it."""

import hashlib
import hmac
import json
import random
from pathlib import Path

import pytest

from poker.cards import DECK
from poker.setup import HandRules, HandSetup, SeatStack
from services.gateway.dealer import RandomDealer
from services.gateway.fairness import (
    Deal,
    clean_seed,
    commit_to,
    deal_out,
    draw_button,
    places_of,
)
from services.gateway.verifier import (
    CARDS,
    SCHEME,
    ProofError,
    check_proof,
    leaf_hash,
    main,
    permutation_of,
    verify,
)
from tests.support.gateways import StackedDealer
from tests.support.proven_hands import Json, folding, passive, play, shoving
from tests.support.shuffles import FAIR, chi_square


def dealer(chance: int = 1) -> RandomDealer:
    return RandomDealer(random.Random(chance))


def test_a_card_is_written_as_its_index() -> None:
    assert tuple(map(str, DECK)) == CARDS


def test_a_leaf_hashes_a_zero_the_position_the_card_and_the_salt() -> None:
    salt = bytes(range(16))
    assert leaf_hash(7, 51, salt) == hashlib.sha256(b"\x00\x07\x33" + salt).digest()


def test_the_permutation_is_a_fisher_yates_shuffle_by_hmac_with_rejection() -> None:
    """The same again, written down in the plainest way."""
    root, seed = bytes(range(32)), "river"
    drawn = b"".join(
        hmac.new(
            root,
            f"{SCHEME}/permutation".encode() + counter.to_bytes(4, "big") + seed.encode(),
            "sha256",
        ).digest()
        for counter in range(20)
    )
    order, at = list(range(52)), 0
    for last in range(51, 0, -1):
        while drawn[at] >= 256 // (last + 1) * (last + 1):
            at += 1
        other = drawn[at] % (last + 1)
        at += 1
        order[last], order[other] = order[other], order[last]
    assert permutation_of(root, seed) == order


def test_without_a_client_seed_the_cards_are_dealt_as_committed() -> None:
    commitment = commit_to(dealer())
    assert deal_out(Deal(commitment)) == commitment.deck


def test_with_a_client_seed_the_deal_is_the_committed_cards_in_another_order_eng_009() -> None:
    commitment = commit_to(dealer())
    order = permutation_of(bytes.fromhex(commitment.root), "river")
    dealt = deal_out(Deal(commitment, "river"))
    assert dealt == tuple(commitment.deck[pos] for pos in order)
    assert dealt != commitment.deck
    assert sorted(dealt) == list(DECK)


def test_a_deal_is_as_fair_as_the_shuffle_whatever_the_client_seed_eng_008() -> None:
    """The same seed each time, as a careless client would send it."""
    shuffler = dealer(20260503)
    decks = (deal_out(Deal(commit_to(shuffler), "always the same")) for _ in range(4_000))
    assert FAIR[0] < chi_square(decks) < FAIR[1]


def test_a_commitment_tells_nothing_in_its_repr_eng_008() -> None:
    commitment = commit_to(dealer())
    assert repr(commitment) == f"Commitment(root={commitment.root!r})"
    hand = play(1, [], client_seed="river").hand
    assert "salt" not in repr(hand)


def test_equal_decks_have_different_roots() -> None:
    decks = [DECK, DECK]
    first, second = (commit_to(StackedDealer(decks, seed=3)) for _ in range(2))
    assert first.root == second.root
    assert commit_to(StackedDealer(decks, seed=4)).root != first.root


def test_the_first_button_is_the_dealers_choice_without_a_seed_and_not_with_one() -> None:
    stacked = StackedDealer()
    stacked.first_button = 2
    commitments = [commit_to(stacked) for _ in range(40)]
    assert {draw_button(Deal(commitment), (1, 2), stacked) for commitment in commitments} == {2}
    drawn = [draw_button(Deal(commitment, "x"), (1, 2), stacked) for commitment in commitments]
    assert set(drawn) == {1, 2}


def test_the_first_button_drawn_with_a_seed_is_fair_eng_024() -> None:
    commitment = commit_to(dealer())
    drawn = [draw_button(Deal(commitment, f"{no}"), (1, 2), dealer()) for no in range(10_000)]
    assert abs(drawn.count(1) - 5_000) < 150


@pytest.mark.parametrize("seed", ["a", "4f1c0a9be37d2586", "x" * 64, "é" * 32, "two words", "💧"])
def test_a_seed_is_taken_as_it_is(seed: str) -> None:
    assert clean_seed(seed) == seed


@pytest.mark.parametrize("seed", ["", "x" * 65, "é" * 33, "a\nb", "a\x00", "\ud800", "\u200b"])
def test_a_seed_that_is_none_is_refused(seed: str) -> None:
    with pytest.raises(ValueError, match="printable"):
        clean_seed(seed)


def opened(cards: Json) -> list[str]:
    return [opening["card"] for opening in cards["openings"]]


def shown(record: Json) -> list[str]:
    return [card for event in record["events"] if event["type"] == "street.dealt"
            for card in event["data"]["cards"]]  # fmt: skip


def own(record: Json, seat: int) -> list[str]:
    dealt = next(event for event in record["events"] if event["type"] == "cards.dealt")
    cards = {hand["seat"]: hand["cards"] for hand in dealt["data"]["hands"]}
    return list(cards[seat])


def test_before_anyone_acts_only_ones_own_cards_are_opened() -> None:
    hand = play(1, [], client_seed="river")
    assert sorted(opened(hand.proof(1))) == sorted(own(hand.record(1), 1))


@pytest.mark.parametrize("viewer", [1, 2])
def test_a_folded_hand_is_opened_to_its_owner_only_eng_009(viewer: int) -> None:
    hand = play(2, [folding], client_seed="river")
    assert hand.played.result is not None
    assert sorted(opened(hand.proof(viewer))) == sorted(own(hand.record(viewer), viewer))


@pytest.mark.parametrize("viewer", [1, 2])
def test_after_a_fold_on_the_flop_only_the_flop_is_opened_beside_ones_own(viewer: int) -> None:
    hand = play(4, [passive, passive, shoving, folding], client_seed="river")
    record = hand.record(viewer)
    assert len(shown(record)) == 3
    expected = [*own(record, viewer), *shown(record)]
    assert sorted(opened(hand.proof(viewer))) == sorted(expected)


def test_at_showdown_every_hand_and_the_board_are_opened() -> None:
    hand = play(3, [], then=passive, client_seed="river")
    assert hand.proof(1) == hand.proof(2)
    expected = [*own(hand.record(1), 1), *own(hand.record(2), 2), *shown(hand.record(1))]
    assert sorted(opened(hand.proof(1))) == sorted(expected)


def test_an_all_in_opens_both_hands_at_once() -> None:
    hand = play(6, [shoving, passive])
    assert len(hand.proof(1)["openings"]) == 9


def test_a_third_players_folded_hand_and_burnt_cards_are_never_opened() -> None:
    hand = play(5, [folding], then=passive, seats=(2, 3, 9), button=9, burn=True)
    record = hand.record(3)
    deck = list(map(str, hand.hand.setup.deck))
    burnt = {deck[6], deck[10], deck[12]}
    folded = set(own(hand.record(9), 9))
    assert len(hand.proof(3)["openings"]) == 9
    assert not (burnt | folded) & set(opened(hand.proof(3)))
    assert set(opened(hand.proof(9))) - set(opened(hand.proof(3))) == folded
    verify(hand.proof(3), record)


def test_places_of_cards_are_those_of_the_deal_eng_010_eng_011() -> None:
    seats = (SeatStack(1, 100), SeatStack(2, 100))
    plain = HandSetup("h", HandRules(1, 2), seats, 1, DECK)
    burning = HandSetup("h", HandRules(1, 2, burn_cards=True), seats, 1, DECK)
    assert places_of(plain, [2], 0) == [0, 2]
    assert places_of(plain, [1], 3) == [1, 3, 4, 5, 6]
    assert places_of(burning, [], 5) == [5, 6, 7, 9, 11]


def test_a_root_that_was_noted_must_be_the_root_of_the_proof() -> None:
    proof = play(1, []).proof(1)
    verify(proof, noted_root=proof["root"])
    with pytest.raises(ProofError, match="noted"):
        verify(proof, noted_root="00" * 32)


def test_the_first_button_must_follow_from_the_seed() -> None:
    hand = play(3, [], then=passive, client_seed="river", hand_no=1)
    record = hand.record(1)
    verify(hand.proof(1), record)
    chosen = play(3, [], then=passive, client_seed="river", button=3 - record["button"])
    with pytest.raises(ProofError, match="first button"):
        verify(chosen.proof(1), chosen.record(1))
    later = play(3, [], then=passive, client_seed="river", button=3 - record["button"], hand_no=2)
    verify(later.proof(1), later.record(1))


def test_two_events_that_name_different_cards_for_one_place_are_found() -> None:
    hand = play(3, [], then=passive)
    record = hand.record(1)
    showdown = next(event for event in record["events"] if event["type"] == "showdown")
    showdown["data"]["hands"][0]["cards"].reverse()
    with pytest.raises(ProofError, match="contradicts"):
        verify(hand.proof(1), record)


@pytest.mark.parametrize("thing", [None, 1, "text", [], {}, [{}]])
def test_whatever_is_no_proof_is_refused(thing: object) -> None:
    with pytest.raises(ProofError):
        check_proof(thing)


def test_the_command_tells_each_card_and_ends_with_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = play(3, [folding], client_seed="river")
    proof, record = tmp_path / "proof.json", tmp_path / "hand.json"
    proof.write_text(json.dumps(hand.proof(1)))
    record.write_text(json.dumps(hand.record(1)))
    root = hand.shuffle.root
    assert main(["verify", str(proof), "--hand", str(record), "--root", root]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"proven: root {root}\n")
    assert all(f" is {card}, " in out for card in own(hand.record(1), 1))
    assert main(["verify", str(proof), "--root", "00" * 32]) == 1
    assert "NOT PROVEN: the root" in capsys.readouterr().err


def test_the_command_ends_with_2_when_a_file_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    for text in ("", "{", "[" * 100_000, "\xff"):
        broken.write_text(text, encoding="latin-1")
        assert main(["verify", str(broken)]) == 2
    assert main(["verify", str(tmp_path / "missing.json")]) == 2
    assert "cannot read" in capsys.readouterr().err
