"""Where the next deck comes from: prepared, committed to and stored before it is asked for."""

from sqlalchemy.engine import Connection

from services.gateway import fairness
from services.gateway.dealer import Dealer
from services.gateway.driver import Clock
from services.gateway.model import Commitment
from services.gateway.store import prepared
from services.gateway.store.database import Database


class Shoe:
    """Commitments for tables and for people who have yet to sit down."""

    def __init__(self, database: Database, dealer: Dealer, clock: Clock) -> None:
        self._database = database
        self._dealer = dealer
        self._clock = clock

    async def ready(self, holder: str) -> Commitment:
        """Return the stored commitment for a table's or a person's next hand.

        It is the same at every call until the hand is dealt: only the first one makes it.
        """
        waiting = await self._database.read(prepared.find, holder)
        if waiting is None:
            waiting = await self._database.write(self._fill, holder)
        return waiting

    def next(self) -> Commitment:
        """Return a new commitment, to be stored by the step that uses up the one before it."""
        return fairness.commit_to(self._dealer)

    def _fill(self, connection: Connection, holder: str) -> Commitment:
        prepared.keep(connection, holder, self.next(), self._clock())
        waiting = prepared.find(connection, holder)
        if waiting is None:
            raise LookupError(f"no deck waits for {holder}")
        return waiting
