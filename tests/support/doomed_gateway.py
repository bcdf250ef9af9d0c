"""A real gateway that kills itself (-9) at a place in its transactions that a seed chooses.

``python -m tests.support.doomed_gateway`` serves like ``python -m services.gateway`` and is
started again whenever it has died, with another place to die at and another clock. Rules and
River live in the process, so that the decks and River's answers follow from the seed. Python
is loaded once and forked for each life: a life begins at once.
"""

import asyncio
import ctypes
import functools
import os
import random
import signal
import sys
import time
from datetime import datetime, timedelta
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy.engine import Engine as SqlEngine

from poker.view import HandView
from services.common.database import open_engine
from services.common.settings import load
from services.gateway import app
from services.gateway.config import GatewaySettings
from services.gateway.gateway import assemble, utc_now
from services.gateway.river_client import Decision, RiverUnavailableError
from tests.simulation.faults import Point, Points
from tests.support.gateways import LocalEngine, StackedDealer, any_action

PR_SET_PDEATHSIG: Final = 1
SKEWS: Final = (
    *[timedelta()] * 20,
    *[timedelta(seconds=-2), timedelta(seconds=2)] * 5,
    timedelta(hours=25),
)
"""How far the clock of a life is off, each equally likely."""


class HastyRiver:
    """River without a mind: a legal action that follows from the seed, now and then too late."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    async def decide(self, view: HandView, seed: int) -> Decision:
        """See `River`."""
        fate = self._rng.random()
        await asyncio.sleep(0.3 if fate < 0.05 else 0.002)
        if fate < 0.02:
            raise RiverUnavailableError
        assert view.legal is not None
        return Decision(any_action(view.legal, random.Random(seed)), "hasty-1")


def main() -> int:
    """Live again and again until told to stop."""
    settings = load(GatewaySettings)
    seed, mean = os.environ["DOOM_SEED"], int(os.environ["DOOM_MEAN_POINTS"])
    for life in range(1, sys.maxsize):
        child = os.fork()
        if child == 0:
            os._exit(_live(settings, random.Random(f"{seed}:{life}"), mean))
        signal.signal(signal.SIGTERM, functools.partial(_end, child))
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        sys.stderr.write(f'{{"level": "life", "life": {life}, "code": {code}}}\n')
        if code != -signal.SIGKILL:
            time.sleep(0.2)  # it gave up, as it does when the database is away
    return 0


def _end(child: int, *_: object) -> None:
    os.kill(child, signal.SIGKILL)
    sys.exit(0)


def _live(settings: GatewaySettings, rng: random.Random, mean_points: int) -> int:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    doom = 1 + int(rng.expovariate(1 / mean_points))
    skew = rng.choice(SKEWS)

    def reached(point: Point) -> None:
        if point.number == doom:
            os.kill(os.getpid(), signal.SIGKILL)

    def doomed_engine(url: str, **options: Any) -> SqlEngine:  # noqa: ANN401
        engine = open_engine(url, **options)
        Points(engine, reached)
        return engine

    def clock() -> datetime:
        return utc_now() + skew

    parts: dict[str, Any] = {
        "open_engine": doomed_engine,
        "EngineClient": lambda _channel: LocalEngine(),
        "RiverClient": lambda _channel: HastyRiver(rng),
        "assemble": functools.partial(
            assemble, dealer=StackedDealer(seed=rng.getrandbits(32)), clock=clock
        ),
    }
    with patch.multiple(app, **parts):
        return app.run(settings)


if __name__ == "__main__":
    sys.exit(main())
