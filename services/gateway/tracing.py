"""The trace that events belong to: that of the request which caused them.

Tasks and threads that a request starts are part of its trace; what nobody asked for, such as the
sweep, is traced by itself.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.common.eventlog.port import Event
from services.common.tracing import current, new_traceparent


def traced(events: Sequence[Event]) -> list[Event]:
    """Return events that are part of the current trace, of a new one where there is none."""
    trace = current() or new_traceparent()
    return [
        event if event.traceparent is not None else replace(event, traceparent=trace)
        for event in events
    ]
