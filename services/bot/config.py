"""The bot's settings."""

from pydantic import Field

from services.common.credentials import GrpcSettings
from services.common.settings import Address
from services.common.telemetry import TelemetrySettings


class BotSettings(GrpcSettings, TelemetrySettings):
    """``BOT_LISTEN``, ``BOT_WORKERS`` (decision processes beside the server, 1..64), and more.

    ``BOT_TIME_CAP_MS`` ends the solving of a decision after so long (50..60,000).
    ``BOT_METRICS_LISTEN`` turns Prometheus metrics on.
    """

    bot_listen: Address = "127.0.0.1:50052"
    bot_workers: int = Field(default=1, ge=1, le=64)
    bot_time_cap_ms: int = Field(default=2_500, ge=50, le=60_000)
    bot_metrics_listen: Address | None = None
