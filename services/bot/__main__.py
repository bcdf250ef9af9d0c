"""``python -m services.bot``: River as a service, one server and its decision processes."""

import sys

from services.bot.app import run
from services.bot.config import BotSettings
from services.common.settings import load

if __name__ == "__main__":
    sys.exit(run(load(BotSettings)))
