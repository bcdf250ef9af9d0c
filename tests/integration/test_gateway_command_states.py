"""Command by state (SPEC 1.2, state machine): every command in every state, and long walks.

A refused command changes nothing. Two things may happen beside it because they were due
anyway: River's own action, and the end of a match whose time has run out.
"""

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa

from services.common.database import reading
from services.common.eventlog.outbox import OUTBOX
from services.gateway import matches, steps
from services.gateway.model import EndReason, MatchState, Scene
from services.gateway.store import commits, queries
from services.gateway.store.schema import IDEMPOTENCY, METADATA, PREPARED, SESSIONS
from tests.support.gateways import (
    Guest,
    House,
    Json,
    Seat,
    open_house,
    shoving,
    stacked_deck,
    whimsical,
)

DAY = timedelta(hours=24)
SIT_DOWN = {"ruleset": "hu_river", "buy_in": 3_000}
OK = "ok"
ASIDE = (IDEMPOTENCY, SESSIONS, PREPARED)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as house:
        yield house


class Table:
    """A seat with what its player remembers: the last token that was theirs."""

    def __init__(self, house: House, seat: Seat) -> None:
        self.house, self.seat = house, seat
        self.token = seat.order("fold")["turn_token"] if seat.legal else "1-none"

    def stored(self) -> Scene:
        with reading(self.house.sql_engine) as connection:
            scene = queries.load_scene(connection, self.seat.table_id)
        assert scene is not None
        return scene

    def refresh_token(self) -> None:
        scene = self.stored()
        if scene.table.turn_seat == 1:
            self.token = matches.turn_token(scene.table)


# --- the commands ------------------------------------------------------------------------


def act(table: Table) -> tuple[str, Json]:
    scene = table.stored()
    facing = scene.hand.played and scene.table.turn_seat == 1
    kind = "call" if not facing else "fold"
    return table.seat.actions, {"turn_token": table.token, "type": kind}


def act_forged(table: Table) -> tuple[str, Json]:
    return table.seat.actions, {"turn_token": "1-forged", "type": "fold"}


def next_hand(table: Table) -> tuple[str, Json]:
    return table.seat.path("next-hand"), {"after_hand_no": table.stored().match.hand_no}


def next_hand_again(table: Table) -> tuple[str, Json]:
    return table.seat.path("next-hand"), {"after_hand_no": table.stored().match.hand_no + 1}


def top_up(table: Table) -> tuple[str, Json]:
    return table.seat.path("top-up"), {}


def settle(table: Table) -> tuple[str, Json]:
    return table.seat.path("settle"), {}


def sit_down(_: Table) -> tuple[str, Json]:
    return "/v1/matches", SIT_DOWN


def supersede(_: Table) -> tuple[str, Json]:
    return "/v1/matches", {**SIT_DOWN, "supersede": True}


Command = Callable[[Table], tuple[str, Json]]
COMMANDS: Final[tuple[Command, ...]] = (
    act,
    act_forged,
    next_hand,
    next_hand_again,
    top_up,
    settle,
    sit_down,
    supersede,
)


# --- the states --------------------------------------------------------------------------


def my_turn(house: House) -> Seat:
    return house.guest("Ana").sit_down(3_000)


def rivers_turn(house: House) -> Seat:
    """River's action is due: the process died before it was made."""
    seat = my_turn(house)

    async def die() -> None:
        raise KeyboardInterrupt

    house.river.before = die
    with pytest.raises(KeyboardInterrupt):
        house.run(seat.guest.posting(seat.actions, seat.order("call"), "key"))
    house.river.before = None
    return seat


def between(house: House) -> Seat:
    seat = my_turn(house)
    seat.act("fold")
    return seat


def full(house: House) -> Seat:
    seat = between(house)
    seat.do("top-up")
    return seat


