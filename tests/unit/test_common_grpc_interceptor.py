"""What happens around a call, with a context that says what gRPC would."""

import asyncio
from typing import Any, NoReturn, cast

import grpc
import pytest
import structlog

from services.common.grpc_interceptor import GuardCalls


class Details:
    method = "/example.Service/Work"
    invocation_metadata: tuple[tuple[str, str], ...] = ()


class Context:
    """Stands in for a servicer context."""

    def __init__(self, remaining: float | None = None, request_id: str | None = None) -> None:
        self._remaining = remaining
        self._metadata = (("x-request-id", request_id),) if request_id is not None else ()
        self.status: grpc.StatusCode | None = None

    def time_remaining(self) -> float | None:
        return self._remaining

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def code(self) -> grpc.StatusCode | None:
        return self.status

    async def abort(self, code: grpc.StatusCode, *_details: object) -> NoReturn:
        self.status = code
        raise grpc.aio.AbortError


async def call(context: Context, calls: list[bytes]) -> bytes:
    async def work(request: bytes, _context: object) -> bytes:
        calls.append(request)
        return b"done"

    async def continuation(_details: object) -> Any:  # noqa: ANN401 - gRPC's untyped handler
        return grpc.unary_unary_rpc_method_handler(cast("Any", work))

    details = cast("grpc.HandlerCallDetails", Details())
    handler = await GuardCalls().intercept_service(continuation, details)
    answer: bytes = await handler.unary_unary(b"request", context)
    return answer


def test_a_call_whose_deadline_has_passed_does_no_work() -> None:
    calls: list[bytes] = []
    context = Context(remaining=0.0)
    with pytest.raises(grpc.aio.AbortError):
        asyncio.run(call(context, calls))
    assert context.status is grpc.StatusCode.DEADLINE_EXCEEDED
    assert calls == []


@pytest.mark.parametrize("remaining", [None, 1.5])
def test_a_call_with_time_left_is_answered(remaining: float | None) -> None:
    calls: list[bytes] = []
    assert asyncio.run(call(Context(remaining), calls)) == b"done"
    assert calls == [b"request"]


@pytest.mark.parametrize("request_id", ["", "x" * 65, "line\nbreak", "käse"])
def test_a_request_id_that_could_forge_a_log_line_is_replaced(request_id: str) -> None:
    with structlog.testing.capture_logs(
        processors=[structlog.contextvars.merge_contextvars]
    ) as logs:
        asyncio.run(call(Context(request_id=request_id), []))
    assert logs[-1]["request_id"] != request_id
    assert len(logs[-1]["request_id"]) == 32


def test_a_call_is_logged_without_what_it_carried() -> None:
    with structlog.testing.capture_logs() as logs:
        asyncio.run(call(Context(request_id="r-7"), []))
    (entry,) = logs
    assert set(entry) == {"event", "log_level", "method", "code", "duration_ms"}
    assert entry["method"] == Details.method
