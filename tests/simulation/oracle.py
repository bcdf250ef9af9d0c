"""What must be true: the clients' memory against the database, after every round of requests.

The book knows only what clients were told. Since a client asks again until it has a definite
answer, the database must hold exactly what was acknowledged: nothing lost, nothing twice.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.engine import Engine

from services.common.database import reading
from services.gateway.model import EndReason, Hand, HandState, MatchState
from services.gateway.store.pruning import KEEP_KEYS
from services.gateway.store.rows import setup_bytes
from tests.simulation.door import Answer, Ask, Json, Kind, Person
from tests.simulation.rules import check_hand, check_match
from tests.simulation.stored import Stored, load

MAY_REFUSE: Final = {
    Kind.SIT_DOWN: {"active-match"},
    Kind.ACT: {"stale-turn", "not-your-turn", "match-closed", "match-expired"},
    Kind.NEXT_HAND: {
        "stale-turn",
        "hand-in-progress",
        "match-closed",
        "match-expired",
        "match-busted",
    },
    Kind.TOP_UP: {
        "hand-in-progress",
        "match-closed",
        "match-expired",
        "match-busted",
        "not-eligible",
    },
    Kind.SETTLE: {"hand-in-progress", "match-closed", "match-expired"},
}
"""What a command that made sense when it was sent may be refused with."""

MAY_FORGET: Final = KEEP_KEYS - timedelta(hours=1)
"""How long after its first use a key surely counts; then it may be a new wish."""


@dataclass
class Acknowledged:
    """What a table's player was told that they did."""

    moves: dict[int, tuple[str, int | None]] = field(default_factory=dict)
    hands: set[str] = field(default_factory=set)
    top_ups: list[int] = field(default_factory=list)
    settled: bool = False


