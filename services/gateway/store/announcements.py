"""Events told to other services, in the transaction that makes them true."""

from collections.abc import Sequence

from sqlalchemy.engine import Connection

from services.common.eventlog import outbox
from services.common.eventlog.port import Event
from services.common.tracing import span
from services.gateway.tracing import traced


def tell(connection: Connection, events: Sequence[Event]) -> None:
    """Publish events when the transaction commits; the last thing that it does.

    They belong to the trace of the request that caused them.
    """
    if events:
        with span("outbox append"):
            outbox.append(connection, traced(events))
