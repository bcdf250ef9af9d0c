"""What the solver refuses."""


class SolverError(ValueError):
    """A subgame that cannot be solved, or a question about a node that is not in it."""
