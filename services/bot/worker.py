"""What runs in a decision process: River, warmed up, tied to the life of its parent."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from dataclasses import replace
from functools import cache

from poker.actions import Action, ActionKind
from poker.cards import DECK
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from poker.view import view_for
from services.bot.budget import Budget
from services.bot.strategy import Decision, Strategy, river, trained
from services.bot.view import from_hand_view
from services.common.codec import BotView


@cache
def _strategy(budget: Budget) -> Strategy:
    return river(budget)


def decide(view: BotView, seed: int, budget: Budget) -> Decision:
    """Decide in a checked view; but for a time cap the answer depends on nothing else."""
    return _strategy(budget).decide(view, seed)


def ready() -> None:
    """Do nothing: a worker that answers has started."""


def start(budget: Budget) -> None:
    """Prepare a decision process: its end, its signals, its tables.

    Ctrl-C reaches the whole process group; the parent then drains, which needs workers
    that go on until it dismisses them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    warm_up(budget)


def _follow(sentinel: int) -> None:
    """End this process when its parent's does, even by SIGKILL and even while it decides."""
    multiprocessing.connection.wait([sentinel])
    os._exit(0)


def warm_up(budget: Budget) -> None:
    """Load all data and compile all code by deciding once on every street.

    Raises when River cannot decide: then the process is not fit to serve.
    """
    rules = HandRules(small_blind_chips=50, big_blind_chips=100)
    seats = (SeatStack(1, 10_000), SeatStack(2, 10_000))
    hand = Hand(HandSetup("warm-up", rules, seats, 1, DECK))
    library = trained()
    for depth_bb in library.depths:
        library.load(depth_bb)
    # What the first decisions compile must not count against the time of any other.
    strategy = _strategy(replace(budget, seconds=None))
    while (legal := hand.legal) is not None:
        strategy.decide(from_hand_view(view_for(hand.snapshot(), legal.seat)), 0)
        hand.act(Action(legal.seat, ActionKind.CHECK if legal.can_check else ActionKind.CALL))
