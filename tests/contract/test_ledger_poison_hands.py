"""A hand that lies is set aside with its reason, alarms, and changes nothing."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
import structlog
from sqlalchemy.engine import Engine

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.common.eventlog.port import Event
from services.ledger import posting
from services.ledger.consumer import Consumer
from services.ledger.letters import replay_letters
from services.ledger.metrics import Metrics
from services.ledger.schema import DEAD_LETTERS, METADATA, POSITIONS
from tests.support.ledgers import START, Script, run_audit, whole_match, wrap
from tests.support.list_logs import ListDeadLetters, ListSource, drain

LETTERS_TOTAL = "riverboat_ledger_dead_letters_total"
Lie = Callable[[pb.HandSettled], object]


def _one_chip_more(message: pb.HandSettled) -> None:
    message.results[0].won_chips += 1
    message.results[0].net_chips += 1


def _another_seat(message: pb.HandSettled) -> None:
    message.results[0].seat = 9


def _a_stranger(message: pb.HandSettled) -> None:
    message.results[0].player_id = "mallory"


def _a_negative_pot(message: pb.HandSettled) -> None:
    for result in message.results:
        result.put_in_chips, result.won_chips, result.net_chips = -500, -500, 0


def _more_than_the_stack(message: pb.HandSettled) -> None:
    for result in message.results:
        result.put_in_chips = result.won_chips = 10**6
        result.net_chips = 0


def _a_wrong_net(message: pb.HandSettled) -> None:
    message.results[0].net_chips += 1


LIES: dict[str, tuple[Lie, str]] = {
    "results that do not sum to zero": (_one_chip_more, "results_not_zero_sum"),
    "an unknown seat": (_another_seat, "wrong_seat"),
    "an unknown player": (_a_stranger, "unknown_player"),
    "a negative pot": (_a_negative_pot, "invalid_chips"),
    "chips that nobody has": (_more_than_the_stack, "stack_would_go_negative"),
    "a net that is none": (_a_wrong_net, "net_differs"),
}


def contents(ledger: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row but those that say what was read."""
    with reading(ledger) as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in METADATA.sorted_tables
            if table not in (DEAD_LETTERS, POSITIONS)
        }


def refused(ledger: Engine, poison: Event) -> tuple[str, str, float | None, list[Any]]:
    """Let a consumer read one lie; return letter, topic's reason, metric and log lines."""
    metrics, dead = Metrics(), ListDeadLetters()
    with structlog.testing.capture_logs() as lines:
        drain(Consumer(ledger, ListSource([poison]), dead_letters=dead, metrics=metrics))
    with reading(ledger) as connection:
        (letter,) = connection.execute(sa.select(DEAD_LETTERS)).all()
    assert (letter.event_id, letter.value) == (poison.event_id, poison.value)
    assert letter.detail
    ((_, published),) = dead.buried
    labels = {"reason": letter.reason}
    count = metrics.registry.get_sample_value(LETTERS_TOTAL, labels)
    return letter.reason, published, count, [x for x in lines if x["event"] == "dead_letter"]


def running_match(ledger: Engine) -> Script:
    script = Script().sit_down()
    script.hand(100)
    drain(Consumer(ledger, ListSource([*whole_match("ana", [7]), *script.events])))
    with ledger.begin() as connection:  # each lie is read from a log of its own
        connection.execute(sa.delete(POSITIONS))
    return script


@pytest.mark.parametrize("what", LIES)
def test_a_hand_that_lies_is_dead_lettered_alarms_and_changes_nothing(
    ledger: Engine, what: str
) -> None:
    lie, reason = LIES[what]
    message = running_match(ledger).hand_message(50)
    lie(message)
    before = contents(ledger)
    poison = wrap(posting.HAND_SETTLED, "m1", message, START, "lie")
    found, published, count, lines = refused(ledger, poison)
    assert (found, published, count) == (reason, reason, 1)
    assert [(line["reason"], line["log_level"]) for line in lines] == [(reason, "error")]
    assert contents(ledger) == before
    assert run_audit(ledger).findings == []
    # And it stays refused when somebody tries once more.
    assert [letter.reason for letter in replay_letters(ledger)] == [reason]
    assert contents(ledger) == before


@pytest.mark.parametrize("same", ["event id", "hand id"])
def test_a_hand_that_repeats_an_id_with_other_content_is_critical_and_changes_nothing(
    ledger: Engine, same: str
) -> None:
    script = running_match(ledger)
    truth = script.events[-1]
    message = pb.HandSettled.FromString(truth.value)
    message.ai_decided = True
    value = message.SerializeToString(deterministic=True)
    poison = replace(truth, value=value, event_id=truth.event_id if same == "event id" else "lie")
    reason = "event_conflict" if same == "event id" else "hand_conflict"
    before = contents(ledger)
    found, published, count, lines = refused(ledger, poison)
    assert (found, published, count) == (reason, reason, 1)
    level = logging.getLevelName(logging.CRITICAL).lower()
    assert [(line["reason"], line["log_level"]) for line in lines] == [(reason, level)]
    assert contents(ledger) == before
    assert run_audit(ledger).findings == []
