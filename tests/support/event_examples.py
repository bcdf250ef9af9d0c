"""One event of each type, as the gateway would publish them for a short match."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from poker.cards import parse_cards
from proto.events.v1 import events_pb2 as pb
from proto.poker.v1 import poker_pb2
from services.common.codec import encode_cards
from services.common.eventlog.port import Event
from services.common.eventlog.schemas import MESSAGES

START = datetime(2026, 3, 1, 19, 30, tzinfo=UTC)
MATCH, HAND, PLAYER, ACCOUNT = "m-7QK2", "m-7QK2-1", "u-41", "u-7"
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

IDS = dict(
    zip(
        MESSAGES,
        (
            f"{MATCH}.started",
            f"{MATCH}.buy_in.player.0",
            f"{HAND}.settled",
            f"{MATCH}-2.voided",
            f"{MATCH}.settled",
            f"{ACCOUNT}.named.2",
            f"{PLAYER}.merged",
        ),
        strict=True,
    )
)


def cards(text: str) -> bytes:
    return encode_cards(parse_cards(text))


def at(minutes: int) -> Timestamp:
    time = Timestamp()
    time.FromDatetime(START + timedelta(minutes=minutes))
    return time


def example_messages() -> dict[str, Message]:
    """Return a message of each type, by event type, in the order in which they happen."""
    messages: tuple[Message, ...] = (
        pb.MatchStarted(
            match_id=MATCH,
            table_id="t-1",
            ruleset_id="hu_river",
            big_blind_chips=100,
            participants=[
                pb.Participant(
                    player_id=PLAYER,
                    kind=pb.PARTICIPANT_KIND_GUEST,
                    display_name="Otter-41",
                    seat=1,
                    name_revision=1,
                ),
                pb.Participant(
                    player_id="river",
                    kind=pb.PARTICIPANT_KIND_HOUSE,
                    display_name="River",
                    seat=2,
                ),
            ],
            started_time=at(0),
        ),
        pb.ChipsBought(
            match_id=MATCH,
            player_id=PLAYER,
            source=pb.CHIP_SOURCE_BUY_IN,
            chips=10_000,
            bought_time=at(0),
        ),
        _hand(),
        pb.HandVoided(
            match_id=MATCH,
            hand_id=f"{MATCH}-2",
            hand_no=2,
            voided_time=at(2),
            bot_version="river-3",
        ),
        pb.MatchSettled(
            match_id=MATCH,
            reason=pb.MATCH_END_REASON_SETTLED,
            hands=1,
            final_stacks=[
                pb.PlayerStack(player_id=PLAYER, stack_chips=10_600),
                pb.PlayerStack(player_id="river", stack_chips=9_400),
            ],
            settled_time=at(3),
        ),
        pb.PlayerNamed(player=_name(ACCOUNT, "Ana B", 2), named_time=at(4)),
        pb.PlayerMerged(
            player=_name(PLAYER, "Otter-41", 1, pb.PARTICIPANT_KIND_GUEST),
            into=_name(ACCOUNT, "Ana B", 2),
            merged_time=at(5),
        ),
    )
    return dict(zip(MESSAGES, messages, strict=True))


def _name(
    player_id: str,
    display_name: str,
    revision: int,
    kind: pb.ParticipantKind.ValueType = pb.PARTICIPANT_KIND_ACCOUNT,
) -> pb.PlayerName:
    return pb.PlayerName(
        player_id=player_id, kind=kind, display_name=display_name, name_revision=revision
    )


def key_of(message: Message) -> str:
    """Return the key of the record that carries a message."""
    if isinstance(message, pb.PlayerNamed | pb.PlayerMerged):
        return message.player.player_id
    return MATCH


def _hand() -> pb.HandSettled:
    return pb.HandSettled(
        hand_id=HAND,
        match_id=MATCH,
        hand_no=1,
        ruleset_id="hu_river",
        ruleset_hash="9f2c41d07a3b",
        small_blind_chips=50,
        big_blind_chips=100,
        button=1,
        results=[
            pb.PlayerResult(
                player_id=PLAYER, seat=1, put_in_chips=600, won_chips=1_200, net_chips=600
            ),
            pb.PlayerResult(
                player_id="river", seat=2, put_in_chips=600, won_chips=0, net_chips=-600
            ),
        ],
        board=cards("Ah8d2cKh3s"),
        shown=[
            poker_pb2.ShownHand(
                seat=1,
                hole_cards=cards("As8s"),
                category="two_pair",
                name="Two pair, aces and eights",
                best_five=cards("AsAh8s8dKh"),
            )
        ],
        bot_version="river-3",
        settled_time=at(1),
    )


def example_event(event_type: str, message: Message) -> Event:
    """Return a message as the event that carries it; the hand's has a trace."""
    time = next(
        value for _, value in message.ListFields() if isinstance(value, Timestamp)
    ).ToDatetime(UTC)
    return Event(
        event_id=IDS[event_type],
        type=event_type,
        key=key_of(message),
        value=message.SerializeToString(deterministic=True),
        time=time,
        traceparent=TRACE if event_type == "riverboat.hand.settled.v1" else None,
    )


def as_json(message: Message) -> Mapping[str, Any]:
    """Return every field of a message by its name, in the way the document describes them."""
    return {
        field.name: [_as_json(field, one) for one in getattr(message, field.name)]
        if field.is_repeated
        else _as_json(field, getattr(message, field.name))
        for field in message.DESCRIPTOR.fields
    }


def _as_json(field: Any, value: Any) -> Any:  # noqa: ANN401  # as protobuf has them
    if isinstance(value, Timestamp):
        return value.ToJsonString()
    if field.enum_type is not None:
        return field.enum_type.values_by_number[value].name
    if isinstance(value, bytes):
        return value.hex()
    return as_json(value) if field.message_type is not None else value
