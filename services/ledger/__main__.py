"""``python -m services.ledger [serve|migrate|audit|rebuild|resume|topics]``.

serve    consume events and answer reads (the default)
migrate  bring the database to the newest schema
audit    check every chip; one JSON line; exits 1 when something is wrong, 2 when unreadable
rebuild  make the leaderboards anew from the stored events; one JSON line
resume   let a halted ledger go on when it is started again; see docs/operations.md
topics   create the Kafka topics that do not exist yet and report differences in the others;
         with --check change nothing and exit 1 when something differs; with
         --raise-partitions add partitions up to the setting, see docs/events.md
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
    names = ("serve", "migrate", "audit", "rebuild", "resume", "topics")
    parser.add_argument("command", nargs="?", default="serve", choices=names)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--check", action="store_true", help="topics: compare only")
    either.add_argument("--raise-partitions", action="store_true", help="topics: add partitions")
    parsed = parser.parse_args(arguments)
    command = parsed.command
    if command != "topics" and (parsed.check or parsed.raise_partitions):
        parser.error("--check and --raise-partitions belong to topics")
    if command == "migrate":
        return commands.migrate(load(DatabaseSettings))
    if command == "audit":
        return commands.audit(load(AuditSettings))
    if command == "rebuild":
        return commands.rebuild(load(DatabaseSettings))
    if command == "resume":
        return commands.resume(load(DatabaseSettings))
    if command == "topics":
        return commands.topics(
            load(KafkaSettings), check=parsed.check, widen=parsed.raise_partitions
        )
    return run(load(ServeSettings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
