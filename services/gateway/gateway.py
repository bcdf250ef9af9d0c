"""The gateway's parts, put together; what HTTP handlers work with."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import Engine as SqlEngine

from services.gateway.accounts import Accounts
from services.gateway.commands import Commands
from services.gateway.dealer import Dealer, RandomDealer
from services.gateway.driver import Clock, Driver
from services.gateway.engine_client import Engine
from services.gateway.export import Exporter
from services.gateway.health import Health
from services.gateway.history import History
from services.gateway.idempotent import Idempotent
from services.gateway.identity import Identity
from services.gateway.leaving import Leaving
from services.gateway.ledger_client import LedgerClient
from services.gateway.lifecycle import Lifecycle
from services.gateway.live.service import Live, open_live
from services.gateway.live.settings import LiveSettings
from services.gateway.metrics import Metrics
from services.gateway.ratelimit import RateLimiter
from services.gateway.river_client import River
from services.gateway.rules import Rules
from services.gateway.shoe import Shoe
from services.gateway.store.database import Database
from services.gateway.sweeper import Sweeper


def utc_now() -> datetime:
    """Return the time of the wall clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Gateway:
    """Everything that a request may need."""

    database: Database
    identity: Identity
    accounts: Accounts
    exporter: Exporter
    commands: Commands
    rules: Rules
    shoe: Shoe
    history: History
    driver: Driver
    idempotent: Idempotent
    ledger: LedgerClient
    health: Health
    limiter: RateLimiter
    metrics: Metrics
    sweeper: Sweeper
    live: Live
    clock: Clock
    web_root: Path

    async def start(self) -> None:
        """Take up what a crash may have left, and keep looking for more."""
        await self.live.start()
        await self.sweeper.start()

    async def close(self) -> None:
        """Stop background work; nothing is lost by it."""
        await self.live.close()
        await self.sweeper.close()
        await self.driver.close()


def assemble(
    sql_engine: SqlEngine,
    *,
    engine: Engine,
    river: River,
    ledger: LedgerClient,
    health_of: Health | None = None,
    dealer: Dealer | None = None,
    clock: Clock = utc_now,
    limiter: RateLimiter | None = None,
    live: LiveSettings | None = None,
    lifecycle: Lifecycle | None = None,
    metrics: Metrics | None = None,
    web_root: Path,
) -> Gateway:
    """Put a gateway together on an open database and open clients, which stay the caller's."""
    database, metrics = Database(sql_engine), (metrics or Metrics()).telling_of(sql_engine)
    rules, lifecycle = Rules(engine), lifecycle or Lifecycle()
    driver = Driver(
        database,
        rules=rules,
        river=river,
        clock=clock,
        metrics=metrics,
        patience_seconds=lifecycle.river_seconds,
    )
    leaving = Leaving(
        database, driver=driver, clock=clock, metrics=metrics, void_quota=lifecycle.void_quota
    )
    sweeper = Sweeper(
        database,
        driver=driver,
        leaving=leaving,
        clock=clock,
        metrics=metrics,
        keep_events=lifecycle.keep_events,
    )
    chance = dealer or RandomDealer()
    shoe = Shoe(database, chance, clock)
    history = History(database, rules)
    commands = Commands(
        database,
        rules=rules,
        driver=driver,
        dealer=chance,
        shoe=shoe,
        leaving=leaving,
        clock=clock,
        metrics=metrics,
    )
    return Gateway(
        database=database,
        identity=Identity(database, clock),
        accounts=Accounts(database, leaving=leaving, clock=clock),
        exporter=Exporter(database, history, clock),
        commands=commands,
        rules=rules,
        shoe=shoe,
        history=history,
        driver=driver,
        idempotent=Idempotent(database, clock),
        ledger=ledger,
        health=health_of or Health(database, {}),
        limiter=limiter or RateLimiter(),
        metrics=metrics,
        sweeper=sweeper,
        live=open_live(sql_engine, database, clock, metrics, live),
        clock=clock,
        web_root=web_root,
    )
