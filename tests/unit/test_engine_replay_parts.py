"""The parts of the replay: decks, probes, buttons, reading, and a table that cheats."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from pydantic import BaseModel

from poker.actions import Action, ActionKind
from poker.cards import DECK, Card, parse_cards
from poker.errors import IllegalActionError, PokerError, Reason
from poker.hand import Hand
from poker.setup import HandRules, HandSetup, SeatStack
from services.engine.replay.buttons import Buttons, next_hand
from services.engine.replay.dealing import deck_for
from services.engine.replay.play import Played, RecordedAction, play
from services.engine.replay.probes import illegal_probe
from services.engine.replay.reading import UnreadableError, read_records
from services.engine.replay.tables import (
    LocalTable,
    RefusalChangedHandError,
    Step,
    Table,
)
from tests.support.strategies import hands_in_play, players_rng

SEATS = (2, 5, 9)


def setup_of(holes: dict[int, tuple[Card, ...]], board: str = "") -> HandSetup:
    return HandSetup(
        hand_id="probed",
        rules=HandRules(50, 100),
        seats=tuple(SeatStack(seat, 10_000) for seat in SEATS),
        button=5,
        deck=deck_for(SEATS, 5, holes, parse_cards(board)),
    )


def test_the_deck_deals_what_was_recorded_and_unused_cards_elsewhere() -> None:
    holes = {2: parse_cards("AsAh"), 9: parse_cards("KdKc")}
    hand = Hand(setup_of(holes, "QsJsTs9s"))
    dealt = {seat.seat: seat.hole_cards for seat in hand.snapshot().seats}
    assert dealt[2] == parse_cards("AsAh")
    assert dealt[9] == parse_cards("KdKc")
    assert hand.setup.deck[6:10] == parse_cards("QsJsTs9s")
    assert sorted(hand.setup.deck) == list(DECK)


def test_a_card_recorded_twice_is_left_for_the_rules_to_refuse() -> None:
    setup = setup_of({2: parse_cards("AsAh"), 9: parse_cards("AsKc")})
    with pytest.raises(PokerError, match="duplicate_card"):
        Hand(setup)


@given(hands_in_play(), players_rng())
def test_every_probe_is_refused_for_one_of_its_reasons(hand: Hand, rng: Random) -> None:
    assert hand.legal is not None
    seats = [seat.seat for seat in hand.setup.seats]
    for _ in range(8):
        probe = illegal_probe(hand.legal, seats, rng)
        with pytest.raises(PokerError) as refusal:
            hand.act(probe.action)
        assert refusal.value.reason in probe.reasons


def test_probes_come_in_every_kind() -> None:
    hand = Hand(setup_of({}))
    assert hand.legal is not None
    reasons = {
        reason
        for seed in range(300)
        for reason in illegal_probe(hand.legal, SEATS, Random(seed)).reasons
    }
    assert reasons == {
        Reason.MUST_CALL_OR_FOLD,
        Reason.ABOVE_STACK,
        Reason.BELOW_MINIMUM,
        Reason.BET_ALREADY_MADE,
        Reason.NOT_YOUR_TURN,
        Reason.UNKNOWN_SEAT,
        Reason.INVALID_AMOUNT,
    }


class CheatingTable:
    """A table whose answer to an illegal action is wrong in a way of its own."""

    def __init__(self, table: Table, step: Step, failure: Exception | None) -> None:
        self._table = table
        self._step = step
        self._failure = failure

    async def act(self, action: Action) -> Step:
        return await self._table.act(action)

    async def try_out(self, _action: Action) -> Step:
        if self._failure is not None:
            raise self._failure
        return self._step


def played_at_cheating_table(failure: Exception | None) -> Played:
    async def open_table(setup: HandSetup) -> tuple[Table, Step]:
        table, step = await LocalTable.open(setup)
        return CheatingTable(table, step, failure), step

    return asyncio.run(play(open_table, setup_of({}), [RecordedAction(Action(5, ActionKind.CALL))]))


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (None, "was accepted"),
        (IllegalActionError(Reason.HAND_OVER), "refused for hand_over"),
        (RefusalChangedHandError(), "changed the hand"),
    ],
)
def test_a_table_that_mishandles_illegal_actions_is_found_out(
    failure: Exception | None, message: str
) -> None:
    problems = played_at_cheating_table(failure).problems
    assert len(problems) == 2  # one probe before the call, one after it
    assert all(message in problem for problem in problems)


@pytest.mark.parametrize(
    ("in_play", "before", "after"),
    [
        ((1, 2, 3, 4), Buttons(1, 2, 3), Buttons(2, 3, 4)),
        ((1, 2, 4), Buttons(1, 2, 3), Buttons(2, None, 4)),
        ((1, 2, 4), Buttons(2, None, 4), Buttons(3, 4, 1)),
        ((1, 3, 4), Buttons(1, 2, 3), Buttons(2, 3, 4)),
        ((2, 3), Buttons(1, 2, 3), Buttons(3, 3, 2)),
        ((1, 2), Buttons(1, 1, 2), Buttons(2, 2, 1)),
    ],
    ids=[
        "all stay",
        "big blind left",
        "button on an empty seat",
        "small blind left",
        "three to two",
        "heads-up",
    ],
)
def test_the_dead_button(in_play: Sequence[int], before: Buttons, after: Buttons) -> None:
    assert next_hand(4, in_play, before) == after


class Line(BaseModel):
    number: int


def test_reading_reports_every_byte_once(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"number": 1}\n\n{"number": 2}')
    heard: list[int] = []
    assert [line.number for line in read_records(path, Line, heard.append)] == [1, 2]
    assert sum(heard) == path.stat().st_size


def test_reading_stops_at_the_first_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"number": 1}\n{"number": "x"}\n{"number": 3}\n')
    lines = read_records(path, Line)
    assert next(lines).number == 1
    with pytest.raises(UnreadableError, match=r"lines\.jsonl:2: number: "):
        next(lines)
