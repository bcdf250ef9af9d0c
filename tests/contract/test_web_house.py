"""What the web client says of the house before it has asked is how the house is set up."""

import re

from services.gateway.api.boards import RANKED_HANDS
from services.gateway.rulesets import RULESETS
from services.ledger import boards
from tests.support.web_client import WEB


def constants() -> dict[str, int]:
    """The numbers that ``house.ts`` names."""
    text = (WEB / "src/lib/house.ts").read_text()
    found = re.findall(r"^export const (\w+) = (\d+);$", text, re.MULTILINE)
    return {name: int(number) for name, number in found}


def test_a_rank_takes_what_the_boards_say() -> None:
    assert constants()["RANKED_HANDS"] == RANKED_HANDS == boards.RANKED_HANDS


def test_a_seat_is_kept_as_long_as_every_table_keeps_it() -> None:
    assert {rules.idle_expiry_hours for rules in RULESETS.values()} == {constants()["KEPT_HOURS"]}
