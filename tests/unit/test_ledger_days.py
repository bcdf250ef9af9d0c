"""How hands are kept by day, season and River's version."""

from datetime import UTC, datetime

import pytest

from services.common.eventlog.outbox import to_microseconds
from services.ledger.days import (
    Day,
    Tally,
    add_days,
    day_of,
    hand_played,
    hand_voided,
    season_of,
    settled,
    total,
    window_start,
)


def microseconds(text: str) -> int:
    return to_microseconds(datetime.fromisoformat(text).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("time", "season"),
    [
        ("2026-01-01T00:00:00", "2026-Q1"),
        ("2026-03-31T23:59:59.999999", "2026-Q1"),
        ("2026-04-01T00:00:00", "2026-Q2"),
        ("2026-09-30T23:59:59", "2026-Q3"),
        ("2026-10-01T00:00:00", "2026-Q4"),
        ("2024-02-29T12:00:00", "2024-Q1"),
        ("0001-01-01T00:00:00", "0001-Q1"),
        ("9999-12-31T23:59:59", "9999-Q4"),
    ],
)
def test_a_season_is_a_calendar_quarter_in_utc_ldr_014(time: str, season: str) -> None:
    assert season_of(day_of(microseconds(time))) == season


def test_the_window_has_30_days_with_today_ldr_014() -> None:
    assert len(range(window_start(100), 100 + 1)) == 30


def test_days_add_up_in_any_order() -> None:
    hands = [
        hand_played(50, 10, "r1", ai_decided=False),
        hand_played(-20, 30, "r2", ai_decided=True),
        hand_played(7, 20, "r1", ai_decided=False),
        hand_voided(25, ""),
    ]
    together = add_days((), hands)
    assert together == add_days(add_days((), hands[2:]), hands[:2])
    assert [(day.version, day.tally.hands) for day in together] == [("", 0), ("r1", 2), ("r2", 1)]
    assert total(together) == Tally(3, 37, 2949, 1, 1, 30)


def test_a_version_that_is_no_proper_id_counts_as_none() -> None:
    for version in ("", "a\nb", "x" * 129, "\0"):
        assert hand_played(1, 0, version, ai_decided=False).version == ""


def test_void_hands_alone_do_not_settle_a_day() -> None:
    days = [hand_voided(5, ""), hand_played(1, 5, "r1", ai_decided=False)]
    assert [day.settled_us for day in settled(days, 77)] == [0, 77]
    assert add_days([Day(0, "", settled_us=9)], [Day(0, "", settled_us=4)])[0].settled_us == 9
