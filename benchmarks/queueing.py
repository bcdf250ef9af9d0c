"""Processes that share the cores of a machine, and jobs that pass through them."""

import heapq
import itertools
import math
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stage:
    """Work for a station; None at ``wait``, where everybody is served at once."""

    station: "Station | None"
    seconds: float


@dataclass(eq=False)
class Job:
    """Stages one after another, and what happens after the last."""

    stages: deque[Stage]
    done: Callable[[float], None]


@dataclass(eq=False)
class Station:
    """A process with so many cores at most; all its jobs share them, or they queue up.

    ``attained`` is the work that each active job has had; jobs end where it reaches theirs.
    """

    name: str
    cores: float = 1.0
    sharing: bool = True
    attained: float = 0.0
    busy_seconds: float = 0.0
    active: list[tuple[float, int, Job]] = field(default_factory=list)
    waiting: deque[tuple[float, Job]] = field(default_factory=deque)

    @property
    def wanted(self) -> float:
        """The cores that it would use now."""
        return min(float(len(self.active)), self.cores)


class Machine:
    """Stations that share ``cores``; advances from one event to the next.

    ``greed`` is how many others want a core all the time: they get what is left, and a fair part
    of what is not.
    """

    def __init__(
        self, stations: Sequence[Station], cores: float, seed: int, greed: float = 0.0
    ) -> None:
        self.stations, self.cores, self.greed = list(stations), cores, greed
        self.rng = random.Random(seed)
        self.now = 0.0
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()

    def after(self, seconds: float, work: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (self.now + seconds, next(self._numbers), work))

    def submit(self, job: Job) -> None:
        """Begin the next stage of a job."""
        if not job.stages:
            job.done(self.now)
            return
        stage = job.stages.popleft()
        if stage.station is None:
            self.after(stage.seconds, lambda: self.submit(job))
        elif stage.station.sharing or len(stage.station.active) < stage.station.cores:
            self._activate(stage.station, stage.seconds, job)
        else:
            stage.station.waiting.append((stage.seconds, job))

    def run(self, until: float) -> None:
        while self.now < until:
            rates = self._rates()
            timer = self._timers[0][0] if self._timers else math.inf
            found, end = self._first_end(rates)
            at = min(end, timer, until)
            self._advance(at - self.now, rates)
            self.now = at
            if at == until:
                return
            if timer <= end:
                heapq.heappop(self._timers)[2]()
            elif found is not None:
                self._end(found)

    def _rates(self) -> list[float]:
        """Return what each station's jobs get: cores are shared by need."""
        wanted = sum(station.wanted for station in self.stations)
        scale = min(1.0, self.cores / (wanted + self.greed)) if wanted else 1.0
        return [
            scale * station.wanted / len(station.active) if station.active else 0.0
            for station in self.stations
        ]

    def _first_end(self, rates: Sequence[float]) -> tuple[Station | None, float]:
        found, end = None, math.inf
        for station, rate in zip(self.stations, rates, strict=True):
            if rate > 0:
                at = self.now + max(0.0, station.active[0][0] - station.attained) / rate
                if at < end:
                    found, end = station, at
        return found, end

    def _advance(self, seconds: float, rates: Sequence[float]) -> None:
        for station, rate in zip(self.stations, rates, strict=True):
            station.attained += rate * seconds
            station.busy_seconds += rate * len(station.active) * seconds

    def _end(self, station: Station) -> None:
        _, _, job = heapq.heappop(station.active)
        if station.waiting:
            self._activate(station, *station.waiting.popleft())
        self.submit(job)

    def _activate(self, station: Station, seconds: float, job: Job) -> None:
        heapq.heappush(station.active, (station.attained + seconds, next(self._numbers), job))