def busted(house: House) -> Seat:
    house.dealer.decks = [stacked_deck("KdKc", "AsAh", "2c7d9h3sJc")]
    house.river.choose = shoving
    seat = my_turn(house)
    while seat.legal is not None:
        seat.take_free()
    assert seat.state["match"]["state"] == "busted"
    return seat


def settled(house: House) -> Seat:
    seat = between(house)
    seat.do("settle")
    return seat


def superseded(house: House) -> Seat:
    seat = between(house)
    other = seat.guest.sit_down(3_000, supersede=True)
    other.act("fold")
    other.do("settle")
    return seat


def voided(house: House) -> Seat:
    seat = my_turn(house)
    other = seat.guest.sit_down(3_000, supersede=True)
    other.act("fold")
    other.do("settle")
    return seat


def _late(before: Callable[[House], Seat], *, swept: bool) -> Callable[[House], Seat]:
    def late(house: House) -> Seat:
        seat = before(house)
        house.clock.now += DAY
        if swept:
            house.run(house.gateway.sweeper.sweep())
        return seat

    return late


def _closing(reason: EndReason) -> Callable[[House], Seat]:
    def closing(house: House) -> Seat:
        """A stand-in has taken the seat and not finished the hand."""
        seat = my_turn(house)
        scene = Table(house, seat).stored()
        with house.sql_engine.begin() as connection:
            commits.commit(connection, steps.begin_closing(scene, reason, house.clock.now))
        return seat

    return closing


LATE = "match-expired"
CLOSED = "match-closed"
BUSY = "hand-in-progress"
STALE = "stale-turn"
ACTIVE = "active-match"

# In the order of COMMANDS.
MATRIX: Final[dict[str, tuple[Callable[[House], Seat], tuple[str, ...]]]] = {
    "my turn": (my_turn, (OK, STALE, BUSY, BUSY, BUSY, BUSY, ACTIVE, OK)),
    "river's turn": (rivers_turn, (STALE, "not-your-turn", BUSY, BUSY, BUSY, BUSY, ACTIVE, OK)),
    "between hands": (between, (STALE, STALE, OK, STALE, OK, OK, ACTIVE, OK)),
    "between hands, full": (full, (STALE, STALE, OK, STALE, "not-eligible", OK, ACTIVE, OK)),
    "busted": (
        busted,
        (STALE, STALE, "match-busted", "match-busted", "match-busted", OK, ACTIVE, OK),
    ),
    "settled": (settled, (CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, OK, OK, OK)),
    "superseded": (superseded, (CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, OK, OK)),
    "void": (voided, (CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, OK, OK)),
    "closing, superseded": (
        _closing(EndReason.SUPERSEDED),
        (CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, OK, OK),
    ),
    "closing, expired": (
        _closing(EndReason.EXPIRED),
        (LATE, LATE, LATE, LATE, LATE, LATE, OK, OK),
    ),
    "expired": (_late(between, swept=True), (LATE, LATE, LATE, LATE, LATE, LATE, OK, OK)),
    "void, expired": (_late(my_turn, swept=True), (LATE, LATE, LATE, LATE, LATE, LATE, OK, OK)),
    "late, in hand": (_late(my_turn, swept=False), (LATE, LATE, LATE, LATE, LATE, LATE, OK, OK)),
    "late, between": (_late(between, swept=False), (LATE, LATE, LATE, LATE, LATE, LATE, OK, OK)),
    "late, busted": (_late(busted, swept=False), (LATE, LATE, LATE, LATE, LATE, LATE, OK, OK)),
    "late, river's turn": (
        _late(rivers_turn, swept=False),
        (STALE, "not-your-turn", BUSY, BUSY, BUSY, BUSY, ACTIVE, OK),
    ),
}
CASES = [
    pytest.param(build, command, answer, id=f"{command.__name__} when {name}")
    for name, (build, answers) in MATRIX.items()
    for command, answer in zip(COMMANDS, answers, strict=True)
]


