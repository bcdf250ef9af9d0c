"""Matches as the gateway would report them, and ledgers to report them to."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from google.protobuf.message import Message
from sqlalchemy.engine import Engine

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event
from services.ledger import posting
from services.ledger.audit import audit
from services.ledger.report import Report
from services.ledger.store import apply_events
from services.ledger.workspace import Outcome

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_SERIAL = itertools.count(1)


def wrap(event_type: str, key: str, message: Message, time: datetime, event_id: str = "") -> Event:
    """Return a message as an event with an id of its own."""
    event_id = event_id or f"e{next(_SERIAL)}"
    return Event(event_id, event_type, key, message.SerializeToString(deterministic=True), time)


@dataclass
class Script:
    """The events of one match against River, one after another.

    Methods return the event; ``events`` has all of them in order. Stacks are tracked, so
    that ``settled`` announces what is true unless told otherwise.
    """

    match_id: str = "m1"
    player_id: str = "otter"
    name: str = "Otter-41"
    kind: pb.ParticipantKind.ValueType = pb.PARTICIPANT_KIND_GUEST
    start: datetime = START
    name_revision: int = 0
    events: list[Event] = field(default_factory=list)
    stacks: dict[str, int] = field(default_factory=dict)
    hands: int = 0
    hand_no: int = 0

    def started(self) -> Event:
        message = pb.MatchStarted(
            match_id=self.match_id,
            table_id=f"t-{self.match_id}",
            ruleset_id="hu_river",
            big_blind_chips=100,
        )
        message.participants.add(
            player_id=self.player_id,
            kind=self.kind,
            display_name=self.name,
            seat=1,
            name_revision=self.name_revision,
        )
        message.participants.add(
            player_id="river",
            kind=pb.PARTICIPANT_KIND_HOUSE,
            display_name="River",
            seat=2,
        )
        message.started_time.FromDatetime(self.now)
        self.stacks = {self.player_id: 0, "river": 0}
        return self._add(posting.MATCH_STARTED, message)

    def bought(
        self,
        chips: int = 10_000,
        player_id: str | None = None,
        source: pb.ChipSource.ValueType = pb.CHIP_SOURCE_BUY_IN,
    ) -> Event:
        player_id = player_id or self.player_id
        message = pb.ChipsBought(
            match_id=self.match_id, player_id=player_id, source=source, chips=chips
        )
        message.bought_time.FromDatetime(self.now)
        self.stacks[player_id] += chips
        return self._add(posting.CHIPS_BOUGHT, message)

    def hand(self, net: int = 100, put_in: int | None = None, **changes: object) -> Event:
        """Play a hand that the player wins (or loses) by ``net`` chips."""
        message = self.hand_message(net, put_in)
        for name, value in changes.items():
            setattr(message, name, value)
        self.stacks[self.player_id] += net
        self.stacks["river"] -= net
        self.hands += 1
        return self._add(posting.HAND_SETTLED, message)

    def hand_message(self, net: int = 100, put_in: int | None = None) -> pb.HandSettled:
        """Return the message of the next hand, which is thereby taken as played."""
        self.hand_no += 1
        each = max(abs(net), 100 if put_in is None else put_in)
        message = pb.HandSettled(
            hand_id=f"{self.match_id}-h{self.hand_no}",
            match_id=self.match_id,
            hand_no=self.hand_no,
            ruleset_id="hu_river",
            small_blind_chips=50,
            big_blind_chips=100,
            button=1,
        )
        for player_id, seat, gain in ((self.player_id, 1, net), ("river", 2, -net)):
            message.results.add(
                player_id=player_id,
                seat=seat,
                put_in_chips=each,
                won_chips=each + gain,
                net_chips=gain,
            )
        message.settled_time.FromDatetime(self.now)
        return message

    def voided(self, version: str = "") -> Event:
        self.hand_no += 1
        message = pb.HandVoided(
            hand_id=f"{self.match_id}-h{self.hand_no}",
            match_id=self.match_id,
            hand_no=self.hand_no,
            bot_version=version,
        )
        message.voided_time.FromDatetime(self.now)
        return self._add(posting.HAND_VOIDED, message)

    def settled(
        self,
        reason: pb.MatchEndReason.ValueType = pb.MATCH_END_REASON_SETTLED,
        **stacks: int,
    ) -> Event:
        message = pb.MatchSettled(match_id=self.match_id, reason=reason, hands=self.hands)
        for player_id, chips in {**self.stacks, **stacks}.items():
            message.final_stacks.add(player_id=player_id, stack_chips=chips)
        message.settled_time.FromDatetime(self.now)
        return self._add(posting.MATCH_SETTLED, message)

    def sit_down(self, chips: int = 10_000) -> "Script":
        """Report the start of the match and both buy-ins."""
        self.started()
        self.bought(chips)
        self.bought(10_000, "river")
        return self

    @property
    def now(self) -> datetime:
        """A time that goes on by a second an event."""
        return self.start + timedelta(seconds=len(self.events))

    def _add(self, event_type: str, message: Message) -> Event:
        event = wrap(event_type, self.match_id, message, self.now)
        self.events.append(event)
        return event


def whole_match(
    player_id: str,
    nets: Sequence[int],
    *,
    match_id: str | None = None,
    start: datetime = START,
    kind: pb.ParticipantKind.ValueType = pb.PARTICIPANT_KIND_GUEST,
    version: str = "",
) -> list[Event]:
    """Return all events of a match with these results, hand by hand."""
    script = Script(match_id or f"m-{player_id}", player_id, player_id.title(), kind, start)
    script.sit_down(10_000_000)
    script.bought(10_000_000, "river", pb.CHIP_SOURCE_TOP_UP)
    for net in nets:
        script.hand(net, bot_version=version)
    script.settled()
    return script.events


def person(
    player_id: str,
    name: str = "",
    revision: int = 1,
    kind: pb.ParticipantKind.ValueType = pb.PARTICIPANT_KIND_ACCOUNT,
) -> pb.PlayerName:
    """Return what somebody is called: their id with a capital letter unless told otherwise."""
    return pb.PlayerName(
        player_id=player_id,
        kind=kind,
        display_name=name or player_id.title(),
        name_revision=revision,
    )


def named(who: pb.PlayerName, *, erased: bool = False, time: datetime = START) -> Event:
    """Return the event of another name."""
    message = pb.PlayerNamed(player=who, erased=erased)
    message.named_time.FromDatetime(time)
    event_id = f"{who.player_id}.named.{who.name_revision}"
    return wrap(posting.PLAYER_NAMED, who.player_id, message, time, event_id)


def merged(player_id: str, into_id: str, time: datetime = START) -> Event:
    """Return the event of a guest who became part of an account."""
    guest = person(player_id, kind=pb.PARTICIPANT_KIND_GUEST)
    message = pb.PlayerMerged(player=guest, into=person(into_id))
    message.merged_time.FromDatetime(time)
    return wrap(posting.PLAYER_MERGED, player_id, message, time, f"{player_id}.merged")


def apply_all(engine: Engine, events: Sequence[Event], today: int | None = None) -> list[Outcome]:
    """Apply events in one transaction."""
    with engine.begin() as connection:
        return apply_events(connection, events, today)


def run_audit(engine: Engine, outbox: Engine | None = None, today: int | None = None) -> Report:
    """Check the whole ledger."""
    return audit(engine, outbox, today)
