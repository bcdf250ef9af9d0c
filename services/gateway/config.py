"""The gateway's settings, from the environment."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from services.common.database import parse_url
from services.common.settings import Settings


def _check_url(text: str) -> str:
    parse_url(text)
    return text


class GatewaySettings(Settings):
    """Where to listen, where to keep things, whom to ask.

    ``KAFKA_BOOTSTRAP_SERVERS`` makes the gateway relay its outbox to Kafka; without it a
    ledger on the same machine reads the outbox itself. ``RATE_LIMITS=off`` is for tests and
    benchmarks.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    database_url: Annotated[str, AfterValidator(_check_url)] = "sqlite:///.riverboat/tables.sqlite3"
    engine_target: str = "127.0.0.1:50051"
    bot_target: str = "127.0.0.1:50052"
    ledger_target: str = "127.0.0.1:50053"
    kafka_bootstrap_servers: str | None = None
    web_root: Path = Path(__file__).parent / "web" / "dist"
    rate_limits: Literal["on", "off"] = "on"
