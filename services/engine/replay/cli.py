"""The command line of the replay."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tqdm import tqdm

from services.common.credentials import OPEN, CredentialsError, GrpcSettings
from services.common.settings import load, split_address
from services.engine.replay.reading import UnreadableError
from services.engine.replay.run import run
from services.engine.replay.tables import EngineUnavailableError

EXIT_DIFFERS: Final = 1
EXIT_UNREADABLE: Final = 2
EXIT_UNAVAILABLE: Final = 3
EXIT_INTERRUPTED: Final = 130


def main(arguments: Sequence[str]) -> int:
    """Replay what the command line names; returns the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.files and not options.scenarios:
        parser.error("name a file of hands, or scenarios")
    # As any caller of a service, by what GRPC_TOKEN and its like say.
    security = OPEN if options.target is None else load(GrpcSettings).security
    paths = [*options.files, *options.scenarios]
    progress = tqdm(
        total=sum(map(_size, paths)),
        unit="B",
        unit_scale=True,
        desc="replay",
        disable=not sys.stderr.isatty(),
    )
    try:
        with progress:
            tally = asyncio.run(
                run(
                    options.files,
                    options.scenarios,
                    options.target,
                    report=lambda line: tqdm.write(line, file=sys.stderr),
                    on_bytes=progress.update,
                    security=security,
                )
            )
    except (UnreadableError, CredentialsError) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_UNREADABLE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except EngineUnavailableError as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_UNAVAILABLE
    sys.stdout.write(tally.line() + "\n")
    return EXIT_DIFFERS if tally.mismatches else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m services.engine.replay",
        description="Replay recorded hands through the rules and compare every outcome.",
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="*", type=Path, help="hands, .jsonl or .jsonl.gz"
    )
    parser.add_argument(
        "--target", metavar="HOST:PORT", type=_address, help="a running engine to replay through"
    )
    parser.add_argument(
        "--scenarios",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="hand-made cases, .jsonl or .jsonl.gz; may be repeated",
    )
    return parser


def _address(text: str) -> str:
    """Check an argument's form, so that a typing error is not taken for a missing engine."""
    split_address(text)
    return text


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # reading it will say what is wrong
