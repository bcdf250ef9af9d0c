"""The gateway's settings, from the environment."""

from datetime import timedelta
from pathlib import Path
from typing import Literal

from pydantic import Field

from services.common.credentials import GrpcSettings
from services.common.database import DatabaseUrl
from services.common.settings import Addresses, Networks
from services.common.telemetry import TelemetrySettings
from services.gateway.lifecycle import Lifecycle


class GatewaySettings(GrpcSettings, TelemetrySettings):
    """Where to listen, where to keep things, whom to ask.

    ``KAFKA_BOOTSTRAP_SERVERS`` makes the gateway relay its outbox to Kafka; without it a
    ledger on the same machine reads the outbox itself. ``FORWARDED_ALLOW_IPS`` names the proxies
    in front. ``RATE_LIMITS=off`` is for tests and benchmarks. ``VOID_QUOTA`` and
    ``TABLE_EVENTS_KEEP_DAYS`` are off unless set, see `Lifecycle`.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    database_url: DatabaseUrl = "sqlite:///.riverboat/tables.sqlite3"
    engine_target: str = "127.0.0.1:50051"
    bot_target: str = "127.0.0.1:50052"
    ledger_target: str = "127.0.0.1:50053"
    kafka_bootstrap_servers: Addresses | None = None
    web_root: Path = Path(__file__).parent / "web" / "dist"
    forwarded_allow_ips: Networks | None = None
    rate_limits: Literal["on", "off"] = "on"
    void_quota: int | None = Field(default=None, ge=0)
    table_events_keep_days: int | None = Field(default=None, ge=1, le=36_500)

    @property
    def lifecycle(self) -> Lifecycle:
        """The limits on matches."""
        days = self.table_events_keep_days
        keep_events = None if days is None else timedelta(days=days)
        return Lifecycle(void_quota=self.void_quota, keep_events=keep_events)
