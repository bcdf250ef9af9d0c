"""`python -m services.gateway [serve|migrate]`: the tables over HTTP."""

import argparse
import sys

from services.common.settings import load
from services.gateway.app import run, run_migrations
from services.gateway.config import GatewaySettings


def main() -> int:
    """Read the environment and do what was asked; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m services.gateway", description=__doc__)
    parser.add_argument("command", nargs="?", choices=("serve", "migrate"), default="serve")
    command = parser.parse_args().command
    settings = load(GatewaySettings)
    if command == "migrate":
        run_migrations(settings)
        return 0
    return run(settings)


if __name__ == "__main__":
    sys.exit(main())
