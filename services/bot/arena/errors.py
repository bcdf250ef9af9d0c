"""What can be wrong with the players of a match."""


class UnknownPlayerError(ValueError):
    """A player that does not exist or cannot be loaded; the text says why."""
