"""The event types of the topic of matches, and the message that each one carries."""

from collections.abc import Mapping
from typing import Final

from google.protobuf.message import Message

from proto.events.v1 import events_pb2 as pb

MESSAGES: Final[Mapping[str, type[Message]]] = {
    "riverboat.match.started.v1": pb.MatchStarted,
    "riverboat.chips.bought.v1": pb.ChipsBought,
    "riverboat.hand.settled.v1": pb.HandSettled,
    "riverboat.hand.voided.v1": pb.HandVoided,
    "riverboat.match.settled.v1": pb.MatchSettled,
    "riverboat.player.named.v1": pb.PlayerNamed,
    "riverboat.player.merged.v1": pb.PlayerMerged,
}

SCHEMA_PREFIX: Final = "urn:riverboat:proto:"


def schema_uri(event_type: str) -> str | None:
    """Name the message of an event type as a URI; None for a type that is not ours.

    What follows the prefix is the full name of the protobuf message.
    """
    message = MESSAGES.get(event_type)
    return None if message is None else SCHEMA_PREFIX + message.DESCRIPTOR.full_name
