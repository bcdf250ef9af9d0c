"""Which trace the work at hand belongs to (W3C trace context), for the events that come of it.

A request brings the trace of whoever caused it, or begins one. Tasks and threads that a
request starts are part of it; what nobody asked for, such as the sweep, is traced by itself.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from services.common.eventlog.port import Event, is_traceparent

_CURRENT: ContextVar[str | None] = ContextVar("riverboat_traceparent", default=None)


def new_traceparent() -> str:
    """Return the beginning of a trace that nobody records: ids at random, not sampled."""
    trace_id, span_id = secrets.token_hex(16), secrets.token_hex(8)
    made = f"00-{trace_id}-{span_id}-00"
    # An id of zeros means none; it comes up once in 2^64 times.
    return made if is_traceparent(made) else new_traceparent()


def traceparent_of(headers: Sequence[str]) -> str:
    """Return what a request's ``traceparent`` headers say, a new one unless it is one valid."""
    if len(headers) == 1 and is_traceparent(headers[0]):
        return headers[0]
    return new_traceparent()


@contextmanager
def traced_as(traceparent: str) -> Iterator[None]:
    """Let whatever is done meanwhile belong to a trace."""
    token = _CURRENT.set(traceparent)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def traced(events: Sequence[Event]) -> list[Event]:
    """Return events that are part of the current trace, of a new one where there is none."""
    current = _CURRENT.get() or new_traceparent()
    return [
        event if event.traceparent is not None else replace(event, traceparent=current)
        for event in events
    ]
