"""The table rulesets on offer (SPEC 1.0): the options by which tables differ.

A match keeps the ruleset it began with: hands are dealt and replayed by the stored copy,
found by its hash, never by today's default.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from poker.setup import HandRules, ReopenRule

TopUpRule = Literal["manual_to_max", "auto_to_start", "off"]
BustRule = Literal["end_match", "rebuy", "out"]
Permission = Literal["forbid", "allow"]


@dataclass(frozen=True, slots=True)
class BuyIn:
    """Chips a player may bring: ``min_chips`` to ``max_chips`` in steps of ``step_chips``."""

    min_chips: int
    max_chips: int
    step_chips: int

    def allows(self, chips: int) -> bool:
        """Return whether ``chips`` is one of the amounts on offer."""
        on_step = (chips - self.min_chips) % self.step_chips == 0
        return on_step and self.min_chips <= chips <= self.max_chips


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One column of SPEC 1.0; amounts in chips, the expiry in hours.

    Exactly one of ``buy_in`` and ``equal_chips`` is set. ``max_seats`` is 2..9.
    """

    ruleset_id: str
    min_seats: int
    max_seats: int
    small_blind_chips: int
    big_blind_chips: int
    buy_in: BuyIn | None
    equal_chips: int | None
    top_up: TopUpRule
    bust: BustRule
    opponent_topup_floor_chips: int | None
    reopen_rule: ReopenRule
    fold_when_check_available: Permission
    raise_when_none_can_call: Permission
    burn_cards: bool
    showdown: Literal["all_at_once", "last_aggressor_first"]
    button_rule: Literal["moving", "dead"]
    blinds_up_every: int
    hand_limit: int
    turn_seconds: int
    idle_expiry_hours: int
    counts_for: Literal["river_board", "party_rating", "none"]

    @property
    def hand_rules(self) -> HandRules:
        """The options that decide how one hand is played."""
        return HandRules(
            small_blind_chips=self.small_blind_chips,
            big_blind_chips=self.big_blind_chips,
            reopen_rule=self.reopen_rule,
            allow_fold_when_check_available=self.fold_when_check_available == "allow",
            allow_raise_when_none_can_call=self.raise_when_none_can_call == "allow",
            burn_cards=self.burn_cards,
        )

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the stored text: the ``ruleset_hash`` of hands and events."""
        return hashlib.sha256(to_text(self).encode()).hexdigest()


HU_RIVER: Final = Ruleset(
    ruleset_id="hu_river",
    min_seats=2,
    max_seats=2,
    small_blind_chips=50,
    big_blind_chips=100,
    buy_in=BuyIn(min_chips=3_000, max_chips=10_000, step_chips=50),
    equal_chips=None,
    top_up="manual_to_max",
    bust="end_match",
    opponent_topup_floor_chips=10_000,
    reopen_rule=ReopenRule.CUMULATIVE,
    fold_when_check_available="forbid",
    raise_when_none_can_call="forbid",
    burn_cards=False,
    showdown="all_at_once",
    button_rule="moving",
    blinds_up_every=0,
    hand_limit=0,
    turn_seconds=0,
    idle_expiry_hours=24,
    counts_for="river_board",
)

PARTY: Final = Ruleset(
    ruleset_id="party",
    min_seats=2,
    max_seats=9,
    small_blind_chips=10,
    big_blind_chips=20,
    buy_in=None,
    equal_chips=2_000,
    top_up="off",
    bust="out",
    opponent_topup_floor_chips=None,
    reopen_rule=ReopenRule.CUMULATIVE,
    fold_when_check_available="allow",
    raise_when_none_can_call="forbid",
    burn_cards=False,
    showdown="all_at_once",
    button_rule="moving",
    blinds_up_every=0,
    hand_limit=20,
    turn_seconds=0,
    idle_expiry_hours=24,
    counts_for="party_rating",
)

PRACTICE: Final = Ruleset(
    ruleset_id="practice",
    min_seats=2,
    max_seats=9,
    small_blind_chips=10,
    big_blind_chips=20,
    buy_in=None,
    equal_chips=2_000,
    top_up="auto_to_start",
    bust="rebuy",
    opponent_topup_floor_chips=None,
    reopen_rule=ReopenRule.SINGLE,
    fold_when_check_available="allow",
    raise_when_none_can_call="forbid",
    burn_cards=True,
    showdown="all_at_once",
    button_rule="moving",
    blinds_up_every=0,
    hand_limit=0,
    turn_seconds=0,
    idle_expiry_hours=24,
    counts_for="none",
)

RULESETS: Final = {ruleset.ruleset_id: ruleset for ruleset in (HU_RIVER, PARTY, PRACTICE)}
OPEN_RULESETS: Final = frozenset({HU_RIVER.ruleset_id})


def options(ruleset: Ruleset) -> dict[str, Any]:
    """Return the option set of SPEC 1.0 as JSON: exactly these fields, chips as ints."""
    return {
        "seats": {"min": ruleset.min_seats, "max": ruleset.max_seats},
        "blinds": {"small": ruleset.small_blind_chips, "big": ruleset.big_blind_chips},
        "ante": 0,
        "start": _start(ruleset),
        "top_up": ruleset.top_up,
        "bust": ruleset.bust,
        "opponent_topup_floor": ruleset.opponent_topup_floor_chips,
        "reopen_rule": ruleset.reopen_rule.value,
        "fold_when_check_available": ruleset.fold_when_check_available,
        "raise_when_none_can_call": ruleset.raise_when_none_can_call,
        "burn_cards": ruleset.burn_cards,
        "showdown": ruleset.showdown,
        "button_rule": ruleset.button_rule,
        "blinds_up_every": ruleset.blinds_up_every,
        "hand_limit": ruleset.hand_limit,
        "turn_seconds": ruleset.turn_seconds,
        "idle_expiry": f"PT{ruleset.idle_expiry_hours}H",
        "counts_for": ruleset.counts_for,
    }


def _start(ruleset: Ruleset) -> dict[str, Any]:
    buy_in = ruleset.buy_in
    if buy_in is None:
        return {"equal": {"chips": ruleset.equal_chips}}
    bounds = {"min": buy_in.min_chips, "max": buy_in.max_chips, "step": buy_in.step_chips}
    return {"buy_in": bounds}


def to_text(ruleset: Ruleset) -> str:
    """Write a ruleset as canonical JSON, the form that is stored and hashed."""
    return json.dumps(asdict(ruleset), sort_keys=True, separators=(",", ":"))


def from_text(text: str) -> Ruleset:
    """Read what `to_text` wrote."""
    fields = json.loads(text)
    buy_in = fields.pop("buy_in")
    reopen_rule = ReopenRule(fields.pop("reopen_rule"))
    return Ruleset(
        buy_in=None if buy_in is None else BuyIn(**buy_in), reopen_rule=reopen_rule, **fields
    )
