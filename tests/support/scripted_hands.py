"""Hands written as a script: named stacks, chosen cards, moves as short text."""

from collections.abc import Mapping, Sequence

from poker.actions import Action, ActionKind, Legal
from poker.cards import DECK, Card, parse_cards
from poker.hand import Hand
from poker.positions import left_of
from poker.setup import HandRules, HandSetup, SeatStack

FIFTY_HUNDRED = HandRules(50, 100)


def arranged_deck(
    seats: Sequence[int],
    button: int,
    holes: Mapping[int, str] | None = None,
    board: str = "",
    *,
    burn: bool = False,
) -> tuple[Card, ...]:
    """Return a full deck that deals the given cards; the other cards fill the gaps in order."""
    chosen = {seat: parse_cards(text) for seat, text in (holes or {}).items()}
    table = list(parse_cards(board))
    taken = {card for hole in chosen.values() for card in hole} | set(table)
    rest = iter([card for card in DECK if card not in taken])
    first = left_of(seats, button)
    clockwise = [*seats[first:], *seats[:first]]
    hands = {seat: chosen.get(seat) or (next(rest), next(rest)) for seat in clockwise}
    deck = [hands[seat][at] for at in (0, 1) for seat in clockwise]
    table += [next(rest) for _ in range(5 - len(table))]
    for street in (table[:3], table[3:4], table[4:]):
        deck += [next(rest)] * burn + street
    return (*deck, *rest)


def table(
    stacks: Mapping[int, int],
    *,
    button: int,
    rules: HandRules = FIFTY_HUNDRED,
    holes: Mapping[int, str] | None = None,
    board: str = "",
) -> Hand:
    """Start a hand with stacks by seat; unless told, nobody's cards matter."""
    seats = sorted(stacks)
    deck = arranged_deck(seats, button, holes, board, burn=rules.burn_cards)
    sitting = tuple(SeatStack(seat, stacks[seat]) for seat in seats)
    return Hand(HandSetup("scripted", rules, sitting, button, deck))


def move(text: str) -> Action:
    """Read ``3 raise 300``, ``2 bet 100`` or ``1 call``."""
    seat, kind, *amount = text.split()
    return Action(int(seat), ActionKind(kind), int(amount[0]) if amount else None)


def play(hand: Hand, *moves: str) -> Hand:
    """Carry out moves, each written as for `move`; returns the same hand."""
    for text in moves:
        hand.act(move(text))
    return hand


def check_down(hand: Hand) -> Hand:
    """Check or call until the hand is over."""
    while hand.legal is not None:
        kind = ActionKind.CHECK if hand.legal.can_check else ActionKind.CALL
        hand.act(Action(hand.legal.seat, kind))
    return hand


def legal_of(hand: Hand, seat: int) -> Legal:
    """Return what ``seat``, whose turn it must be, may do."""
    assert hand.legal is not None
    assert hand.legal.seat == seat
    return hand.legal


def nets(hand: Hand) -> dict[int, int]:
    """Return each seat's net chips of a hand that must be over."""
    assert hand.result is not None
    return {seat.seat: seat.net_chips for seat in hand.result.seats}
