"""Deliveries applied in one transaction: effects, dead letters and positions together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.engine import Connection

from services.common.eventlog.port import DeadLetters, Delivery, Event, Undecodable
from services.ledger.matches import RejectedError
from services.ledger.progress import (
    Progress,
    bury,
    is_buried,
    lock_progress,
    save_progress,
)
from services.ledger.store import load, save
from services.ledger.workspace import Outcome, Workspace


@dataclass(frozen=True, slots=True)
class Refusal:
    """A record that was refused, and why."""

    delivery: Delivery
    error: RejectedError


class Batch:
    """One transaction's worth of deliveries from one log.

    Args:
        connection: the transaction.
        log: name of the log.
        poison_limit: refused records in a row, per partition, before `apply` stops.
        dead_letters: where refused records go besides the database, None for nowhere.

    """

    def __init__(
        self,
        connection: Connection,
        log: str,
        poison_limit: int,
        dead_letters: DeadLetters | None,
    ) -> None:
        self._connection = connection
        self._log = log
        self._poison_limit = poison_limit
        self._dead_letters = dead_letters
        self.outcomes: Counter[Outcome] = Counter()
        self.refusals: list[Refusal] = []

    def apply(self, deliveries: Sequence[Delivery]) -> Refusal | None:
        """Apply deliveries in order and store how far that went.

        Returns:
            The refusal that was one too many and is left in the log, None for none.

        """
        excess = None
        stands = lock_progress(self._connection, self._log, {d.partition for d in deliveries})
        stored = frozenset(stands)
        events = [d.record for d in deliveries if isinstance(d.record, Event)]
        workspace = load(self._connection, events)
        for delivery in deliveries:
            progress = stands.setdefault(delivery.partition, Progress())
            try:
                outcome = _apply_record(workspace, delivery)
            except RejectedError as error:
                if is_buried(self._connection, self._log, delivery):
                    self.outcomes[Outcome.DUPLICATE] += 1
                elif progress.poison_run >= self._poison_limit:
                    excess = Refusal(delivery, error)
                    break
                else:
                    self._refuse(Refusal(delivery, error))
                    progress.poison_run += 1
            else:
                self.outcomes[outcome] += 1
                if outcome is Outcome.APPLIED:
                    progress.poison_run = 0
            progress.offset = max(progress.offset, delivery.offset)
        save(self._connection, workspace)
        for partition, progress in stands.items():
            new = partition not in stored
            save_progress(self._connection, self._log, partition, progress, new=new)
        return excess

    def _refuse(self, refusal: Refusal) -> None:
        reason, detail = refusal.error.reason, refusal.error.detail
        if self._dead_letters is not None:
            # First: should the transaction fail, it is buried twice, never not at all.
            self._dead_letters.bury(refusal.delivery, reason, detail)
        bury(self._connection, self._log, refusal.delivery, reason, detail)
        self.refusals.append(refusal)


def _apply_record(workspace: Workspace, delivery: Delivery) -> Outcome:
    if isinstance(delivery.record, Undecodable):
        raise RejectedError("not_an_event", delivery.record.reason)
    return workspace.apply(delivery.record)
