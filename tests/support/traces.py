"""Spans in memory, and the tree they make."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from services.common.tracing_export import recorded


@dataclass(frozen=True)
class Spans:
    """What was recorded."""

    exporter: InMemorySpanExporter

    @property
    def all(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    def of_trace(self, trace_id: str) -> list[ReadableSpan]:
        return [span for span in self.all if trace_of(span) == trace_id]

    def path(self, span: ReadableSpan) -> list[str]:
        """The names from the root down to a span; the root's parent may be a stranger's."""
        by_id = {id_of(one): one for one in self.all}
        names = [name_of(span)]
        while span.parent is not None and span.parent.span_id in by_id:
            span = by_id[span.parent.span_id]
            names.append(name_of(span))
        return names[::-1]

    def paths(self, trace_id: str) -> set[tuple[str, ...]]:
        """Every path of a trace."""
        return {tuple(self.path(span)) for span in self.of_trace(trace_id)}


def name_of(span: ReadableSpan) -> str:
    """A span's name, with its kind where the name alone could be at either end."""
    kind = {SpanKind.CLIENT: " (client)", SpanKind.SERVER: " (server)"}.get(span.kind, "")
    return span.name + kind


def id_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return int(span.context.span_id)


def trace_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.trace_id:032x}"


@contextmanager
def recording(*, share: float = 1.0, edge: bool = True) -> Iterator[Spans]:
    """Record the spans of this process in memory."""
    exporter = InMemorySpanExporter()
    with recorded("test", SimpleSpanProcessor(exporter), share=share, edge=edge):
        yield Spans(exporter)
