"""What the gateway counts, for Prometheus."""

from typing import Final, Self

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from sqlalchemy.engine import Engine

from services.common.grpc_metrics import CallMetrics
from services.gateway.model import HandState
from services.gateway.steps import Step
from services.gateway.store.figures import StoredFigures

_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one gateway, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.calls = CallMetrics("client", self._registry)
        self.actions = Histogram(
            "riverboat_action_seconds",
            "Time to apply a player's action, from its receipt to its commit",
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.river = Histogram(
            "riverboat_river_seconds",
            "Time that River took to decide, as a table sees it",
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.requests = Counter(
            "riverboat_http_requests_total",
            "HTTP requests by route and status",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self.latency = Histogram(
            "riverboat_http_request_seconds",
            "Time to answer an HTTP request",
            ("route",),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.hands = Counter(
            "riverboat_hands_total", "Hands that ended", ("state",), registry=self._registry
        )
        self.fallbacks = Counter(
            "riverboat_river_fallbacks_total",
            "Decisions made by the fixed rule because River did not answer",
            registry=self._registry,
        )
        self.conflicts = Counter(
            "riverboat_version_conflicts_total",
            "Steps refused because the table had moved on",
            registry=self._registry,
        )
        self.live_closes = Counter(
            "riverboat_live_closes_total",
            "Live connections that ended, by close code; 0: the peer left",
            ("transport", "code"),
            registry=self._registry,
        )
        self.live_open = Gauge(
            "riverboat_live_connections",
            "Live connections that are open",
            ("transport",),
            registry=self._registry,
        )

        self.swept = Counter(
            "riverboat_swept_total",
            "What the sweep saw to: matches ended, tables driven, players warned, rows deleted",
            ("what",),
            registry=self._registry,
        )

    def count_step(self, step: Step) -> None:
        """Count what a committed step brought to an end."""
        hand = step.scene.hand
        if hand.state is not HandState.OPEN and hand.ended_at == step.at:
            self.hands.labels(hand.state.value).inc()

    def telling_of(self, database: Engine) -> Self:
        """Tell what is in a database too, at each `exposition`; returns these metrics."""
        self._registry.register(StoredFigures(database))
        return self

    def exposition(self) -> bytes:
        """Return all metrics in Prometheus' text format; asks the database, so not in the loop."""
        return generate_latest(self._registry)
