"""The local best response: what it believes, what it chooses, what it wins."""

import json
from functools import partial
from itertools import combinations
from random import Random

import numpy as np
import pytest

from poker.actions import Action, ActionKind
from poker.cards import DECK, Card, parse_cards
from poker.hand import Hand
from poker.ranking import rank
from services.bot.arena.ranges import Weights, live, met, won
from services.bot.combos import COMBOS, combo_index
from services.bot.lbr import match
from services.bot.lbr.cli import main
from services.bot.lbr.match import Measure, seated
from services.bot.lbr.policies import hand_by_hand, range_policy
from services.bot.lbr.respond import ALL_IN, bets, call_chips, respond, seen
from services.bot.lbr.value import Valuer, ended_chips
from services.bot.policy import Policy, RangePolicy, nearest_legal
from services.bot.strategy import Strategy, first_river
from services.common.codec import BotView
from tests.support.river import view_of, with_cards
from tests.support.scripted_hands import play, table

FOLD, CHECK, CALL, BET, RAISE = ActionKind


class Habit:
    """A stage that wishes for the same with every hand, but may fold some to a bet."""

    name = "habit"

    def __init__(self, wish: ActionKind, folds: Weights | None = None) -> None:
        self._wish = wish
        self._folds = np.zeros(len(COMBOS)) if folds is None else folds

    def range_policy(self, view: BotView) -> RangePolicy:
        """Take the nearest to the wish; facing a bet fold as often as told."""
        wished = nearest_legal(view.legal, self._wish, None)
        folds = np.zeros(len(COMBOS)) if view.legal.can_check else self._folds
        actions = (wished, Action(view.seat, FOLD))
        return RangePolicy(self.name, actions, np.stack((1 - folds, folds)).astype(np.float32))


CALLER = Strategy((Habit(CALL),), "caller")
FOLDER = Strategy((Habit(CALL, np.ones(len(COMBOS))),), "folder")


def weights_of(*hands: str) -> Weights:
    found = np.zeros(len(COMBOS))
    for text in hands:
        found[combo_index(*parse_cards(text))] = 1.0
    return found


def folding(share: float) -> Strategy:
    return Strategy((Habit(CALL, np.full(len(COMBOS), share)),), "sometimes")


BOARD = parse_cards("2c7h9dTcKh")
TURN = ("1 call", "2 check", "2 check", "1 check")


def on_the_river(*moves: str) -> Hand:
    """A river of 200 chips with 9,900 behind; seat 2 is first to act."""
    hand = table({1: 10_000, 2: 10_000}, button=1, board="2c7h9dTcKh")
    return play(hand, *TURN, "2 check", "1 check", *moves)


# --- ranges --------------------------------------------------------------------------------


def brute_won(hole: tuple[Card, ...], weights: Weights, board: tuple[Card, ...]) -> float:
    total = 0.0
    for combo in np.flatnonzero(weights):
        other = tuple(DECK[card] for card in COMBOS[combo])
        if set(other) & set(hole):
            continue
        unseen = [card for card in DECK if card not in {*hole, *other, *board}]
        runs = list(combinations(unseen, 5 - len(board)))
        for rest in runs:
            mine, theirs = rank(hole + board + rest), rank(other + board + rest)
            total += weights[combo] * (1.0 if mine > theirs else 0.5 * (mine == theirs)) / len(runs)
    return total


@pytest.mark.parametrize("board", ["9h4h2c8d3s", "9h4h2c8d"])
@pytest.mark.parametrize("hole", ["JhTh", "9s9d", "9s8s", "AhAd"])
def test_what_a_hand_beats_of_a_range_is_exact(board: str, hole: str) -> None:
    cards, own = parse_cards(board), parse_cards(hole)
    weights = weights_of("9s9d", "9c8s", "AhKd", "AcKc", "6h5h") * np.arange(1, 1327)
    found = won(weights, cards)[combo_index(*own)]
    assert found == pytest.approx(brute_won(own, weights, cards))


def test_two_hands_that_share_a_card_do_not_meet() -> None:
    weights = weights_of("AsAd", "AsKd", "QhQd")
    found = met(weights)
    assert found[combo_index(*parse_cards("AsAd"))] == 1.0
    assert found[combo_index(*parse_cards("2c3c"))] == 3.0
    assert live(parse_cards("AsAd")).sum() == 50 * 49 / 2


# --- asking every hand ---------------------------------------------------------------------


class Picky:
    """A stage without ranges: calls with an ace, else folds; checks when it can."""

    name = "picky"

    def policy(self, view: BotView) -> Policy:
        wish = CALL if any(card.rank == 12 for card in view.hole_cards) else FOLD
        action = nearest_legal(view.legal, wish, None)
        table = np.ones((1, len(COMBOS)), np.float32)
        return RangePolicy(self.name, (action,), table).policy(view.hole_cards)


