"""Which trace the work at hand belongs to (W3C trace context), and the spans it leaves there.

A trace is carried as the text of its ``traceparent``: in a variable of the context, which tasks
and threads inherit, in the metadata of gRPC, in the outbox and in headers of Kafka. Whether spans
are recorded depends on a recorder (`services.common.tracing_export`); without one a span is two
calls that do nothing, and a trace still connects what it caused.

What a span says is for whoever looks at traces, so it names routes, methods, types and codes: no
card, no seed, no token, no person, no text that somebody wrote.
"""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from enum import Enum
from types import TracebackType
from typing import Final, Protocol, Self

TRACEPARENT_KEY: Final = "traceparent"
"""Name of the header, of the metadata and of the column."""

_TRACEPARENT: Final = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
)

Attributes = Mapping[str, str | int | bool]


class Kind(Enum):
    """What a span is to its trace."""

    INTERNAL = "internal"
    SERVER = "server"
    CLIENT = "client"
    PRODUCER = "producer"
    CONSUMER = "consumer"


_BEGINNINGS: Final = frozenset({Kind.SERVER, Kind.PRODUCER, Kind.CONSUMER})


class Recording(Protocol):
    """A span while it lasts."""

    @property
    def traceparent(self) -> str:
        """What its children name as their parent."""

    def rename(self, name: str) -> None:
        """Give it the name that was not known when it began."""

    def note(self, attributes: Attributes) -> None:
        """Add attributes."""

    def fail(self, kind: str) -> None:
        """Say that it failed, in a word such as a code or the name of an exception's class."""

    def end(self) -> None:
        """End it; once."""


class Recorder(Protocol):
    """Where spans go."""

    def begin(self, name: str, kind: Kind, parent: str | None, *, remote: bool) -> Recording:
        """Begin a span under a valid ``traceparent``, or a trace of its own.

        ``remote`` says that the parent is another process's.
        """


class _State:
    """The recorder of this process; None records nothing. Set by the composition root."""

    recorder: Recorder | None = None


_CURRENT: ContextVar[str | None] = ContextVar("riverboat_traceparent", default=None)


def is_traceparent(text: str) -> bool:
    """Tell whether a text is a W3C ``traceparent`` in the form of version 00."""
    return _TRACEPARENT.fullmatch(text) is not None


def record_with(recorder: Recorder | None) -> None:
    """Record the spans of this process with a recorder from now on; None for not at all."""
    _State.recorder = recorder


def is_recording() -> bool:
    """Tell whether spans are recorded."""
    return _State.recorder is not None


def current() -> str | None:
    """Return the ``traceparent`` of what is being done, None when nobody traces it."""
    return _CURRENT.get()


def current_trace_id() -> str | None:
    """Return the id of the current trace, 32 hexadecimal digits."""
    text = _CURRENT.get()
    return None if text is None else text[3:35]


def new_traceparent() -> str:
    """Return the beginning of a trace that nobody records: ids at random, not sampled."""
    trace_id, span_id = secrets.token_hex(16), secrets.token_hex(8)
    made = f"00-{trace_id}-{span_id}-00"
    # An id of zeros means none; it comes up once in 2^64 times.
    return made if is_traceparent(made) else new_traceparent()


def received(headers: Sequence[str]) -> str | None:
    """Return what a request's ``traceparent`` headers say, None unless it is one valid."""
    return headers[0] if len(headers) == 1 and is_traceparent(headers[0]) else None


def unsampled(traceparent: str) -> str:
    """Return the same trace without its sender's wish that it be recorded."""
    return traceparent[:-2] + "00"


@contextmanager
def traced_as(traceparent: str) -> Iterator[None]:
    """Let whatever is done meanwhile belong to a trace."""
    token = _CURRENT.set(traceparent)
    try:
        yield
    finally:
        _CURRENT.reset(token)


class Span:
    """A part of a trace, as a context manager; whatever is done in it belongs to it.

    Without a recorder nothing changes. Neither does it where there is no trace, unless the span
    is of a kind that begins one: probes and housekeeping ask and write all the time. An exception
    that leaves it makes it a failed one, told by its class only.
    """

    __slots__ = ("_kind", "_name", "_parent", "_recording", "_token")

    def __init__(self, name: str, kind: Kind, parent: str | None) -> None:
        self._name = name
        self._kind = kind
        self._parent = parent
        self._recording: Recording | None = None
        self._token: Token[str | None] | None = None

    def __enter__(self) -> Self:
        """Begin."""
        recorder = _State.recorder
        if recorder is None:
            return self
        remote = self._parent is not None
        parent = self._parent if remote else _CURRENT.get()
        if parent is not None or self._kind in _BEGINNINGS:
            recording = recorder.begin(self._name, self._kind, parent, remote=remote)
            self._recording = recording
            self._token = _CURRENT.set(recording.traceparent)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """End."""
        if self._recording is None or self._token is None:
            return
        _CURRENT.reset(self._token)
        if kind is not None:
            self._recording.fail(kind.__name__)
        self._recording.end()

    @property
    def traceparent(self) -> str | None:
        """What names this span as the parent; None when it is not recorded or nothing is."""
        return None if self._recording is None else self._recording.traceparent

    def rename(self, name: str) -> None:
        """Give it the name that was not known when it began."""
        if self._recording is not None:
            self._recording.rename(name)

    def note(self, attributes: Attributes) -> None:
        """Add attributes."""
        if self._recording is not None:
            self._recording.note(attributes)

    def fail(self, kind: str) -> None:
        """Say that it failed, in a word."""
        if self._recording is not None:
            self._recording.fail(kind)


def span(name: str, kind: Kind = Kind.INTERNAL, *, parent: str | None = None) -> Span:
    """Return a span to enter.

    Args:
        name: of what is done; one of few, so without ids.
        kind: what it is to the trace.
        parent: ``traceparent`` that another process gave; None for what is current here.

    """
    return Span(name, kind, parent)


@contextmanager
def request_span(name: str, headers: Sequence[str]) -> Iterator[Span]:
    """Serve a stranger's request as a part of their trace, or of a new one.

    Who does not record says so to those who are called, whatever the stranger wished.

    Args:
        name: until `Span.rename` tells the route.
        headers: every ``traceparent`` of the request.

    """
    parent = received(headers)
    served = Span(name, Kind.SERVER, parent)
    if is_recording():
        with served:
            yield served
    else:
        with traced_as(new_traceparent() if parent is None else unsampled(parent)):
            yield served
