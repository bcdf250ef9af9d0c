import pytest

from poker.cards import DECK, Card, cards_text, parse_card, parse_cards
from poker.errors import MalformedError, Reason


def test_deck_has_52_distinct_cards_eng_001() -> None:
    assert len(set(DECK)) == len({str(card) for card in DECK}) == 52


def test_every_card_reads_back_from_its_text() -> None:
    assert [parse_card(str(card)) for card in DECK] == list(DECK)
    assert parse_cards(cards_text(DECK)) == DECK


def test_card_index_is_four_times_rank_plus_suit() -> None:
    ace_of_spades = parse_card("As")
    assert (int(ace_of_spades), ace_of_spades.rank, ace_of_spades.suit) == (51, 12, 3)
    assert repr(ace_of_spades) == "Card('As')"


@pytest.mark.parametrize("text", ["", "A", "as", "AS", "10s", "1s", "Ax", "As "])
def test_unknown_text_is_no_card(text: str) -> None:
    with pytest.raises(MalformedError) as refused:
        parse_card(text)
    assert refused.value.reason is Reason.UNKNOWN_CARD


@pytest.mark.parametrize("index", [-1, 52, 10**30, 1.5, "7", None])
def test_index_outside_the_deck_is_no_card(index: object) -> None:
    with pytest.raises(MalformedError) as refused:
        Card(index)  # type: ignore[arg-type]
    assert refused.value.reason is Reason.UNKNOWN_CARD


def test_cards_with_a_gap_are_refused() -> None:
    with pytest.raises(MalformedError):
        parse_cards("As Kh")