@pytest.mark.parametrize("moves", [("1 raise 300",), ("1 call", "2 check", "2 bet 100")])
def test_a_strategy_without_ranges_is_asked_hand_by_hand(moves: tuple[str, ...]) -> None:
    strategy = Strategy((Picky(),), "picky")
    view = view_of(play(table({1: 5_000, 2: 5_000}, button=1, board="2c7h9d"), *moves))
    policy = range_policy(strategy, view)
    assert np.allclose(policy.probabilities.sum(axis=0), 1.0)
    for cards, kind in (("AsKd", CALL), ("QsKd", FOLD), ("6s6d", FOLD)):
        (option,) = policy.policy(parse_cards(cards)[:2]).options  # type: ignore[arg-type] # a pair
        assert option.action.kind is kind


def test_asking_hand_by_hand_gives_what_the_strategy_plays() -> None:
    strategy = first_river()
    view = view_of(table({1: 10_000, 2: 10_000}, button=1))
    policy = hand_by_hand(strategy, view)
    for cards in ("AsAd", "7s2d", "KsTd", "5h4h"):
        own = with_cards(view, cards)
        asked = {o.action: o.probability for o in policy.policy(own.hole_cards).options}
        assert asked == pytest.approx(
            {o.action: o.probability for o in strategy.policy(own).options}
        )


# --- choosing ------------------------------------------------------------------------------

SIZES = (0.5, 1.0, ALL_IN)


def choose(strategy: Strategy, cards: str, weights: Weights, *moves: str) -> Action:
    hand = on_the_river(*moves)
    actions, choice = respond(hand, weights, SIZES, lambda view: range_policy(strategy, view))
    return actions[int(choice[combo_index(*parse_cards(cards))])]


def test_the_sizes_are_shares_of_the_pot_after_a_call() -> None:
    free, facing = seen(on_the_river()), seen(on_the_river("2 bet 100"))
    assert [a.to_chips for a in bets(free, (0.1, 0.5, 1.0, ALL_IN))] == [100, 200, 9_900]
    assert [a.to_chips for a in bets(facing, (0.5, 1.0))] == [300, 500]


def test_a_call_is_worth_the_share_of_the_pot_less_its_price() -> None:
    view, aces = seen(on_the_river("2 bet 100")), combo_index(*parse_cards("AsAd"))
    # Aces beat queens and lose to kings: half of 400 for 100.
    assert call_chips(view, weights_of("QsQd", "KsKd"))[aces] == pytest.approx(100.0)
    assert call_chips(view, weights_of("KsKd"))[aces] == pytest.approx(-100.0)


def test_against_one_who_calls_everything_the_best_hand_bets_everything() -> None:
    assert choose(CALLER, "KsKd", live(BOARD).astype(float)).to_chips == 9_900


def test_against_one_who_calls_everything_the_worst_hand_gives_up() -> None:
    weights = live(BOARD).astype(float)
    assert choose(CALLER, "4s3d", weights).kind is CHECK
    assert choose(CALLER, "4s3d", weights, "2 bet 100").kind is FOLD


def test_against_one_who_folds_everything_every_hand_bets() -> None:
    weights = live(BOARD).astype(float)
    assert choose(FOLDER, "4s3d", weights).kind is BET
    assert choose(FOLDER, "4s3d", weights, "2 bet 100").kind is RAISE


@pytest.mark.parametrize(("fold_share", "kind"), [(0.3, CHECK), (0.4, BET)])
def test_a_bluff_is_chosen_exactly_when_it_pays(fold_share: float, kind: ActionKind) -> None:
    # Half the pot into 200 against a set: fold_share * 200 - (1 - fold_share) * 100 > 0 above 1/3.
    assert choose(folding(fold_share), "4s3d", weights_of("TsTd")).kind is kind


# --- valuing -------------------------------------------------------------------------------


def mean_chips(strategy: Strategy, hand: Hand, weights: Weights, seat: int, seed: int = 1) -> float:
    valuer = Valuer(seat, SIZES, lambda view: range_policy(strategy, view), Random(seed))
    return valuer.mean_chips(hand, weights)


def test_the_mean_is_over_all_pairs_of_hands() -> None:
    # Against one who folds to any bet each hand wins the hundred chips that River has put in.
    hand, weights = on_the_river(), live(BOARD).astype(float)
    assert mean_chips(FOLDER, hand, weights, seat=2) == pytest.approx(100.0)


