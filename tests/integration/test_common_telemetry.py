"""Spans on their way to a collector, and what happens without one."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.sdk.trace import SpanProcessor
from pydantic import ValidationError

from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.common import tracing, tracing_export
from services.common.channels import open_channel
from services.common.telemetry import TelemetrySettings, traced_process
from services.common.tracing import TRACEPARENT_KEY, Kind
from services.common.tracing_export import recorded
from services.local import free_ports
from tests.support.guarded import guarded
from tests.support.traces import recording, trace_of

REPO = Path(__file__).parents[2]
SECONDS = 60.0
TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
SAMPLED = f"00-{TRACE_ID}-b7ad6b7169203331-01"
UNSAMPLED = SAMPLED[:-1] + "0"


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.requests: list[Any] = []

    def Export(self, request: Any, context: Any) -> Any:  # noqa: ANN401, N802
        del context
        self.requests.append(request)
        return trace_service_pb2.ExportTraceServiceResponse()

    @property
    def found(self) -> list[tuple[str, str, str]]:
        """Service, name and trace of each span."""
        return [
            (attribute.value.string_value, span.name, span.trace_id.hex())
            for request in self.requests
            for resource in request.resource_spans
            for attribute in resource.resource.attributes
            if attribute.key == "service.name"
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(2))
    add: Any = trace_service_pb2_grpc.add_TraceServiceServicer_to_server  # it has no types
    add(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield collector, f"http://127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


async def call(target: str, traceparent: str) -> None:
    async with open_channel(target, deadline_seconds=SECONDS) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Replay(
                engine_pb2.ReplayRequest(),
                wait_for_ready=True,
                metadata=((TRACEPARENT_KEY, traceparent),),
            )
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def run_engine_and_call(endpoint: str, *traceparents: str) -> int:
    """Serve some calls in an engine that exports; returns its exit status after SIGTERM."""
    (port,) = free_ports(1)
    environment = {
        **os.environ,
        "ENGINE_LISTEN": f"127.0.0.1:{port}",
        "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
    }
    command = [*guarded(signal.SIGTERM), sys.executable, "-m", "services.engine"]
    with subprocess.Popen(command, cwd=REPO, env=environment) as process:
        try:
            for traceparent in traceparents:
                asyncio.run(call(f"127.0.0.1:{port}", traceparent))
            process.send_signal(signal.SIGTERM)
            return process.wait(SECONDS)
        finally:
            process.kill()


def test_spans_reach_the_collector_before_the_process_ends() -> None:
    with collecting() as (collector, endpoint):
        # Behind the gateway everybody does as the caller says.
        assert run_engine_and_call(endpoint, UNSAMPLED, SAMPLED) == 0
    assert collector.found == [("riverboat-engine", "EngineService/Replay", TRACE_ID)]


def test_a_collector_that_is_away_stops_nothing() -> None:
    (nowhere,) = free_ports(1)
    assert run_engine_and_call(f"http://127.0.0.1:{nowhere}", SAMPLED) == 0


class Stuck(SpanProcessor):
    """Hands nothing on, and does not say when it will."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.was_waited_for = False

    def force_flush(self, timeout_millis: int = 0) -> bool:
        del timeout_millis
        self.shutdown()
        return False

    def shutdown(self) -> None:
        self.released.wait(SECONDS)
        self.was_waited_for = True


def test_a_collector_that_does_not_answer_keeps_no_process_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracing_export, "EXPORT_SECONDS", 0.01)
    stuck = Stuck()
    try:
        with recorded("test", stuck), tracing.span("request", Kind.SERVER):
            pass
        assert not stuck.was_waited_for
        assert not tracing.is_recording()
    finally:
        stuck.released.set()


def test_without_a_collector_nothing_is_recorded() -> None:
    with traced_process("engine", TelemetrySettings()):
        assert not tracing.is_recording()
        with tracing.span("anything") as span:
            span.note({"some": "thing"})
            span.rename("else")
            span.fail("somehow")
            assert span.traceparent is None
            assert tracing.current() is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"),
        ("OTEL_TRACES_SAMPLER_ARG", "2"),
    ],
)
def test_settings_that_mean_nothing_are_refused(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError):
        TelemetrySettings()
    monkeypatch.setenv(name, "")
    assert TelemetrySettings().otel_exporter_otlp_endpoint is None


def test_what_raises_is_told_by_its_class_only() -> None:
    with recording() as spans:
        with pytest.raises(ValueError, match="As Kh"), tracing.span("deal", Kind.SERVER):
            raise ValueError("As Kh")
        (span,) = spans.all
        assert span.attributes == {"error.type": "ValueError"}
        assert "As Kh" not in span.to_json()


def test_threads_and_tasks_belong_to_the_span_that_starts_them() -> None:
    async def child() -> None:
        with tracing.span("task"):
            pass

    def work() -> None:
        with tracing.span("thread"):
            pass

    async def main() -> None:
        with tracing.span("request", Kind.SERVER):
            await asyncio.gather(asyncio.create_task(child()), asyncio.to_thread(work))

    with recording() as spans:
        asyncio.run(main())
        assert {tuple(spans.path(span)) for span in spans.all} == {
            ("request (server)",),
            ("request (server)", "task"),
            ("request (server)", "thread"),
        }


def test_a_part_of_the_traces_is_recorded_whole_or_not_at_all() -> None:
    with recording(share=0.5) as spans:
        for _ in range(200):
            with tracing.span("request", Kind.SERVER), tracing.span("child"):
                pass
        by_trace = [len(spans.of_trace(trace_of(one))) for one in spans.all]
    assert 0 < len(by_trace) < 400
    assert set(by_trace) == {2}
