"""``python -m services.ledger [COMMAND] [ARGUMENT ...]``.

serve    consume events and answer reads (the default)
migrate  bring the database to the newest schema
audit    check every chip; one JSON line; exits 1 when something is wrong, 2 when unreadable
trial-balance
         add up every class of accounts; one JSON line; exits 1 when it is not zero, 2 when
         unreadable
statement PLAYER
         a player's chips and what moved them, one JSON line each; with --since and --until (a
         UTC day such as 2026-03-01, from its beginning) of that time only
rebuild  make the leaderboards anew from the stored events; one JSON line
replay [LETTER ...]
         apply dead letters again, those with these numbers or all; one JSON line each; exits 1
         when one is refused again
backup FILE
         copy the database while it is used
restore FILE
         put a copy into an empty database
resume   let a halted ledger go on when it is started again; see docs/operations.md
topics   create the Kafka topics that do not exist yet and report differences in the others;
         with --check change nothing and exit 1 when something differs; with
         --raise-partitions add partitions up to the setting, see docs/events.md
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path

from services.common.backup import COPYING
from services.common.eventlog.outbox import to_microseconds
from services.common.settings import load
from services.ledger import commands, reports
from services.ledger.app import run
from services.ledger.settings import AuditSettings, DatabaseSettings, KafkaSettings, ServeSettings
from services.ledger.statement import MAX_TIME_US, Period

MAX_DIGITS = 18
"""Of the number of a letter."""

PLAIN: Mapping[str, Callable[[], int]] = {
    "serve": lambda: run(load(ServeSettings)),
    "migrate": lambda: commands.migrate(load(DatabaseSettings)),
    "audit": lambda: reports.audit(load(AuditSettings)),
    "trial-balance": lambda: reports.trial_balance(load(DatabaseSettings)),
    "rebuild": lambda: commands.rebuild(load(DatabaseSettings)),
    "resume": lambda: commands.resume(load(DatabaseSettings)),
}
"""Commands without arguments."""

COMMANDS = (*PLAIN, *COPYING, "statement", "replay", "topics")


def main(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m services.ledger",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", nargs="?", default="serve", choices=COMMANDS)
    parser.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="see above")
    parser.add_argument("--since", type=day, help="statement: from the beginning of this day")
    parser.add_argument("--until", type=day, help="statement: to the beginning of this day")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--check", action="store_true", help="topics: compare only")
    either.add_argument("--raise-partitions", action="store_true", help="topics: add partitions")
    parsed = parser.parse_args(arguments)
    command, given = parsed.command, parsed.arguments
    if command != "topics" and (parsed.check or parsed.raise_partitions):
        parser.error("--check and --raise-partitions belong to topics")
    if command != "statement" and not (parsed.since is parsed.until is None):
        parser.error("--since and --until belong to statement")
    if command == "statement":
        if len(given) != 1:
            parser.error("statement needs the id of one player")
        period = Period(parsed.since or 0, parsed.until or MAX_TIME_US)
        return reports.statement(load(DatabaseSettings), given[0], period)
    if command == "replay":
        if not all(number.isdecimal() and len(number) <= MAX_DIGITS for number in given):
            parser.error("replay takes the numbers of letters")
        return commands.replay(load(DatabaseSettings), [int(number) for number in given])
    if command in COPYING:
        return commands.copy_database(load(DatabaseSettings), command, _file(parser, given))
    if given:
        parser.error(f"{command} takes no arguments")
    if command == "topics":
        return commands.topics(
            load(KafkaSettings), check=parsed.check, widen=parsed.raise_partitions
        )
    return PLAIN[command]()


def _file(parser: argparse.ArgumentParser, given: list[str]) -> Path:
    if len(given) != 1:
        parser.error("backup and restore need a file")
    return Path(given[0])


def day(text: str) -> int:
    """Return the beginning of a UTC day in microseconds since 1970; raises ValueError."""
    begins = datetime.combine(date.fromisoformat(text), time(), UTC)
    return to_microseconds(begins)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
