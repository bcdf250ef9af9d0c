"""The outermost layer of HTTP: ids, limits, headers, and no error without its problem.

It reads the body (bounded) before anything else does, refuses what must never reach a
handler, and turns whatever goes wrong behind it into problem+json.
"""

import time
import uuid
from contextlib import AbstractContextManager, nullcontext
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.common import tracing
from services.common.logs import get_logger, stack_of
from services.common.tracing import TRACEPARENT_KEY, Span
from services.gateway.api.deps import bearer_token, cookie_header
from services.gateway.api.errors import as_problem, problem_response
from services.gateway.metrics import Metrics
from services.gateway.problems import ProblemError, ProblemType

BODY_BYTES_MAX: Final = 64 * 1024

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})

_log = get_logger(__name__)


class Edge:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; a socket only gets its trace."""
        if scope["type"] == "websocket":
            with _trace_of_socket(scope):
                await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            if scope["path"] in _QUIET:
                # Probes come all the time and cause nothing.
                await self._serve(scope, receive, send, tracing.span("quiet"))
                return
            headers = Headers(scope=scope).getlist(TRACEPARENT_KEY)
            with tracing.request_span("HTTP", headers) as span:
                await self._serve(scope, receive, send, span)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, span: Span) -> None:
        started, sent = time.perf_counter(), _Sent(scope, send)
        try:
            await self._app(scope, await _checked(scope, receive), sent)
        except Exception as error:  # the last line of defence
            problem = as_problem(error)
            if problem.status >= 500:
                _log.error("request failed", error=type(error).__name__, frames=stack_of(error))
            if sent.status:
                raise
            await problem_response(Request(scope), problem)(scope, receive, sent)
        finally:
            self._note(scope, sent.status, time.perf_counter() - started, span)

    def _note(self, scope: Scope, status: int, seconds: float, span: Span) -> None:
        route = getattr(scope.get("route"), "path", "other")
        _describe(span, scope["method"], route, status)
        self._metrics.requests.labels(scope["method"], route, str(status)).inc()
        if not scope["state"].get("streams", False):
            # How long somebody watched is no latency.
            self._metrics.latency.labels(route).observe(seconds)
        write = _log.debug if scope["path"] in _QUIET else _log.info
        write(
            "request",
            method=scope["method"],
            route=route,
            status=status,
            duration_ms=round(seconds * 1000, 1),
        )


def _trace_of_socket(scope: Scope) -> AbstractContextManager[None]:
    """Let what a socket is asked for belong to the trace of its handshake, if that has one.

    Whether that is recorded is decided anew for everything that it is asked for.
    """
    parent = tracing.received(Headers(scope=scope).getlist(TRACEPARENT_KEY))
    return nullcontext() if parent is None else tracing.traced_as(tracing.unsampled(parent))


def _describe(span: Span, method: str, route: str, status: int) -> None:
    # The route, not the path: ids are no secrets, but there is no end of them.
    span.rename(f"{method} {route}")
    span.note(
        {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
        }
    )
    if status >= 500:
        span.fail(str(status))


class _Sent:
    """A ``send`` that adds our headers and remembers the status (0: nothing sent yet)."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            headers["X-Request-Id"] = self._scope["state"]["request_id"]
            renewed_token = self._scope["state"].get("renewed_token")
            if renewed_token is not None:
                secure = self._scope["scheme"] == "https"
                headers.append("Set-Cookie", cookie_header(renewed_token, secure=secure))
        await self._send(message)


async def _checked(scope: Scope, receive: Receive) -> Receive:
    """Refuse what no handler should see; returns a ``receive`` that holds the body."""
    headers = Headers(scope=scope)
    if scope["method"] in _SAFE:
        return receive
    # Another site's page cannot make a browser send a Bearer token, and where there is one the
    # cookie does not count.
    if bearer_token(headers) is None and _is_cross_origin(headers):
        raise ProblemError(ProblemType.CROSS_ORIGIN)
    body = await _read(headers, receive)
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and media_type != "application/json":
        raise ProblemError(ProblemType.UNSUPPORTED_MEDIA_TYPE)
    return _Replay(body, receive)


def _is_cross_origin(headers: Headers) -> bool:
    """Return whether a browser says that a page of another origin sent this.

    That includes the site's other hosts: whoever runs a page there is not us. Fetch metadata
    decides; browsers that do not send it send Origin. Neither means that no browser is
    involved.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    # Origin is scheme://host[:port] and nothing else; whatever is not is not ours either.
    return origin is not None and origin.partition("://")[2] != headers.get("host")


async def _read(headers: Headers, receive: Receive) -> bytes:
    announced = headers.get("content-length", "0")
    if announced.isdigit() and int(announced[:20]) > BODY_BYTES_MAX:
        raise ProblemError(ProblemType.TOO_LARGE)
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ProblemError(ProblemType.MALFORMED, "the body ended early")
        body += message.get("body", b"")
        if len(body) > BODY_BYTES_MAX:
            raise ProblemError(ProblemType.TOO_LARGE)
        if not message.get("more_body", False):
            return bytes(body)


class _Replay:
    """A ``receive`` that first hands out the body that was read."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}
