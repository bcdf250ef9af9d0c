"""Results of merged players are on one line, whatever comes first, on SQLite and PostgreSQL."""

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.common.eventlog.outbox import to_microseconds
from services.common.eventlog.port import Event
from services.ledger import posting
from services.ledger.days import day_of
from services.ledger.leaderboard import Row, Scope, Section, read_page, read_row
from services.ledger.matches import RejectedError
from services.ledger.rebuild import rebuild_boards
from services.ledger.schema import (
    BALANCES,
    MERGES,
    PLAYER_DAYS,
    PLAYERS,
    RANK_COUNTS,
    STANDINGS,
)
from services.ledger.statement import read_statement
from services.ledger.workspace import Outcome
from tests.support.ledgers import (
    START,
    Script,
    apply_all,
    merged,
    named,
    person,
    run_audit,
    whole_match,
    wrap,
)

BOARD = Scope("hu_river")
TODAY = day_of(to_microseconds(START))
SHOWN = (STANDINGS, PLAYER_DAYS, RANK_COUNTS, PLAYERS)


def line(ledger: Engine, player_id: str, scope: Scope = BOARD) -> Row | None:
    with reading(ledger) as connection:
        return read_row(connection, scope, player_id)


def hands_and_net(ledger: Engine, player_id: str, scope: Scope = BOARD) -> tuple[int, int] | None:
    row = line(ledger, player_id, scope)
    return None if row is None else (row.tally.hands, row.tally.net_chips)


