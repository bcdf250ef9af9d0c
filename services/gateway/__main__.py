"""`python -m services.gateway [serve|migrate|openapi|backup|restore]`: the tables over HTTP.

`openapi` writes the document of the interface, which needs no settings and no database. `backup
FILE` copies the database while it is used, `restore FILE` puts a copy into an empty one.
"""

import argparse
import sys
from pathlib import Path

from services.common.backup import COPYING, copy
from services.common.eventlog.outbox import OUTBOX
from services.common.logs import configure_logging
from services.common.settings import load
from services.gateway.app import run, run_migrations
from services.gateway.config import GatewaySettings
from services.gateway.http_app import document_text


def main() -> int:
    """Read the environment and do what was asked; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m services.gateway", description=__doc__)
    commands = ("serve", "migrate", "openapi", *COPYING)
    parser.add_argument("command", nargs="?", choices=commands, default="serve")
    parser.add_argument("file", nargs="?", type=Path, help="of backup and restore")
    given = parser.parse_args()
    command = given.command
    if (given.file is not None) != (command in COPYING):
        parser.error("backup and restore need a FILE, nothing else does")
    if command == "openapi":
        sys.stdout.write(document_text())
        return 0
    settings = load(GatewaySettings)
    if command in COPYING:
        configure_logging("gateway", settings.log_level)
        return copy(command, settings.database_url, given.file, OUTBOX.name)
    if command == "migrate":
        return run_migrations(settings)
    return run(settings)


if __name__ == "__main__":
    sys.exit(main())
