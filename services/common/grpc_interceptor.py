"""What happens around every call: who may, errors to statuses, logs, counts, spans, drain."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol, cast

import grpc
import structlog
from google.protobuf.message import DecodeError
from structlog.typing import FilteringBoundLogger

from poker.errors import InvariantError, MalformedError, PokerError, Reason
from services.common import tracing
from services.common.grpc_metrics import CallMetrics
from services.common.logs import get_logger, stack_of
from services.common.rpc_errors import status_code, status_metadata
from services.common.tracing import TRACEPARENT_KEY, Kind

REQUEST_ID_KEY: Final = "x-request-id"
SLOW_SECONDS: Final = 0.25
"""A call that succeeds but takes longer is worth an operator's look."""
_REQUEST_ID_MAX: Final = 64
_HEALTH: Final = "/grpc.health."
_QUIET: Final = (_HEALTH, "/grpc.reflection.")

# The generated stubs do not name the context's parameters, and an interceptor sees every
# method, whatever its messages.
Context = grpc.aio.ServicerContext[Any, Any]
Handler = Any
Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[Handler]]
Behaviour = Callable[[Any, Context], Awaitable[Any]]
Gatekeeper = Callable[[Context], bool]

_log = get_logger(__name__)


class _Details(Protocol):
    method: str


class GuardCalls(grpc.aio.ServerInterceptor):
    """Guards every method of a server, and ends its watchers on drain.

    Whatever leaves a unary handler becomes a status. Refused and failed calls are logged at
    INFO, those that take more than `SLOW_SECONDS` at WARNING, all others at DEBUG: a line
    costs more than many a call. Server-streaming calls (health watches), which never end by
    themselves, end with `release`.

    Args:
        may_call: tells whether a call may go on, else it is UNAUTHENTICATED; None lets all. Health
            is for everybody. Streams other than watches are not served where it is asked.
        metrics: counts calls, those of health and reflection apart.

    """

    def __init__(
        self, may_call: Gatekeeper | None = None, metrics: CallMetrics | None = None
    ) -> None:
        # Bound here: the module's own logger looks its configuration up at every use.
        self._log = _log.bind()
        self._may_call = may_call
        self._metrics = metrics
        self._released = asyncio.Event()
        self._guarded: dict[str, Handler] = {}

    def release(self) -> None:
        """End the running streams, and new ones at once."""
        self._released.set()

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler:
        """Return the guarded handler of a method; it is made once."""
        method = cast("_Details", handler_call_details).method
        guarded = self._guarded.get(method)
        if guarded is not None:
            return guarded
        handler = await continuation(handler_call_details)
        # Only methods that exist are remembered, so callers cannot make the table grow.
        if handler is not None:
            handler = self._guarded[method] = self._guard(method, handler)
        return handler

    def _guard(self, method: str, handler: Handler) -> Handler:
        if handler.unary_unary is not None:
            guarded = _guard_unary(
                method,
                self._admitting(method, handler.unary_unary, handler.request_deserializer),
                self._log,
                self._metrics,
            )
            if tracing.is_recording() and not method.startswith(_QUIET):
                guarded = _traced(_short(method), guarded)
            # Decoding inside the wrapper makes bytes that are no message INVALID_ARGUMENT.
            return grpc.unary_unary_rpc_method_handler(
                guarded,
                request_deserializer=None,
                response_serializer=handler.response_serializer,
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._until_released(handler.unary_stream),
                request_deserializer=handler.request_deserializer,
                response_serializer=handler.response_serializer,
            )
        # Only reflection is of another kind, and it tells strangers what to ask for.
        return handler if self._may_call is None else None

    def _admitting(
        self, method: str, behaviour: Behaviour, decode: Callable[[bytes], Any] | None
    ) -> Behaviour:
        """Return what answers bytes, after asking whether the caller may."""
        answer = _answering(behaviour, decode)
        may_call = self._may_call
        if may_call is None or method.startswith(_HEALTH):
            return answer

        async def ask_first(data: bytes, context: Context) -> Any:  # noqa: ANN401
            if not may_call(context):
                await context.abort(
                    grpc.StatusCode.UNAUTHENTICATED, "callers must prove themselves"
                )
            return await answer(data, context)

        return ask_first

    def _until_released(self, behaviour: Behaviour) -> Behaviour:
        async def watch(request: Any, context: Context) -> None:  # noqa: ANN401
            stream = asyncio.ensure_future(behaviour(request, context))
            released = asyncio.ensure_future(self._released.wait())
            try:
                await asyncio.wait({stream, released}, return_when=asyncio.FIRST_COMPLETED)
                if stream.done():
                    stream.result()
            finally:
                stream.cancel()
                released.cancel()
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the server is stopping")

        return watch


