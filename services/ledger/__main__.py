"""``python -m services.ledger [serve|migrate|audit|resume|topics]``.

serve    consume events and answer reads (the default)
migrate  bring the database to the newest schema
audit    check every chip; one JSON line; exits 1 when something is wrong, 2 when unreadable
resume   let a halted ledger go on when it is started again; see docs/operations.md
topics   create the Kafka topics that do not exist yet
"""

import argparse
import sys

from services.common.settings import load
from services.ledger import commands
from services.ledger.app import run
from services.ledger.settings import AuditSettings, DatabaseSettings, KafkaSettings, ServeSettings


def main(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m services.ledger",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = ("serve", "migrate", "audit", "resume", "topics")
    parser.add_argument("command", nargs="?", default="serve", choices=names)
    command = parser.parse_args(arguments).command
    if command == "migrate":
        return commands.migrate(load(DatabaseSettings))
    if command == "audit":
        return commands.audit(load(AuditSettings))
    if command == "resume":
        return commands.resume(load(DatabaseSettings))
    if command == "topics":
        return commands.topics(load(KafkaSettings))
    return run(load(ServeSettings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