def test_a_value_is_that_of_the_choices_played_out_with_every_pair() -> None:
    hand, weights = on_the_river(), weights_of("QsQd", "KsKd", "4s3d", "AhTs")
    strategy = folding(0.35)
    actions, choice = respond(hand, weights, SIZES, lambda view: range_policy(strategy, view))
    total = pairs = 0.0
    for combo in np.flatnonzero(live(BOARD)):
        own = tuple(DECK[card] for card in COMBOS[combo])
        action = actions[choice[combo]]
        for text in ("QsQd", "KsKd", "4s3d", "AhTs"):
            other = parse_cards(text)
            if set(own) & set(other):
                continue
            mine, theirs = rank(own + BOARD), rank(other + BOARD)
            sign = (mine > theirs) - (mine < theirs)
            # The button checks a check, and to a bet of any size folds 0.35, else calls.
            shown = sign * (100 + (action.to_chips or 0))
            total += shown if action.kind is CHECK else 0.35 * 100 + 0.65 * shown
            pairs += 1
    assert mean_chips(strategy, hand, weights, seat=2) == pytest.approx(total / pairs)


def test_a_river_that_is_drawn_leaves_the_mean_unchanged() -> None:
    # Nothing but checks and showdowns: the mean over rivers is what all-in on the turn is worth.
    hand = play(table({1: 200, 2: 200}, button=1, board="2c7h9dTc"), *TURN, "2 bet 100")
    weights = weights_of("AsAd", "6h5h", "KsQs", "TsTd")
    draws = [mean_chips(CALLER, hand, weights, seat=1, seed=seed) for seed in range(10)]
    # All-in on the turn: nothing is left to draw.
    assert max(draws) == pytest.approx(min(draws))
    checked = play(table({1: 200, 2: 200}, button=1, board="2c7h9dTc"), *TURN)
    passive = Strategy((Habit(CALL),), "passive")
    ask = partial(range_policy, passive)
    means = [Valuer(2, (), ask, Random(seed)).mean_chips(checked, weights) for seed in range(200)]
    alive = live(parse_cards("2c7h9dTc"))
    masked = np.where(alive, weights, 0.0)
    exact = (2 * won(masked, parse_cards("2c7h9dTc")) - met(masked))[alive].sum()
    exact *= 100 / met(masked)[alive].sum()
    error = np.std(means) / len(means) ** 0.5
    assert np.mean(means) == pytest.approx(exact, abs=4 * error)


def test_an_end_before_any_choice_counts_as_the_mean_over_all_pairs() -> None:
    hand = table({1: 500, 2: 500}, button=1, board="2c7h9dTcKh")
    play(hand, "1 raise 500", "2 call")
    weights = weights_of("KsKd")
    # A set of kings loses to the straights that the board allows: QJ, J8 and 86.
    beaten = sum(
        rank(tuple(DECK[card] for card in combo) + BOARD) > rank(parse_cards("KsKd") + BOARD)
        for combo in COMBOS
        if not set(combo) & {*BOARD, *parse_cards("KsKd")}
    )
    others = 45 * 44 / 2
    assert ended_chips(hand, 2, weights) == pytest.approx(500 * (2 * beaten / others - 1))
    folded = play(table({1: 500, 2: 500}, button=1), "1 raise 300", "2 fold")
    assert (ended_chips(folded, 1, weights), ended_chips(folded, 2, weights)) == (100.0, -100.0)


# --- playing -------------------------------------------------------------------------------


def played(strategy: Strategy, monkeypatch: pytest.MonkeyPatch, streets: str) -> list[float]:
    monkeypatch.setattr(match, "strategy_named", lambda _: strategy)
    measure = Measure("river", streets, "in-tree", 20, 1, 100)
    return [value.bb for value in map(seated(measure), range(measure.hands))]


@pytest.mark.parametrize("streets", ["river", "turn+river"])
def test_from_one_who_folds_to_every_bet_it_wins_every_pot(
    streets: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On the button the folder gives up its small blind at once, else its big blind on the way.
    assert played(FOLDER, monkeypatch, streets) == pytest.approx([0.5, 1.0] * 10, abs=1e-3)


def test_from_one_who_calls_everything_it_wins_much(monkeypatch: pytest.MonkeyPatch) -> None:
    assert min(played(CALLER, monkeypatch, "river")) > 5.0


def test_betting_on_the_turn_too_wins_more_from_a_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    river, both = (played(CALLER, monkeypatch, streets) for streets in ("river", "turn+river"))
    assert river != both


def test_the_same_measurement_twice_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (played(folding(0.5), monkeypatch, "turn+river") for _ in range(2))
    assert first == second


def test_the_command_prints_one_object_of_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(match, "strategy_named", lambda _: FOLDER)
    assert main(["--streets", "turn+river", "--sizes", "off-tree", "--hands", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (found["streets"], found["sizes"], found["hands"]) == ("turn+river", "off-tree", 4)
    assert found["mbb_per_hand"] == 750.0
    assert main(["--hands", "2"]) == 0
    assert "750.0 ±" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    ["--hands 0", "--streets flop", "--sizes huge", "--stack-bb 0", "--hero tag", "--processes 0"],
)
def test_impossible_measurements_are_refused(options: str) -> None:
    with pytest.raises(SystemExit) as refused:
        main(options.split())
    assert refused.value.code == 2
