"""Complete hands a second, and seven-card hands ranked a second, beside every peer."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.subjects import compare

ENGINES: Final = (
    "riverboat",
    "riverboat_compiled",
    "bare",
    "pokers",
    "pkcore",
    "pokerfast",
    "clubs",
    "rlcard",
    "pokerlib",
    "texasholdem",
    "open_spiel",
    "pokerenv",
    "pokerkit",
    "pypokerengine",
)
EVALUATORS: Final = (
    "riverboat",
    "riverboat_compiled",
    "pkrbot",
    "phevaluator_native",
    "eval7",
    "phevaluator",
    "treys",
)

Line = dict[str, Any]


def hands(players: int, count: int, rounds: int) -> Iterator[Line]:
    """Play ``count`` hands of random legal play a round with every engine."""
    answers, unavailable = compare(ENGINES, {"players": players, "hands": count}, rounds)
    speeds = {
        name: [count / answer["seconds"] for answer in given] for name, given in answers.items()
    }
    for name, line in _lines(speeds, unavailable, "hands_per_second"):
        if name in answers:
            decided = statistics.mean(answer["decisions"] for answer in answers[name])
            line["decisions_per_hand"] = round(decided / count, 1)
        yield {"benchmark": "hands", "players": players, **line}


def ranking(count: int, rounds: int) -> Iterator[Line]:
    """Rank ``count`` random seven-card hands a round, one call each."""
    answers, unavailable = compare(EVALUATORS, {"rank": count}, rounds)
    speeds = {
        name: [count / answer["seconds"] for answer in given] for name, given in answers.items()
    }
    for _, line in _lines(speeds, unavailable, "hands_ranked_per_second"):
        yield {"benchmark": "ranking", **line}


def _lines(
    speeds: Mapping[str, Sequence[float]], unavailable: Mapping[str, str], unit: str
) -> Iterator[tuple[str, Line]]:
    """Give each subject a line, fastest first, with how many times faster Riverboat is."""
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    for name in sorted(medians, key=lambda name: -medians[name]):
        line: Line = {"subject": name, unit: round(medians[name])}
        for own in ("riverboat", "riverboat_compiled"):
            if own in speeds and own != name:
                pairs = zip(speeds[own], speeds[name], strict=True)
                line[f"{own}_ratio"] = round(statistics.median(a / b for a, b in pairs), 2)
        yield name, line
    for name, reason in unavailable.items():
        yield name, {"subject": name, "unavailable": reason}
