"""The local best response: what it believes, what it chooses, what it wins."""

import json
from itertools import combinations

import numpy as np
import pytest

from poker.actions import Action, ActionKind
from poker.cards import DECK, Card, parse_cards
from poker.hand import Hand
from poker.ranking import rank
from services.bot.combos import COMBOS, combo_index
from services.bot.lbr import match
from services.bot.lbr.cli import main
from services.bot.lbr.match import Measure, report, seated
from services.bot.lbr.policies import hand_by_hand, range_policy
from services.bot.lbr.ranges import Weights, everything, win_share
from services.bot.lbr.respond import ALL_IN, bets, call, respond
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


def on_the_river(cards: str, *moves: str) -> tuple[Hand, BotView]:
    """A river of 200 chips with 9,900 behind; seat 2 is first to act."""
    hand = table({1: 10_000, 2: 10_000}, button=1, board="2c7h9dTcKh")
    play(hand, "1 call", "2 check", "2 check", "1 check", "2 check", "1 check", *moves)
    return hand, with_cards(view_of(hand), cards)


# --- ranges --------------------------------------------------------------------------------


def brute_share(hole: tuple[Card, ...], weights: Weights, board: tuple[Card, ...]) -> float:
    won = total = 0.0
    for rest in combinations(
        [card for card in DECK if card not in {*hole, *board}], 5 - len(board)
    ):
        for combo in np.flatnonzero(weights):
            other = tuple(DECK[card] for card in COMBOS[combo])
            if not set(other) & set(rest):
                mine, theirs = rank(hole + board + rest), rank(other + board + rest)
                won += weights[combo] * (1.0 if mine > theirs else 0.5 * (mine == theirs))
                total += weights[combo]
    return won / total


@pytest.mark.parametrize("board", ["9h4h2c8d3s", "9h4h2c8d", "9h4h2c"])
def test_the_share_of_a_hand_against_a_range_is_exact(board: str) -> None:
    hole, cards = parse_cards("JhTh"), parse_cards(board)
    weights = weights_of("9s9d", "AhKd", "6h5h") * np.arange(1, len(COMBOS) + 1)
    assert win_share(hole, weights, cards) == pytest.approx(brute_share(hole, weights, cards))


def test_before_the_flop_the_table_of_types_answers() -> None:
    aces = parse_cards("AsAd")
    assert win_share(aces, weights_of("KsKd", "KhKc"), ()) == pytest.approx(0.8195, abs=6e-4)


def test_a_range_without_cards_has_none_of_their_combos() -> None:
    assert everything(parse_cards("AsAd")).sum() == 50 * 49 / 2


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


def choose(strategy: Strategy, cards: str, weights: Weights, *moves: str) -> Action:
    hand, view = on_the_river(cards, *moves)
    return respond(hand, view, weights, (0.5, 1.0, ALL_IN), lambda v: range_policy(strategy, v))


def test_the_sizes_are_shares_of_the_pot_after_a_call() -> None:
    _, free = on_the_river("AsAd")
    assert [a.to_chips for a in bets(free, (0.1, 0.5, 1.0, ALL_IN))] == [100, 200, 9_900]
    _, facing = on_the_river("AsAd", "2 bet 100")
    assert [a.to_chips for a in bets(facing, (0.5, 1.0))] == [300, 500]


def test_a_call_is_worth_the_share_of_the_pot_less_its_price() -> None:
    _, view = on_the_river("AsAd", "2 bet 100")
    # Aces beat queens and lose to kings: half of 400 for 100.
    assert call(view, weights_of("QsQd", "KsKd")).chips == pytest.approx(100.0)
    assert call(view, weights_of("KsKd")).chips == pytest.approx(-100.0)


def test_against_one_who_calls_everything_the_best_hand_bets_everything() -> None:
    assert choose(CALLER, "KsKd", everything(parse_cards("KsKd2c7h9dTcKh"))).to_chips == 9_900


def test_against_one_who_calls_everything_the_worst_hand_gives_up() -> None:
    weights = everything(parse_cards("4s3d2c7h9dTcKh"))
    assert choose(CALLER, "4s3d", weights).kind is CHECK
    assert choose(CALLER, "4s3d", weights, "2 bet 100").kind is FOLD


def test_against_one_who_folds_everything_every_hand_bets() -> None:
    weights = everything(parse_cards("4s3d2c7h9dTcKh"))
    assert choose(FOLDER, "4s3d", weights).kind is BET
    assert choose(FOLDER, "4s3d", weights, "2 bet 100").kind is RAISE


@pytest.mark.parametrize(("fold_share", "kind"), [(0.3, CHECK), (0.4, BET)])
def test_a_bluff_is_chosen_exactly_when_it_pays(fold_share: float, kind: ActionKind) -> None:
    # Half the pot into 200 against a set: fold_share * 200 - (1 - fold_share) * 100 > 0 above 1/3.
    folds = np.full(len(COMBOS), fold_share)
    strategy = Strategy((Habit(CALL, folds),), "sometimes")
    assert choose(strategy, "4s3d", weights_of("TsTd")).kind is kind


# --- playing -------------------------------------------------------------------------------


def played(strategy: Strategy, monkeypatch: pytest.MonkeyPatch, **changes: object) -> list[float]:
    monkeypatch.setattr(match, "strategy_named", lambda _: strategy)
    measure = Measure("river", "river", "in-tree", 20, 1, 100)
    values = list(map(seated(measure), range(measure.hands)))
    assert report(measure, values)["surprises"] == 0
    return [value.bb for value in values]


def test_from_one_who_folds_to_every_bet_it_wins_every_pot(monkeypatch: pytest.MonkeyPatch) -> None:
    # On the button the folder gives up its small blind at once, else its big blind on the river.
    won = played(FOLDER, monkeypatch)
    assert won == [0.5, 1.0] * 10


def test_from_one_who_calls_everything_it_wins_much(monkeypatch: pytest.MonkeyPatch) -> None:
    assert np.mean(played(CALLER, monkeypatch)) > 5.0


def test_it_bets_on_the_turn_only_where_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "strategy_named", lambda _: CALLER)
    hands = {}
    for streets in ("river", "turn+river"):
        measure = Measure("river", streets, "in-tree", 12, 1, 100)
        hands[streets] = [seated(measure)(number).bb for number in range(12)]
    assert hands["river"] != hands["turn+river"]


def test_the_hand_that_was_held_and_the_mean_over_the_range_agree_in_the_long_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match, "strategy_named", lambda _: CALLER)
    measure = Measure("river", "river", "off-tree", 150, 3, 20)
    found = report(measure, list(map(seated(measure), range(measure.hands))))
    numbers = [found[key] for key in ("mbb_per_hand", "raw_mbb_per_hand", "ci95", "raw_ci95")]
    mean, raw, interval, raw_interval = (float(str(number)) for number in numbers)
    assert interval < raw_interval
    assert abs(mean - raw) < 2 * raw_interval


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
