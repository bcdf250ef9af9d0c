"""The gateways' log goes into the trace; an error that no fault explains fails the run."""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Final

import structlog

from tests.simulation.trace import Trace

EXPLAINED: Final = {"CutError", "EngineUnavailableError"}
"""Errors that the world itself made."""


@contextmanager
def watched(trace: Trace) -> Iterator[list[str]]:
    """Give the list of unexplained errors, which grows while the block runs."""
    errors: list[str] = []

    def note(_: object, method: str, event: MutableMapping[str, Any]) -> str:
        if method in {"debug", "info"}:
            raise structlog.DropEvent
        facts = {name: value for name, value in event.items() if name != "frames"}
        trace.say("log", f"{method}: {facts}")
        if method in {"error", "critical"} and event.get("error") not in EXPLAINED:
            errors.append(str(event))
        raise structlog.DropEvent

    structlog.configure(processors=[note])
    try:
        yield errors
    finally:
        structlog.reset_defaults()
