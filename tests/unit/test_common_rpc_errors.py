"""Errors on the wire are the errors that were raised."""

import grpc
import pytest
from google.rpc import code_pb2
from hypothesis import given
from hypothesis import strategies as st

from poker.errors import IllegalActionError, InvariantError, MalformedError, PokerError, Reason
from services.common.rpc_errors import (
    CODES,
    DETAILS_KEY,
    status_code,
    status_metadata,
    to_poker_error,
)


def subclasses(error_class: type[PokerError]) -> list[type[PokerError]]:
    found = []
    for child in error_class.__subclasses__():
        found += [child, *subclasses(child)]
    return found


def as_received(error: PokerError) -> grpc.aio.AioRpcError:
    """The exception that a client gets for this error."""
    return grpc.aio.AioRpcError(
        code=status_code(error),
        initial_metadata=grpc.aio.Metadata(),
        trailing_metadata=grpc.aio.Metadata(*status_metadata(error)),
        details=str(error),
    )


def rebuilt(error: PokerError) -> tuple[type[PokerError], Reason, dict[str, int | str]]:
    read = to_poker_error(as_received(error))
    assert read is not None
    return type(read), read.reason, dict(read.facts)


def test_every_error_class_has_a_code_of_its_own() -> None:
    assert set(CODES) == set(subclasses(PokerError))
    assert len(set(CODES.values())) == len(CODES)


@pytest.mark.parametrize("error_class", CODES)
@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_rebuilt_with_its_class(
    error_class: type[PokerError], reason: Reason
) -> None:
    error = error_class(reason, min_to_chips=200, kind="raise")
    assert rebuilt(error) == (error_class, reason, {"min_to_chips": 200, "kind": "raise"})


@pytest.mark.parametrize(
    ("error_class", "code"),
    [
        (MalformedError, code_pb2.INVALID_ARGUMENT),
        (IllegalActionError, code_pb2.FAILED_PRECONDITION),
        (InvariantError, code_pb2.INTERNAL),
    ],
)
def test_the_code_says_whose_fault_it_is(error_class: type[PokerError], code: int) -> None:
    assert status_code(error_class(Reason.HAND_OVER)).value[0] == code


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z_]{0,20}", fullmatch=True).filter(lambda name: name != "reason"),
        st.one_of(st.integers(-(10**20), 10**20), st.text(max_size=20)),
        max_size=5,
    )
)
def test_facts_keep_their_type_even_when_a_text_looks_like_a_number(
    facts: dict[str, int | str],
) -> None:
    facts.pop("self", None)
    assert rebuilt(MalformedError(Reason.INVALID_AMOUNT, **facts))[2] == facts


def test_a_failed_call_is_no_error_of_the_game() -> None:
    error = grpc.aio.AioRpcError(
        grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(), "connection refused"
    )
    assert to_poker_error(error) is None
    assert to_poker_error(grpc.RpcError()) is None


@pytest.mark.parametrize("details", [b"\xff\xff", b"", b"\x08\x09"])
def test_details_that_are_not_ours_are_no_error_of_the_game(details: bytes) -> None:
    error = grpc.aio.AioRpcError(
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.aio.Metadata(),
        grpc.aio.Metadata((DETAILS_KEY, details)),
        "something",
    )
    assert to_poker_error(error) is None


def test_a_reason_of_a_newer_server_is_no_error_of_the_game() -> None:
    error = as_received(IllegalActionError(Reason.HAND_OVER))
    key, value = status_metadata(IllegalActionError(Reason.HAND_OVER))[0]
    assert isinstance(value, bytes)
    newer = value.replace(b"HAND_OVER", b"HAND_HELD")
    changed = grpc.aio.AioRpcError(
        error.code(), grpc.aio.Metadata(), grpc.aio.Metadata((key, newer)), "hand_held"
    )
    assert to_poker_error(changed) is None
