"""Logs: one JSON object a line on standard error, whoever writes."""

import json
import logging

import pytest
import structlog

from services.common.logs import configure_logging, get_logger, stack_of

pytestmark = pytest.mark.usefixtures("restored_logging")


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return [json.loads(line) for line in captured.err.splitlines()]


def test_a_line_is_json_with_time_level_service_and_context(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging("engine")
    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        get_logger("test.logs").info("serving", port=50051)
    (line,) = lines(capsys)
    assert line["event"] == "serving"
    assert line["port"] == 50051
    assert line["service"] == "engine"
    assert line["level"] == "info"
    assert line["request_id"] == "r-1"
    assert str(line["timestamp"]).endswith("Z")


def test_the_standard_library_logs_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("ledger")
    logging.getLogger("kafka").warning("lost %s", "a broker")
    (line,) = lines(capsys)
    assert (line["event"], line["level"], line["service"]) == ("lost a broker", "warning", "ledger")


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("engine", "ERROR")
    get_logger("test.quiet").warning("hardly worth a word")
    assert lines(capsys) == []


def test_a_stack_names_places_and_no_values() -> None:
    hidden: dict[str, int] = {}

    def lookup() -> None:
        hidden["As"]

    with pytest.raises(KeyError) as raised:
        lookup()
    stack = stack_of(raised.value)
    assert stack[-1].endswith("lookup")
    assert "As" not in "".join(stack)
