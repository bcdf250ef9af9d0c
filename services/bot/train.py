"""Train the blueprints: ``python -m services.bot.train run | status | export``.

``run`` trains for some minutes and can be stopped and started again at any time; start one
process a core. ``export`` writes the artefacts that play uses from the last checkpoints,
also while training goes on; depths without one keep the artefact they have.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

from services.bot.blueprint.library import DATA
from services.bot.blueprint.sizes import DEPTHS_BB
from services.bot.blueprint.store import export_depth, write_manifest
from services.bot.blueprint.tables import BucketTables, load
from services.bot.blueprint.training import (
    checkpoint,
    read_progress,
    tidy_depths,
    train,
)

DIRECTORY: Final = Path(".cache/river")
COMMAND: Final = "python -m services.bot.train run, then export"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    if options.command == "status":
        _print_status(options.directory)
        return 0
    tables = load(options.directory / "tables")
    if options.command == "run":
        train(options.directory, tables, options.minutes, options.depths)
        return 0
    return _export(options.directory, options.to, tables)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m services.bot.train", description=__doc__)
    parser.add_argument("--directory", type=Path, default=DIRECTORY, help="checkpoints and tables")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="train for some minutes; start one process a core")
    run.add_argument("--minutes", type=float, default=120.0)
    run.add_argument("--depths", type=tidy_depths, default=DEPTHS_BB, metavar="100,50")
    commands.add_parser("status", help="print how far each depth is trained")
    export = commands.add_parser("export", help="write the artefacts that play uses")
    export.add_argument("--to", type=Path, default=DATA, help="directory of the artefacts")
    return parser


def _export(directory: Path, to: Path, tables: BucketTables) -> int:
    entries = []
    to.mkdir(parents=True, exist_ok=True)
    for depth_bb in DEPTHS_BB:
        trained = checkpoint(directory, depth_bb)
        if trained is None:
            continue
        entries.append(export_depth(to, trained, tables.abstraction))
        sys.stdout.write(f"{depth_bb:4} BB: {(to / entries[-1]['file']).stat().st_size:9,} bytes\n")
    if not entries:
        sys.stderr.write("nothing is trained yet\n")
        return 1
    write_manifest(to, tables.abstraction, entries, COMMAND)
    return 0


def _print_status(directory: Path) -> None:
    for depth_bb in DEPTHS_BB:
        progress = read_progress(directory, depth_bb)
        if progress:
            sys.stdout.write(
                f"{depth_bb:4} BB: {progress.deals / 1e6:8.1f} M deals,"
                f" {progress.seconds / 60:6.1f} minutes\n"
            )


if __name__ == "__main__":
    sys.exit(main())
