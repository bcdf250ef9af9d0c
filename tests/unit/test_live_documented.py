"""The page for client authors says what the server does."""

import json
import re
from pathlib import Path

from services.gateway.live import envelope
from services.gateway.live.envelope import Farewell, parse
from services.gateway.live.service import TICKET_LIFE
from services.gateway.live.settings import LiveSettings

PAGE = (Path(__file__).parents[2] / "docs/live.md").read_text()
FAREWELLS = [item for item in vars(envelope).values() if isinstance(item, Farewell)]


def rows(title: str) -> list[str]:
    """The first cells of the table under this heading cell, without their marks."""
    table = PAGE.split(f"| {title} |", 1)[1].split("\n\n", 1)[0]
    return [line.split("|")[1].strip().strip("`") for line in table.splitlines()[2:]]


def test_what_clients_may_say_is_understood() -> None:
    ops = [parse(text).op for text in rows("you say")]
    assert ops == ["sub", "unsub", "ping", "presence"]


def test_what_clients_hear_is_what_is_sent() -> None:
    event = {"seq": 1, "type": "x", "at": "now", "data": {}}
    sent = [
        envelope.hello("s", "now", 15), envelope.snap("c", 1, {}), envelope.ev("c", event),
        envelope.synced("c", 1), envelope.pong(1), envelope.err("c", {}),
        envelope.bye(envelope.SLOW),
    ]  # fmt: skip
    documented = [
        json.loads(text.replace("{…}", "{}").replace(",…}", "}")) for text in rows("you hear")
    ]
    assert [list(message) for message in documented] == [list(message) for message in sent]


def test_every_way_to_end_is_documented() -> None:
    codes = {int(code) for row in rows("code") for code in re.findall(r"\d{4}", row)}
    assert codes == {farewell.code for farewell in FAREWELLS}
    for farewell in FAREWELLS:
        assert f"`{farewell.reason}`" in PAGE


def test_the_limits_are_the_documented_ones() -> None:
    settings = LiveSettings()
    for fact in (
        f"at most {envelope.MESSAGE_BYTES_MAX} bytes",
        f'"expires_in":{TICKET_LIFE.seconds}',
        f"Up to {settings.subscriptions} channels",
        f"more than {settings.errors} refused messages",
        f"took no message for {settings.send_seconds:.0f} s",
        f"looked at every {settings.session_seconds:.0f} s",
        f"said nothing for {settings.silence_seconds:.0f} s",
        f"silent for {settings.away_seconds:.0f} s",
        f"more than {settings.user_connections} connections",
        f"more than {settings.rate:.0f} messages a second",
        f"{settings.address_connections} connections from your address",
        f"`{envelope.SUBPROTOCOL}`",
    ):
        assert fact in PAGE, fact
