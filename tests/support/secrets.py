"""Looks for River's cards where a player, an operator or a consumer could see them.

The gateway's database is the full record; everything else is searched against it.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from poker.actions import Action, ActionKind
from poker.cards import Card, cards_text
from poker.hand import replay
from proto.events.v1 import events_pb2
from proto.poker.v1 import poker_pb2
from services.common.codec import decode_setup
from services.gateway.store.schema import ACTIONS, HANDS
from tests.support.player import Json

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
HAND_ID = re.compile(r"h_[0-9a-f]{20}")
LOGGED_CARDS = re.compile(r"(?<![\w-])(?:10|[2-9TJQKA])[cdhs](?:[2-9TJQKA][cdhs])*(?![\w-])")
REVEALS = ('"showdown"', '"all_in.reveal"')
RIVER_SEAT = 2


@dataclass(frozen=True)
class Secret:
    """River's two cards in one hand, and whether the rules ever showed them."""

    hand_id: str
    cards: frozenset[str]
    shown: bool

    def leaks_into(self, text: str) -> bool:
        """Whether this text about the hand shows what it may not."""
        told = self.shown and any(reveal in text for reveal in REVEALS)
        return not told and bool(self.cards & set(CARD.findall(text)))


def river_secrets(database: Path) -> dict[str, Secret]:
    """Return River's cards by hand id, from the full record."""
    engine = sa.create_engine(f"sqlite:///{database}")
    try:
        with engine.connect() as connection:
            hands = connection.execute(sa.select(HANDS.c.hand_id, HANDS.c.setup)).all()
            return {row.hand_id: _secret(connection, row.hand_id, row.setup) for row in hands}
    finally:
        engine.dispose()


def _secret(connection: sa.Connection, hand_id: str, setup: bytes) -> Secret:
    rows = connection.execute(
        sa.select(ACTIONS).where(ACTIONS.c.hand_id == hand_id).order_by(ACTIONS.c.action_no)
    )
    actions = [Action(row.seat, ActionKind(row.kind), row.to_chips) for row in rows]
    hand = replay(decode_setup(poker_pb2.HandSetup.FromString(setup)), actions)
    river = next(seat for seat in hand.snapshot().seats if seat.seat == RIVER_SEAT)
    return Secret(hand_id, frozenset(map(str, river.hole_cards)), river.shown)


def leaks_in_answers(answers: Iterable[str], secrets: dict[str, Secret]) -> list[str]:
    """Return every part of an answer that shows River's cards too early, or at all."""
    return [part for answer in answers for part in _parts(answer) if _part_leaks(part, secrets)]


def _part_leaks(part: str, secrets: dict[str, Secret]) -> bool:
    hand_ids = set(HAND_ID.findall(part))
    if not hand_ids:
        return bool(CARD.search(part))
    assert len(hand_ids) == 1, f"cannot tell which hand this is about: {part[:200]}"
    return secrets[hand_ids.pop()].leaks_into(part)


def _parts(answer: str) -> Iterator[str]:
    """Split answers about several hands into parts about one."""
    if not answer.startswith("{"):
        yield answer
        return
    body: Json = json.loads(answer)
    items = body.get("items")
    if items is None:
        yield answer
    elif items and "seq" in items[0]:
        yield from _events_by_hand(items)
    else:
        yield from map(json.dumps, items)


def _events_by_hand(events: list[Json]) -> Iterator[str]:
    """Yield each event with everything that came before it in its hand."""
    hand: list[Json] = []
    for event in events:
        if event["type"] == "hand.started":
            hand = []
        hand.append(event)
        if any(entry["type"] == "hand.started" for entry in hand):
            yield json.dumps(hand)


def leaks_in_records(values: Iterable[bytes], secrets: dict[str, Secret]) -> list[str]:
    """Return the hands whose settlement event shows cards that nobody saw."""
    leaks = []
    for value in values:
        event = events_pb2.HandSettled.FromString(value)
        secret = secrets[event.hand_id]
        public = [*event.board, *(card for hand in event.shown for card in hand.hole_cards)]
        texts = {str(Card(index)) for index in public}
        if not secret.shown and (event.shown or texts & secret.cards):
            leaks.append(f"{event.hand_id}: {cards_text(map(Card, public))}")
    return leaks


def cards_in_log(log: str) -> list[str]:
    """Return log lines that name a card at all, or speak of a deck."""
    return [
        line
        for line in log.splitlines()
        if LOGGED_CARDS.search(line) or re.search(r"deck|hole_cards|turn_token|seed", line)
    ]
