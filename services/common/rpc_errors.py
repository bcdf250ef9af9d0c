"""`PokerError` on the wire: a gRPC status with ``google.rpc.ErrorInfo``, and back.

The reason travels as ``ErrorInfo.reason`` in UPPER_SNAKE_CASE, the facts as metadata, so a
client raises the very exception that the server caught.
"""

import json
import re
from collections.abc import Mapping
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from google.rpc import (
    error_details_pb2,
    status_pb2,
)

from poker.errors import IllegalActionError, InvariantError, MalformedError, PokerError, Reason

DOMAIN: Final = "riverboat"
DETAILS_KEY: Final = "grpc-status-details-bin"

Metadata = tuple[tuple[str, str | bytes], ...]

CODES: Final[dict[type[PokerError], grpc.StatusCode]] = {
    MalformedError: grpc.StatusCode.INVALID_ARGUMENT,
    IllegalActionError: grpc.StatusCode.FAILED_PRECONDITION,
    InvariantError: grpc.StatusCode.INTERNAL,
}
_CLASSES: Final = {code: error_class for error_class, code in CODES.items()}
_INTEGER: Final = re.compile(r"-?\d{1,30}", re.ASCII)


def status_code(error: PokerError) -> grpc.StatusCode:
    """Return the gRPC code of an error's class."""
    matches = (code for kind, code in CODES.items() if isinstance(error, kind))
    return next(matches, grpc.StatusCode.INTERNAL)


def status_metadata(error: PokerError) -> Metadata:
    """Return the trailing metadata that carries the error in full."""
    return refusal_metadata(status_code(error), error.reason.name, str(error), error.facts)


def refusal_metadata(
    code: grpc.StatusCode, reason: str, message: str, facts: Mapping[str, int | str]
) -> Metadata:
    """Return trailing metadata with an ErrorInfo, also for what is no `PokerError`.

    Args:
        code: code of the call's status.
        reason: UPPER_SNAKE_CASE, for machines.
        message: message of the call's status.
        facts: what a caller may want to show; never a card that it may not see.

    """
    info = error_details_pb2.ErrorInfo(
        reason=reason,
        domain=DOMAIN,
        metadata={name: _write_fact(value) for name, value in facts.items()},
    )
    status = status_pb2.Status(code=code.value[0], message=message)
    status.details.add().Pack(info)
    return ((DETAILS_KEY, status.SerializeToString()),)


def to_poker_error(error: grpc.RpcError) -> PokerError | None:
    """Rebuild the error that the server raised; None when the failure is of another kind.

    Takes a ``grpc.aio.AioRpcError`` or the error of a synchronous call. None means that
    the call itself failed (unreachable, deadline, a bug), or that the server knows a
    reason that this client does not.
    """
    if not isinstance(error, grpc.aio.AioRpcError | grpc.Call):
        return None
    error_class = _CLASSES.get(error.code())
    info = _error_info(error.trailing_metadata())
    if error_class is None or info is None or info.reason not in Reason.__members__:
        return None
    facts = {name: _read_fact(text) for name, text in info.metadata.items()}
    return error_class(Reason[info.reason], **facts)


def _error_info(metadata: object) -> error_details_pb2.ErrorInfo | None:
    """Find our ErrorInfo among trailing metadata."""
    if not isinstance(metadata, grpc.aio.Metadata | tuple):
        return None
    for key, value in metadata:
        if key == DETAILS_KEY and isinstance(value, bytes):
            return _read_status(value)
    return None


def _read_status(data: bytes) -> error_details_pb2.ErrorInfo | None:
    try:
        status = status_pb2.Status.FromString(data)
    except DecodeError:
        return None
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            return info
    return None


def _write_fact(value: int | str) -> str:
    """Write a fact as text; a text that would read back as something else is quoted."""
    if isinstance(value, int):
        return str(int(value))
    ambiguous = _INTEGER.fullmatch(value) or value.startswith('"')
    return json.dumps(value) if ambiguous else value


def _read_fact(text: str) -> int | str:
    if _INTEGER.fullmatch(text):
        return int(text)
    return str(json.loads(text)) if text.startswith('"') else text
