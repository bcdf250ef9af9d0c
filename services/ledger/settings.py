"""The ledger's settings."""

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from services.common.credentials import GrpcSettings
from services.common.database import DatabaseUrl
from services.common.settings import Address, Addresses, Settings
from services.common.telemetry import TelemetrySettings


class DatabaseSettings(Settings):
    """``DATABASE_URL``: the ledger's own database."""

    database_url: DatabaseUrl = f"sqlite:///{Path('.riverboat') / 'ledger.sqlite3'}"


class AuditSettings(DatabaseSettings):
    """``OUTBOX_DATABASE_URL``: the log, for a ledger that tails it; none when not at hand."""

    outbox_database_url: DatabaseUrl | None = None


class KafkaSettings(Settings):
    """Where the topics are to be, and their shape."""

    kafka_bootstrap_servers: Addresses
    ledger_topic_partitions: int = Field(default=12, ge=1, le=1000)
    ledger_topic_replicas: int = Field(default=-1, ge=-1, le=15)


class ServeSettings(DatabaseSettings, GrpcSettings, TelemetrySettings):
    """Everything that ``serve`` reads.

    Exactly one of ``KAFKA_BOOTSTRAP_SERVERS`` and ``OUTBOX_DATABASE_URL`` says where events
    come from. ``LEDGER_METRICS_LISTEN`` turns Prometheus metrics on, and with them the sum of all
    balances every minute; ``LEDGER_AUDIT_MINUTES`` an audit every so often.
    """

    ledger_listen: Address = "127.0.0.1:50053"
    ledger_group: str = Field(default="riverboat-ledger", min_length=1)
    ledger_poison_limit: int = Field(default=10, ge=1, le=10_000)
    ledger_metrics_listen: Address | None = None
    ledger_audit_minutes: int | None = Field(default=None, ge=1, le=100_000)
    kafka_bootstrap_servers: Addresses | None = None
    outbox_database_url: DatabaseUrl | None = None

    @model_validator(mode="after")
    def _need_one_log(self) -> Self:
        if (self.kafka_bootstrap_servers is None) == (self.outbox_database_url is None):
            raise ValueError("set KAFKA_BOOTSTRAP_SERVERS or OUTBOX_DATABASE_URL, not both")
        return self
