"""The bot's settings."""

from pydantic import Field

from services.common.settings import Address, Settings


class BotSettings(Settings):
    """``BOT_LISTEN`` and ``BOT_WORKERS`` (decision processes beside the server, 1..64)."""

    bot_listen: Address = "127.0.0.1:50052"
    bot_workers: int = Field(default=1, ge=1, le=64)
