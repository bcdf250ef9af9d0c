"""Matches against River as the gateway would report them, made up from a seed, by the thousand.

Stacks are those of real chips: what is put in was there, what is lost is bought again, and
the end of a match announces what its hands left.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event
from services.ledger import posting

BUY_IN = 10_000
START = datetime(2026, 2, 20, 18, 0, tzinfo=UTC)
VERSIONS = ("river-3", "river-4")
RIVER = "river"


@dataclass(frozen=True, slots=True)
class Season:
    """How much is played, and by whom.

    Attributes:
        seed: everything follows from it.
        hands: finished and void hands of all matches together.
        players: how many share the matches, at least 1.
        hands_a_match: on average, at least 1.
        start: when the first match began; a match begins every half hour of the season.

    """

    seed: int
    hands: int
    players: int
    hands_a_match: int = 60
    start: datetime = START

    def matches(self) -> Iterator[list[Event]]:
        """Yield the events of each match, in order."""
        left, number = self.hands, 0
        while left > 0:
            rng = random.Random(f"{self.seed}:{number}")
            hands = min(left, rng.randint(1, 2 * self.hands_a_match - 1))
            began = self.start + timedelta(minutes=30 * number)
            player = f"u_{self.seed}_{rng.randrange(self.players):05d}"
            yield _Match(f"m_{self.seed}_{number:06d}", player, began, rng).play(hands)
            left -= hands
            number += 1


@dataclass
class _Match:
    match_id: str
    player_id: str
    now: datetime
    rng: random.Random
    stacks: dict[str, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    finished: int = 0

    def play(self, hands: int) -> list[Event]:
        self._start()
        for number in range(1, hands + 1):
            self._buy_again()
            if self.rng.random() < 0.01:
                self._void(number)
            else:
                self._hand(number)
        self._settle()
        return self.events

    def _start(self) -> None:
        message = pb.MatchStarted(
            match_id=self.match_id,
            table_id=f"t_{self.match_id}",
            ruleset_id="hu_river",
            big_blind_chips=100,
            started_time=self._later(),
        )
        named = f"{self.player_id[-8:]} {self.rng.choice(('Otter', 'Seal', 'Heron'))}"
        kind = pb.PARTICIPANT_KIND_BOT if _is_bot(self.player_id) else pb.PARTICIPANT_KIND_GUEST
        house = pb.PARTICIPANT_KIND_HOUSE
        message.participants.add(player_id=self.player_id, kind=kind, display_name=named, seat=1)
        message.participants.add(player_id=RIVER, kind=house, display_name="River", seat=2)
        self._add(posting.MATCH_STARTED, message)
        for player_id in (self.player_id, RIVER):
            self.stacks[player_id] = 0
            self._buy(player_id, pb.CHIP_SOURCE_BUY_IN)

    def _buy_again(self) -> None:
        for player_id, chips in self.stacks.items():
            if chips == 0:
                self._buy(player_id, pb.CHIP_SOURCE_REBUY)
            elif chips < BUY_IN // 4 and self.rng.random() < 0.2:
                self._buy(player_id, pb.CHIP_SOURCE_TOP_UP)

    def _buy(self, player_id: str, source: pb.ChipSource.ValueType) -> None:
        self.stacks[player_id] += BUY_IN
        message = pb.ChipsBought(
            match_id=self.match_id,
            player_id=player_id,
            source=source,
            chips=BUY_IN,
            bought_time=self._later(),
        )
        self._add(posting.CHIPS_BOUGHT, message)

    def _hand(self, number: int) -> None:
        rng, seats = self.rng, (self.player_id, RIVER)
        most = min(self.stacks.values())
        put_in = min(most, 50 * int(rng.paretovariate(0.9)))
        winner = rng.choice((*seats, *seats, None)) if rng.random() < 0.1 else rng.choice(seats)
        button = 1 + number % 2
        message = pb.HandSettled(
            hand_id=f"h_{self.match_id}_{number}",
            match_id=self.match_id,
            hand_no=number,
            ruleset_id="hu_river",
            ruleset_hash="5f0c" * 16,
            small_blind_chips=50,
            big_blind_chips=100,
            button=button,
            board=bytes(rng.sample(range(52), rng.choice((0, 3, 4, 5)))),
            ai_decided=rng.random() < 0.02,
            bot_version=VERSIONS[self.now.month % 2],
            settled_time=self._later(),
        )
        for seat, player_id in enumerate(seats, start=1):
            won = put_in if winner is None else 2 * put_in * (player_id == winner)
            net = won - put_in
            message.results.add(
                player_id=player_id,
                seat=seat,
                put_in_chips=put_in,
                won_chips=won,
                net_chips=net,
            )
            self.stacks[player_id] += net
        if put_in > 1_000:
            shown = message.shown.add(seat=button, category="pair", name="Pair of tens")
            shown.hole_cards = bytes(rng.sample(range(52), 2))
        self.finished += 1
        self._add(posting.HAND_SETTLED, message)

    def _void(self, number: int) -> None:
        message = pb.HandVoided(
            hand_id=f"h_{self.match_id}_{number}",
            match_id=self.match_id,
            hand_no=number,
            voided_time=self._later(),
        )
        self._add(posting.HAND_VOIDED, message)

    def _settle(self) -> None:
        reason = pb.MATCH_END_REASON_SETTLED if self.finished else pb.MATCH_END_REASON_VOID
        message = pb.MatchSettled(
            match_id=self.match_id,
            reason=reason,
            hands=self.finished,
            settled_time=self._later(),
        )
        for player_id, chips in self.stacks.items():
            message.final_stacks.add(player_id=player_id, stack_chips=chips)
        self._add(posting.MATCH_SETTLED, message)

    def _later(self) -> Timestamp:
        self.now += timedelta(seconds=self.rng.randint(1, 40))
        stamp = Timestamp()
        stamp.FromDatetime(self.now)
        return stamp

    def _add(self, event_type: str, message: Message) -> None:
        event_id = f"e_{self.match_id}_{len(self.events):04d}"
        value = message.SerializeToString(deterministic=True)
        self.events.append(Event(event_id, event_type, self.match_id, value, self.now))


def _is_bot(player_id: str) -> bool:
    return player_id.endswith("7")


def interleaved(
    matches: Sequence[Sequence[Event]], rng: random.Random, open_at_once: int
) -> list[Event]:
    """Mix matches as they are played beside each other, each in its own order."""
    waiting = [iter(match) for match in reversed(matches)]
    playing: list[Iterator[Event]] = []
    mixed: list[Event] = []
    while waiting or playing:
        while waiting and len(playing) < open_at_once:
            playing.append(waiting.pop())
        chosen = rng.randrange(len(playing))
        event = next(playing[chosen], None)
        if event is None:
            playing[chosen] = playing[-1]
            playing.pop()
        else:
            mixed.append(event)
    return mixed
