"""What operators watch."""

from prometheus_client import CollectorRegistry, Counter, Gauge


class Metrics:
    """The ledger's counters, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
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
        self.halted = Gauge(
            "riverboat_ledger_halted",
            "1 when too many dead letters in a row stopped the consumer.",
            registry=self.registry,
        )
