"""The ledger's whole world as real processes: a broker, a database, relays and ledgers.

Everything here can be ended at once (kill -9) and is started again a little later, as an
orchestrator would. All processes are started by the thread that made the site, because the
kernel ends them together with it.
"""

import math
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from services.common.eventlog.kafka import MATCHES_TOPIC
from tests.support.guarded import ServerProcess, free_port
from tests.support.kafka import KafkaServer, UnavailableError, kafka_server
from tests.support.postgres import PostgresServer, fresh_database, postgres_server

REPO: Final = Path(__file__).resolve().parents[2]
REVIVAL_SECONDS: Final = 60.0


@dataclass
class Victim:
    """Something that is killed and started again.

    Attributes:
        kind: consumer, relay, broker or database.
        kill: ends it at once.
        start: starts it; it may raise UnavailableError, to be tried again.
        running: whether it is alive now.
        back_at: when to start it again, on the monotonic clock; 0 while it is up.
        deadline: when it must be up again.
        gave_up: whether it ended at its start, for want of a database.
        started_at: when this life began; a start may fall into an outage.

    """

    kind: str
    kill: Callable[[], None]
    start: Callable[[], None]
    running: Callable[[], bool]
    gave_up: Callable[[], bool] = lambda: False
    back_at: float = 0.0
    deadline: float = 0.0
    started_at: float = 0.0


@dataclass
class LedgerSite:
    """Two relays, two ledgers, and a third ledger that comes and goes."""

    broker: KafkaServer
    server: PostgresServer
    gateway_url: str
    ledger_url: str
    home: Path
    victims: list[Victim] = field(default_factory=list)
    guest: ServerProcess | None = None
    lives: Counter[str] = field(default_factory=Counter)
    logs: list[Path] = field(default_factory=list)
    database_back_at: float = 0.0

    def __post_init__(self) -> None:
        """Name the victims; nothing is started."""
        self.victims = [
            *(self._process("consumer", name, self._ledger) for name in ("ledger-1", "ledger-2")),
            *(self._process("relay", name, self._relay) for name in ("relay-1", "relay-2")),
            Victim(
                "broker", self.broker.kill, self.broker.start, lambda: self.broker.server.running
            ),
            Victim("database", self.server.kill, self.server.start, self._database_runs),
        ]

    def start(self) -> None:
        """Start relays and ledgers; broker and database run already."""
        for victim in self.victims:
            if not victim.running():
                victim.started_at = time.monotonic()
                victim.start()

    def stop(self) -> None:
        """Stop relays and ledgers in an orderly way."""
        self.send_guest_away()
        for victim in self.victims:
            if victim.kind in {"consumer", "relay"} and victim.running():
                victim.kill()

    def of_kind(self, kind: str) -> list[Victim]:
        """Return the victims of a kind that are up."""
        return [v for v in self.victims if v.kind == kind and not v.back_at and v.running()]

    def kill(self, victim: Victim, away_seconds: float) -> None:
        """End something at once; it comes back after a while."""
        victim.kill()
        victim.back_at = time.monotonic() + away_seconds
        victim.deadline = victim.back_at + REVIVAL_SECONDS
        if victim.kind == "database":
            self.database_back_at = math.inf

    def tend(self) -> None:
        """Start again what was killed and is due; fail when something ended by itself.

        A ledger without a database at its start ends and says so: whoever runs it starts it
        again. During its life it has to wait out every outage.
        """
        for victim in self.victims:
            if not victim.back_at:
                if victim.running():
                    continue
                excused = victim.gave_up() and victim.started_at <= self.database_back_at
                assert excused, f"a {victim.kind} ended by itself"
                victim.deadline = time.monotonic() + REVIVAL_SECONDS
                self._revive(victim)
            elif time.monotonic() >= victim.back_at:
                self._revive(victim)

    def invite_guest(self) -> None:
        """Let a third ledger join the group: partitions are given out anew."""
        self.send_guest_away()
        self.guest = self._ledger("ledger-3")
        self.guest.start()

    def send_guest_away(self) -> None:
        """Let the third ledger leave in an orderly way: and once more."""
        if self.guest is not None:
            self.guest.stop()
            self.guest = None

    def _revive(self, victim: Victim) -> None:
        victim.started_at = time.monotonic()
        try:
            victim.start()
        except UnavailableError:
            # Processes of the killed database may hold its memory for a moment longer.
            if time.monotonic() > victim.deadline:
                raise
        else:
            victim.back_at = 0.0
            if victim.kind == "database":
                self.database_back_at = time.monotonic()

    def _database_runs(self) -> bool:
        return self.server.server.running

    def _process(self, kind: str, name: str, make: Callable[[str], ServerProcess]) -> Victim:
        lives: list[ServerProcess] = []

        def start() -> None:
            lives.append(make(name))
            lives[-1].start()

        return Victim(
            kind,
            lambda: lives[-1].kill(),  # noqa: PLW0108 - the life of that moment
            start,
            lambda: bool(lives) and lives[-1].running,
            lambda: _found_no_database(lives[-1].log),
        )

    def _ledger(self, name: str) -> ServerProcess:
        env = {
            **os.environ,
            "PYTHONPATH": str(REPO),
            "DATABASE_URL": self.ledger_url,
            "KAFKA_BOOTSTRAP_SERVERS": self.broker.bootstrap,
            "LEDGER_LISTEN": f"127.0.0.1:{free_port()}",
        }
        command = [sys.executable, "-W", "ignore", "-m", "services.ledger"]
        return ServerProcess(command, self._log(name), env=env, orphan_signal=signal.SIGKILL)

    def _relay(self, name: str) -> ServerProcess:
        self.lives[name] += 1
        holder = f"{name} life {self.lives[name]}"
        env = {**os.environ, "PYTHONPATH": str(REPO)}
        script = [sys.executable, "-W", "ignore", "-m", "tests.support.relay_process"]
        command = [*script, self.gateway_url, self.broker.bootstrap, MATCHES_TOPIC, holder]
        return ServerProcess(command, self._log(name), env=env, orphan_signal=signal.SIGKILL)

    def _log(self, name: str) -> Path:
        log = self.home / f"{name}.log"
        if log not in self.logs:
            self.logs.append(log)
        return log


def _found_no_database(log: Path) -> bool:
    lines = log.read_text().splitlines()
    return bool(lines) and "database not ready" in lines[-1]


@contextmanager
def ledger_site(home: Path) -> Iterator[LedgerSite]:
    """Run a broker and a database with two empty databases, for relays and ledgers.

    Raises:
        UnavailableError: one of them cannot be had here.

    """
    with ExitStack() as stack:
        broker = stack.enter_context(kafka_server())
        server = stack.enter_context(postgres_server())
        gateway, ledger = (stack.enter_context(fresh_database(server.url)) for _ in range(2))
        site = LedgerSite(broker, server, gateway, ledger, home)
        stack.callback(site.stop)
        yield site
