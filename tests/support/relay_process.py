"""A relay as a process of its own.

``python -m tests.support.relay_process URL BROKERS TOPIC NAME``: NAME is what it calls itself
when it holds the lease.
"""

import signal
import sys
import threading
import warnings

from services.common.database import open_engine
from services.common.eventlog.relay import Relay


def main(url: str, brokers: str, topic: str, holder: str) -> None:
    """Relay until SIGTERM."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from services.common.eventlog.kafka import KafkaSink
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    engine, sink = open_engine(url), KafkaSink(brokers, topic)
    try:
        Relay(engine, sink, holder=holder).run(stop)
    finally:
        sink.close()
        engine.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
