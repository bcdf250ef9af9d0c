"""Limits on how often a caller may ask (API.md 5.5): token buckets in this process.

Each replica counts for itself, so the limits guard a process rather than bill a customer.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from services.gateway.problems import ProblemError, ProblemType

CALLERS_MAX: Final = 20_000


@dataclass(frozen=True, slots=True)
class Limit:
    """``rate`` requests per second on average, up to ``burst`` at once."""

    rate: float
    burst: int


# The rates are those of API.md. What a caller has not used is saved up, so that a page that
# loads, a person who clicks fast and a script that plays a session are not held up.
LIMITS: Final = {
    "actions": Limit(rate=5, burst=3_000),
    "writes": Limit(rate=2, burst=1_500),
    "reads": Limit(rate=20, burst=3_000),
    "matches": Limit(rate=60 / 3600, burst=60),
    "guests": Limit(rate=10 / 3600, burst=100),
    "exports": Limit(rate=1 / 60, burst=1),
    # Accounts by address; sign-ins by address, and by name wherever they come from: nothing
    # is saved up for whoever guesses.
    "accounts": Limit(rate=10 / 3600, burst=20),
    "logins": Limit(rate=10 / 900, burst=10),
    "login_names": Limit(rate=20 / 900, burst=20),
    # Programs with accounts of their own, in place of "actions".
    "bot_actions": Limit(rate=10, burst=6_000),
    "bot_hands": Limit(rate=5_000 / 86_400, burst=5_000),
}


class RateLimiter:
    """Buckets by limit and caller; the least recently used ones are forgotten."""

    def __init__(
        self, *, enabled: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._enabled = enabled
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def spend(self, name: str, caller: str) -> None:
        """Take one request from the caller's bucket; raises rate-limited when it is empty."""
        if not self._enabled:
            return
        limit, now, key = LIMITS[name], self._clock(), (name, caller)
        tokens, since = self._buckets.pop(key, (float(limit.burst), now))
        tokens = min(float(limit.burst), tokens + (now - since) * limit.rate)
        allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > CALLERS_MAX:
            self._buckets.popitem(last=False)
        if not allowed:
            # Rates are fractions that floats miss by a hair: that must not cost a second.
            seconds = max(1, math.ceil((1 - tokens) / limit.rate - 1e-6))
            raise ProblemError(
                ProblemType.RATE_LIMITED,
                headers={"Retry-After": str(seconds)},
                ratelimit={"key": name, "seconds": seconds},
            )
