"""A gateway process with people connected: it stops at once, and counts them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from services.local import free_ports
from tests.support.guarded import guarded
from tests.support.live_servers import answers
from tests.support.player import Player
from tests.support.system import until
from tests.support.watchers import Socket, token_of

REPO = Path(__file__).parents[2]
STOP_SECONDS = 60.0


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    (port,) = free_ports(1)
    base_url = f"http://127.0.0.1:{port}"
    environment = {
        **os.environ,
        "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'tables.sqlite3'}",
        "ENGINE_TARGET": "127.0.0.1:1",
        "BOT_TARGET": "127.0.0.1:1",
        "LEDGER_TARGET": "127.0.0.1:1",
    }
    command = [*guarded(signal.SIGTERM), sys.executable, "-m", "services.gateway"]
    with subprocess.Popen(command, cwd=REPO, env=environment) as process:
        try:
            until(lambda: process.poll() is not None or answers(base_url), "the gateway serves")
            yield base_url, process
        finally:
            process.kill()


def test_a_stop_says_goodbye_to_everybody(gateway: tuple[str, subprocess.Popen[bytes]]) -> None:
    base_url, process = gateway
    ws_url = f"{base_url.replace('http', 'ws', 1)}/v1/ws"
    with Player(base_url) as player:
        player.join("Ana")
        token = token_of(player)
        with Socket(ws_url, token) as socket, Socket(ws_url, token, bearer=True) as other:
            for one in (socket, other):
                one.hear_op("hello")
                one.sub("user:me")
                assert one.hear_op("snap")["data"] == {"notices": []}
            metrics = httpx.get(f"{base_url}/metrics", trust_env=False).text
            assert 'riverboat_live_connections{transport="ws"} 2.0' in metrics
            process.send_signal(signal.SIGTERM)
            for one in (socket, other):
                code, bye = one.until_closed()
                assert code == 1012
                assert bye is not None
                assert bye["reason"] == "restart"
        assert process.wait(STOP_SECONDS) == 0


def test_a_closed_socket_is_counted(gateway: tuple[str, subprocess.Popen[bytes]]) -> None:
    base_url, _ = gateway
    with Socket(f"{base_url.replace('http', 'ws', 1)}/v1/ws") as socket:
        assert socket.until_closed()[0] == 4401
    line = 'riverboat_live_closes_total{code="4401",transport="ws"} 1.0'
    until(
        lambda: line in httpx.get(f"{base_url}/metrics", trust_env=False).text,
        "the refusal is counted",
    )
