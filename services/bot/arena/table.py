"""A report as a short table for people."""

from collections.abc import Mapping
from typing import Any

_COLUMNS = ("decisions", "p50_ms", "p99_ms", "max_ms", "cpu_p50_ms", "cpu_p99_ms")


def table(found: Mapping[str, Any]) -> str:
    """Write a match's report as lines of text."""
    interrupted = " (interrupted)" if found.get("interrupted") else ""
    lines = [
        f"{found['hero']} against {found['villain']}: {found['hands']} hands at "
        f"{found['stack_bb']:g} bb, seed {found['seed']}{interrupted}",
        f"  {_figure(found['bb100'])} ± {_figure(found['ci95'])} bb/100"
        f"  (as the cards fell {_figure(found['raw_bb100'])} ± {_figure(found['raw_ci95'])})",
        "",
        "street   " + "".join(f"{name:>12}" for name in _COLUMNS),
    ]
    for street, row in ({"all": found} | found["per_street"]).items():
        lines.append(f"{street:<9}" + "".join(f"{_cell(row[name]):>12}" for name in _COLUMNS))
    if found["stages"]:
        counts = ", ".join(f"{stage} {count}" for stage, count in found["stages"].items())
        lines += ["", f"stages: {counts}"]
    return "\n".join(lines)


def _figure(value: float | None) -> str:
    return "?" if value is None else f"{value:+.1f}".replace("+", "+" if value > 0 else "")


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
