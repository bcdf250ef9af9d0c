"""What hands came to, kept by the UTC day in which they ended and by River's version.

A hand counts for the day and the season (calendar quarter, UTC) in which it ended, however
late its match is settled, so nobody can move a result by settling early or late. Everything
here is a sum or a maximum of integers: the order of adding does not matter.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from services.common.eventlog.port import is_id

DAY_US: Final = 86_400_000_000

WINDOW_DAYS: Final = 30
"""Days in the rolling window: today (UTC) and the 29 before it."""

_FIRST_DAY: Final = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class Tally:
    """What some hands of one player came to.

    ``net_squares`` is the sum of squared nets, in chips squared; void hands are in none of
    the other counts; ``last_played_us`` is 0 for never.
    """

    hands: int = 0
    net_chips: int = 0
    net_squares: int = 0
    ai_decided_hands: int = 0
    void_hands: int = 0
    last_played_us: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """Return what both came to."""
        return Tally(
            self.hands + other.hands,
            self.net_chips + other.net_chips,
            self.net_squares + other.net_squares,
            self.ai_decided_hands + other.ai_decided_hands,
            self.void_hands + other.void_hands,
            max(self.last_played_us, other.last_played_us),
        )


@dataclass(frozen=True, slots=True)
class Day:
    """One player's hands of a day against one version of River.

    Attributes:
        number: days since 1970.
        version: empty for hands that name none, such as those in which River had not acted.
        tally: what the hands came to.
        settled_us: when the last match with counting hands among them was settled, 0 before.

    """

    number: int
    version: str
    tally: Tally = field(default_factory=Tally)
    settled_us: int = 0


def hand_played(net_chips: int, ended_us: int, version: str, *, ai_decided: bool) -> Day:
    """Return one finished hand; a version that is no proper id counts as none."""
    tally = Tally(1, net_chips, net_chips**2, int(ai_decided), 0, max(0, ended_us))
    return Day(day_of(ended_us), _known(version), tally)


def hand_voided(voided_us: int, version: str) -> Day:
    """Return one hand that does not count; a version that is no proper id counts as none."""
    return Day(day_of(voided_us), _known(version), Tally(void_hands=1))


def _known(version: str) -> str:
    return version if is_id(version) else ""


def add_days(days: Iterable[Day], more: Iterable[Day]) -> tuple[Day, ...]:
    """Return both together, one entry a day and version, in order."""
    found = {(day.number, day.version): day for day in days}
    for day in more:
        key = day.number, day.version
        known = found.get(key, Day(*key))
        settled_us = max(known.settled_us, day.settled_us)
        found[key] = Day(*key, known.tally + day.tally, settled_us)
    return tuple(found[key] for key in sorted(found))


def settled(days: Iterable[Day], time_us: int) -> tuple[Day, ...]:
    """Return days of a match that was settled at a time; void hands alone settle nothing."""
    return tuple(replace(day, settled_us=max(0, time_us) if day.tally.hands else 0) for day in days)


def total(days: Iterable[Day]) -> Tally:
    """Return what all days together came to."""
    return sum((day.tally for day in days), Tally())


def day_of(microseconds: int) -> int:
    """Return the UTC day of a time, both since 1970."""
    return microseconds // DAY_US


def season_of(day: int) -> str:
    """Return the calendar quarter of a day, such as "2026-Q2"."""
    when = date.fromordinal(_FIRST_DAY + day)
    return f"{when.year:04d}-Q{(when.month + 2) // 3}"


def window_start(today: int) -> int:
    """Return the first day of the rolling window that ends with a day."""
    return today - WINDOW_DAYS + 1
