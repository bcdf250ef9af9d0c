"""A person's own shortcut buttons: the defaults, what may be chosen, how it is kept (UI-030)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from poker.actions import Street
from services.gateway.presets import Preset, PresetKind
from services.gateway.problems import ProblemError, ProblemType

PER_SET_MAX: Final = 10
DENOMINATOR_MAX: Final = 12
BIG_BLINDS_STEP: Final = Fraction(1, 2)
BIG_BLINDS_MAX: Final = 100
PERCENT_MIN: Final = 1
PERCENT_MAX: Final = 500

_DECIMAL: Final = re.compile(r"(0|[1-9]\d{0,2})(\.\d{1,2})?", re.ASCII)
_FRACTION: Final = re.compile(r"([1-9]\d?)/([1-9]\d?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class PresetSets:
    """Two rows of shortcuts, each of 1 to 10 different ones, in the order of the buttons."""

    preflop: tuple[Preset, ...]
    postflop: tuple[Preset, ...]

    def on(self, street: Street) -> tuple[Preset, ...]:
        """Return the row that is shown on a street."""
        return self.preflop if street is Street.PREFLOP else self.postflop


class Flaw(StrEnum):
    """What is wrong with a preset."""

    VALUE_MISSING = "value_missing"
    VALUE_UNUSED = "value_unused"
    MALFORMED = "malformed"
    OUT_OF_BOUNDS = "out_of_bounds"
    DUPLICATE = "duplicate"


_MESSAGES: Final = {
    (PresetKind.BIG_BLINDS, Flaw.MALFORMED): "a number such as 2.5",
    (PresetKind.BIG_BLINDS, Flaw.OUT_OF_BOUNDS): "0.5 to 100 big blinds in steps of 0.5",
    (PresetKind.PERCENT, Flaw.MALFORMED): "a number with at most two decimals, such as 33.3",
    (PresetKind.PERCENT, Flaw.OUT_OF_BOUNDS): "1 to 500 percent",
    (PresetKind.FRACTION, Flaw.MALFORMED): "a fraction such as 2/3",
    (PresetKind.FRACTION, Flaw.OUT_OF_BOUNDS): "at most 5 times the pot, in twelfths or coarser",
}
_GENERAL: Final = {
    Flaw.VALUE_MISSING: "this kind needs a value",
    Flaw.VALUE_UNUSED: "this kind has no value",
    Flaw.DUPLICATE: "the same shortcut is there already",
}


class PresetValueError(ValueError):
    """A value that its kind does not have; ``flaw`` and ``message`` say why."""

    def __init__(self, kind: PresetKind, flaw: Flaw) -> None:
        self.flaw = flaw
        self.message = _GENERAL.get(flaw) or _MESSAGES[kind, flaw]
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Wish:
    """A preset as a client writes it."""

    kind: PresetKind
    value: str | None = None


def parse(wish: Wish) -> Preset:
    """Return the preset that is meant; raises PresetValueError."""
    kind, text = wish.kind, wish.value
    if kind in {PresetKind.MIN, PresetKind.ALL_IN}:
        if text is not None:
            raise PresetValueError(kind, Flaw.VALUE_UNUSED)
        return Preset(kind)
    if text is None:
        raise PresetValueError(kind, Flaw.VALUE_MISSING)
    pattern = _FRACTION if kind is PresetKind.FRACTION else _DECIMAL
    found = pattern.fullmatch(text)
    if found is None:
        raise PresetValueError(kind, Flaw.MALFORMED)
    # Fraction reads both forms exactly; a float never sees the amount.
    value = Fraction(text)
    if not _within_bounds(kind, value, found):
        raise PresetValueError(kind, Flaw.OUT_OF_BOUNDS)
    return Preset(kind, value)


def _within_bounds(kind: PresetKind, value: Fraction, found: re.Match[str]) -> bool:
    if kind is PresetKind.BIG_BLINDS:
        return 0 < value <= BIG_BLINDS_MAX and value % BIG_BLINDS_STEP == 0
    if kind is PresetKind.PERCENT:
        return PERCENT_MIN <= value <= PERCENT_MAX
    return int(found[2]) <= DENOMINATOR_MAX and 100 * value <= PERCENT_MAX


def read_rows(rows: Mapping[str, Sequence[Wish]]) -> dict[str, tuple[Preset, ...]]:
    """Return rows of presets by name; raises preset-limit, or preset-invalid naming each flaw."""
    for name, wishes in rows.items():
        if not 1 <= len(wishes) <= PER_SET_MAX:
            raise ProblemError(
                ProblemType.PRESET_LIMIT, set=name, count=len(wishes), min=1, max=PER_SET_MAX
            )
    errors: list[dict[str, Any]] = []
    found = {name: _read_row(name, wishes, errors) for name, wishes in rows.items()}
    if errors:
        raise ProblemError(ProblemType.PRESET_INVALID, errors=errors)
    return found


def _read_row(
    name: str, wishes: Sequence[Wish], errors: list[dict[str, Any]]
) -> tuple[Preset, ...]:
    row: list[Preset] = []
    for index, wish in enumerate(wishes):
        try:
            preset = parse(wish)
            if preset in row:
                raise PresetValueError(wish.kind, Flaw.DUPLICATE)
        except PresetValueError as error:
            errors.append(
                {"set": name, "index": index, "reason": error.flaw.value, "message": error.message}
            )
        else:
            row.append(preset)
    return tuple(row)


def to_text(sets: PresetSets) -> str:
    """Return the sets as they are stored."""
    rows = {"preflop": sets.preflop, "postflop": sets.postflop}
    return json.dumps(
        {
            name: [{"kind": preset.kind.value, "value": preset.text} for preset in row]
            for name, row in rows.items()
        }
    )


def from_text(text: str) -> PresetSets:
    """Read stored sets; raises ValueError for what this release cannot read."""
    rows = json.loads(text)
    try:
        return PresetSets(*(_stored(rows[name]) for name in ("preflop", "postflop")))
    except (KeyError, TypeError) as error:
        raise ValueError("not a set of presets") from error


def _stored(row: Sequence[Mapping[str, str | None]]) -> tuple[Preset, ...]:
    return tuple(parse(Wish(PresetKind(item["kind"] or ""), item["value"])) for item in row)


def _percents(*percents: int) -> tuple[Preset, ...]:
    return tuple(Preset(PresetKind.PERCENT, Fraction(percent)) for percent in percents)


_MIN: Final = Preset(PresetKind.MIN)
_POT: Final = Preset(PresetKind.FRACTION, Fraction(1))
_TWO_THIRDS: Final = Preset(PresetKind.FRACTION, Fraction(2, 3))
_ALL_IN: Final = Preset(PresetKind.ALL_IN)

DEFAULTS: Final = PresetSets(
    preflop=(
        _MIN,
        *(Preset(PresetKind.BIG_BLINDS, Fraction(halves, 2)) for halves in (4, 5, 6)),
        *_percents(30, 50, 70),
        _POT,
        _ALL_IN,
    ),
    postflop=(_MIN, *_percents(30, 50), _TWO_THIRDS, *_percents(70), _POT, _ALL_IN),
)
"""What everybody starts with (UI-021, UI-022)."""
