"""How far from unexploitable River's own solutions of turns and rivers are.

Solves seeded random subgames as River would (its plan of sizes and iterations) and prints for
each what a best response wins, as a share of the pot. Ranges are random: of each player a tenth
to all of the hands, some of them weighed more than others. JSON lines, the last of them the
summary per street; exits with 1 when one is above its limit (rivers 0.3 %, turns 2 % of the
pot). ``cpu_ms`` is the time that solving took on a processor.

    python -m benchmarks.verify_subgames
    python -m benchmarks.verify_subgames --spots 200 --stack-to-pot 0.5 1 3 --seed 2
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from poker.cards import DECK, cards_text
from services.bot.combos import COMBOS
from services.bot.solver import Subgame, plan, solve
from services.bot.solver.subgame import Vector

LIMITS = {"river": 0.003, "turn": 0.02}
CARDS = {"river": 5, "turn": 4}
POT_CHIPS = 1_000
BIG_BLIND_CHIPS = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve spots of both streets."""
    options = _options(arguments)
    passed = True
    for street in options.streets:
        warm_up(street)
        found = []
        for number in tqdm(range(options.spots), desc=street, disable=not sys.stderr.isatty()):
            spot = solved(
                street,
                options.stack_to_pot[number % len(options.stack_to_pot)],
                random.Random(f"{options.seed}:{street}:{number}"),
            )
            found.append(spot)
            print(json.dumps({"verify": "subgames", "street": street, "spot": number, **spot}))
        worst = max(float(spot["pot_share"]) for spot in found)
        passed = passed and worst <= LIMITS[street]
        print(json.dumps(summary(street, found)), flush=True)
    return 0 if passed else 1


def solved(street: str, stack_to_pot: float, chance: random.Random) -> dict[str, float | int | str]:
    """Solve one random spot; returns what it is and how exploitable its solution."""
    board = tuple(map(int, chance.sample(DECK, CARDS[street])))
    behind = max(1, round(stack_to_pot * POT_CHIPS))
    planned = plan(board, POT_CHIPS, behind, BIG_BLIND_CHIPS)
    ranges = (random_range(board, chance), random_range(board, chance))
    began = time.process_time()
    game = Subgame(board, POT_CHIPS, behind, ranges, planned.sizes, big_blind_chips=BIG_BLIND_CHIPS)
    solution = solve(game, planned.iterations)
    took = time.process_time() - began
    return {
        "board": cards_text(DECK[card] for card in board),
        "stack_to_pot": stack_to_pot,
        "iterations": planned.iterations,
        "cpu_ms": round(1e3 * took, 1),
        "pot_share": round(solution.exploitability(), 6),
    }


def random_range(board: Sequence[int], chance: random.Random) -> Vector:
    """Return a range with a random number of hands of random weights, not empty."""
    rng = np.random.default_rng(chance.randrange(2**63))
    weights = rng.random(len(COMBOS)) ** rng.choice([0.0, 1.0, 3.0])
    weights[rng.random(len(COMBOS)) > rng.uniform(0.1, 1.0)] = 0.0
    weights[np.isin(np.array(COMBOS), np.array(board)).any(axis=1)] = 0.0
    found: Vector = weights.astype(np.float32)
    return found


def warm_up(street: str) -> None:
    """Compile before anything is timed."""
    solved(street, 1.0, random.Random("warm-up"))


def summary(street: str, spots: Sequence[dict[str, float | int | str]]) -> dict[str, object]:
    """Return the distribution over a street's spots; shares of the pot in per cent."""
    shares = sorted(100 * float(spot["pot_share"]) for spot in spots)
    times = sorted(float(spot["cpu_ms"]) for spot in spots)
    return {
        "verify": "subgames",
        "street": street,
        "spots": len(spots),
        "mean_percent_of_pot": round(statistics.fmean(shares), 4),
        "median_percent_of_pot": round(statistics.median(shares), 4),
        "worst_percent_of_pot": round(shares[-1], 4),
        "limit_percent_of_pot": 100 * LIMITS[street],
        "within_limit": sum(share <= 100 * LIMITS[street] for share in shares),
        "cpu_p50_ms": round(statistics.median(times), 1),
        "cpu_max_ms": times[-1],
    }


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--streets", nargs="+", choices=sorted(CARDS), default=["river", "turn"])
    parser.add_argument("--spots", type=int, default=50, help="spots a street")
    parser.add_argument(
        "--stack-to-pot", nargs="+", type=float, default=[0.25, 0.5, 1, 2, 3, 5], help="in turn"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.spots < 1 or min(options.stack_to_pot) <= 0:
        parser.error("--spots must be at least 1 and --stack-to-pot more than 0")
    return options


if __name__ == "__main__":
    sys.exit(main())
