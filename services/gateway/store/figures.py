"""What the database says about all gateways together, for Prometheus."""

from collections.abc import Iterator

import sqlalchemy as sa
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from services.common.database import reading
from services.common.eventlog.backoff import describe
from services.common.eventlog.relay import backlog
from services.common.logs import get_logger
from services.gateway.store.schema import MATCHES

OPEN_STATES = ("in_hand", "between_hands", "busted")

_log = get_logger(__name__)


class StoredFigures(Collector):
    """Open matches and the outbox's backlog, read at each scrape.

    Every gateway tells the same, so the largest counts. While the database is away there are no
    such figures; the outbox has some only where a relay carries it.
    """

    def __init__(self, database: Engine) -> None:
        self._database = database

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Name the figures without reading any."""
        yield _family("open_matches", "Matches that are not over")
        yield _family("outbox_pending", "Events that are not published yet; at most")
        yield _family("outbox_age_seconds", "Age of the oldest event that is not published")

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Read the figures."""
        matches, pending, age = self.describe()
        try:
            with reading(self._database) as connection:
                matches.add_metric((), _open_matches(connection))
                waiting = backlog(connection)
        except SQLAlchemyError as error:
            _log.warning("no figures from the database", error=describe(error))
            return
        yield matches
        if waiting is not None:
            pending.add_metric((), waiting.events)
            age.add_metric((), waiting.age_seconds)
            yield pending
            yield age


def _open_matches(connection: Connection) -> int:
    # As in the partial indexes, which hold nothing but open matches.
    states = ", ".join(f"'{state}'" for state in OPEN_STATES)
    query = sa.select(sa.func.count()).select_from(MATCHES)
    return int(connection.execute(query.where(sa.text(f"state IN ({states})"))).scalar_one())


def _family(name: str, text: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"riverboat_{name}", text, labels=())
