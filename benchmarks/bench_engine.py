"""How fast the rules are: as a library, as a ranking, as a service. JSON lines on stdout.

Every figure is the median of alternating rounds with its peers or its limit, so that a busy
machine slows all of them: read the ratios. ``docs/benchmarks.md`` says what they mean.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks import library
from benchmarks.service import measure


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the parts that are asked for, all by default."""
    parser = argparse.ArgumentParser(prog="bench_engine", description=__doc__)
    parts = ("library", "ranking", "growth", "service", "scaling", "memory")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(parts)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=0.5, help="of the memory run")
    options = parser.parse_args(arguments)
    chosen = options.parts or parts
    if "library" in chosen:
        show(library.hands(2, 2_000, options.rounds))
        show(library.hands(6, 1_000, options.rounds))
    if "ranking" in chosen:
        show(library.ranking(100_000, options.rounds))
    if "growth" in chosen:
        show(measure.growth())
    if "service" in chosen:
        show(measure.calls(2, options.rounds))
        show(measure.calls(6, options.rounds))
    if "scaling" in chosen:
        show(measure.scaling(options.rounds))
    if "memory" in chosen:
        show(measure.memory(options.minutes))


def show(lines: Iterable[dict[str, Any]]) -> None:
    """Print lines as they come."""
    for line in lines:
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
