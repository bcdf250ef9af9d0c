"""What clients may say on a socket, and that nothing else gets through."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.live import envelope
from services.gateway.live.envelope import Ping, Presence, Sub, Unsub, parse
from services.gateway.problems import ProblemError, ProblemType

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
WORDS = st.sampled_from(["op", "sub", "unsub", "ping", "presence", "ch", "since", "t", "away"])


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ('{"op":"sub","ch":"table:t_1","since":17}', Sub(op="sub", ch="table:t_1", since=17)),
        ('{"op":"sub","ch":"lobby"}', Sub(op="sub", ch="lobby")),
        ('{"op":"sub","ch":"lobby","since":null}', Sub(op="sub", ch="lobby")),
        ('{"op":"unsub","ch":"lobby"}', Unsub(op="unsub", ch="lobby")),
        ('{"op":"ping"}', Ping(op="ping")),
        ('{"op":"ping","t":1764500000123}', Ping(op="ping", t=1764500000123)),
        ('{"op":"ping","t":"a"}', Ping(op="ping", t="a")),
        (' {"op" : "presence", "away": true} ', Presence(op="presence", away=True)),
    ],
)
def test_an_order_is_read(text: str, order: envelope.Op) -> None:
    assert parse(text) == order


@pytest.mark.parametrize("text", ["", "hello", "{", '{"op":"ping"', "\x00", "[" * 4000, "{'op':1}"])
def test_what_is_not_json_is_malformed(text: str) -> None:
    with pytest.raises(ProblemError) as refused:
        parse(text)
    assert refused.value.problem_type is ProblemType.MALFORMED


@pytest.mark.parametrize(
    "text",
    [
        "1", "null", "[]", "{}", '"sub"', '{"op":"act"}', '{"op":null}', '{"op":"sub"}',
        '{"op":"sub","ch":""}', '{"op":"sub","ch":1}', '{"op":"sub","ch":"' + "x" * 65 + '"}',
        '{"op":"sub","ch":"lobby","since":-1}', '{"op":"sub","ch":"lobby","since":1.5}',
        '{"op":"sub","ch":"lobby","since":"1"}', '{"op":"sub","ch":"lobby","since":true}',
        '{"op":"sub","ch":"lobby","since":1e99}', '{"op":"sub","ch":"lobby","x":1}',
        '{"op":"presence"}', '{"op":"presence","away":1}', '{"op":"ping","t":[]}',
        '{"op":"ping","t":NaN}', '{"op":"ping","t":Infinity}',
        '{"op":"ping","t":' + "9" * 400 + "}",
    ],
)  # fmt: skip
def test_an_order_with_a_wrong_part_is_refused(text: str) -> None:
    with pytest.raises(ProblemError) as refused:
        parse(text)
    assert refused.value.problem_type is ProblemType.REQUEST_INVALID
    assert refused.value.facts["errors"]


def test_a_refusal_repeats_nothing_that_was_sent() -> None:
    with pytest.raises(ProblemError) as refused:
        parse('{"op":"sub","ch":"lobby","since":"5ecret"}')
    assert "5ecret" not in json.dumps(refused.value.facts)


@given(
    st.text(max_size=100)
    | JSON.map(json.dumps)
    | st.dictionaries(WORDS, JSON | WORDS).map(json.dumps)
)
def test_whatever_is_sent_is_an_order_or_a_refusal(text: str) -> None:
    order = outcome(text)
    if isinstance(order, ProblemError):
        assert order.problem_type in {ProblemType.MALFORMED, ProblemType.REQUEST_INVALID}
        json.dumps(order.facts, allow_nan=False)
    elif isinstance(order, Ping):
        assert json.loads(json.dumps(envelope.pong(order.t), allow_nan=False))["t"] == order.t


def outcome(text: str) -> envelope.Op | ProblemError:
    try:
        return parse(text)
    except ProblemError as refused:
        return refused


def test_goodbyes_have_codes_of_their_own() -> None:
    farewells = [
        envelope.PROTOCOL, envelope.NOT_TEXT, envelope.CONFUSED, envelope.TOO_LARGE,
        envelope.INTERNAL, envelope.RESTART, envelope.SLOW, envelope.NO_SESSION,
        envelope.FORBIDDEN, envelope.NO_CHANNEL, envelope.SILENT, envelope.REPLACED,
        envelope.TOO_OFTEN,
    ]  # fmt: skip
    assert len({farewell.code for farewell in farewells}) == len(farewells)
    assert {4401, 4403, 4404, 4408, 4409, 4429, 1012} <= {item.code for item in farewells}
