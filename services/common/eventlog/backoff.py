"""Waiting out an outage."""

import random

MAX_BACKOFF_SECONDS = 5.0


def backoff_seconds(failures: int) -> float:
    """Return how long to wait after so many failures in a row, at least one.

    Doubles from 0.25 s up to 5 s, with jitter so that replicas do not return together.
    """
    longest = min(MAX_BACKOFF_SECONDS, 0.125 * 2 ** min(failures, 10))
    return random.uniform(longest / 2, longest)  # noqa: S311 - no secret depends on it


def describe(error: Exception) -> str:
    """Say what failed; a database's message is left out, as it may quote a payload."""
    module = type(error).__module__
    return type(error).__name__ if module.startswith("sqlalchemy") else str(error)
