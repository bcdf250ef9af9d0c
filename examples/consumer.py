"""Print the hands of Riverboat as they end; started again, go on after the last one.

    python -m examples.consumer sqlite:///.riverboat/tables.sqlite3   # beside `make play`
    python -m examples.consumer kafka-1:9092,kafka-2:9092             # from Kafka

See docs/events.md for what the records are and what a consumer can rely on.
"""

import contextlib
import sqlite3
import sys
import time

from google.protobuf.message import DecodeError

from proto.events.v1.events_pb2 import HandSettled
from services.common.database import open_engine
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.kafka import KafkaSource
from services.common.eventlog.port import Event, EventLogError, EventSource


def open_source(address: str, position: int) -> EventSource:
    """Open Kafka, which keeps the offsets of our group, or an outbox behind a position."""
    if "://" in address:
        return EmbeddedSource(open_engine(address, read_only=True), position)
    return KafkaSource(address, group="riverboat-example")


def tell(event: Event) -> None:
    """Print a hand that ended; pass over every other type, also those yet to come."""
    if event.type != "riverboat.hand.settled.v1":
        return
    try:
        hand = HandSettled.FromString(event.value)
    except DecodeError:
        sys.stderr.write(f"set aside: {event.event_id} is no hand\n")
        return
    results = ", ".join(f"{one.player_id} {one.net_chips:+}" for one in hand.results)
    shown = "".join(f"; seat {one.seat} shows {one.name}" for one in hand.shown)
    print(f"{hand.match_id} hand {hand.hand_no}: {results}{shown}", flush=True)  # noqa: T201


def follow(source: EventSource, state: sqlite3.Connection) -> None:
    """Take what comes, each event once, and confirm it when that is stored."""
    deliveries = source.poll(500, 1.0)
    insert = "INSERT OR IGNORE INTO seen VALUES (?, ?)"
    with state:  # our effect belongs into this transaction, too
        for delivery in deliveries:
            event = delivery.record
            if not isinstance(event, Event):
                sys.stderr.write(f"set aside: {event.reason}\n")
            elif state.execute(insert, (event.event_id, delivery.offset)).rowcount:
                tell(event)
    source.commit()


def main(address: str, path: str = "consumer.sqlite3") -> None:
    """Follow a log for ever, also while it is away; what was seen is kept in a file."""
    with contextlib.closing(sqlite3.connect(path)) as state:
        state.execute("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, position INTEGER)")
        (position,) = state.execute("SELECT coalesce(max(position), 0) FROM seen").fetchone()
        with contextlib.closing(open_source(address, position)) as source:
            while True:
                try:
                    follow(source, state)
                except EventLogError as error:
                    sys.stderr.write(f"waiting: {error}\n")
                    source.rewind()
                    time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    with contextlib.suppress(KeyboardInterrupt):
        main(*sys.argv[1:])
