"""What goes wrong, drawn from a seed: who is hit, how, and for how long."""

import itertools
import random
import signal
import subprocess
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tests.simulation.chaos_proxy import Network, Weather
from tests.support.whole_site import UnavailableError, WholeSite

REVIVAL_SECONDS: Final = 60.0
PARTS: Final = ("engine", "bot", "gateway-1", "gateway-2", "ledger", "broker", "database")
LINKS: Final = (
    "gateway-engine",
    "gateway-bot",
    "gateway-ledger",
    "gateway-database",
    "ledger-database",
    "broker",
    "client-gateway-1",
)
SHAPE: Final = ("tbf", "rate", "6mbit", "burst", "8k", "limit", "24k")
"""A narrow way with a short queue for everything on it: late, and what does not fit is dropped."""


class How(StrEnum):
    """Ways to go wrong."""

    KILL = "kill -9"
    PAUSE = "SIGSTOP"
    CUT = "cut"
    STALL = "stall"
    DELAY = "delay"
    STUTTER = "stutter"
    SHAPE = "narrow and lossy"


WEATHERS: Final = {
    How.CUT: Weather.CUT,
    How.STALL: Weather.STALL,
    How.DELAY: Weather.DELAY,
    How.STUTTER: Weather.STUTTER,
}


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong with a part or a link, for a while."""

    how: How
    target: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.how.value} {self.target} for {self.seconds:.1f} s"

    @property
    def hits_gateway(self) -> str | None:
        """The gateway that clients cannot reach meanwhile, if there is one."""
        name = self.target.removeprefix("client-")
        hard = self.how not in {How.DELAY, How.STUTTER, How.SHAPE}
        return name if name.startswith("gateway-") and name[-1].isdigit() and hard else None


def draw(
    rng: random.Random, count: int, least: float, most: float, *, namespace: bool
) -> list[Fault]:
    """Draw faults: every pair of a way and a target comes before any comes again."""
    pairs = [*itertools.product((How.KILL, How.PAUSE), PARTS), *itertools.product(WEATHERS, LINKS)]
    if namespace:
        pairs += [(How.SHAPE, "every link")] * 2
    drawn: list[tuple[How, str]] = []
    while len(drawn) < count:
        drawn += rng.sample(pairs, len(pairs))
    return [Fault(how, target, rng.uniform(least, most)) for how, target in drawn[:count]]


class Weatherman:
    """Lets faults begin and end at a site."""

    def __init__(self, site: WholeSite, net: Network) -> None:
        self._site, self._net = site, net
        self.ended_by_itself = 0

    def begin(self, fault: Fault) -> None:
        match fault.how:
            case How.KILL:
                self._site.part(fault.target).kill()
            case How.PAUSE:
                self._site.part(fault.target).signal_all(signal.SIGSTOP)
            case How.SHAPE:
                _tc("add", *SHAPE)
            case weather:
                self._net.become(fault.target, WEATHERS[weather])

    def end(self, fault: Fault) -> None:
        match fault.how:
            case How.KILL:
                self._revive(fault.target)
            case How.PAUSE:
                self._site.part(fault.target).signal_all(signal.SIGCONT)
            case How.SHAPE:
                _tc("del")
            case _:
                self._net.become(fault.target, Weather.FAIR)

    def tend(self, down: str = "") -> None:
        """Start again what gave up by itself, as a supervisor does; ``down`` stays down."""
        for part in self._site.parts:
            if not part.running and part.name != down:
                self.ended_by_itself += 1
                part.start()

    def _revive(self, name: str) -> None:
        deadline = time.monotonic() + REVIVAL_SECONDS
        while True:
            try:
                self._site.part(name).start()
            except UnavailableError:
                # Processes of the killed database may hold its memory for a moment longer.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                return


def _tc(verb: str, *how: str) -> None:
    subprocess.run(["tc", "qdisc", verb, "dev", "lo", "root", *how], check=True)
