"""Measures two players against each other, heads-up at 50/100.

Every deal is played twice with the seats exchanged (duplicate), and what chance brought is taken
out as far as it can be told from what the players would have done with other hands (see
`services.bot.arena.luck`): luck counts for little and the mean stays the same. bb100 is what the
hero wins in big blinds per 100 hands, ci95 the half-width of its 95 % interval. allin_bb100 has
only all-ins before the river at their expectation over the cards to come, raw_bb100 is as the
cards fell. p50_ms and p99_ms are what the hero's decisions took, cpu_ the time on processors; only
each deal's first hand is timed, since a player may remember the board in the second. Ctrl-C stops
the match and shows the result so far (exit status 130). The same options give the same hands with
any number of processes.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import Final

from services.bot.arena.errors import UnknownPlayerError
from services.bot.arena.match import Match, report, seated
from services.bot.arena.players import NAMES, player_named
from services.bot.arena.progress import EXIT_INTERRUPTED, collect
from services.bot.arena.table import table
from services.bot.arena.workers import spread

STACK_MAX_BB: Final = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the match that the command line describes; returns the exit status."""
    options = _options(arguments)
    match = Match(options.hero, options.villain, options.hands // 2, options.seed, options.stack_bb)
    deals = spread(partial(seated, match), match.deals, options.processes)
    results, interrupted = collect(deals, match.deals, "deal")
    if results:
        found = report(match, results) | ({"interrupted": True} if interrupted else {})
        sys.stdout.write((json.dumps(found) if options.json else table(found)) + "\n")
    return EXIT_INTERRUPTED if interrupted else 0


def depth(text: str) -> float:
    """Read a depth; a whole one stays whole, so that it is shown as it was given."""
    return int(text) if text.isdecimal() else float(text)


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the options that every measurement of hands has."""
    parser.add_argument("--seed", type=int, default=1, help="decides decks and decisions")
    parser.add_argument("--stack-bb", type=depth, default=100, help="both stacks in big blinds")
    parser.add_argument("--processes", type=int, default=1, help="how many play at once")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def check_common(
    parser: argparse.ArgumentParser, options: argparse.Namespace, hands_min: int
) -> None:
    """End the program with what is wrong with the options, if anything is."""
    if options.hands < hands_min:
        parser.error(f"--hands must be at least {hands_min}")
    if not 0 < options.stack_bb <= STACK_MAX_BB:
        parser.error(f"--stack-bb must be more than 0 and at most {STACK_MAX_BB}")
    if options.processes < 1:
        parser.error("--processes must be at least 1")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m services.bot.arena",
        description=__doc__,
        epilog=f"Players: {', '.join(NAMES)}. How to train a donksolver policy: docs/river.md.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--hero", default="river", help="who is measured (default river)")
    parser.add_argument("--villain", default="tag", help="against whom (default tag)")
    parser.add_argument(
        "--hands", type=int, default=2_000, help="two a deal, so even (default 2000)"
    )
    add_common(parser)
    options = parser.parse_args(arguments)
    check_common(parser, options, hands_min=2)
    for name in (options.hero, options.villain):
        try:
            player_named(name)
        except UnknownPlayerError as error:
            parser.error(str(error))
    return options
