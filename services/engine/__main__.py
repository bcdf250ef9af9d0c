"""``python -m services.engine``: the rules engine, one process or several."""

import sys

from services.common.settings import load
from services.engine.app import run
from services.engine.config import EngineSettings

if __name__ == "__main__":
    sys.exit(run(load(EngineSettings)))
