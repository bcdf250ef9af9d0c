import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.common import healthcheck

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class ReadyOnly(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/readyz" else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def http_address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), ReadyOnly) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def grpc_health() -> Iterator[tuple[str, health.HealthServicer]]:
    servicer = health.HealthServicer()
    server = grpc.server(ThreadPoolExecutor(2))
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}", servicer
    server.stop(None).wait()


def test_a_serving_grpc_server_is_healthy(grpc_health: tuple[str, health.HealthServicer]) -> None:
    target, servicer = grpc_health
    servicer.set("", SERVING)
    assert healthcheck.main([target]) == 0


def test_a_draining_grpc_server_is_not(
    grpc_health: tuple[str, health.HealthServicer], capsys: pytest.CaptureFixture[str]
) -> None:
    target, servicer = grpc_health
    servicer.set("", NOT_SERVING)
    assert healthcheck.main([target]) == 1
    assert "NOT_SERVING" in capsys.readouterr().err


def test_a_server_that_is_not_there_is_unhealthy_within_the_deadline() -> None:
    problem = healthcheck.grpc_problem("127.0.0.1:1", timeout_seconds=0.2)
    assert problem is not None
    assert "DEADLINE_EXCEEDED" in problem


def test_http_readiness_is_the_status_code(http_address: str) -> None:
    assert healthcheck.main([f"{http_address}/readyz"]) == 0
    assert healthcheck.main([f"{http_address}/elsewhere"]) == 1
    assert healthcheck.main(["http://127.0.0.1:1/readyz"]) == 1


def test_other_schemes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        healthcheck.main(["file:///etc/hostname"])
    assert stop.value.code == 2
    assert "http://" in capsys.readouterr().err
