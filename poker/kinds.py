"""The names of what happens at the table: streets, and kinds of action."""

from enum import Enum, StrEnum


class Street(StrEnum):
    """The four betting rounds, in order."""

    __repr__ = Enum.__str__

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


class ActionKind(StrEnum):
    """The five things a player can do."""

    __repr__ = Enum.__str__

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
