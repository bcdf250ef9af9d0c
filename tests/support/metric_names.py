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
    return [
        Asked(node.name or "", frozenset(one.name for one in node.matchers.matchers))
        for node in _nodes(promql_parser.parse(expression))
        if isinstance(node, promql_parser.VectorSelector)
    ]


def _nodes(node: Any) -> Iterator[Any]:  # noqa: ANN401 - nodes have no common type
    """A node of an expression and all below it."""
    yield node
    for part in ("expr", "lhs", "rhs", "param", "vector_selector"):
        child = getattr(node, part, None)
        if child is not None:
            yield from _nodes(child)
    for argument in getattr(node, "args", None) or ():
        yield from _nodes(argument)


def blind_spots(expression: str) -> list[str]:
    """Why an expression would not tell of what it is about.

    A counter with labels of its own is not there before it counts, so `increase` does not see the
    first time; only what was not there before, ``x unless x offset 1h``, does. And `absent` does
    not tell of what, unless it is asked for a selector alone.
    """
    nodes = list(_nodes(promql_parser.parse(expression)))
    calls = [node for node in nodes if isinstance(node, promql_parser.Call)]
    remembered = {
        node.name
        for node in nodes
        if isinstance(node, promql_parser.VectorSelector) and node.offset is not None
    }
    problems = [
        "absent of an expression has no labels"
        for call in calls
        if call.func.name == "absent" and not isinstance(call.args[0], promql_parser.VectorSelector)
    ]
    counted = {call.args[0].vector_selector.name for call in calls if call.func.name == "increase"}
    return problems + [
        f"the first of {name} is not seen"
        for name in sorted(counted - remembered)
        if exported().get(name)
    ]


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
