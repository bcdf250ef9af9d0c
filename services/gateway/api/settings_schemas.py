"""A person's preferences (SPEC 1.6, Preferences): what there is, what is allowed, the defaults."""

import json
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, model_validator

from services.gateway.api.bodies import Body

NAMED_KEYS: Final = frozenset(
    {"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"}
)
"""Keys with a name that may be given a meaning; Tab, Enter, Escape and Space have one."""

SHORTCUTS: Final = 10


def _usable_key(key: str) -> str:
    if key in NAMED_KEYS:
        return key
    if len(key) != 1 or not key.isprintable() or key.isspace():
        raise ValueError("a key is one visible character, or an arrow, Home, End or a page key")
    if key != key.lower():
        raise ValueError("letters are written small; Shift makes no difference")
    return key


Key = Annotated[str, Field(max_length=16), AfterValidator(_usable_key)]
MaybeKey = Key | None


class Choices(Body):
    """Preferences: each may be left out when they are sent, and each is told when they are read."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class KeyMap(Choices):
    """The key of each command, as browsers name keys; null for none. Each key has one use."""

    fold: MaybeKey = "f"
    check_call: MaybeKey = "c"
    bet_raise: MaybeKey = "r"
    all_in: MaybeKey = Field(default="a", description="Fills in the amount")
    less: MaybeKey = Field(default="ArrowLeft", description="Half a big blind less")
    more: MaybeKey = Field(default="ArrowRight", description="Half a big blind more")
    skip: MaybeKey = "s"
    next_hand: MaybeKey = "n"
    top_up: MaybeKey = "t"
    leave: MaybeKey = "l"
    history: MaybeKey = "h"
    help: MaybeKey = "?"
    shortcuts: list[MaybeKey] = Field(
        default=["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"],
        min_length=SHORTCUTS,
        max_length=SHORTCUTS,
        description="Of the shortcut buttons, from the first",
    )

    @model_validator(mode="after")
    def _each_key_has_one_use(self) -> Self:
        owners: dict[str, str] = {}
        for command, key in self._commands():
            if key is not None and owners.setdefault(key, command) != command:
                raise ValueError(f"{owners[key]} and {command} have the same key")
        return self

    def _commands(self) -> Iterator[tuple[str, str | None]]:
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, list):
                yield from ((f"{name}.{index}", key) for index, key in enumerate(value))
            else:
                yield name, value


class Keyboard(Choices):
    """Keys at the table."""

    enabled: bool = Field(default=True, description="Off: only Tab, Enter and the arrows work")
    keys: KeyMap = Field(default_factory=KeyMap)


class Sounds(Choices):
    """What is heard."""

    muted: bool = False
    your_turn: bool = Field(default=True, description="A chime when it is one's turn")
    only_my_turn: bool = Field(default=False, description="The chime and nothing else")


class Settings(Choices):
    """How a person wants the tables; what is left out has its default."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"left_handed": True, "amounts": "bb", "sounds": {"muted": True}}]
        }
    )

    four_colour_deck: bool = Field(default=True, description="A colour for each suit")
    amounts: Literal["chips", "bb"] = Field(default="chips", description="How amounts are written")
    animation_speed: int = Field(
        default=1, ge=0, le=2, description="0: none, 1: as designed, 2: twice as fast"
    )
    reduced_motion: Literal["system", "on", "off"] = Field(
        default="system", description="`system`: as the device asks"
    )
    theme: Literal["dark", "light", "system"] = "dark"
    contrast: Literal["system", "normal", "high"] = "system"
    sounds: Sounds = Field(default_factory=Sounds)
    vibration: bool = Field(default=False, description="Where a device can")
    confirm_all_in: bool = Field(default=False, description="Ask before everything goes in")
    keyboard: Keyboard = Field(default_factory=Keyboard)
    auto_next_hand: bool = Field(default=False, description="Deal on without being asked")
    auto_top_up: bool = Field(default=False, description="Top up whenever that is possible")
    left_handed: bool = Field(default=False, description="Controls on the left")
    language: str = Field(
        default="und",
        max_length=35,
        pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        description="A language tag (BCP 47), or `und`: the device's own. "
        "Clients without it use English",
        examples=["en"],
    )
    text_table: bool = Field(default=False, description="The table as headings and text")
    show_equity: bool = Field(default=True, description="Percentages beside shown hands")
    show_hand_strength: bool = Field(default=True, description="The name of one's own hand")


def read_stored(text: str) -> tuple[Settings, list[str]]:
    """Read saved settings, and name those that this release does not allow (a newer one did).

    They have their defaults; keys that this release does not know are left out.
    """
    saved: dict[str, Any] = json.loads(text)
    try:
        return Settings.model_validate(saved, extra="ignore"), []
    except ValidationError as error:
        refused = sorted({str(item["loc"][0]) for item in error.errors()})
    known = {name: value for name, value in saved.items() if name not in refused}
    return Settings.model_validate(known, extra="ignore"), refused
