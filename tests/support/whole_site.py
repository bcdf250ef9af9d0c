"""Every process of the system on this machine, wired as `make play` or as production wires it.

Each part can be killed, paused and started again, and tells its CPU time and memory. On SQLite
there is one gateway and the ledger reads the outbox; on PostgreSQL any number of gateways, and
Kafka in between.
"""

import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from sqlalchemy.engine import make_url

from services.common.database import migrate, open_engine
from services.common.eventlog.topics import create_topics
from services.gateway.app import MIGRATIONS
from services.ledger.store import upgrade
from tests.support import process_tree
from tests.support.guarded import ServerProcess, free_port
from tests.support.kafka import KafkaServer, UnavailableError
from tests.support.postgres import PostgresServer, fresh_database, postgres_server

REPO = Path(__file__).resolve().parents[2]
COMPILED = REPO / ".cache" / "fast"
READY_SECONDS = 120.0
PARTITIONS = 12

Route = Callable[[str, str], str]
"""Given a link's name and the address at its end, returns the address to use instead."""


def direct(link: str, address: str) -> str:
    """Use no detour."""
    del link
    return address


@dataclass(frozen=True)
class Wiring:
    """What to run; ``bot`` is ``river`` or a version of `tests.support.quick_river`.

    ``compiled`` runs the rules that `make fast` built. ``route`` leads links through proxies.
    """

    production: bool = False
    gateways: int = 1
    bot: str = "river"
    bot_workers: int = 1
    engine_workers: int = 1
    compiled: bool = False
    route: Route = direct
    log_level: str = "INFO"


@dataclass
class Part:
    """One process, or one with children: ``kind`` is what it is, ``name`` which one."""

    name: str
    kind: str
    server: ServerProcess
    start: Callable[[], None]

    @property
    def pid(self) -> int:
        """The process that was started last."""
        assert self.server.process is not None
        return self.server.process.pid

    @property
    def running(self) -> bool:
        return self.server.running

    def kill(self) -> None:
        """End at once (kill -9)."""
        self.server.kill()

    def signal_all(self, number: signal.Signals) -> None:
        """Signal the process and its children."""
        for pid in process_tree.members(self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


@dataclass
class WholeSite:
    """A running system. ``parts`` are in the order in which they are started."""

    wiring: Wiring
    home: Path
    gateway_url: str
    ledger_url: str
    ports: list[int]
    parts: list[Part] = field(default_factory=list)
    broker: KafkaServer | None = None

    @property
    def base_urls(self) -> list[str]:
        return [f"http://127.0.0.1:{port}" for port in self.ports]

    def part(self, name: str) -> Part:
        """Return the part of this name."""
        return next(part for part in self.parts if part.name == name)

    def wait_ready(self) -> None:
        """Return once every gateway says that all behind it serve."""
        deadline = time.monotonic() + READY_SECONDS
        for base_url in self.base_urls:
            while not is_ready(base_url):
                for part in self.parts:
                    assert part.running, f"{part.name} ended:\n{part.server.tail()}"
                assert time.monotonic() < deadline, f"{base_url} is not ready"
                time.sleep(0.1)

    def metrics(self) -> list[str]:
        """Return the Prometheus text of each gateway."""
        texts = []
        for base_url in self.base_urls:
            answer = httpx.get(f"{base_url}/metrics", trust_env=False, timeout=30.0)
            texts.append(answer.text)
        return texts

    def cpu_seconds(self) -> dict[str, float]:
        """Return the CPU time of each part with its children, dead ones included."""
        return {part.name: process_tree.cpu_seconds(part.pid) for part in self.parts}

    def memory_bytes(self) -> dict[str, int]:
        """Return what each part holds of memory; what processes share is counted once."""
        return {part.name: process_tree.memory_bytes(part.pid) for part in self.parts}


def is_ready(base_url: str) -> bool:
    """Whether a gateway and all behind it serve."""
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"{base_url}/readyz", trust_env=False, timeout=5.0).status_code == 200
    return False


@contextmanager
def whole_site(wiring: Wiring) -> Iterator[WholeSite]:
    """Start everything; it serves when the block begins and is gone after it.

    Raises:
        UnavailableError: PostgreSQL or Kafka cannot be had here.

    """
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="riverboat-site-")))
        servers = _servers(stack, home, wiring) if wiring.production else _Servers(home)
        ports = [free_port() for _ in range(wiring.gateways)]
        site = WholeSite(wiring, home, servers.gateway_url, servers.ledger_url, ports)
        site.broker = servers.broker
        site.parts = [*servers.parts, *_services(site, servers)]
        stack.callback(_stop, site)
        for part in site.parts:
            if not part.running:
                part.start()
        site.wait_ready()
        yield site


class _Servers:
    """Databases and broker: none but SQLite's files."""

    def __init__(self, home: Path) -> None:
        self.gateway_url = f"sqlite:///{home / 'tables.sqlite3'}"
        self.ledger_url = f"sqlite:///{home / 'ledger.sqlite3'}"
        self.parts: list[Part] = []
        self.broker: KafkaServer | None = None


