"""River's reply can explain itself; no word of that reaches a player, the log or the events."""

import io
import json
import random
from collections.abc import Awaitable, Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, cast

import grpc

from proto.bot.v1 import bot_pb2
from services.common.codec import decode_legal, encode_action
from services.gateway.river_client import RiverClient
from tests.support.gateways import any_action, open_house, published

STAGE = "stage-that-nobody-sees"
PROBABILITY = 0.6180339887
VALUE = 271828.1828
SECRETS = (STAGE, str(PROBABILITY), str(VALUE), "0.618", "271828", "value_chips", "probability")
HANDS = 12


class ExplainingBot:
    """A channel to a bot that acts at random and explains itself at length."""

    def __init__(self) -> None:
        self.rng = random.Random(5)
        self.calls = 0

    def unary_unary(
        self, method: str, **_: object
    ) -> Callable[..., Awaitable[bot_pb2.DecideResponse]]:
        assert method.endswith("/Decide")
        return self._decide

    async def _decide(self, request: bot_pb2.DecideRequest, **_: object) -> bot_pb2.DecideResponse:
        self.calls += 1
        action = encode_action(any_action(decode_legal(request.view.legal), self.rng))
        option = bot_pb2.WeighedAction(action=action, probability=PROBABILITY, value_chips=VALUE)
        return bot_pb2.DecideResponse(
            action=action, bot_version="river-9.9", stage=STAGE, options=[option, option]
        )


def test_nothing_but_the_action_leaves_the_gateway(tmp_path: Path) -> None:
    bot, output = ExplainingBot(), io.StringIO()
    client: Any = RiverClient(cast("grpc.aio.Channel", bot))
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with redirect_stdout(output), redirect_stderr(output), open_house(url, river=client) as house:
        guest = house.guest("Ana")
        seat, hand_ids = guest.sit_down(), set[str]()
        for _ in range(HANDS):
            seat.play_out()
            hand_ids.add(seat.state["hand"]["id"])
            if seat.state["match"]["state"] == "busted":
                seat = guest.sit_down(supersede=True)
            else:
                seat.next_hand()
        paths = [f"/v1/hands/{hand_id}" for hand_id in sorted(hand_ids)]
        texts = [guest.send("GET", path).text for path in [*paths, seat.path("summary")]]
        events = "".join(map(str, published(house)))
    assert bot.calls > HANDS
    assert events
    assert "river-9.9" not in json.dumps(guest.answers)
    said = "\n".join([*guest.answers, *texts, events, output.getvalue()])
    assert [secret for secret in SECRETS if secret in said] == []
