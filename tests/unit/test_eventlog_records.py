"""Events as values and as Kafka records."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.common.eventlog.backoff import MAX_BACKOFF_SECONDS, backoff_seconds
from services.common.eventlog.cloudevents import (
    HEADERS,
    LETTER_HEADERS,
    OPTIONAL_HEADERS,
    decode,
    encode_headers,
    encode_letter,
)
from services.common.eventlog.kafka import _turns
from services.common.eventlog.outbox import from_microseconds, to_microseconds
from services.common.eventlog.port import Delivery, Event, Undecodable
from tests.support.eventlogs import START, event

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
BAD_TRACES = [
    "",
    TRACE.upper(),
    TRACE[:-1],
    TRACE + "-x",
    "ff" + TRACE[2:],
    TRACE.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32),
    TRACE.replace("00f067aa0ba902b7", "0" * 16),
    "\u00ff",
]

IDS = st.text(min_size=1, max_size=128).filter(str.isprintable)
TIMES = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
EVENTS = st.builds(Event, IDS, IDS, IDS, st.binary(max_size=64), TIMES, IDS)


@given(EVENTS)
def test_an_event_survives_the_record(sent: Event) -> None:
    assert decode(sent.key.encode(), sent.value, encode_headers(sent)) == sent


@given(TIMES)
def test_times_survive_as_microseconds(time: datetime) -> None:
    assert from_microseconds(to_microseconds(time)) == time


def test_headers_are_those_of_cloudevents() -> None:
    sent = Event("id-1", "riverboat.hand.settled.v1", "m1", b"\x01", START)
    assert dict(encode_headers(sent)) == {
        "ce_specversion": b"1.0",
        "ce_id": b"id-1",
        "ce_type": b"riverboat.hand.settled.v1",
        "ce_source": b"/riverboat/gateway",
        "ce_subject": b"m1",
        "ce_time": b"2026-01-02T03:04:05.678901Z",
        "ce_dataschema": b"urn:riverboat:proto:riverboat.events.v1.HandSettled",
        "content-type": b"application/protobuf",
    }


def test_headers_are_the_ones_that_are_documented() -> None:
    traced = replace(event("m", "x"), type="riverboat.hand.settled.v1", traceparent=TRACE)
    assert [name for name, _ in encode_headers(traced)] == list(HEADERS)
    bare = [name for name, _ in encode_headers(event("m", "x"))]
    assert set(HEADERS) - set(bare) == OPTIONAL_HEADERS


def test_a_trace_survives_the_record() -> None:
    sent = replace(event("m", "x"), traceparent=TRACE)
    assert decode(b"m", b"x", encode_headers(sent)) == sent


@pytest.mark.parametrize("trace", BAD_TRACES)
def test_a_broken_trace_does_not_break_the_event(trace: str) -> None:
    sent = event("m", "x")
    headers = [*encode_headers(sent), ("traceparent", trace.encode())]
    assert decode(b"m", b"x", headers) == sent


@pytest.mark.parametrize("trace", BAD_TRACES)
def test_an_event_refuses_a_broken_trace(trace: str) -> None:
    with pytest.raises(ValueError, match="traceparent"):
        replace(event("m", "x"), traceparent=trace)


def test_a_dead_letter_is_the_record_and_why_it_was_refused() -> None:
    sent = event("m", "x")
    key, value, headers = encode_letter(Delivery("3", 41, sent), "unknown_match", "no match m")
    assert (key, value) == (b"m", b"x")
    assert headers == [
        *encode_headers(sent),
        ("riverboat_reason", b"unknown_match"),
        ("riverboat_detail", b"no match m"),
        ("riverboat_partition", b"3"),
        ("riverboat_offset", b"41"),
    ]


def test_a_dead_letter_of_what_is_no_event_keeps_its_bytes() -> None:
    damaged = Undecodable("KeyError: 'ce_id'", b"\xff", b"x", (("ce_id", b"\xfe"),))
    key, value, headers = encode_letter(Delivery("0", 1, damaged), "not_an_event", "no id")
    assert (key, value, headers[0]) == (b"\xff", b"x", ("ce_id", b"\xfe"))
    assert [name for name, _ in headers[1:]] == list(LETTER_HEADERS)


@pytest.mark.parametrize("missing", ["ce_specversion", "ce_id", "ce_type", "ce_source", "ce_time"])
def test_a_record_without_a_header_is_kept_as_undecodable(missing: str) -> None:
    headers = [pair for pair in encode_headers(event("m", "x")) if pair[0] != missing]
    got = decode(b"m", b"x", headers)
    assert isinstance(got, Undecodable)
    assert missing in got.reason
    assert (got.key, got.value, got.headers) == (b"m", b"x", tuple(headers))


@pytest.mark.parametrize(
    ("key", "value", "changed"),
    [
        (None, b"x", {}),
        (b"m", None, {}),
        (b"\xff", b"x", {}),
        (b"", b"x", {}),
        (b"m\x00", b"x", {}),
        (b"m", b"x", {"ce_specversion": b"0.3"}),
        (b"m", b"x", {"ce_id": b""}),
        (b"m", b"x", {"ce_id": b"x" * 129}),
        (b"m", b"x", {"ce_time": b"yesterday"}),
        (b"m", b"x", {"ce_type": b"\xfe\xff"}),
        (b"m", b"x", {"ce_time": b"0001-01-01T00:00:00+23:59"}),
        (b"m", b"x", {"ce_id": None}),
    ],
)
def test_a_record_that_is_no_event_is_kept_as_undecodable(
    key: bytes | None, value: bytes | None, changed: dict[str, bytes | None]
) -> None:
    headers = [(n, changed.get(n, v)) for n, v in encode_headers(event("m", "x"))]
    assert isinstance(decode(key, value, headers), Undecodable)


@given(
    st.one_of(st.none(), st.binary()),
    st.one_of(st.none(), st.binary()),
    st.lists(st.tuples(st.text(), st.none() | st.binary())),
)
def test_decoding_never_raises(
    key: bytes | None, value: bytes | None, headers: list[tuple[str, bytes | None]]
) -> None:
    decode(key, value, headers)


def test_the_digest_covers_type_key_and_value() -> None:
    first = event("m", "x", "id")
    assert replace(first, event_id="other", time=first.time + timedelta(1)).digest == first.digest
    for change in ({"type": "other"}, {"key": "n"}, {"value": b"y"}):
        assert replace(first, **change).digest != first.digest
    assert replace(first, key="mx", value=b"").digest != first.digest


@pytest.mark.parametrize("bad", ["", "x" * 129, "a\0b", "line\nbreak", "\ud800"])
@pytest.mark.parametrize("name", ["event_id", "type", "key", "source"])
def test_an_event_refuses_what_could_not_travel(name: str, bad: str) -> None:
    with pytest.raises(ValueError, match=name):
        replace(event("m", "x"), **{name: bad})  # type: ignore[arg-type]


def test_a_time_needs_a_zone_and_is_kept_in_utc() -> None:
    with pytest.raises(ValueError, match="timezone"):
        Event("i", "t", "k", b"", datetime(2026, 1, 1))  # noqa: DTZ001
    there = datetime(2026, 1, 1, 5, tzinfo=timezone(timedelta(hours=5)))
    assert Event("i", "t", "k", b"", there).time.isoformat() == "2026-01-01T00:00:00+00:00"


@given(st.lists(st.sampled_from("abc"), max_size=12))
def test_a_turn_has_each_key_once_and_keeps_its_order(keys: list[str]) -> None:
    sent = [event(key, str(n)) for n, key in enumerate(keys)]
    turns = _turns(sent)
    for turn in turns:
        assert len({e.key for e in turn}) == len(turn)
    sequence = [e for turn in turns for e in turn]
    for key in set(keys):
        assert [e for e in sequence if e.key == key] == [e for e in sent if e.key == key]


@given(st.integers(1, 10_000))
def test_backing_off_stays_within_bounds(failures: int) -> None:
    assert 0.1 <= backoff_seconds(failures) <= MAX_BACKOFF_SECONDS