class _AdvertisedKafka(KafkaServer):
    """A broker that tells clients to come by another address."""

    def __init__(self, home: Path, route: Route) -> None:
        self._route = route
        super().__init__(home)
        self.advertised = route("broker", self.bootstrap)

    def _properties(self) -> str:
        own = f"advertised.listeners=PLAINTEXT://{self.bootstrap}"
        told = f"advertised.listeners=PLAINTEXT://{self._route('broker', self.bootstrap)}"
        return super()._properties().replace(own, told)


def _servers(stack: ExitStack, home: Path, wiring: Wiring) -> _Servers:
    """Start PostgreSQL with two databases and Kafka with our topics."""
    servers = _Servers(home)
    database: PostgresServer = stack.enter_context(postgres_server())
    servers.gateway_url = stack.enter_context(fresh_database(database.url))
    servers.ledger_url = stack.enter_context(fresh_database(database.url))
    (home / "kafka").mkdir()
    servers.broker = _AdvertisedKafka(home / "kafka", wiring.route)
    servers.broker.start()
    stack.callback(servers.broker.stop)
    create_topics(servers.broker.bootstrap, partitions=PARTITIONS, replicas=1)
    _migrate(servers)
    servers.parts = [
        Part("database", "database", database.server, database.start),
        Part("broker", "broker", servers.broker.server, servers.broker.start),
    ]
    return servers


def _migrate(servers: _Servers) -> None:
    gateway, ledger = open_engine(servers.gateway_url), open_engine(servers.ledger_url)
    try:
        migrate(gateway, MIGRATIONS)
        upgrade(ledger)
    finally:
        gateway.dispose()
        ledger.dispose()


def _services(site: WholeSite, servers: _Servers) -> list[Part]:
    wiring, route = site.wiring, site.wiring.route
    engine, bot, ledger = (f"127.0.0.1:{free_port()}" for _ in range(3))
    bot_module = ["services.bot"]
    if wiring.bot != "river":
        bot_module = ["tests.support.quick_river", wiring.bot]
    bot_env = {"BOT_LISTEN": bot, "BOT_WORKERS": str(wiring.bot_workers)}
    engine_env = {"ENGINE_LISTEN": engine, "ENGINE_WORKERS": str(wiring.engine_workers)}
    gateway_env = {
        "DATABASE_URL": _routed(route, "gateway-database", site.gateway_url),
        "ENGINE_TARGET": route("gateway-engine", engine),
        "BOT_TARGET": route("gateway-bot", bot),
        "LEDGER_TARGET": route("gateway-ledger", ledger),
        "RATE_LIMITS": "off",
    }
    ledger_env = {
        "LEDGER_LISTEN": ledger,
        "DATABASE_URL": _routed(route, "ledger-database", site.ledger_url),
    }
    if isinstance(servers.broker, _AdvertisedKafka):
        gateway_env["KAFKA_BOOTSTRAP_SERVERS"] = servers.broker.advertised
        ledger_env["KAFKA_BOOTSTRAP_SERVERS"] = servers.broker.advertised
    else:
        ledger_env["OUTBOX_DATABASE_URL"] = site.gateway_url
    return [
        _part(site, "engine", "engine", ["services.engine"], engine_env),
        _part(site, "bot", "bot", bot_module, bot_env),
        *(
            _part(
                site,
                f"gateway-{number}" if wiring.gateways > 1 else "gateway",
                "gateway",
                ["services.gateway"],
                {**gateway_env, "PORT": str(port)},
            )
            for number, port in enumerate(site.ports, start=1)
        ),
        _part(site, "ledger", "ledger", ["services.ledger"], ledger_env),
    ]


def _routed(route: Route, link: str, url: str) -> str:
    """Lead the way to a database server through a proxy; a file has no way."""
    parsed = make_url(url)
    if parsed.port is None:
        return url
    host, _, port = route(link, f"{parsed.host}:{parsed.port}").partition(":")
    return parsed.set(host=host, port=int(port)).render_as_string(hide_password=False)


def _part(site: WholeSite, name: str, kind: str, module: list[str], env: dict[str, str]) -> Part:
    path = [str(COMPILED)] if site.wiring.compiled else []
    ours = ("DATABASE_", "KAFKA_", "OUTBOX_", "LEDGER_", "ENGINE_", "BOT_")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    server = ServerProcess(
        [sys.executable, "-P", "-W", "ignore", "-m", *module],
        site.home / f"{name}.log",
        env={
            **inherited,
            "PYTHONPATH": os.pathsep.join([*path, str(REPO)]),
            "LOG_LEVEL": site.wiring.log_level,
            **env,
        },
        orphan_signal=signal.SIGKILL,
    )
    return Part(name, kind, server, server.start)


def _stop(site: WholeSite) -> None:
    """Stop our services; whoever started the servers stops those."""
    for part in reversed(site.parts):
        if part.running:
            part.signal_all(signal.SIGCONT)
    for part in reversed(site.parts):
        if part.kind not in {"database", "broker"}:
            part.server.stop()


__all__ = ["Part", "Route", "UnavailableError", "WholeSite", "Wiring", "direct", "whole_site"]
