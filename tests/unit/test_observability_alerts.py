"""Alerts and dashboards ask for what services export, and every alert has its page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.metric_names import asked, blind_spots, exported, unknown

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "k8s" / "observability"
ALERTS = FOLDER / "alerts.yaml"
MANUAL = (ROOT / "docs" / "operations.md").read_text()

Json = dict[str, Any]


def rules() -> list[Json]:
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboard_expressions() -> Iterator[tuple[str, str]]:
    for path in sorted(FOLDER.rglob("*.json")):
        for expression in expressions_in(json.loads(path.read_text())):
            yield path.name, expression


def expressions_in(node: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(node, dict):
        if isinstance(node.get("expr"), str):
            # Grafana fills its own variables in.
            yield re.sub(r"\$__\w+", "5m", node["expr"])
        for child in node.values():
            yield from expressions_in(child)
    elif isinstance(node, list):
        for child in node:
            yield from expressions_in(child)


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def problems_of(rule: Json) -> list[str]:
    """Why a rule must not stay as it is."""
    found = unknown(rule["expr"]) + blind_spots(rule["expr"])
    if rule["labels"].get("severity") not in {"page", "ticket"}:
        found.append("no severity")
    page, _, anchor = rule["annotations"].get("runbook_url", "").partition("#")
    if page != "docs/operations.md" or anchor != rule["alert"].lower():
        found.append("the runbook is not the section of its name")
    elif anchor not in anchors(MANUAL):
        found.append("the runbook has no such section")
    if not rule["annotations"].get("summary"):
        found.append("no summary")
    return found


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["alert"])
def test_an_alert_can_fire_and_has_its_page(rule: Json) -> None:
    assert problems_of(rule) == []


def test_no_alert_has_another_ones_name() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names))


def test_dashboards_show_what_services_export() -> None:
    problems = {
        (name, expression): unknown(expression) for name, expression in dashboard_expressions()
    }
    assert {where: found for where, found in problems.items() if found} == {}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"expr": "max(riverboat_gone) > 0"}, "nobody exports 'riverboat_gone'"),
        (
            {"expr": 'sum(rate(riverboat_hands_total{street="x"}[5m])) > 0'},
            "riverboat_hands_total has no street",
        ),
        (
            {"expr": "sum(increase(riverboat_ledger_dead_letters_total[1h])) > 0"},
            "the first of riverboat_ledger_dead_letters_total is not seen",
        ),
        ({"expr": 'absent(up{job="bot"} == 1)'}, "absent of an expression has no labels"),
        ({"labels": {}}, "no severity"),
        ({"annotations": {"summary": "x"}}, "the runbook is not the section of its name"),
        ({"alert": "Other"}, "the runbook is not the section of its name"),
    ],
)
def test_a_broken_alert_is_found(change: Json, problem: str) -> None:
    assert problem in problems_of({**rules()[0], **change})


def test_what_is_no_expression_is_found() -> None:
    with pytest.raises(ValueError, match="unclosed left parenthesis"):
        asked("sum(rate(riverboat_hands_total[5m])")


def test_every_part_of_an_expression_is_looked_at() -> None:
    expression = 'a{x="1"} / on (y) b > 3 and rate(c_total[5m]) or max by (z) (-d) or topk(3, e)'
    assert {one.name for one in asked(expression)} == {"a", "b", "c_total", "d", "e"}


def test_histograms_counters_and_figures_of_the_database_are_known() -> None:
    names = exported().keys()
    assert {
        "riverboat_hands_total",
        "riverboat_action_seconds_bucket",
        "riverboat_open_matches",
        "riverboat_outbox_age_seconds",
        "riverboat_bot_decision_seconds_count",
        "riverboat_grpc_server_calls_total",
        "riverboat_ledger_consumer_lag",
    } <= names