class Book:
    """Collects answers and compares them with what is stored."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock
        self._asked: dict[tuple[str, str], datetime] = {}
        self._answers: dict[tuple[str, str], Answer] = {}
        self._setups: dict[str, str] = {}
        self._frozen: dict[str, str] = {}
        self._seen: dict[str, Stored] = {}
        self._cards: dict[tuple[str, str], list[str]] = {}
        self.tables: dict[str, Acknowledged] = defaultdict(Acknowledged)
        self.owners: dict[str, str] = {}
        self.counts: Counter[str] = Counter()

    def asked(self, person: Person, ask: Ask) -> None:
        """Take note of a wish before it is sent the first time."""
        self._asked.setdefault((person.user_id, ask.key), self._clock())

    def answered(self, person: Person, ask: Ask, answer: Answer) -> None:
        """Take note of a definite answer."""
        name, now = (person.user_id, ask.key), self._clock()
        known = self._answers.setdefault(name, answer)
        if known != answer and now - self._asked[name] > MAY_FORGET:
            self.counts["keys forgotten"] += 1
            known = self._answers[name] = answer
        assert known == answer, f"{ask} was answered in two ways: {known} and {answer}"
        self.counts[f"{ask.kind.value} {answer.problem or answer.status}"] += 1
        if answer.problem:
            allowed = answer.problem in MAY_REFUSE[ask.kind]
            assert allowed, f"{ask} was refused: {answer.body}"
            return
        if known is not answer:
            self.counts["answered again"] += 1
            return
        match ask.kind:
            case Kind.ACT:
                self._moved(ask, answer.body)
            case Kind.SIT_DOWN:
                table_id = answer.body["table_id"]
                assert table_id not in self.tables, f"{table_id} was given out twice"
                self.owners[table_id] = person.user_id
                self._dealt(table_id, answer.body)
            case Kind.NEXT_HAND:
                self._dealt(answer.body["snapshot"]["table_id"], answer.body)
            case Kind.TOP_UP:
                table_id = answer.body["snapshot"]["table_id"]
                self.tables[table_id].top_ups.append(answer.body["added"])
            case Kind.SETTLE:
                assert answer.body["summary"]["reason"] == "settled", answer.body

    def saw(self, person: Person, snapshot: Json) -> None:
        """Check what a snapshot shows: own cards never change, River's are not there early."""
        hand = snapshot["hand"]
        for seat in snapshot["seats"]:
            if seat["you"]:
                known = self._cards.setdefault((person.user_id, hand["id"]), seat["cards"])
                assert known == seat["cards"], f"the cards of {hand['id']} changed"
            elif snapshot["legal"] is not None and not _all_in(snapshot):
                assert seat["cards"] == [None, None], f"River's cards in {hand['id']}"

    def check(self, table_id: str, *, everything: bool = False) -> Stored:
        """Compare a table whose player waits for nothing with what is stored.

        ``everything`` reads again what should never change, too.
        """
        before = None if everything else self._seen.get(table_id)
        with reading(self._engine) as connection:
            stored = load(connection, table_id, before)
        self._seen[table_id] = stored
        self._check_told(stored, self.tables[table_id])
        known = set() if before is None else {id(hand) for hand in before.hands}
        for hand in stored.hands:
            if id(hand) not in known:
                self._check_hand(hand)
        check_match(stored)
        return stored

    def _check_hand(self, hand: Hand) -> None:
        setup = setup_bytes(hand)
        self._check_same(hand.hand_id, setup, self._setups, "the cards changed")
        if hand.state is not HandState.OPEN:
            final = setup + repr(hand).encode()
            self._check_same(hand.hand_id, final, self._frozen, "changed after its end")
        check_hand(hand)

    def _moved(self, ask: Ask, body: Json) -> None:
        """An accepted action is the first event behind it, as it was ordered."""
        event = body["events"][0]
        data = event["data"]
        assert event["type"] == "action.taken", event
        assert data["seat"] == 1, event
        assert not data["auto"], event
        assert data["type"] == ask.body["type"], (ask, event)
        if "to" in ask.body:
            assert data["to"] == ask.body["to"], (ask, event)
        moves = self.tables[ask.subject].moves
        assert event["seq"] not in moves, f"{ask} was accepted for a move that was made before"
        moves[event["seq"]] = (ask.body["type"], ask.body.get("to"))

    def _dealt(self, table_id: str, body: Json) -> None:
        started = next(event for event in body["events"] if event["type"] == "hand.started")
        hands = self.tables[table_id].hands
        assert started["data"]["hand_id"] not in hands, "one hand was dealt twice"
        hands.add(started["data"]["hand_id"])

    @staticmethod
    def _check_told(stored: Stored, told: Acknowledged) -> None:
        """Nothing lost and nothing twice: moves, hands and top-ups, one for one."""
        assert set(stored.moves) == set(told.moves), (
            f"moves of {stored.table.table_id}: stored {stored.moves}, told {told.moves}"
        )
        for seq, (kind, to_chips) in told.moves.items():
            assert stored.moves[seq][0] == kind, (seq, stored.moves[seq], kind)
            assert to_chips is None or stored.moves[seq][1] == to_chips, (seq, to_chips)
        assert {hand.hand_id for hand in stored.hands} == told.hands
        assert [top_up.chips for top_up in stored.match.top_ups] == told.top_ups

    @staticmethod
    def _check_same(name: str, value: bytes, known: dict[str, str], what: str) -> None:
        digest = hashlib.sha256(value).hexdigest()
        assert known.setdefault(name, digest) == digest, f"{name}: {what}"

    def tally(self, stored: Stored) -> None:
        """Count a match that is over by how it ended."""
        match = stored.match
        assert match.state in {MatchState.SETTLED, MatchState.VOID}, match
        assert match.end_reason is not None
        decided = match.end_reason is not EndReason.SETTLED and match.ai_decided > 0
        self.counts[f"ended {match.end_reason.value}{' by a stand-in' if decided else ''}"] += 1
        self.counts["hands"] += len(stored.hands)
        self.counts["void hands"] += sum(hand.state is HandState.VOID for hand in stored.hands)
        self.counts["moves"] += len(stored.moves)


def _all_in(snapshot: Json) -> bool:
    return any(seat["all_in"] for seat in snapshot["seats"])
