"""A DNS server that knows one name, as a headless service has it: all addresses of what runs."""

import asyncio
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from typing import cast

A_RECORD = 1


@dataclass
class Names(asyncio.DatagramProtocol):
    """Answers every question for an IPv4 address with ``addresses``, and nothing else."""

    addresses: list[str]
    questions: int = 0
    port: int = 0
    _transport: asyncio.DatagramTransport = field(init=False)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)
        self.port = int(transport.get_extra_info("sockname")[1])

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.questions += 1
        end = data.index(b"\0", 12) + 5
        (kind,) = struct.unpack("!H", data[end - 4 : end - 2])
        known = self.addresses if kind == A_RECORD else []
        head = data[:2] + struct.pack("!HHHHH", 0x8580, 1, len(known), 0, 0)
        answers = b"".join(
            # The name is the question's; the answer holds for no time at all.
            struct.pack("!HHHIH", 0xC00C, A_RECORD, 1, 0, 4) + IPv4Address(one).packed
            for one in known
        )
        self._transport.sendto(head + data[12:end] + answers, addr)


@asynccontextmanager
async def names(addresses: Sequence[str]) -> AsyncIterator[Names]:
    """Run a name server on loopback."""
    transport, server = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: Names(list(addresses)), local_addr=("127.0.0.1", 0)
    )
    try:
        yield server
    finally:
        transport.close()
