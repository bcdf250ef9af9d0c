"""Recorded hands: from a record to a setup and actions, and the outcome compared."""

from poker.actions import Action, ActionKind
from poker.events import BlindsPosted
from poker.setup import HandRules, HandSetup, SeatStack
from poker.snapshot import HandResult
from services.engine.replay.dealing import deck_for
from services.engine.replay.outcome import final_pots, pots_text
from services.engine.replay.play import Played, RecordedAction, play
from services.engine.replay.records import (
    BLIND_POSTS,
    FOLD_IS_FREE_TAG,
    RAISE_NEEDS_NO_CALLER_TAG,
    HandRecord,
)
from services.engine.replay.tables import OpenTable

_SIZED = (ActionKind.BET, ActionKind.RAISE)


async def check_hand(open_table: OpenTable, record: HandRecord) -> list[str]:
    """Replay a hand and return what differs from the record, nothing when all agrees."""
    played = await play(open_table, setup_of(record), actions_of(record))
    problems = [*played.problems]
    if not played.steps:
        return problems
    problems += _blind_problems(record, played)
    if played.result is not None:
        problems += _outcome_problems(record, played, played.result)
    elif not played.problems:
        problems.append("the hand is not over after the last recorded action")
    return problems


def setup_of(record: HandRecord) -> HandSetup:
    """Return the hand as it was before anyone acted, with the options of its site."""
    seats = sorted(record.seats, key=lambda seat: seat.seat)
    numbers = [seat.seat for seat in seats]
    holes = {seat: cards for seat, cards in record.holes.items() if cards is not None}
    return HandSetup(
        hand_id=record.id,
        rules=HandRules(
            small_blind_chips=record.sb,
            big_blind_chips=record.bb,
            allow_fold_when_check_available=FOLD_IS_FREE_TAG in record.tags,
            allow_raise_when_none_can_call=RAISE_NEEDS_NO_CALLER_TAG in record.tags,
        ),
        seats=tuple(SeatStack(seat.seat, seat.stack) for seat in seats),
        button=record.button_seat,
        deck=deck_for(numbers, record.button_seat, holes, record.board),
    )


def actions_of(record: HandRecord) -> list[RecordedAction]:
    """Return the decisions in order, without the blinds."""
    actions = []
    for item in record.actions:
        kind = item.kind
        if kind is not None:
            action = Action(item.seat, kind, item.to if kind in _SIZED else None)
            actions.append(RecordedAction(action, item.street, item.amount, item.to))
    return actions


def _blind_problems(record: HandRecord, played: Played) -> list[str]:
    posted = {
        (post.seat, post.chips)
        for event in played.events
        if isinstance(event, BlindsPosted)
        for post in event.posts
    }
    recorded = {(item.seat, item.amount) for item in record.actions if item.type in BLIND_POSTS}
    problems = []
    if posted != recorded:
        problems.append(f"blinds {sorted(posted)}, recorded {sorted(recorded)}")
    if {seat for seat, _ in posted} != {record.sb_seat, record.bb_seat}:
        problems.append(f"blinds from {sorted(posted)}, not {record.sb_seat} and {record.bb_seat}")
    return problems


def _outcome_problems(record: HandRecord, played: Played, result: HandResult) -> list[str]:
    problems = []
    returned = _add_up(result.returned)
    if returned != _positive(record.returned):
        problems.append(f"returned {returned}, recorded {record.returned}")
    pots = final_pots(played.events, result)
    recorded_pots = [(pot.amount, pot.eligible, sorted(pot.winners)) for pot in record.pots]
    if pots != recorded_pots:
        problems.append(f"pots {pots_text(pots)}, recorded {pots_text(recorded_pots)}")
    problems += _showdown_problems(record, result)
    problems += _money_problems(record, result)
    return problems


def _showdown_problems(record: HandRecord, result: HandResult) -> list[str]:
    shown = sorted(hand.seat for hand in result.shown)
    expected = sorted(record.live_at_end) if len(record.live_at_end) > 1 else []
    return [] if shown == expected else [f"shown by {shown}, recorded {expected}"]


def _money_problems(record: HandRecord, result: HandResult) -> list[str]:
    """Compare winnings and final stacks; rake, if any, came out of the winners' shares.

    Sites spread the rake over several winners differently, so each winner may be short of
    the replayed share by up to the rake, and together they must be short of exactly the rake.
    """
    problems = []
    rake_left = record.rake
    for seat in result.seats:
        winnings = record.winnings.get(seat.seat, 0)
        rake = seat.won_chips - winnings
        rake_left -= rake
        if not 0 <= rake <= record.rake:
            problems.append(f"seat {seat.seat} wins {seat.won_chips}, recorded {winnings}")
        final = record.final_stacks.get(seat.seat)
        if final != seat.stack_chips - rake:
            problems.append(f"seat {seat.seat} ends with {seat.stack_chips - rake}, not {final}")
    if rake_left:
        problems.append(f"rake off by {rake_left}")
    if not {*record.winnings, *record.final_stacks} <= {seat.seat for seat in result.seats}:
        problems.append("chips recorded for a seat that is not in the hand")
    return problems


def _add_up(amounts: tuple[tuple[int, int], ...]) -> dict[int, int]:
    total: dict[int, int] = {}
    for seat, chips in amounts:
        total[seat] = total.get(seat, 0) + chips
    return total


def _positive(amounts: dict[int, int]) -> dict[int, int]:
    return {seat: chips for seat, chips in amounts.items() if chips}
