"""The names of what happens at the table: streets, and kinds of action."""

from enum import StrEnum


class Street(StrEnum):
    """The four betting rounds, in order."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


class ActionKind(StrEnum):
    """The five things a player can do."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
