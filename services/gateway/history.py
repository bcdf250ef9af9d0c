"""The logs of hands for reading again, also of hands whose events were trimmed."""

from collections.abc import Sequence

from services.gateway import steps
from services.gateway.model import Hand, HandState, LoggedEvent
from services.gateway.rules import Rules
from services.gateway.store import hands, queries
from services.gateway.store.database import Database


class History:
    """Hand logs: as stored, or else told again by the rules from setup and actions."""

    def __init__(self, database: Database, rules: Rules) -> None:
        self._database = database
        self._rules = rules

    async def log(self, hand: Hand) -> list[LoggedEvent]:
        """Return the events of a hand, in full form."""
        (found,) = await self.logs([hand])
        return found

    async def logs(self, wanted: Sequence[Hand]) -> list[list[LoggedEvent]]:
        """Return the events of each hand; those trimmed are numbered within their hand.

        Raises EngineUnavailableError when it is needed for a trimmed hand.
        """
        found = await self._database.read(hands.load_logs, [hand.hand_id for hand in wanted])
        return [found[hand.hand_id] or await self._retold(hand) for hand in wanted]

    async def _retold(self, hand: Hand) -> list[LoggedEvent]:
        whole = await self._database.read(queries.load_hand, hand.hand_id)
        if whole is None or whole.state is HandState.OPEN:
            return []
        reply = await self._rules.deal(whole)
        told = steps.retell(whole, reply.events)
        at = whole.ended_at or whole.started_at
        return [LoggedEvent(number, at, event) for number, event in enumerate(told, start=1)]
