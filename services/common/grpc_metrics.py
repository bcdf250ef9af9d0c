"""Calls counted by method and code, at either end; for Prometheus."""

from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Histogram

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class CallMetrics:
    """Unary calls of one process as a ``client`` or as a ``server``."""

    def __init__(self, side: Literal["client", "server"], registry: CollectorRegistry) -> None:
        self._calls = Counter(
            f"riverboat_grpc_{side}_calls_total",
            "gRPC calls by method and code",
            ("method", "code"),
            registry=registry,
        )
        self._seconds = Histogram(
            f"riverboat_grpc_{side}_seconds",
            "Time that a gRPC call took, with its retries",
            ("method",),
            buckets=BUCKETS,
            registry=registry,
        )
        # Looking them up by their labels costs more than counting.
        self._children: dict[tuple[str, str], tuple[Counter, Histogram]] = {}

    def count(self, method: str, code: str, seconds: float) -> None:
        """Count a call; ``method`` is ``Service/Method`` and one that exists."""
        children = self._children.get((method, code))
        if children is None:
            children = self._calls.labels(method, code), self._seconds.labels(method)
            self._children[method, code] = children
        calls, timed = children
        calls.inc()
        timed.observe(seconds)
