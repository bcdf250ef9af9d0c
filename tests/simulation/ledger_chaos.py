"""`python -m tests.simulation.ledger_chaos`: a ledger must be right whatever is killed.

Matches made up from a seed go through an outbox, two relays, a real broker and two ledgers to
a real database. Meanwhile consumers, relays, broker and database die by kill -9, a third ledger
comes and goes, a bad neighbour repeats and contradicts events, and poison of every kind is
among them. At the end the ledger must say what another one says that had the same matches, one
after another, in peace; and the dead letters must be exactly the poison.

What is played, poisoned, repeated and killed follows from the seed; when exactly, does not.
"""

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from services.common.database import open_engine, reading
from services.common.eventlog import outbox
from services.common.eventlog.outbox import OUTBOX
from services.common.eventlog.port import Event
from services.common.eventlog.topics import create_topics
from services.ledger.audit import audit
from services.ledger.schema import DEAD_LETTERS, EVENTS
from services.ledger.store import apply_events, upgrade
from services.ledger.windows import current_day, roll
from tests.simulation.ledger_echo import Echo
from tests.simulation.ledger_facts import difference, facts_of
from tests.simulation.ledger_letters import check_letters, check_read_to_the_end
from tests.simulation.ledger_poison import spoil
from tests.simulation.ledger_site import LedgerSite, ledger_site
from tests.support.kafka import UnavailableError
from tests.support.played_matches import Season, interleaved

SHARES: Final = (("consumer", 20), ("relay", 16), ("broker", 12), ("database", 12))
"""How many of sixty kills each kind of victim gets."""

PARTITIONS: Final = 12
CHUNK: Final = 100
"""Events that one transaction appends to the outbox."""

LEAD: Final = 4_000
"""Events that are written ahead of the ledger at most."""

OPEN_AT_ONCE: Final = 40
"""Matches that are played beside each other."""

STALL_SECONDS: Final = 20.0
"""After so long without an event applied, the next victim dies all the same."""

AWAY_SECONDS: Final = 2.0
GUEST_EVERY: Final = 4
"""After so many kills the third ledger comes, or goes."""

SETTLE_SECONDS: Final = 240.0
EXIT_UNAVAILABLE: Final = 3
"""There is no broker or no database to be had."""

_AWAY = (OperationalError, InterfaceError)


