"""Measures how much a local best response wins from River, in thousandths of a big blind.

The local best response (Lisý and Bowling 2017) knows River's strategy, keeps River's range
by Bayes' rule and takes, on its streets, the best of folding, calling and its bet sizes, one
move ahead; before them it checks and calls. What it wins (mbb_per_hand, ci95 the half-width of
the 95 % interval) is a lower bound of what could be won from River; at most 0 means that it
found nothing. From its first bet on a hand is not played but valued, as the mean over all cards
that both may hold, so that luck counts for little; only cards and River's actions until then
(and on the turn) are drawn. In-tree sizes are half the pot, the pot and all-in, off-tree ones
0.1, 0.33, 0.7, 1.5 and 3 pots. Ctrl-C shows the result so far (exit status 130).
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial

from services.bot.arena.cli import add_common, check_common
from services.bot.arena.errors import UnknownPlayerError
from services.bot.arena.players import strategy_named
from services.bot.arena.progress import EXIT_INTERRUPTED, collect
from services.bot.arena.workers import spread
from services.bot.lbr.match import STREETS, Measure, report, seated
from services.bot.lbr.respond import SIZES


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line describes; returns the exit status."""
    options = _options(arguments)
    measure = Measure(
        options.hero, options.streets, options.sizes, options.hands, options.seed, options.stack_bb
    )
    hands = spread(partial(seated, measure), options.hands, options.processes)
    values, interrupted = collect(hands, options.hands, "hand")
    if values:
        found = report(measure, values) | ({"interrupted": True} if interrupted else {})
        sys.stdout.write((json.dumps(found) if options.json else _text(found)) + "\n")
    return EXIT_INTERRUPTED if interrupted else 0


def _text(found: dict[str, object]) -> str:
    return (
        f"local best response on {found['streets']}, {found['sizes']}, against {found['river']}: "
        f"{found['hands']} hands at {found['stack_bb']} bb, seed {found['seed']}\n"
        f"  wins {found['mbb_per_hand']} ± {found['ci95']} mbb/hand"
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m services.bot.lbr",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--hero", default="river", help="river or river:VERSION (default river)")
    parser.add_argument("--streets", choices=sorted(STREETS), default="river", help="where it bets")
    parser.add_argument("--sizes", choices=sorted(SIZES), default="in-tree", help="what it bets")
    parser.add_argument("--hands", type=int, default=1_000, help="default 1000")
    add_common(parser)
    options = parser.parse_args(arguments)
    check_common(parser, options, hands_min=1)
    try:
        strategy_named(options.hero)
    except UnknownPlayerError as error:
        parser.error(str(error))
    return options
