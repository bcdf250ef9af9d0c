"""What River gives away, at stacks of at most 8 big blinds, against best answers.

For each depth River is asked what it does with every hand, as the small blind and against a
shove. ``small_blind_loss_bb`` is how much less than the game's value the small blind wins when
its shoves are called as well as possible, ``big_blind_loss_bb`` how much more a small blind
wins that shoves as well as possible against its calls; big blinds a hand. ``apart_bb`` is the
difference of our solution's value from the one in a file of equilibria, if one is given.
JSON lines; exits with 1 when a loss is 0.01 or more, or River does anything but shove or fold.

    python -m benchmarks.verify_push_fold [--equilibria FILE] [--river river:0.1]
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from poker.actions import Action, ActionKind
from poker.hand import Hand
from poker.view import view_for
from services.bot.arena.deals import BUTTON, RULES, new_hand, shuffled
from services.bot.arena.players import strategy_named
from services.bot.arena.shove_game import Vector, best_values, solve
from services.bot.combos import TYPE_COUNT, TYPE_OF_COMBO, TYPE_SIZES
from services.bot.lbr.policies import range_policy
from services.bot.strategy import Strategy
from services.bot.view import from_hand_view

DEPTHS_BB = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0)
LOSS_MAX_BB = 0.01
GIVING_UP = {ActionKind.FOLD, ActionKind.CHECK}


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare at every depth."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--equilibria", type=Path, help="JSON with solutions by stack_bb")
    parser.add_argument("--river", default="river", help="river or river:VERSION")
    options = parser.parse_args(arguments)
    strategy = strategy_named(options.river)
    known = values(options.equilibria) if options.equilibria else {}
    worst = 0.0
    for depth in DEPTHS_BB:
        solution = solve(depth)
        push, call = frequencies(strategy, depth)
        _, _, against_best_calls = best_values(depth, push, solution.call)
        _, against_calls, _ = best_values(depth, solution.push, call)
        losses = solution.value_bb - against_best_calls, against_calls - solution.value_bb
        line = {
            "verify": "push_fold",
            "stack_bb": depth,
            "small_blind_loss_bb": round(losses[0], 6),
            "big_blind_loss_bb": round(losses[1], 6),
            "value_bb": round(solution.value_bb, 6),
        }
        if depth in known:
            line["apart_bb"] = round(solution.value_bb - known[depth], 6)
        worst = max(worst, *losses)
        print(json.dumps(line), flush=True)
    passed = worst < LOSS_MAX_BB
    print(json.dumps({"verify": "push_fold", "worst_loss_bb": round(worst, 6), "passed": passed}))
    return 0 if passed else 1


def frequencies(strategy: Strategy, depth: float) -> tuple[Vector, Vector]:
    """Return how often the strategy shoves with every type, and calls a shove."""
    hand = new_hand(shuffled("any"), round(depth * RULES.big_blind_chips))
    push = putting_in(strategy, hand)
    hand.apply(Action(BUTTON, ActionKind.RAISE, hand.setup.seats[0].stack_chips))
    return push, putting_in(strategy, hand)


def putting_in(strategy: Strategy, hand: Hand) -> Vector:
    """Return how often every type puts all its chips in; it may do nothing else but fold."""
    if hand.legal is None:
        raise ValueError("nobody has a decision")
    view = from_hand_view(view_for(hand.snapshot(), hand.legal.seat))
    policy = range_policy(strategy, view)
    rows = [row for row, action in enumerate(policy.actions) if action.kind not in GIVING_UP]
    for row in rows:
        to_chips = policy.actions[row].to_chips
        small = to_chips is not None and to_chips < hand.setup.seats[0].stack_chips
        if small or (to_chips is None and not view.legal.call_all_in):
            raise SystemExit(f"at {view.seats[0].start_chips} chips River does not only shove")
    chances = policy.probabilities[rows].sum(axis=0, dtype=np.float64)
    by_type = np.bincount(np.array(TYPE_OF_COMBO), chances, TYPE_COUNT)
    return np.asarray(by_type / np.array(TYPE_SIZES))


def values(path: Path) -> dict[float, float]:
    """Return the small blind's value by depth of a file of equilibria."""
    solutions = json.loads(path.read_text())["solutions"]
    return {float(solution["stack_bb"]): float(solution["sb_value"]) for solution in solutions}


if __name__ == "__main__":
    sys.exit(main())