def everything(house: House) -> dict[str, list[Any]]:
    """All that is stored, but for keys, visits, and decks that wait for whoever sits down."""
    tables = [table for table in METADATA.sorted_tables if table not in ASIDE]
    with reading(house.sql_engine) as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(sa.select(table).order_by(*table.primary_key.columns))
            ]
            for table in (*tables, OUTBOX)
        }


def answer_to(guest: Guest, path: str, body: Json) -> str:
    response = guest.house.run(guest.posting(path, body))
    if response.status_code < 300:
        return OK
    assert response.headers["Content-Type"] == "application/problem+json"
    return str(response.json()["type"].rsplit("/", 1)[-1])


@pytest.mark.parametrize(("build", "command", "answer"), CASES)
def test_every_command_in_every_state_has_its_documented_answer(
    house: House, build: Callable[[House], Seat], command: Command, answer: str
) -> None:
    table = Table(house, my := build(house))
    before, scene = everything(house), table.stored()
    late = matches.is_expired(scene.table, scene.match, house.clock.now)
    assert answer_to(my.guest, *command(table)) == answer
    if answer == LATE and late:
        assert not table.stored().match.is_open
    elif answer == ACTIVE and scene.table.turn_seat == 2:
        assert table.stored().hand.played[:1] == scene.hand.played
    elif answer != OK or (command is settle and not scene.match.is_open):
        assert everything(house) == before


def test_the_matrix_knows_every_state_and_every_way_a_match_ends(tmp_path: Path) -> None:
    states, ends = set(), set()
    for number, (build, _) in enumerate(MATRIX.values()):
        with open_house(f"sqlite:///{tmp_path / f'{number}.sqlite3'}") as house:
            match = Table(house, build(house)).stored().match
            states.add(match.state)
            ends.add(match.end_reason)
    assert states == set(MatchState)
    assert ends == {None, *EndReason}


# --- long walks --------------------------------------------------------------------------


def documented(scene: Scene, command: Command, house: House) -> str:
    """What the matrix says about a stored scene, told apart by what distinguishes its rows."""
    match, now = scene.match, house.clock.now
    if matches.is_expired(scene.table, match, now):
        row = "late, in hand"
    elif not match.is_open:
        late = match.settled_at is not None and match.settled_at >= match.kept_until
        row = "expired" if late else {"settled": "settled"}.get(match.end_reason or "", "void")
    elif match.state is MatchState.IN_HAND:
        row = "my turn"
    elif match.state is MatchState.BUSTED:
        row = "busted"
    else:
        row = "between hands, full" if match.stack_chips >= 10_000 else "between hands"
    return MATRIX[row][1][COMMANDS.index(command)]


@pytest.mark.parametrize("seed", range(6))
def test_walks_through_the_states_meet_only_documented_answers(house: House, seed: int) -> None:
    """Whatever was done before, what is asked next is answered as the matrix says."""
    rng = random.Random(seed)
    house.river.choose = whimsical(seed)
    guest = house.guest("Ana")
    table = Table(house, guest.sit_down(3_000))
    for _ in range(40):
        if rng.random() < 0.1:
            house.clock.now += rng.choice([DAY / 2, DAY - timedelta(microseconds=1), DAY])
        if rng.random() < 0.3:
            table.refresh_token()
        command = rng.choice(COMMANDS)
        scene, before = table.stored(), everything(house)
        expected = documented(scene, command, house)
        own_turn = scene.table.turn_seat == 1
        if command is act and expected == OK:
            current = table.token == matches.turn_token(scene.table)
            expected = OK if current and own_turn else STALE
        given = answer_to(guest, *command(table))
        if given == "illegal-action":
            # A whim of the rules, not of the state: a fold where checking is free.
            assert command is act
        else:
            assert given == expected
        late = matches.is_expired(scene.table, scene.match, house.clock.now)
        if given != OK and not late:
            assert everything(house) == before
        if command in {sit_down, supersede} and given == OK:
            sat = guest.get("/v1/matches/current")["match"]
            table.seat.match_id, table.seat.table_id = sat["id"], sat["table_id"]
