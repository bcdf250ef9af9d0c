"""The ledger as a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

from proto.ledger.v1 import ledger_pb2 as pb
from proto.ledger.v1 import ledger_pb2_grpc
from tests.support.guarded import free_port

REPO = Path(__file__).resolve().parents[2]
DEADLINE_SECONDS = 60.0


def run(command: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "services.ledger", command],
        cwd=REPO,
        env={**_clean_environment(), **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE_SECONDS,
    )


def _clean_environment() -> dict[str, str]:
    ours = ("LEDGER_", "KAFKA_", "OUTBOX_", "DATABASE_URL")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


@contextmanager
def serving(**env: str) -> Iterator[tuple[subprocess.Popen[str], grpc.Channel]]:
    """Run the service; it is serving when the block begins."""
    address = f"127.0.0.1:{free_port()}"
    process = subprocess.Popen(
        [sys.executable, "-m", "services.ledger"],
        cwd=REPO,
        env={**_clean_environment(), "LEDGER_LISTEN": address, **env},
        stderr=subprocess.PIPE,
        text=True,
    )
    channel = grpc.insecure_channel(address)
    try:
        grpc.channel_ready_future(channel).result(DEADLINE_SECONDS)
        yield process, channel
    finally:
        channel.close()
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=DEADLINE_SECONDS)


def eventually(read: Callable[[], object], wanted: object) -> None:
    """Read until the answer is the wanted one."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while (got := read()) != wanted:
        assert time.monotonic() < deadline, f"{got!r} is not {wanted!r}"
        time.sleep(0.05)


def standing(stub: ledger_pb2_grpc.LedgerServiceStub, player_id: str) -> tuple[int, int] | None:
    request = pb.GetStandingRequest(board="hu_river", player_id=player_id)
    try:
        row = stub.GetStanding(request, timeout=10).row
    except grpc.RpcError as error:
        if isinstance(error, grpc.Call) and error.code() is grpc.StatusCode.NOT_FOUND:
            return None
        raise
    return row.hands, row.net_chips
