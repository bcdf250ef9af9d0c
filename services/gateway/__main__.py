"""`python -m services.gateway [serve|migrate|openapi]`: the tables over HTTP.

`openapi` writes the document of the interface, which needs no settings and no database.
"""

import argparse
import sys

from services.common.settings import load
from services.gateway.app import run, run_migrations
from services.gateway.config import GatewaySettings
from services.gateway.http_app import document_text


def main() -> int:
    """Read the environment and do what was asked; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m services.gateway", description=__doc__)
    commands = ("serve", "migrate", "openapi")
    parser.add_argument("command", nargs="?", choices=commands, default="serve")
    command = parser.parse_args().command
    if command == "openapi":
        sys.stdout.write(document_text())
        return 0
    settings = load(GatewaySettings)
    if command == "migrate":
        run_migrations(settings)
        return 0
    return run(settings)


if __name__ == "__main__":
    sys.exit(main())
