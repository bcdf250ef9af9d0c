"""Every metric that a service exports, with its labels; and what expressions ask for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import promql_parser
from prometheus_client import CollectorRegistry
from sqlalchemy.engine import create_mock_engine

from services.bot.metrics import Metrics as BotMetrics
from services.common.grpc_metrics import CallMetrics
from services.gateway.metrics import Metrics as GatewayMetrics
from services.ledger.metrics import Metrics as LedgerMetrics

SUFFIXES = {
    "counter": ("_total",),
    "gauge": ("",),
    "histogram": ("_bucket", "_sum", "_count"),
}
FROM_PROMETHEUS = {"up": frozenset({"job", "instance"})}
FROM_TARGETS = frozenset({"job", "instance", "le"})
"""Labels that Prometheus adds, and the one of every histogram."""


@dataclass(frozen=True)
class Asked:
    """A metric in an expression, with the labels that choose from it."""

    name: str
    labels: frozenset[str]


def exported() -> dict[str, frozenset[str]]:
    """The series of all services by name, with their own labels."""
    found = dict(FROM_PROMETHEUS)
    for registry in registries():
        # The library tells no label of a metric without a value but here.
        collectors: Any = registry._collector_to_names
        for collector in collectors:
            labels = frozenset(getattr(collector, "_labelnames", ()))
            for family in collector.describe():
                for suffix in SUFFIXES[family.type]:
                    found[family.name + suffix] = labels
    return found


def registries() -> Iterator[CollectorRegistry]:
    gateway: Any = GatewayMetrics()
    nowhere: Any = create_mock_engine("sqlite://", lambda *_: None)
    gateway.telling_of(nowhere)
    yield gateway._registry
    yield LedgerMetrics().registry
    bot = CollectorRegistry()
    BotMetrics(bot)
    CallMetrics("server", bot)
    yield bot


def asked(expression: str) -> list[Asked]:
    """What a PromQL expression selects; raises ValueError when it is none."""
    found: list[Asked] = []
    _walk(promql_parser.parse(expression), found)
    return found


def _walk(node: Any, found: list[Asked]) -> None:  # noqa: ANN401 - nodes have no common type
    if isinstance(node, promql_parser.VectorSelector):
        labels = frozenset(one.name for one in node.matchers.matchers)
        found.append(Asked(node.name or "", labels))
        return
    if isinstance(node, promql_parser.MatrixSelector):
        _walk(node.vector_selector, found)
        return
    for part in ("expr", "lhs", "rhs", "param"):
        child = getattr(node, part, None)
        if child is not None:
            _walk(child, found)
    for argument in getattr(node, "args", None) or ():
        _walk(argument, found)


def unknown(expression: str) -> list[str]:
    """What an expression asks for that nobody exports."""
    known = exported()
    problems = []
    for one in asked(expression):
        if one.name not in known:
            problems.append(f"nobody exports {one.name!r}")
        elif extra := one.labels - known[one.name] - FROM_TARGETS:
            problems.append(f"{one.name} has no {', '.join(sorted(extra))}")
    return problems
