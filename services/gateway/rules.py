"""The engine with a short memory: a position that was just reached is not asked for again.

A position is a pure function of a hand's setup and actions, so remembering it can only save
time. The setup of a hand never changes, hence its id stands for it.
"""

from collections import OrderedDict
from typing import Final

from poker.actions import Action
from poker.snapshot import HandSnapshot
from services.gateway.engine_client import Engine
from services.gateway.model import Hand, Reply

POSITIONS_MAX: Final = 2_000

_Key = tuple[str, tuple[Action, ...]]


class Rules:
    """What the gateway asks about hands; raises what `Engine` raises."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._positions: OrderedDict[_Key, HandSnapshot] = OrderedDict()

    async def deal(self, hand: Hand) -> Reply:
        """Return what happens when a hand is put on the table."""
        reply = await self._engine.replay(hand)
        self._remember(hand, hand.played, reply.snapshot)
        return reply

    async def act(self, hand: Hand, action: Action) -> Reply:
        """Return what an action leads to."""
        reply = await self._engine.act(hand, await self.position(hand), action)
        self._remember(hand, (*hand.played, action), reply.snapshot)
        return reply

    async def position(self, hand: Hand) -> HandSnapshot:
        """Return where a hand stands."""
        key = (hand.hand_id, hand.played)
        known = self._positions.get(key)
        if known is None:
            known = (await self._engine.replay(hand)).snapshot
            self._remember(hand, hand.played, known)
        return known

    def _remember(self, hand: Hand, played: tuple[Action, ...], snapshot: HandSnapshot) -> None:
        self._positions[hand.hand_id, played] = snapshot
        self._positions.move_to_end((hand.hand_id, played))
        if len(self._positions) > POSITIONS_MAX:
            self._positions.popitem(last=False)
