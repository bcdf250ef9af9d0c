"""What the engine reads and writes itself is what the generated classes read and write."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker.actions import Action, ActionKind, Legal
from poker.events import Event
from poker.hand import Hand, replay
from proto.engine.v1 import engine_pb2
from services.common import codec
from services.engine.app import register
from services.engine.reading import Act, read_act
from services.engine.service import SERVICE_NAME, act
from services.engine.writing import write_act
from tests.support.fuzz import mutated, mutated_bytes
from tests.support.scripted_hands import move, play, table
from tests.support.strategies import finished_hands, hands_in_play, players_rng, random_action


def request_of(hand: Hand, action: Action) -> engine_pb2.ActRequest:
    return engine_pb2.ActRequest(
        hand=codec.encode_hand(hand.setup, hand.actions), action=codec.encode_action(action)
    )


def read_by_classes(data: bytes) -> Act:
    request = engine_pb2.ActRequest.FromString(data)
    assert request.HasField("hand")
    assert request.HasField("action")
    return (*codec.decode_hand(request.hand), codec.decode_action(request.action))


def written_by_classes(events: tuple[Event, ...], legal: Legal | None) -> bytes:
    response = engine_pb2.ActResponse()
    codec.write_events(events, response.events)
    if legal is not None:
        codec.write_legal(legal, response.legal)
    return response.SerializeToString()


def assert_read_rightly(data: bytes) -> None:
    """Either it is what the classes read, or they get to say what it is."""
    read = read_act(data)
    assert read is None or read == read_by_classes(data)


@given(hand=hands_in_play(), rng=players_rng())
def test_a_request_as_clients_write_it_is_read_from_the_wire(hand: Hand, rng: Random) -> None:
    assert hand.legal is not None
    action = random_action(hand.legal, rng)
    assert read_act(request_of(hand, action).SerializeToString()) == (
        hand.setup,
        hand.actions,
        action,
    )


@given(hand=finished_hands())
def test_every_answer_of_a_hand_has_the_bytes_of_the_generated_classes(hand: Hand) -> None:
    again = Hand(hand.setup)
    for action in hand.actions:
        data = request_of(again, action).SerializeToString()
        events = again.act(action)
        written = written_by_classes(events, again.legal)
        assert write_act(events, again.legal) == written
        assert act(data) == written


@settings(max_examples=300)
@given(hand=hands_in_play(), rng=players_rng(), changes=st.integers(1, 4))
def test_a_changed_request_is_read_as_what_it_is_or_left_to_the_classes(
    hand: Hand, rng: Random, changes: int
) -> None:
    assert hand.legal is not None
    request = request_of(hand, random_action(hand.legal, rng))
    assert_read_rightly(mutated(request, rng, changes).SerializeToString())


@settings(max_examples=300)
@given(hand=hands_in_play(), rng=players_rng())
def test_broken_bytes_are_read_as_what_they_are_or_left_to_the_classes(
    hand: Hand, rng: Random
) -> None:
    assert hand.legal is not None
    data = request_of(hand, random_action(hand.legal, rng)).SerializeToString()
    assert_read_rightly(mutated_bytes(data, rng))
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << rng.randrange(8)
        assert_read_rightly(bytes(changed))
        assert read_act(data[:at]) is None


@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_rightly(data: bytes) -> None:
    assert_read_rightly(data)


# A hand of two, a raise and a call; the bytes of each part in the order in which they are sent.
HAND = play(table({1: 10_000, 2: 10_000}, button=1), "1 raise 300")
CALL = Action(2, ActionKind.CALL)
UNUSUAL_REQUESTS = {
    "the action before the hand": lambda hand, action: action + hand,
    "the action twice": lambda hand, action: hand + action + action,
    "a field of a later version": lambda hand, action: hand + action + b"\x78\x01",
    "the hand in two parts": lambda hand, action: hand + hand[:0] + b"\x0a\x00" + action,
}


@pytest.mark.parametrize("name", UNUSUAL_REQUESTS)
def test_an_unusual_request_is_answered_like_the_usual_one(name: str) -> None:
    request = request_of(HAND, CALL)
    hand = engine_pb2.ActRequest(hand=request.hand).SerializeToString()
    action = engine_pb2.ActRequest(action=request.action).SerializeToString()
    data = UNUSUAL_REQUESTS[name](hand, action)
    assert read_act(data) is None
    assert act(data) == act(hand + action)


@pytest.mark.parametrize(
    ("number", "is_read"),
    [("ac02", True), ("ac8200", True), ("81a094a58d1d", False), ("81" + 9 * "80" + "01", False)],
    ids=["300", "300 at length", "above the limit", "more bytes than a number has"],
)
def test_numbers_are_read_as_protobuf_reads_them(number: str, is_read: bool) -> None:
    usual = bytes.fromhex("120708011005" + "18ac02")
    data = request_of(Hand(HAND.setup), move("1 raise 300")).SerializeToString()
    assert data.endswith(usual)
    raised = bytes.fromhex("0801100518" + number)
    changed = data.removesuffix(usual) + bytes([0x12, len(raised)]) + raised
    assert (read_act(changed) is not None) == is_read
    assert_read_rightly(changed)


def test_a_reason_not_to_raise_is_written() -> None:
    hand = replay(table({1: 300, 2: 10_000}, button=1).setup, [move("1 raise 300")])
    assert hand.legal is not None
    assert hand.legal.no_raise_reason is not None
    assert write_act((), hand.legal) == written_by_classes((), hand.legal)


def test_every_method_of_the_contract_is_served() -> None:
    served: list[Any] = []

    class Recording:
        def add_generic_rpc_handlers(self, handlers: tuple[object, ...]) -> None:
            served.extend(handlers)

    register(Recording())  # type: ignore[arg-type]
    (handlers,) = served
    methods = engine_pb2.DESCRIPTOR.services_by_name["EngineService"].methods
    assert handlers.service_name() == SERVICE_NAME
    assert set(handlers._method_handlers) == {f"/{SERVICE_NAME}/{name.name}" for name in methods}
