"""What operators watch of River."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from services.bot.pool import DecisionPool

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """River's metrics, in a registry; ``pool`` is whose decisions wait."""

    def __init__(self, registry: CollectorRegistry, pool: DecisionPool | None = None) -> None:
        self._seconds = Histogram(
            "riverboat_bot_decision_seconds",
            "Time from the question to the answer, by the stage that answered",
            ("stage",),
            buckets=_BUCKETS,
            registry=registry,
        )
        self._full = Counter(
            "riverboat_bot_turned_away_total",
            "Questions turned away because too many waited",
            registry=registry,
        )
        waiting = Gauge(
            "riverboat_bot_waiting_decisions",
            "Decisions that are being made or wait for a process",
            registry=registry,
        )
        if pool is not None:
            waiting.set_function(lambda: pool.waiting)

    def count_decision(self, stage: str, seconds: float) -> None:
        """Count a decision that was made."""
        self._seconds.labels(stage).observe(seconds)

    def count_turned_away(self) -> None:
        """Count a question that could not be taken."""
        self._full.inc()
