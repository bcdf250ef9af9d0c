"""Events as Kafka records: CloudEvents 1.0 in Kafka's binary content mode.

The record's value is the protobuf message; what it is stands in the headers ``ce_id``,
``ce_type``, ``ce_source``, ``ce_time``, ``ce_specversion`` and ``content-type``.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from services.common.eventlog.port import Event, Record, Undecodable

SPEC_VERSION = "1.0"
CONTENT_TYPE = "application/protobuf"
UNDECODABLE = "riverboat_undecodable"
"""Header of a record that was no event before it came to the topic; says why."""

Headers = list[tuple[str, bytes]]


def encode_headers(event: Event) -> Headers:
    """Return the record headers of an event."""
    time = event.time.isoformat(timespec="microseconds").replace("+00:00", "Z")
    return [
        ("ce_specversion", SPEC_VERSION.encode()),
        ("ce_id", event.event_id.encode()),
        ("ce_type", event.type.encode()),
        ("ce_source", event.source.encode()),
        ("ce_time", time.encode()),
        ("content-type", CONTENT_TYPE.encode()),
    ]


def encode(record: Record) -> tuple[bytes, bytes, Headers]:
    """Return the key, the value and the headers that carry a record."""
    if isinstance(record, Event):
        return record.key.encode(), record.value, encode_headers(record)
    why = record.reason.encode("utf-8", "backslashreplace")
    return record.key, record.value, [*record.headers, (UNDECODABLE, why)]


def decode(
    key: bytes | None, value: bytes | None, headers: Iterable[tuple[str, bytes | None]]
) -> Record:
    """Return the event in a record, or why it is none; never raises."""
    # A header may have no value, and neither an event nor a dead letter can use such a one.
    pairs = tuple((name, data or b"") for name, data in headers)
    try:
        return _decode(key, value, dict(pairs))
    except (ValueError, KeyError, OverflowError) as error:
        reason = f"{type(error).__name__}: {error}"
        return Undecodable(reason, key or b"", value or b"", pairs)


def _decode(key: bytes | None, value: bytes | None, headers: dict[str, bytes]) -> Event:
    if UNDECODABLE in headers:
        raise ValueError(ascii(headers[UNDECODABLE].decode("utf-8", "backslashreplace")))
    if key is None or value is None:
        raise ValueError("a record needs a key and a value")
    if headers["ce_specversion"] != SPEC_VERSION.encode():
        raise ValueError("unknown CloudEvents version")
    time = datetime.fromisoformat(headers["ce_time"].decode())
    return Event(
        event_id=headers["ce_id"].decode(),
        type=headers["ce_type"].decode(),
        key=key.decode(),
        value=value,
        time=time if time.tzinfo else time.replace(tzinfo=UTC),
        source=headers["ce_source"].decode(),
    )
