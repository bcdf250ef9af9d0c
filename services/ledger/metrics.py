"""What operators watch."""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge

from services.common.grpc_metrics import CallMetrics


class Metrics:
    """The ledger's counters, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.calls = CallMetrics("server", self.registry)
        self.events = Counter(
            "riverboat_ledger_events",
            "Events by what became of them: applied, duplicate, ignored.",
            ["outcome"],
            registry=self.registry,
        )
        self.dead_letters = Counter(
            "riverboat_ledger_dead_letters",
            "Records refused, by reason; any *_conflict wants a person.",
            ["reason"],
            registry=self.registry,
        )
        self.failures = Counter(
            "riverboat_ledger_consumer_failures",
            "Batches that were rolled back and tried again.",
            registry=self.registry,
        )
        self.halted = self._gauge(
            "halted", "1 when too many dead letters in a row stopped the consumer."
        )
        self.polled = self._gauge(
            "polled_time_seconds", "When the log was last read without a failure, Unix time."
        )
        self.event_age = self._gauge(
            "event_age_seconds", "How old the last event was when its effect was committed."
        )
        self.lag = Gauge(
            "riverboat_ledger_consumer_lag",
            "Records of a partition that are in the log and not applied.",
            ["partition"],
            registry=self.registry,
        )
        self.zero_sum = self._gauge(
            "zero_sum_chips", "What all balances sum to; anything but 0 is an alarm."
        )
        self.letters_waiting = self._gauge(
            "letters_waiting", "Dead letters that nobody has replayed."
        )
        self.checked = self._gauge("checked_time_seconds", "When the balances were last added up.")
        self.audit_findings = self._gauge("audit_findings", "What the last audit found wrong.")
        self.audited = self._gauge(
            "audit_time_seconds",
            "When the last audit ended, or the first was asked for, Unix time; 0: never.",
        )

    def note_lag(self, lag: Mapping[str, int]) -> None:
        """Tell the lag of the partitions that are read here, and of no other."""
        self.lag.clear()
        for partition, records in lag.items():
            self.lag.labels(partition).set(records)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(f"riverboat_ledger_{name}", text, registry=self.registry)
