"""The network side of Kafka clients, which leaves no socket open behind it.

When kafka-python closes a client, it forgets sockets that are still connecting and those with
bytes left to send: they stay open until the garbage collector comes across them.
"""

import socket
import threading
from collections.abc import MutableSet
from weakref import WeakSet

from kafka.net.compat import KafkaNetClient
from kafka.net.selector import NetworkSelector


def tidy_client(**options: object) -> KafkaNetClient:
    """Make the network side of one client; the value of its option ``kafka_client``."""
    return KafkaNetClient(net=TidyLoop(**options), **options)


class TidyLoop(NetworkSelector):
    """An event loop that closes, at its end, every socket that it ever waited for."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self._sockets_lock = threading.Lock()
        # Weak, because a connection that is lost meanwhile is nobody's any more.
        self._sockets: MutableSet[socket.socket] = WeakSet()

    def register_event(self, fileobj: socket.socket, event: int, task: object) -> None:
        """Resume a task once its socket is ready."""
        with self._sockets_lock:
            self._sockets.add(fileobj)
        super().register_event(fileobj, event, task)

    def close(self) -> None:
        """End all tasks and close all sockets."""
        with self._sockets_lock:
            # Strong from here on: what is forgotten while closing must not be lost unclosed.
            self._sockets = set(self._sockets)
        super().close()
        for waited_for in self._sockets:
            waited_for.close()
