"""Shortcut buttons as clients send and see them."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from services.gateway.api.bodies import Body
from services.gateway.api.shape import Shape
from services.gateway.api.table_schemas import Preset
from services.gateway.preset_sets import PER_SET_MAX, Wish
from services.gateway.presets import PresetKind

Kind = Literal["min", "bb", "pot_percent", "pot_fraction", "allin"]

_LIMITS = {"minItems": 1, "maxItems": PER_SET_MAX, "uniqueItems": True}
_KIND = Field(
    description="`min`: the full minimum; `bb`: a total of big blinds; `pot_percent` and "
    "`pot_fraction`: that much of the pot after a call, on top of the highest bet; "
    "`allin`: everything",
    examples=["bb"],
)
_VALUE = (
    "Exact text: big blinds 0.5 to 100 in steps of 0.5 (`2.5`), percent 1 to 500 with at most two "
    "decimals (`33.3`), a fraction up to 5 with a denominator of at most 12 (`2/3`); "
    "null for `min` and `allin`"
)

_EXAMPLE_ROW = [
    {"kind": "min", "value": None},
    {"kind": "bb", "value": "2.5"},
    {"kind": "pot_fraction", "value": "2/3"},
    {"kind": "allin", "value": None},
]


class PresetWish(Body):
    """A shortcut to have."""

    kind: Kind = _KIND
    value: str | None = Field(default=None, description=_VALUE, examples=["2.5"])


# How many there may be is documented here and checked by the rules of the sets, whose
# refusals say more.
Row = Annotated[list[PresetWish], Field(json_schema_extra=_LIMITS, examples=[_EXAMPLE_ROW])]


class BetPresetsBody(Body):
    """Both rows of shortcuts, in the order of the buttons; replaces what was saved."""

    preflop: Row = Field(description="Shown before the flop")
    postflop: Row = Field(description="Shown on the flop, turn and river")


class PreviewBody(Body):
    """Shortcuts to try in the present spot."""

    presets: Row = Field(description="Nothing is saved")


def wishes_of(row: Sequence[PresetWish]) -> list[Wish]:
    """Return a row as the rules of the sets take it."""
    return [Wish(PresetKind(item.kind), item.value) for item in row]


class NamedPreset(Shape):
    """A shortcut that is saved, as its button says it."""

    id: str = Field(description="Different for each of a row", examples=["bb_2_5"])
    label: str = Field(description="What the button says", examples=["2.5 BB"])
    kind: Kind = _KIND
    value: str | None = Field(description=_VALUE, examples=["2.5"])


class BetPresets(Shape):
    """One's own shortcuts; the ETag names this version."""

    preflop: list[NamedPreset] = Field(description="Shown before the flop")
    postflop: list[NamedPreset] = Field(description="Shown on the flop, turn and river")
    customised: bool = Field(description="False while they are the defaults", examples=[True])


class Preview(Shape):
    """What shortcuts would do on this turn."""

    version: int = Field(description="The table's version that this is true of", examples=[3])
    presets: list[Preset] = Field(description="In the order asked")
