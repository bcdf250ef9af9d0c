"""Checks that a hand's setup makes sense before anything is dealt, and actions before they count.

Callers may hand over anything, whatever the types say. So values are looked at as ``Any``:
read as what they should be, compiled code would refuse or convert them in its own way.
"""

from typing import Any, Final

from poker.actions import Action, ActionKind
from poker.cards import Card
from poker.dealing import cards_needed
from poker.errors import MalformedError, Reason
from poker.setup import HandRules, HandSetup, ReopenRule

MAX_SEAT: Final = 10
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 9
MAX_CHIPS: Final = 10**12

_BET: Final = ActionKind.BET
_RAISE: Final = ActionKind.RAISE
# Looked up once: a name of another module costs as much as the rest of a loop over a deck.
_CARD: Final = Card


def is_chips(value: object) -> bool:
    """Say whether a value is a whole number of chips that can be bet or held, 1..10**12.

    A bool or a float is not, whatever its value.
    """
    return type(value) is int and 1 <= value <= MAX_CHIPS


def validate_setup(setup: HandSetup) -> None:
    """Raise MalformedError with the first thing that is wrong with a setup."""
    _validate_rules(setup.rules)
    _validate_seats(setup)
    _validate_deck(setup)


def _validate_rules(rules: HandRules) -> None:
    given: Any = rules
    small, big = given.small_blind_chips, given.big_blind_chips
    if not (is_chips(small) and is_chips(big) and small <= big):
        raise MalformedError(Reason.INVALID_BLINDS, max_chips=MAX_CHIPS)
    if not isinstance(given.reopen_rule, ReopenRule):
        raise MalformedError(Reason.INVALID_RULES, option="reopen_rule")
    if type(given.allow_fold_when_check_available) is not bool:
        raise MalformedError(Reason.INVALID_RULES, option="allow_fold_when_check_available")
    if type(given.allow_raise_when_none_can_call) is not bool:
        raise MalformedError(Reason.INVALID_RULES, option="allow_raise_when_none_can_call")
    if type(given.burn_cards) is not bool:
        raise MalformedError(Reason.INVALID_RULES, option="burn_cards")


def _validate_seats(setup: HandSetup) -> None:
    given: Any = setup
    players = len(setup.seats)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise MalformedError(Reason.INVALID_SEATS, players=players)
    last = 0
    for seat in given.seats:
        if not _is_seat(seat.seat):
            raise MalformedError(Reason.INVALID_SEATS, max_seat=MAX_SEAT)
        if seat.seat <= last:
            raise MalformedError(Reason.INVALID_SEATS, ascending="no")
        if not is_chips(seat.stack_chips):
            raise MalformedError(Reason.INVALID_STACK, seat=seat.seat, max_chips=MAX_CHIPS)
        last = seat.seat
    if not _is_seat(given.button):
        raise MalformedError(Reason.INVALID_BUTTON, max_seat=MAX_SEAT)


def _is_seat(value: object) -> bool:
    return type(value) is int and 1 <= value <= MAX_SEAT


def _validate_deck(setup: HandSetup) -> None:
    deck = setup.deck
    needed = cards_needed(len(setup.seats), burn=setup.rules.burn_cards)
    if len(deck) < needed:
        raise MalformedError(Reason.INVALID_DECK, cards=len(deck), needed=needed)
    for card in deck:
        if type(card) is not _CARD:
            raise MalformedError(Reason.INVALID_DECK, cards=len(deck))
    if len(set(deck)) != len(deck):
        raise MalformedError(Reason.DUPLICATE_CARD, cards=len(deck))


def validate_action(action: Action) -> None:
    """Raise MalformedError for an action that no state of any hand could allow.

    Bets and raises need an amount in chips, the other kinds have none.
    """
    given: Any = action
    if not isinstance(action, Action):
        raise MalformedError(Reason.INVALID_ACTION)
    kind, to_chips = given.kind, given.to_chips
    if not isinstance(kind, ActionKind):
        raise MalformedError(Reason.INVALID_ACTION)
    if kind is _BET or kind is _RAISE:
        if not is_chips(to_chips):
            raise MalformedError(Reason.INVALID_AMOUNT, max_chips=MAX_CHIPS)
    elif to_chips is not None:
        raise MalformedError(Reason.INVALID_AMOUNT, kind=kind.value)
    if not _is_seat(given.seat):
        raise MalformedError(Reason.UNKNOWN_SEAT, max_seat=MAX_SEAT)
