"""What the gateway tells other services: protobuf events with names that never vary.

An event's id follows from what it reports, so a step that is ever built twice builds the
same event. No card that was not shown to everyone is in one (ENG-013).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from poker.snapshot import HandResult, HandSnapshot
from proto.events.v1 import events_pb2 as pb
from services.common.codec import encode_cards, encode_shown_hand
from services.common.eventlog.port import Event
from services.gateway.model import (
    PLAYER_SEAT,
    RIVER_ID,
    RIVER_NAME,
    RIVER_SEAT,
    EndReason,
    Hand,
    Match,
    User,
)

MATCH_STARTED: Final = "riverboat.match.started.v1"
CHIPS_BOUGHT: Final = "riverboat.chips.bought.v1"
HAND_SETTLED: Final = "riverboat.hand.settled.v1"
HAND_VOIDED: Final = "riverboat.hand.voided.v1"
MATCH_SETTLED: Final = "riverboat.match.settled.v1"
PLAYER_NAMED: Final = "riverboat.player.named.v1"
PLAYER_MERGED: Final = "riverboat.player.merged.v1"

_KINDS: Final = {
    "guest": pb.PARTICIPANT_KIND_GUEST,
    "account": pb.PARTICIPANT_KIND_ACCOUNT,
    "bot": pb.PARTICIPANT_KIND_BOT,
}
_REASONS: Final = {
    EndReason.SETTLED: pb.MATCH_END_REASON_SETTLED,
    EndReason.EXPIRED: pb.MATCH_END_REASON_EXPIRED,
    EndReason.SUPERSEDED: pb.MATCH_END_REASON_SUPERSEDED,
    EndReason.VOID: pb.MATCH_END_REASON_VOID,
}
_SOURCES: Final = {
    "buy_in": pb.CHIP_SOURCE_BUY_IN,
    "top_up": pb.CHIP_SOURCE_TOP_UP,
    "rebuy": pb.CHIP_SOURCE_REBUY,
}


def match_started(match: Match, player: User, at: datetime) -> Event:
    """Tell that the match began, and who sits where."""
    message = pb.MatchStarted(
        match_id=match.match_id,
        table_id=match.table_id,
        ruleset_id=match.ruleset.ruleset_id,
        big_blind_chips=match.ruleset.big_blind_chips,
        participants=[
            pb.Participant(
                player_id=player.user_id,
                kind=_KINDS[player.kind],
                display_name=player.display_name,
                seat=PLAYER_SEAT,
                name_revision=player.revision,
            ),
            pb.Participant(
                player_id=RIVER_ID,
                kind=pb.PARTICIPANT_KIND_HOUSE,
                display_name=RIVER_NAME,
                seat=RIVER_SEAT,
            ),
        ],
        started_time=_timestamp(at),
    )
    return _event(f"{match.match_id}.started", MATCH_STARTED, match, message, at)


@dataclass(frozen=True, slots=True)
class Purchase:
    """Chips for a seat; ``source`` is buy_in, top_up or rebuy.

    ``occasion`` tells purchases of one kind apart: the number of the top-up, or of the hand.
    """

    player_id: str
    source: str
    chips: int
    occasion: int


def chips_bought(match: Match, purchase: Purchase, at: datetime) -> Event:
    """Tell that chips came to a seat."""
    message = pb.ChipsBought(
        match_id=match.match_id,
        player_id=purchase.player_id,
        source=_SOURCES[purchase.source],
        chips=purchase.chips,
        bought_time=_timestamp(at),
    )
    who = "river" if purchase.player_id == RIVER_ID else "player"
    event_id = f"{match.match_id}.{purchase.source}.{who}.{purchase.occasion}"
    return _event(event_id, CHIPS_BOUGHT, match, message, at)


def hand_settled(
    match: Match, hand: Hand, snapshot: HandSnapshot, result: HandResult, at: datetime
) -> Event:
    """Tell that the hand was finished and counts."""
    message = pb.HandSettled(
        hand_id=hand.hand_id,
        match_id=match.match_id,
        hand_no=hand.hand_no,
        ruleset_id=match.ruleset.ruleset_id,
        ruleset_hash=hand.ruleset_hash,
        small_blind_chips=hand.setup.rules.small_blind_chips,
        big_blind_chips=hand.setup.rules.big_blind_chips,
        button=hand.setup.button,
        results=[
            pb.PlayerResult(
                player_id=_player_id(match, seat.seat),
                seat=seat.seat,
                put_in_chips=seat.put_in_chips,
                won_chips=seat.won_chips,
                net_chips=seat.net_chips,
            )
            for seat in result.seats
        ],
        board=encode_cards(snapshot.board),
        shown=[encode_shown_hand(shown) for shown in result.shown],
        ai_decided=hand.ai_decided,
        bot_fallback=hand.bot_fallback,
        bot_version=hand.bot_version,
        settled_time=_timestamp(at),
    )
    return _event(f"{hand.hand_id}.settled", HAND_SETTLED, match, message, at)


def hand_voided(match: Match, hand: Hand, at: datetime) -> Event:
    """Tell that the hand does not count."""
    message = pb.HandVoided(
        hand_id=hand.hand_id,
        match_id=match.match_id,
        hand_no=hand.hand_no,
        voided_time=_timestamp(at),
        bot_version=hand.bot_version,
    )
    return _event(f"{hand.hand_id}.voided", HAND_VOIDED, match, message, at)


def match_settled(match: Match, at: datetime) -> Event:
    """Tell that the match ended and both stacks went back to the bank."""
    message = pb.MatchSettled(
        match_id=match.match_id,
        reason=_REASONS[match.end_reason or EndReason.SETTLED],
        hands=match.hands,
        final_stacks=[
            pb.PlayerStack(player_id=match.player_id, stack_chips=match.stack_chips),
            pb.PlayerStack(player_id=RIVER_ID, stack_chips=match.river_stack_chips),
        ],
        settled_time=_timestamp(at),
    )
    return _event(f"{match.match_id}.settled", MATCH_SETTLED, match, message, at)


def player_named(user: User, at: datetime, *, erased: bool = False) -> Event:
    """Tell what a person is called, and as what they play, from now on."""
    message = pb.PlayerNamed(player=_name(user), erased=erased, named_time=_timestamp(at))
    return _about(user, f"{user.user_id}.named.{user.revision}", PLAYER_NAMED, message, at)


def player_merged(guest: User, account: User, at: datetime) -> Event:
    """Tell that a guest became part of an account."""
    message = pb.PlayerMerged(player=_name(guest), into=_name(account), merged_time=_timestamp(at))
    return _about(guest, f"{guest.user_id}.merged", PLAYER_MERGED, message, at)


def _name(user: User) -> pb.PlayerName:
    return pb.PlayerName(
        player_id=user.user_id,
        kind=_KINDS[user.kind],
        display_name=user.display_name,
        name_revision=user.revision,
    )


def _event(event_id: str, name: str, match: Match, message: Message, at: datetime) -> Event:
    return Event(event_id, name, match.match_id, _bytes(message), at)


def _about(user: User, event_id: str, name: str, message: Message, at: datetime) -> Event:
    return Event(event_id, name, user.user_id, _bytes(message), at)


def _bytes(message: Message) -> bytes:
    # The same bytes each time, because consumers compare digests of an id seen before.
    return message.SerializeToString(deterministic=True)


def _player_id(match: Match, seat: int) -> str:
    return match.player_id if seat == PLAYER_SEAT else RIVER_ID


def _timestamp(at: datetime) -> Timestamp:
    timestamp = Timestamp()
    timestamp.FromDatetime(at)
    return timestamp
