"""Chips of a long match: what is published balances to the chip."""

import random
from pathlib import Path
from typing import Any

from proto.events.v1 import events_pb2 as pb
from tests.support.gateways import Seat, StackedDealer, open_house, published, whimsical


def test_all_published_chips_balance(tmp_path: Path) -> None:
    """What the ledger would book: stacks follow from purchases and nets, to the chip."""
    dealer = StackedDealer(seed=5)
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}", dealer=dealer) as house:
        house.river.choose = whimsical(6)
        seat = house.guest().sit_down()
        play_randomly(seat, hands=30)
        stacks: dict[str, int] = {}
        for message in published(house):
            book(stacks, message)
        assert stacks
        assert set(stacks.values()) == {0}


def play_randomly(seat: Seat, hands: int) -> None:
    """Play with a fixed whim, topping up and settling on the way."""
    rng = random.Random(9)
    for _ in range(hands):
        while seat.legal is not None:
            legal = seat.legal
            raises = legal["raise"]
            if raises is not None and rng.random() < 0.3:
                top = (
                    raises["max_to"]
                    if rng.random() < 0.1
                    else min(raises["max_to"], raises["min_to"] + 300)
                )
                seat.act(raises["kind"], rng.randint(raises["min_to"], top))
            elif legal["can_check"]:
                seat.act("check")
            else:
                seat.act("fold" if rng.random() < 0.3 else "call")
        match = seat.state["match"]
        if match["state"] == "busted":
            break
        if match["can_top_up"] and rng.random() < 0.3:
            seat.do("top-up")
        seat.next_hand()
    while seat.legal is not None:
        seat.take_free()
    seat.do("settle")


def book(stacks: dict[str, int], message: Any) -> None:  # noqa: ANN401
    if isinstance(message, pb.ChipsBought):
        stacks[message.player_id] = stacks.get(message.player_id, 0) + message.chips
    elif isinstance(message, pb.HandSettled):
        assert sum(result.net_chips for result in message.results) == 0
        for result in message.results:
            assert result.net_chips == result.won_chips - result.put_in_chips
            stacks[result.player_id] += result.net_chips
    elif isinstance(message, pb.MatchSettled):
        for item in message.final_stacks:
            stacks[item.player_id] -= item.stack_chips
