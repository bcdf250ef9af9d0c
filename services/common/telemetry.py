"""Whether a process tells what it does: spans to a collector, counters to Prometheus."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector
from pydantic import AfterValidator, Field

from services.common.settings import Settings, split_address

_SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"


def _check_endpoint(address: str) -> str:
    if not address.startswith(("http://", "https://")) or not urlsplit(address).hostname:
        raise ValueError("must be http://HOST:PORT or https://HOST:PORT")
    return address


class TelemetrySettings(Settings):
    """``OTEL_EXPORTER_OTLP_ENDPOINT`` turns spans on; ``OTEL_TRACES_SAMPLER_ARG`` is their share.

    The share counts where traces begin, at the gateway; everybody else follows it.
    """

    otel_exporter_otlp_endpoint: Annotated[str, AfterValidator(_check_endpoint)] | None = None
    otel_traces_sampler_arg: float = Field(default=1.0, ge=0.0, le=1.0)


@contextmanager
def traced_process(
    service: str, settings: TelemetrySettings, *, edge: bool = False
) -> Iterator[None]:
    """Record the spans of a process meanwhile, when the settings name a collector.

    ``edge`` is for the process whose callers are strangers.
    """
    endpoint = settings.otel_exporter_otlp_endpoint
    if endpoint is None:
        yield
        return
    # Only who exports pays for loading OpenTelemetry's SDK.
    from services.common.tracing_export import exporting, recorded  # noqa: PLC0415

    share = settings.otel_traces_sampler_arg
    with recorded(service, exporting(endpoint), share=share, edge=edge):
        yield


@contextmanager
def metrics_server(address: str | None, registry: CollectorRegistry) -> Iterator[None]:
    """Serve a registry's metrics over HTTP on ``host:port`` meanwhile; None serves nothing.

    Raises OSError when the port is taken, with the address.
    """
    if address is None:
        yield
        return
    host, port = split_address(address)
    try:
        server, thread = start_http_server(port, host.strip("[]"), registry=registry)
    except OSError as error:
        raise OSError(f"metrics on {address}: {error}") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def shared_metrics(address: str | None) -> Iterator[None]:
    """Serve the sum of what the processes count that this one starts meanwhile.

    They write into files of a folder that goes away with us, and learn of it as the library wants
    it: by the environment that they inherit. Raises OSError when the port is taken.
    """
    if address is None:
        yield
        return
    registry = CollectorRegistry()
    with TemporaryDirectory(prefix="riverboat-metrics-") as folder:
        collector: Any = MultiProcessCollector  # its parameters have no types
        collector(registry, path=folder)
        with metrics_server(address, registry):
            os.environ[_SHARED_FOLDER] = folder
            try:
                yield
            finally:
                del os.environ[_SHARED_FOLDER]
