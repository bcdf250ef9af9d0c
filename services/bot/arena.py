"""Measures River: ``python -m services.bot.arena --hands N --seed S --opponent tag``.

Heads-up, 50/100, every deal is played twice with the seats exchanged, so that luck with
the cards cancels. The last line is one JSON object; ``bb_per_100`` is River's result in big
blinds per 100 hands with the half-width of its 95 % interval.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from poker.actions import Action
from poker.cards import DECK, Card
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from poker.view import view_for
from services.bot.baselines import Caller, Folder, Player, RandomPlayer, TightAggressive
from services.bot.strategy import Strategy, river
from services.bot.view import from_hand_view
from services.common.codec import BotView

OPPONENTS: Final[dict[str, type[Player]]] = {
    "caller": Caller,
    "fold": Folder,
    "random": RandomPlayer,
    "tag": TightAggressive,
}
RULES: Final = HandRules(small_blind_chips=50, big_blind_chips=100)
_SEED_LIMIT: Final = 2**64


class StrategyPlayer:
    """River as a player; remembers the CPU time its decisions took."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.seconds: list[float] = []

    def act(self, view: BotView, seed: int) -> Action:
        """Decide, and take the CPU time."""
        started = time.thread_time()
        action = self._strategy.decide(view, seed).action
        self.seconds.append(time.thread_time() - started)
        return action


@dataclass(frozen=True, slots=True)
class Report:
    """What a match showed; results are River's, intervals the half-width at 95 %.

    ``cpu_ms`` is the processor time of River's decisions, which a busy machine leaves alone.
    """

    opponent: str
    hands: int
    stack_bb: int
    seed: int
    bb_per_100: float
    bb_per_100_interval: float
    decisions: int
    cpu_ms_p50: float
    cpu_ms_p99: float
    cpu_ms_max: float


def play_hand(
    deck: Sequence[Card], players: dict[int, Player], stack_chips: int, chance: random.Random
) -> dict[int, int]:
    """Play one heads-up hand, seat 1 on the button; returns net chips by seat."""
    seats = tuple(SeatStack(seat, stack_chips) for seat in sorted(players))
    hand = Hand(HandSetup("arena", RULES, seats, 1, tuple(deck)))
    while hand.legal is not None:
        view = from_hand_view(view_for(hand.snapshot(), hand.legal.seat))
        hand.apply(players[view.seat].act(view, chance.randrange(_SEED_LIMIT)))
    if hand.result is None:
        raise RuntimeError("a hand without a turn must have a result")
    return {seat.seat: seat.net_chips for seat in hand.result.seats}


def duplicate_deal(river_player: Player, other: Player, stack_chips: int, seed: str) -> int:
    """Play one deal from both seats; returns River's chips over the two hands."""
    deck = random.Random(seed).sample(DECK, len(DECK))  # noqa: S311 - reproducible matches
    net = 0
    for own_seat in (1, 2):
        players = {own_seat: river_player, 3 - own_seat: other}
        chance = random.Random(f"{seed}:{own_seat}")  # noqa: S311
        net += play_hand(deck, players, stack_chips, chance)[own_seat]
    return net


def run(opponent: str, hands: int, seed: int, stack_bb: int) -> Report:
    """Play ``hands`` hands (rounded down to even, at least 2) and report."""
    player, other = StrategyPlayer(river()), OPPONENTS[opponent]()
    stack_chips = stack_bb * RULES.big_blind_chips
    deals = max(1, hands // 2)
    nets = [duplicate_deal(player, other, stack_chips, f"{seed}:{deal}") for deal in range(deals)]
    per_deal = [net / RULES.big_blind_chips / 2 for net in nets]
    mean = sum(per_deal) / deals
    variance = sum((value - mean) ** 2 for value in per_deal) / max(1, deals - 1)
    times = sorted(player.seconds) or [0.0]
    return Report(
        opponent=opponent,
        hands=2 * deals,
        stack_bb=stack_bb,
        seed=seed,
        bb_per_100=round(100 * mean, 2),
        bb_per_100_interval=round(196 * math.sqrt(variance / deals), 2),
        decisions=len(player.seconds),
        cpu_ms_p50=round(1e3 * times[len(times) // 2], 2),
        cpu_ms_p99=round(1e3 * times[int(0.99 * (len(times) - 1))], 2),
        cpu_ms_max=round(1e3 * times[-1], 2),
    )


def main() -> None:
    """Read the options, play, print one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=2_000, help="hands to play, two a deal")
    parser.add_argument("--seed", type=int, default=1, help="decides decks and decisions")
    parser.add_argument("--opponent", choices=sorted(OPPONENTS), default="tag")
    parser.add_argument("--stack-bb", type=int, default=100, help="stacks in big blinds")
    options = parser.parse_args()
    if options.hands < 2 or options.stack_bb < 1:
        parser.error("--hands must be at least 2 and --stack-bb at least 1")
    report = run(options.opponent, options.hands, options.seed, options.stack_bb)
    sys.stdout.write(json.dumps(asdict(report)) + "\n")


if __name__ == "__main__":
    main()