def _guard_unary(
    method: str,
    answer: Behaviour,
    log: FilteringBoundLogger,
    metrics: CallMetrics | None,
) -> Behaviour:
    quiet = method.startswith(_QUIET)
    short = _short(method)
    if quiet:
        metrics = None

    async def call(data: bytes, context: Context) -> Any:  # noqa: ANN401
        started = time.monotonic()
        # Bound for this call alone: gRPC runs each in a task, hence a context, of its own.
        structlog.contextvars.bind_contextvars(request_id=_request_id(context))
        cancelled = False
        try:
            return await answer(data, context)
        except asyncio.CancelledError:
            cancelled = True
            raise
        finally:
            # A call whose client gave up or whose deadline passed has no code of its own.
            code = "CANCELLED" if cancelled else _code_name(context)
            seconds = time.monotonic() - started
            if metrics is not None:
                metrics.count(short, code, seconds)
            write = log.debug if quiet else _writer(log, code, seconds)
            write("call", method=method, code=code, duration_ms=round(seconds * 1000, 3))

    return call


def _answering(behaviour: Behaviour, decode: Callable[[bytes], Any] | None) -> Behaviour:
    """Return what turns a request's bytes into an answer, and everything else into a status."""

    async def answer(data: bytes, context: Context) -> Any:  # noqa: ANN401
        try:
            request = decode(data) if decode else data
        except DecodeError:
            await _refuse(MalformedError(Reason.INVALID_REQUEST, field="request"), context)
        remaining = context.time_remaining()
        if remaining is not None and remaining <= 0:
            await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline has passed")
        try:
            return await behaviour(request, context)
        except PokerError as error:
            await _refuse(error, context)
        except (grpc.aio.AbortError, asyncio.CancelledError):
            raise
        except Exception as error:  # the last line of defence
            _log.error("call failed", error=type(error).__name__, stack=stack_of(error))
            await context.abort(grpc.StatusCode.INTERNAL, "internal error")

    return answer


def _traced(short: str, guarded: Behaviour) -> Behaviour:
    """Return a guarded method that leaves a span in the caller's trace."""

    async def call(data: bytes, context: Context) -> Any:  # noqa: ANN401
        with tracing.span(short, Kind.SERVER, parent=_traceparent(context)) as span:
            span.note({"rpc.system": "grpc", "rpc.method": short})
            try:
                return await guarded(data, context)
            except grpc.aio.AbortError:
                span.fail(_code_name(context))
                raise

    return call


def _short(method: str) -> str:
    """Return ``EngineService/Act`` of ``/riverboat.engine.v1.EngineService/Act``."""
    return method.rpartition(".")[2]


def _traceparent(context: Context) -> str | None:
    """Return the caller's trace."""
    sent = [
        value
        for key, value in context.invocation_metadata() or ()
        if key == TRACEPARENT_KEY and isinstance(value, str)
    ]
    return tracing.received(sent)


async def _refuse(error: PokerError, context: Context) -> None:
    if isinstance(error, InvariantError):
        _log.error("invariant broken", error=str(error), stack=stack_of(error))
    structlog.contextvars.bind_contextvars(reason=error.reason.value)
    await context.abort(status_code(error), str(error), status_metadata(error))


def _writer(log: FilteringBoundLogger, code: str, seconds: float) -> Callable[..., Any]:
    if code != "OK":
        return log.info
    return log.warning if seconds > SLOW_SECONDS else log.debug


def _code_name(context: Context) -> str:
    code = context.code()
    if isinstance(code, grpc.StatusCode):
        return code.name
    return _CODE_NAMES.get(cast("int", code), "OK")


_CODE_NAMES: Final = {code.value[0]: code.name for code in grpc.StatusCode}


def _request_id(context: Context) -> str:
    """Return the caller's id of the request, or a new one when it has none worth logging."""
    for key, value in context.invocation_metadata() or ():
        if key == REQUEST_ID_KEY and isinstance(value, str) and _is_printable(value):
            return value
    return secrets.token_hex(16)


def _is_printable(text: str) -> bool:
    return 0 < len(text) <= _REQUEST_ID_MAX and text.isascii() and text.isprintable()
