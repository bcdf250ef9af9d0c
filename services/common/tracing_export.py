"""Spans recorded with OpenTelemetry and sent to a collector by OTLP.

Loaded only where spans are recorded: the SDK costs memory and time to start.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, Sampler, TraceIdRatioBased
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from services.common.tracing import Attributes, Kind, Recording, record_with

EXPORT_SECONDS: Final = 5.0
"""How long a batch of spans may take, and all that are left at the end."""

_KINDS: Final = {
    Kind.INTERNAL: SpanKind.INTERNAL,
    Kind.SERVER: SpanKind.SERVER,
    Kind.CLIENT: SpanKind.CLIENT,
    Kind.PRODUCER: SpanKind.PRODUCER,
    Kind.CONSUMER: SpanKind.CONSUMER,
}


class OpenTelemetryRecorder:
    """A `Recorder` that begins spans of OpenTelemetry's SDK."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("riverboat")

    def begin(self, name: str, kind: Kind, parent: str | None, *, remote: bool) -> Recording:
        """See `Recorder`."""
        span = self._tracer.start_span(
            name,
            context=set_span_in_context(NonRecordingSpan(_context(parent, remote=remote)))
            if parent is not None
            else set_span_in_context(NonRecordingSpan(_NO_PARENT)),
            kind=_KINDS[kind],
        )
        return _Recording(span)


class _Recording:
    """A `Recording` of OpenTelemetry."""

    __slots__ = ("_span", "traceparent")

    def __init__(self, span: Span) -> None:
        self._span = span
        context = span.get_span_context()
        self.traceparent = (
            f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags) & 1:02x}"
        )

    def rename(self, name: str) -> None:
        """See `Recording`."""
        self._span.update_name(name)

    def note(self, attributes: Attributes) -> None:
        """See `Recording`."""
        self._span.set_attributes(attributes)

    def fail(self, kind: str) -> None:
        """See `Recording`."""
        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))

    def end(self) -> None:
        """See `Recording`."""
        self._span.end()


def sampler(share: float, *, edge: bool) -> Sampler:
    """Return which traces are recorded: ``share`` of them, 0..1, whole or not at all.

    At the ``edge`` a stranger's wish to be recorded does not count, else they would decide what
    tracing costs us. Behind it everybody follows whoever called.
    """
    ours = TraceIdRatioBased(share)
    if not edge:
        return ParentBased(ours)
    return ParentBased(ours, remote_parent_sampled=ours, remote_parent_not_sampled=ours)


@contextmanager
def recorded(
    service: str, processor: SpanProcessor, *, share: float = 1.0, edge: bool = False
) -> Iterator[None]:
    """Record the spans of this process meanwhile; what is left is handed on at the end."""
    resource = Resource.create({SERVICE_NAME: f"riverboat-{service}"})
    provider = TracerProvider(
        sampler=sampler(share, edge=edge), resource=resource, shutdown_on_exit=False
    )
    provider.add_span_processor(processor)
    record_with(OpenTelemetryRecorder(provider))
    try:
        yield
    finally:
        record_with(None)
        _end(provider)


def _end(provider: TracerProvider) -> None:
    """Hand on what is left, unless that takes longer than `EXPORT_SECONDS`.

    The SDK has no such bound: with a collector that does not answer, each of several batches would
    take its whole time, and the process be killed before it has stopped in order.
    """
    ending = threading.Thread(target=provider.shutdown, name="last spans", daemon=True)
    ending.start()
    ending.join(EXPORT_SECONDS)


def exporting(endpoint: str) -> SpanProcessor:
    """Return what sends spans to a collector, in the background and in batches.

    ``endpoint`` is ``http://host:4317``, or ``https://`` for TLS. A collector that is away costs
    spans, never time.
    """
    return BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=EXPORT_SECONDS))


_NO_PARENT: Final = SpanContext(0, 0, is_remote=False)


def _context(traceparent: str, *, remote: bool) -> SpanContext:
    _, trace_id, span_id, flags = traceparent.split("-")[:4]
    sampled = TraceFlags(int(flags, 16) & TraceFlags.SAMPLED)
    return SpanContext(int(trace_id, 16), int(span_id, 16), is_remote=remote, trace_flags=sampled)
