"""Events as Kafka records: CloudEvents 1.0 in Kafka's binary content mode.

The record's value is the protobuf message; what it is stands in the headers, see `HEADERS`.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from services.common.eventlog.port import Delivery, Event, Record, Undecodable
from services.common.eventlog.schemas import schema_uri
from services.common.tracing import is_traceparent

SPEC_VERSION = "1.0"
CONTENT_TYPE = "application/protobuf"
UNDECODABLE: Final = "riverboat_undecodable"
"""Header of a record that was no event before it came to the topic; says why."""

LETTER_HEADERS: Final[Mapping[str, str]] = {
    "riverboat_reason": "Why the record was refused, in snake_case.",
    "riverboat_detail": "A sentence with ids and amounts.",
    "riverboat_partition": "Partition of the topic of matches that it was in.",
    "riverboat_offset": "Its offset there.",
}
"""Headers that a dead letter has besides those of its record, and what is in them."""

HEADERS: Final[Mapping[str, str]] = {
    "ce_specversion": "Version of CloudEvents, always 1.0.",
    "ce_id": "Unique id of the event, 1..128 printable characters.",
    "ce_type": "Type of the event; it says which message the value is.",
    "ce_source": "Who says so, a URI reference.",
    "ce_subject": "What it is about: the id of the match or player, as in the key.",
    "ce_time": "When it happened, UTC, RFC 3339 with microseconds.",
    "ce_dataschema": "Names the message of the value; absent for a type that is not ours.",
    "content-type": "Always application/protobuf.",
    "traceparent": "W3C trace context of what caused the event; absent without one.",
}
"""Every header of an event, and what is in it."""

OPTIONAL_HEADERS: Final = frozenset({"ce_dataschema", "traceparent"})
"""Headers that some events do not have."""

Headers = list[tuple[str, bytes]]


def encode_headers(event: Event) -> Headers:
    """Return the record headers of an event."""
    values = {
        "ce_specversion": SPEC_VERSION,
        "ce_id": event.event_id,
        "ce_type": event.type,
        "ce_source": event.source,
        "ce_subject": event.key,
        "ce_time": event.time.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "ce_dataschema": schema_uri(event.type),
        "content-type": CONTENT_TYPE,
        "traceparent": event.traceparent,
    }
    return [(name, text.encode()) for name, text in values.items() if text is not None]


def encode(record: Record) -> tuple[bytes, bytes, Headers]:
    """Return the key, the value and the headers that carry a record."""
    if isinstance(record, Event):
        return record.key.encode(), record.value, encode_headers(record)
    why = record.reason.encode("utf-8", "backslashreplace")
    return record.key, record.value, [*record.headers, (UNDECODABLE, why)]


def encode_letter(delivery: Delivery, reason: str, detail: str) -> tuple[bytes, bytes, Headers]:
    """Return the key, the value and the headers of a record that was refused."""
    record = delivery.record
    if isinstance(record, Event):
        key, value, headers = encode(record)
    else:
        key, value, headers = record.key, record.value, list(record.headers)
    added = (reason, detail, delivery.partition, str(delivery.offset))
    for name, text in zip(LETTER_HEADERS, added, strict=True):
        headers.append((name, text.encode()))
    return key, value, headers


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
    trace = headers.get("traceparent", b"").decode("ascii", "replace")
    return Event(
        event_id=headers["ce_id"].decode(),
        type=headers["ce_type"].decode(),
        key=key.decode(),
        value=value,
        time=time if time.tzinfo else time.replace(tzinfo=UTC),
        source=headers["ce_source"].decode(),
        # What a trace says of itself must not make an event unreadable.
        traceparent=trace if is_traceparent(trace) else None,
    )