@dataclass(frozen=True, slots=True)
class Ordeal:
    """What a run is made of; ``hands`` counts finished and void ones."""

    seed: int
    hands: int
    kills: int
    duplicates: float = 0.05
    poison: float = 0.005

    def season(self) -> Season:
        """Return what is played: half of it within the rolling window of 30 days."""
        matches = max(1, self.hands // 60)
        today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        start = today - timedelta(days=30, minutes=30 * (matches // 2))
        return Season(self.seed, self.hands, max(2, self.hands // 800), start=start)

    def victims(self, rng: random.Random) -> list[str]:
        """Return the kinds of victims, in the order of their deaths."""
        whole = sum(share for _, share in SHARES)
        kinds = [kind for kind, share in SHARES for _ in range(round(self.kills * share / whole))]
        kinds += ["consumer"] * (self.kills - len(kinds))
        rng.shuffle(kinds)
        return kinds[: self.kills]


class Run:
    """One ordeal at one site.

    Args:
        ordeal: what to go through.
        site: where, on empty databases and an empty broker.
        say: tells how it goes.

    """

    def __init__(self, ordeal: Ordeal, site: LedgerSite, say: Callable[[str], None]) -> None:
        self._ordeal, self._site, self._say = ordeal, site, say
        self._rng = random.Random(f"chaos {ordeal.seed}")
        self._gateway = open_engine(site.gateway_url)
        self._ledger = open_engine(site.ledger_url)
        self._matches = list(ordeal.season().matches())
        mixed, self._poison = spoil(self._matches, ordeal.poison, ordeal.seed)
        self._events = interleaved(mixed, self._rng, OPEN_AT_ONCE)
        self._wanted = sum(len(match) for match in self._matches)
        self._echo = Echo(
            self._gateway, site.broker.bootstrap, self._poison, ordeal.duplicates, ordeal.seed
        )
        self.counts: Counter[str] = Counter()

    def go(self, home: Path) -> None:
        """Go through it all; raises AssertionError when the ledger is not as it must be."""
        clean = open_engine(f"sqlite:///{home}/clean.sqlite3")
        try:
            self._prepare()
            self._apply_in_peace(clean)
            with self._echoing():
                self._suffer()
                self._settle()
            self._compare(clean)
        finally:
            self._site.stop()
            for engine in (clean, self._gateway, self._ledger):
                engine.dispose()

    def _prepare(self) -> None:
        create_topics(self._site.broker.bootstrap, partitions=PARTITIONS, replicas=1)
        with self._gateway.begin() as connection:
            outbox.create_tables(connection)
        upgrade(self._ledger)

    def _apply_in_peace(self, clean: Engine) -> None:
        began = time.monotonic()
        upgrade(clean)
        for start in range(0, len(self._matches), 10):
            events = [event for match in self._matches[start : start + 10] for event in match]
            with clean.begin() as connection:
                apply_events(connection, events)
        kinds = Counter(event.type for match in self._matches for event in match)
        self._say(
            f"{self._wanted} events in {len(self._matches)} matches, {dict(kinds)}; "
            f"{len(self._poison.letters)} poison; in peace in {time.monotonic() - began:.0f} s"
        )

    @contextmanager
    def _echoing(self) -> Iterator[None]:
        stop = threading.Event()
        thread = threading.Thread(target=self._echo.run, args=(stop,), name="echo")
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def _suffer(self) -> None:
        """Feed the outbox and kill, until all is appended and everybody has died enough."""
        self._site.start()
        victims = self._ordeal.victims(self._rng)
        most = self._wanted * 19 // 20  # the last deaths have something left to disturb
        due = sorted(self._rng.randrange(most) for _ in victims)
        fed = applied = 0
        moved_at = time.monotonic()
        while fed < len(self._events) or victims:
            self._site.tend()
            if fed < len(self._events) and fed - applied < LEAD:
                fed += self._feed(self._events[fed : fed + CHUNK])
            else:
                time.sleep(0.05)
            now = self._applied(applied)
            if now > applied:
                applied, moved_at = now, time.monotonic()
            stalled = time.monotonic() - moved_at > STALL_SECONDS
            if victims and (applied >= due[0] or stalled):
                if not self._kill(victims[0], applied):
                    continue
                due.pop(0)
                victims.pop(0)
                moved_at = time.monotonic()
                self._maybe_guest()

    def _feed(self, events: Sequence[Event]) -> int:
        """Append events, unless they are there already; return how many that makes more."""
        ours = OUTBOX.c.event_id == events[0].event_id
        try:
            with self._gateway.begin() as connection:
                if connection.execute(sa.select(OUTBOX.c.position).where(ours)).first() is None:
                    outbox.append(connection, events)
                    spoilt = [e.event_id for e in events if e.event_id in self._poison.damaged]
                    damage = sa.update(OUTBOX).where(OUTBOX.c.event_id.in_(spoilt))
                    connection.execute(damage.values(time_us=9 * 10**18))
        except _AWAY:
            return 0
        return len(events)

    def _applied(self, known: int) -> int:
        """Return how many events are applied; what was known while the database is away."""
        try:
            with reading(self._ledger) as connection:
                return int(
                    connection.execute(sa.select(sa.func.count(EVENTS.c.event_no))).scalar_one()
                )
        except _AWAY:
            return known

    def _kill(self, kind: str, applied: int) -> bool:
        """Kill one of a kind that is up; returns whether there was one."""
        up = self._site.of_kind(kind)
        if not up:
            return False
        victim = self._rng.choice(up)
        self._site.kill(victim, self._rng.random() * AWAY_SECONDS)
        self.counts[f"{kind} killed"] += 1
        total = sum(self.counts[f"{name} killed"] for name, _ in SHARES)
        self._say(f"{total:3} kill -9 {kind:8} at {applied} of {self._wanted} events")
        return True

    def _maybe_guest(self) -> None:
        kills = sum(self.counts[f"{name} killed"] for name, _ in SHARES)
        if kills % GUEST_EVERY == 0:
            self._site.send_guest_away()
            self.counts["rebalances forced"] += 1
        elif kills % GUEST_EVERY == GUEST_EVERY // 2:
            self._site.invite_guest()
            self.counts["rebalances forced"] += 1

    def _settle(self) -> None:
        """Let everything come to rest."""
        self._echo.finish()
        deadline = time.monotonic() + SETTLE_SECONDS
        while not self._at_rest():
            assert time.monotonic() < deadline, (
                f"not at rest: outbox, events and letters {self._state()} of {len(self._events)}, "
                f"{self._wanted} and {len(self._poison.letters)}; echo {self._echo.position}"
            )
            self._site.tend()
            time.sleep(0.5)
        self.counts["events repeated by the neighbour"] = self._echo.repeated
        self.counts["junk and contradictions"] = self._echo.added

    def _at_rest(self) -> bool:
        everything, applied, letters = self._state()
        return (
            self._echo.done
            and self._echo.position == everything
            and applied >= self._wanted
            and letters >= len(self._poison.letters)
            and check_read_to_the_end(self._ledger, self._site.broker.bootstrap)
        )

    def _state(self) -> tuple[int, int, int]:
        """Return the end of the outbox, the events that are applied, and the dead letters."""
        try:
            with reading(self._gateway) as connection:
                newest = connection.execute(sa.select(sa.func.max(OUTBOX.c.position))).scalar() or 0
            with reading(self._ledger) as connection:
                count = sa.select(sa.func.count()).select_from(DEAD_LETTERS)
                letters = int(connection.execute(count).scalar_one())
        except _AWAY:
            return -1, 0, 0
        return newest, self._applied(0), letters

    def _compare(self, clean: Engine) -> None:
        today = current_day()
        for engine in (clean, self._ledger):
            roll(engine, today)
        found = difference(facts_of(clean), facts_of(self._ledger))
        assert not found, f"not what a clean run gives: {found}"
        self.counts |= check_letters(self._ledger, self._site.broker.bootstrap, self._poison)
        report = audit(self._ledger)
        assert report.findings == [], report.findings[:5]
        self.counts["transfers audited"] = report.transfers


def endure(ordeal: Ordeal, say: Callable[[str], None]) -> Counter[str]:
    """Run an ordeal on servers of its own; raises AssertionError when the ledger is wrong."""
    with tempfile.TemporaryDirectory(prefix="riverboat-chaos-") as folder:
        home = Path(folder)
        with ledger_site(home) as site:
            run = Run(ordeal, site, say)
            try:
                run.go(home)
            except AssertionError as error:
                tails = "\n".join(f"{log.name}\n{log.read_text()[-4000:]}" for log in site.logs)
                raise AssertionError(f"{tails}\n{error}") from error
            return run.counts


def main() -> int:
    """Run as the arguments say; returns the exit status."""
    parser = argparse.ArgumentParser(prog="ledger_chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--duplicates", type=float, default=0.05, help="share of all events")
    parser.add_argument("--poison", type=float, default=0.005, help="share of all events")
    options = parser.parse_args()
    ordeal = Ordeal(**vars(options))
    began = time.monotonic()

    def say(text: str) -> None:
        sys.stdout.write(f"{time.monotonic() - began:7.1f} s  {text}\n")
        sys.stdout.flush()

    size = " ".join(f"{name.upper()}={value}" for name, value in vars(options).items())
    say(size)
    try:
        counts = endure(ordeal, say)
    except AssertionError as error:
        say(f"{error}\nagain: make chaos-ledger {size}")
        return 1
    except UnavailableError as error:
        say(str(error))
        return EXIT_UNAVAILABLE
    for name, count in sorted(counts.items()):
        say(f"{count:8} {name}")
    say("all as in a clean run, to the chip; the dead letters are the poison, each once")
    return 0


if __name__ == "__main__":
    sys.exit(main())
