"""The deals of a match spread over processes; the result is the same as in one."""

import multiprocessing
import signal
from collections.abc import Iterator

from services.bot.arena.match import DealResult, Match, play, play_deal, prepared
from services.bot.baselines import Player

_seated: list[tuple[Match, Player, Player]] = []


def play_in_processes(match: Match, processes: int) -> Iterator[DealResult]:
    """Play the deals in this many processes (1: in this one); yields them in order."""
    if processes == 1:
        yield from play(match)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _sit_down, (match,)) as pool:
        yield from pool.imap(_play_one, range(match.deals))


def _sit_down(match: Match) -> None:
    # Ctrl-C goes to the whole group; the parent ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _seated.append((match, *prepared(match)))


def _play_one(number: int) -> DealResult:
    match, hero, villain = _seated[0]
    return play_deal(match, hero, villain, number)
