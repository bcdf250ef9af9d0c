"""Errors say what was refused, and survive the way between processes."""

import pickle

import pytest

from poker.errors import IllegalActionError, InvariantError, MalformedError, PokerError, Reason


@pytest.mark.parametrize("kind", [PokerError, MalformedError, IllegalActionError, InvariantError])
def test_an_error_keeps_its_class_reason_and_facts_between_processes(
    kind: type[PokerError],
) -> None:
    error = pickle.loads(pickle.dumps(kind(Reason.BELOW_MINIMUM, min_to_chips=200)))  # noqa: S301
    assert type(error) is kind
    assert (error.reason, error.facts) == (Reason.BELOW_MINIMUM, {"min_to_chips": 200})
    assert str(error) == "below_minimum (min_to_chips=200)"
