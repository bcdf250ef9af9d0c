"""Checks a hand-made case: plays it and compares whatever it states."""

from collections.abc import Iterable, Sequence

from poker.actions import ActionKind, Legal
from poker.errors import PokerError
from poker.events import ActionTaken, BetReturned, BlindsPosted, Pot
from poker.pots import pot_layers
from poker.ranking import rank
from poker.showdown import award
from services.engine.replay.buttons import Buttons, next_hand
from services.engine.replay.outcome import last_pots
from services.engine.replay.play import Played, play
from services.engine.replay.scenarios import (
    Expected,
    ExpectedTurn,
    Scenario,
    actions_of,
    setup_of,
)
from services.engine.replay.tables import OpenTable


async def check_scenario(open_table: OpenTable, scenario: Scenario) -> list[str]:
    """Return what differs from what the case expects, nothing when all agrees."""
    if scenario.prev is not None:
        return _check_buttons(scenario)
    if scenario.committed is not None:
        return _check_pots(scenario, scenario.committed)
    played = await play(open_table, setup_of(scenario), actions_of(scenario))
    if not played.steps:
        return played.problems
    return [
        *played.problems,
        *_check_start(scenario, played),
        *(problem for turn in scenario.expect.legal for problem in _check_turn(turn, played)),
        *_check_end(scenario, played),
    ]


def _check_start(scenario: Scenario, played: Played) -> list[str]:
    problems = []
    expected = scenario.expect
    posts = next(event.posts for event in played.events if isinstance(event, BlindsPosted))
    posted = _by_player(scenario, ((post.seat, post.chips) for post in posts))
    if expected.posts is not None and posted != expected.posts:
        problems.append(f"posts {posted}, expected {expected.posts}")
    first = played.steps[0].legal
    if expected.first_to_act_preflop is not None:
        actor = None if first is None else first.seat - 1
        if actor != expected.first_to_act_preflop:
            problems.append(f"{actor} acts first, expected {expected.first_to_act_preflop}")
    return problems


def _check_turn(turn: ExpectedTurn, played: Played) -> list[str]:
    if turn.after >= len(played.steps):
        return [f"after {turn.after} actions: never reached"]
    legal = played.steps[turn.after].legal
    if legal is None:
        return [f"after {turn.after} actions: nobody is to act"]
    seen = _as_expected(turn.after, legal)
    back = _returned_from_call(played, turn.after, legal.seat)
    # Everyone pays the full price of a short big blind (SPEC ENG-064, ENG-065). A case may
    # state it without the part that nobody can match and that comes straight back.
    if turn in {seen, seen.model_copy(update={"call": seen.call - back})}:
        return []
    return [f"after {turn.after} actions: {seen}, expected {turn}"]


def _returned_from_call(played: Played, after: int, seat: int) -> int:
    """Return the chips that came back at once from the call that follows, if one does."""
    events = played.steps[after + 1].events if after + 1 < len(played.steps) else ()
    called = any(isinstance(e, ActionTaken) and e.kind is ActionKind.CALL for e in events)
    back = (e.chips for e in events if isinstance(e, BetReturned) and e.seat == seat)
    return sum(back) if called else 0


def _as_expected(after: int, legal: Legal) -> ExpectedTurn:
    raises = legal.raises
    return ExpectedTurn(
        after=after,
        seat=legal.seat - 1,
        call=legal.to_call_chips,
        can_check=legal.can_check,
        can_raise=raises is not None,
        min_raise_to=None if raises is None else raises.min_to_chips,
        max_raise_to=None if raises is None else raises.max_to_chips,
    )


def _check_end(scenario: Scenario, played: Played) -> list[str]:
    expected, result = scenario.expect, played.result
    if expected.hand_over is not None and (result is not None) != expected.hand_over:
        return [f"over: {result is not None}, expected {expected.hand_over}"]
    if result is None:
        return ["the hand is not over"] if _speaks_of_the_end(expected) else []
    seats = result.seats
    comparisons = {
        "returned": (_by_player(scenario, result.returned), expected.returned),
        "pots": (_pots_by_player(last_pots(played.events)), expected.pots),
        "won": ([seat.won_chips for seat in seats], expected.won),
        "final": ([seat.stack_chips for seat in seats], expected.final),
    }
    return [
        f"{name} {seen}, expected {wanted}"
        for name, (seen, wanted) in comparisons.items()
        if wanted is not None and seen != wanted
    ]


def _speaks_of_the_end(expected: Expected) -> bool:
    parts = (expected.returned, expected.pots, expected.won, expected.final)
    return any(part is not None for part in parts)


def _check_pots(scenario: Scenario, committed: Sequence[int]) -> list[str]:
    """Split contributions into pots and award them, without a hand around it."""
    folded = scenario.folded or [False] * len(committed)
    try:
        layers = pot_layers(committed, folded)
        pots = [Pot(chips, players) for chips, players in layers]
        strengths = {
            player: rank((*cards, *scenario.board))
            for player, cards in enumerate(scenario.holes)
            if not folded[player]
        }
        winners = [share for result in award(pots, strengths) for share in result.winners]
    except (PokerError, ValueError) as error:
        return [f"pots refused: {error}"]
    won = [sum(chips for seat, chips in winners if seat == player) for player in range(len(folded))]
    seen = [(pot.chips, list(pot.eligible)) for pot in pots]
    expected = scenario.expect
    problems = []
    if expected.pots is not None and seen != expected.pots:
        problems.append(f"pots {seen}, expected {expected.pots}")
    if expected.won is not None and won != expected.won:
        problems.append(f"won {won}, expected {expected.won}")
    return problems


def _check_buttons(scenario: Scenario) -> list[str]:
    """Move the button and blinds on to the next hand."""
    previous, expected = scenario.prev, scenario.expect.next_hand
    if previous is None or expected is None:
        return ["a case between two hands must state both"]
    in_play = [seat for seat, chips in zip(scenario.seats, scenario.stacks, strict=True) if chips]
    small = None if previous.sb_seat is None else previous.sb_seat + 1
    before = Buttons(previous.button + 1, small, previous.bb_seat + 1)
    after = next_hand(scenario.players, in_play, before)
    seen = (after.button - 1, None if after.small is None else after.small - 1, after.big - 1)
    wanted = (expected.button, expected.sb_seat, expected.bb_seat)
    return [] if seen == wanted else [f"button and blinds {seen}, expected {wanted}"]


def _by_player(scenario: Scenario, amounts: Iterable[tuple[int, int]]) -> list[int]:
    by_seat = dict(amounts)
    return [by_seat.get(seat, 0) for seat in scenario.seats]


def _pots_by_player(pots: Iterable[Pot]) -> list[tuple[int, list[int]]]:
    return [(pot.chips, [seat - 1 for seat in pot.eligible]) for pot in pots]