def shown(ledger: Engine) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows that people are shown something of."""
    with reading(ledger) as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in SHOWN
        }


def sound(ledger: Engine) -> bool:
    return run_audit(ledger, today=TODAY).findings == []


def scripts() -> list[list[Event]]:
    """Return events that may come in any order among each other: two matches, names, a merge."""
    return [
        whole_match("guest", [100, -30], version="r1"),
        whole_match("ana", [7], kind=pb.PARTICIPANT_KIND_ACCOUNT, version="r2"),
        [merged("guest", "ana", START + timedelta(hours=1))],
        [named(person("ana", "Ana B", 2), time=START + timedelta(hours=2))],
    ]


def test_a_merge_adds_the_guest_s_results_to_the_account_s_line(ledger: Engine) -> None:
    apply_all(ledger, list(itertools.chain(*scripts())), TODAY)
    assert hands_and_net(ledger, "ana") == (3, 77)
    assert hands_and_net(ledger, "guest") is None
    with reading(ledger) as connection:
        page = read_page(connection, BOARD, Section.QUALIFYING, 10, None)
    assert [(row.player_id, row.display_name) for row in page.rows] == [("ana", "Ana B")]
    for version, expected in (("r1", (2, 70)), ("r2", (1, 7))):
        assert hands_and_net(ledger, "ana", Scope("hu_river", version=version)) == expected
    assert hands_and_net(ledger, "ana", Scope("hu_river", "30d")) == (3, 77)
    assert sound(ledger)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_a_merge_counts_the_same_before_and_after_the_hands(
    ledger: Engine, order: Sequence[int]
) -> None:
    for place in order:
        apply_all(ledger, scripts()[place], TODAY)
    assert hands_and_net(ledger, "ana") == (3, 77)
    row = line(ledger, "ana")
    assert row is not None
    assert row.display_name == "Ana B"
    assert sound(ledger)


def test_events_of_a_match_and_a_merge_interleave_in_any_way(ledger: Engine) -> None:
    events = whole_match("guest", [100, -30])
    for place in range(len(events) + 1):
        guest, account = f"guest{place}", f"ana{place}"
        told = whole_match(guest, [100, -30])
        for event in [*told[:place], merged(guest, account), *told[place:]]:
            apply_all(ledger, [event], TODAY)
        assert hands_and_net(ledger, account) == (2, 70)
    assert sound(ledger)


def test_chains_of_merges_end_on_one_line_in_every_order(ledger: Engine) -> None:
    names = "abcd"
    for turn, order in enumerate(itertools.permutations(range(3))):
        ids = [f"{name}{turn}" for name in names]
        links = [merged(one, other) for one, other in itertools.pairwise(ids)]
        matches = [whole_match(who, [10 * (n + 1)]) for n, who in enumerate(ids)]
        for number, place in enumerate(order):
            apply_all(ledger, matches[number], TODAY)
            apply_all(ledger, [links[place]], TODAY)
        apply_all(ledger, matches[3], TODAY)
        assert hands_and_net(ledger, ids[3]) == (4, 100)
        assert [hands_and_net(ledger, who) for who in ids[:3]] == [None] * 3
    assert sound(ledger)


def test_a_chain_and_its_hands_in_one_batch_end_on_one_line(ledger: Engine) -> None:
    ids = ["a", "b", "c"]
    events = [*whole_match("a", [1]), merged("b", "c"), merged("a", "b"), *whole_match("b", [20])]
    apply_all(ledger, [*events, *whole_match("c", [300])], TODAY)
    assert [hands_and_net(ledger, who) for who in ids] == [None, None, (3, 321)]
    assert sound(ledger)


def test_a_merge_of_ranked_players_keeps_ranks_and_counts_right(ledger: Engine) -> None:
    for player_id, net in (("guest", 2), ("ana", 4), ("ben", 3)):
        apply_all(ledger, whole_match(player_id, [net] * 500), TODAY)
    apply_all(ledger, [merged("guest", "ana")], TODAY)
    with reading(ledger) as connection:
        page = read_page(connection, BOARD, Section.RANKED, 10, None)
    # (2 + 4) / 2 ties with 3 exactly.
    assert [(row.rank, row.player_id) for row in page.rows] == [(1, "ana"), (1, "ben")]
    assert sound(ledger)


def test_the_order_of_everything_changes_no_number(ledger: Engine) -> None:
    """The same streams shuffled into each other, with duplicates, leave the same rows."""
    streams = [*scripts(), whole_match("late", [5]), [merged("late", "guest")]]
    apply_all(ledger, list(itertools.chain(*streams)), TODAY)
    expected = shown(ledger)
    for seed in range(3):
        _forget_everything(ledger)
        chance, left = random.Random(seed), [list(stream) for stream in streams]
        seen: list[Event] = []
        while any(left):
            stream = chance.choice([stream for stream in left if stream])
            seen.append(stream.pop(0))
            apply_all(ledger, [seen[-1], chance.choice(seen)], TODAY)
        assert shown(ledger) == expected
        assert sound(ledger)


def _forget_everything(ledger: Engine) -> None:
    from services.ledger.schema import METADATA

    with ledger.begin() as connection:
        for table in reversed(METADATA.sorted_tables):
            keep = table.c.account == "bank" if table is BALANCES else sa.false()
            connection.execute(sa.delete(table).where(sa.not_(keep)))
        bank = sa.update(BALANCES).where(BALANCES.c.account == "bank")
        connection.execute(bank.values(chips=0))


def test_a_rebuild_makes_the_lines_of_merged_players_again(ledger: Engine) -> None:
    links = [merged("late", "guest"), *whole_match("late", [5])]
    apply_all(ledger, [*itertools.chain(*scripts()), *links], TODAY)
    before = shown(ledger)
    with ledger.begin() as connection:
        connection.execute(sa.update(PLAYERS).values(owner_id=None))
        rebuild_boards(connection, TODAY)
    assert shown(ledger) == before


def test_a_merge_told_again_is_a_duplicate_and_another_one_a_contradiction(
    ledger: Engine,
) -> None:
    merge = merged("guest", "ana")
    assert apply_all(ledger, [merge, merge]) == [Outcome.APPLIED, Outcome.DUPLICATE]
    assert apply_all(ledger, [merge]) == [Outcome.DUPLICATE]
    for event, reason in (
        (merged("guest", "ben"), "event_conflict"),
        (replace(merged("guest", "ben"), event_id="other"), "already_merged"),
        (merged("ana", "guest"), "merge_in_circle"),
        (merged("ana", "ana"), "merge_in_circle"),
    ):
        with pytest.raises(RejectedError) as refused:
            apply_all(ledger, [event])
        assert refused.value.reason == reason
    with reading(ledger) as connection:
        rows = connection.execute(sa.select(MERGES.c.player_id, MERGES.c.into_id)).all()
    assert [tuple(row) for row in rows] == [("guest", "ana")]
    assert sound(ledger)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (pb.PlayerMerged(player=person("g"), into=person("a", "x" * 41)), "invalid_player"),
        (pb.PlayerMerged(player=person("g")), "invalid_player"),
        (pb.PlayerMerged(player=person("g", revision=-1), into=person("a")), "invalid_player"),
        (
            pb.PlayerMerged(player=person("g"), into=person("a", kind=pb.PARTICIPANT_KIND_BOT)),
            "invalid_merge",
        ),
        (pb.PlayerMerged(into=person("a")), "wrong_key"),
        (pb.PlayerNamed(player=person("other")), "wrong_key"),
        (pb.PlayerNamed(player=person("g", "a\0b")), "invalid_player"),
        (pb.PlayerNamed(player=person("g", kind=pb.PARTICIPANT_KIND_HOUSE)), "invalid_player"),
        (
            pb.PlayerNamed(player=person("g", kind=pb.PARTICIPANT_KIND_UNSPECIFIED)),
            "invalid_player",
        ),
    ],
)
def test_an_event_about_a_player_that_cannot_be_true_changes_nothing(
    ledger: Engine, message: pb.PlayerMerged | pb.PlayerNamed, reason: str
) -> None:
    is_merge = isinstance(message, pb.PlayerMerged)
    kind = posting.PLAYER_MERGED if is_merge else posting.PLAYER_NAMED
    before = shown(ledger)
    with pytest.raises(RejectedError) as refused:
        apply_all(ledger, [wrap(kind, "g", message, START)])
    assert refused.value.reason == reason
    assert shown(ledger) == before


def test_a_name_follows_the_count_of_its_changes_whatever_the_clock_says(ledger: Engine) -> None:
    late, later = START + timedelta(hours=5), START + timedelta(hours=9)
    script = Script("m1", "otter", "Old", start=later, name_revision=1)
    script.sit_down()
    script.hand(5)
    script.settled()
    # The renaming gateway's clock is behind that of the one which began the match.
    new = named(person("otter", "New", 2, pb.PARTICIPANT_KIND_GUEST), time=late)
    apply_all(ledger, [new, *script.events], TODAY)
    row = line(ledger, "otter")
    assert row is not None
    assert row.display_name == "New"
    assert run_audit(ledger).findings == []


def test_an_erased_name_never_comes_back(ledger: Engine) -> None:
    gone = named(person("otter", "Former player", 3, pb.PARTICIPANT_KIND_GUEST), erased=True)
    renamed = named(person("otter", "Lutra", 2, pb.PARTICIPANT_KIND_GUEST))
    for events in ([gone], [renamed], whole_match("otter", [5])):
        apply_all(ledger, events, TODAY)
    row = line(ledger, "otter")
    assert row is not None
    assert row.display_name == "Former player"
    assert sound(ledger)


def test_a_merge_moves_no_chip_and_a_statement_shows_both(ledger: Engine) -> None:
    open_match = Script("m2", "guest", "Guest").sit_down()
    apply_all(ledger, [*whole_match("ana", [7]), *open_match.events], TODAY)
    with reading(ledger) as connection:
        chips = connection.execute(sa.select(BALANCES).order_by(BALANCES.c.account)).all()
    apply_all(ledger, [merged("guest", "ana")], TODAY)
    with reading(ledger) as connection:
        again = connection.execute(sa.select(BALANCES).order_by(BALANCES.c.account)).all()
        statement = read_statement(connection, "ana", 100, None)
    assert again == chips
    assert statement.closing_chips == 10_000
    assert {entry.match_id for entry in statement.entries} == {"m-ana", "m2"}


def test_a_void_hand_counts_for_the_version_of_river_that_it_names(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(10, bot_version="r1")
    script.voided("r1")
    script.voided("r2")
    script.voided()
    script.settled()
    apply_all(ledger, script.events, TODAY)
    void = {}
    for version in ("", "r1"):
        row = line(ledger, "otter", Scope("hu_river", version=version))
        assert row is not None
        void[version] = row.tally.void_hands
    assert void == {"": 3, "r1": 1}
    assert line(ledger, "otter", Scope("hu_river", version="r2")) is None
    assert sound(ledger)
