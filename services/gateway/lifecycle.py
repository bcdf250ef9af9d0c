"""What an operator may choose about the life of matches."""

from dataclasses import dataclass
from datetime import timedelta

from services.gateway.river_client import DEADLINE_SECONDS


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """Limits on matches; the defaults are the rules as written.

    ``void_quota`` is how many hands a person, and a network, may leave uncounted in 24 hours
    (HU-073), None for any number. ``keep_events`` is how long the event logs of ended matches
    stay, None for ever. ``river_seconds`` is how long River may think (HU-031).
    """

    void_quota: int | None = None
    keep_events: timedelta | None = None
    river_seconds: float = DEADLINE_SECONDS
