"""No-limit Texas Hold'em: the complete rules for 2-9 players, pure and typed.

A hand is its `HandSetup` and its actions; everything else follows. `Hand` plays one::

    >>> from poker import DECK, Action, ActionKind, Hand, HandRules, HandSetup, SeatStack
    >>> rules = HandRules(small_blind_chips=50, big_blind_chips=100)
    >>> seats = (SeatStack(seat=1, stack_chips=10_000), SeatStack(seat=2, stack_chips=3_000))
    >>> hand = Hand(HandSetup("hand-1", rules, seats, button=1, deck=DECK))
    >>> hand.legal.seat, hand.legal.to_call_chips, hand.legal.raises.min_to_chips
    (1, 50, 200)
    >>> [event.NAME for event in hand.act(Action(1, ActionKind.RAISE, to_chips=300))]
    ['action.taken', 'turn.started']
    >>> [event.NAME for event in hand.act(Action(2, ActionKind.FOLD))]
    ['action.taken', 'bet.returned', 'pots.updated', 'pot.awarded', 'hand.ended']
    >>> [(seat.seat, seat.net_chips) for seat in hand.result.seats]
    [(1, 100), (2, -100)]

What the rules forbid is refused with a reason and the legal bounds, and changes nothing::

    >>> Hand(hand.setup).act(Action(1, ActionKind.RAISE, to_chips=150))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    poker.errors.IllegalActionError: below_minimum (to_call_chips=50, min_to_chips=200, ...)

Those who play many hands use `Hand.apply`, which is `Hand.act` without telling the events.

Chips are whole numbers, sizes are raise-to (a seat's total this betting round), time and
chance are the caller's: the deck is data. `view_for` is the only way from here to a player.
"""

from poker.actions import Action, ActionKind, Legal, RaiseRange, Street
from poker.cards import DECK, Card, cards_text, parse_card, parse_cards
from poker.errors import IllegalActionError, InvariantError, MalformedError, PokerError, Reason
from poker.events import Event
from poker.hand import Hand, replay
from poker.positions import next_button
from poker.ranking import Category, category, rank
from poker.setup import HandRules, HandSetup, ReopenRule, SeatStack
from poker.snapshot import HandResult, HandSnapshot
from poker.view import HandView, redact, view_for

__all__ = [
    "DECK",
    "Action",
    "ActionKind",
    "Card",
    "Category",
    "Event",
    "Hand",
    "HandResult",
    "HandRules",
    "HandSetup",
    "HandSnapshot",
    "HandView",
    "IllegalActionError",
    "InvariantError",
    "Legal",
    "MalformedError",
    "PokerError",
    "RaiseRange",
    "Reason",
    "ReopenRule",
    "SeatStack",
    "Street",
    "cards_text",
    "category",
    "next_button",
    "parse_card",
    "parse_cards",
    "rank",
    "redact",
    "replay",
    "view_for",
]
