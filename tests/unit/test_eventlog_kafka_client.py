"""No socket outlives a Kafka client. A socket that dies unclosed fails a test: it warns."""

import gc
import os
import socket

import pytest

from services.common.eventlog.kafka_client import TidyLoop


def test_a_socket_that_was_still_connecting_is_closed_with_its_client() -> None:
    loop, numbers = TidyLoop(), []

    async def connecting() -> None:
        # Nobody but this task knows the socket.
        mine = socket.socket()
        numbers.append(mine.fileno())
        mine.bind(("127.0.0.1", 0))
        mine.listen()
        await loop.wait_read(mine)

    loop.call_soon(connecting)
    loop.drain()
    loop.close()
    gc.collect()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(numbers[0])


def test_a_socket_whose_owner_closed_it_does_no_harm() -> None:
    loop, (here, there) = TidyLoop(), socket.socketpair()

    async def waiting() -> None:
        await loop.wait_read(here)
        here.close()

    loop.call_soon(waiting)
    there.send(b"x")
    loop.drain()
    loop.poll(timeout_ms=100)
    loop.close()
    there.close()
    assert here.fileno() == -1
