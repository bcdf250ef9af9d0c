"""The consumer counts every event exactly once, whatever fails around it."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError

from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.common.eventlog import outbox
from services.common.eventlog.embedded import EmbeddedSource
from services.common.eventlog.port import Delivery, EventLogError, Record, Undecodable
from services.ledger import posting
from services.ledger.consumer import Consumer, HaltedError
from services.ledger.leaderboard import Scope, read_row
from services.ledger.metrics import Metrics
from services.ledger.progress import forgive, load_offset
from services.ledger.schema import BALANCES, DEAD_LETTERS, EVENTS, POSITIONS
from services.ledger.store import save
from services.ledger.workspace import Workspace
from tests.support.ledgers import START, Script, run_audit, whole_match, wrap
from tests.support.list_logs import ListDeadLetters, ListSource, drain

EVENTS_TOTAL = "riverboat_ledger_events_total"
LETTERS_TOTAL = "riverboat_ledger_dead_letters_total"
FAILURES_TOTAL = "riverboat_ledger_consumer_failures_total"


def chips(engine: Engine) -> dict[str, int]:
    with reading(engine) as connection:
        rows = connection.execute(sa.select(BALANCES.c.account, BALANCES.c.chips))
        return {row.account: row.chips for row in rows}


def letters(engine: Engine) -> list[tuple[int, str]]:
    with reading(engine) as connection:
        query = sa.select(DEAD_LETTERS).order_by(DEAD_LETTERS.c.letter_no)
        return [(row.offset, row.reason) for row in connection.execute(query)]


def event_count(engine: Engine) -> int:
    with reading(engine) as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(EVENTS)).scalar_one())


def test_events_are_applied_and_the_position_is_kept(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100)
    source = ListSource(script.events)
    drain(Consumer(ledger, source))
    assert chips(ledger)["stack:m1:otter"] == 10_100
    assert source.committed == 4
    with reading(ledger) as connection:
        assert load_offset(connection, "list", "0") == 3


def test_dying_between_the_transaction_and_the_commit_counts_once(ledger: Engine) -> None:
    script = Script().sit_down()
    script.hand(100)
    source = ListSource(script.events)
    source.commit_fails = True
    with pytest.raises(EventLogError):
        Consumer(ledger, source).run_once(0)
    before = chips(ledger)
    # The next process starts where the log believes that we are: at the beginning.
    metrics = Metrics()
    drain(Consumer(ledger, ListSource(script.events), metrics=metrics))
    assert chips(ledger) == before
    assert metrics.registry.get_sample_value(EVENTS_TOTAL, {"outcome": "duplicate"}) == 4
    assert run_audit(ledger).findings == []


def test_dying_inside_the_transaction_changes_nothing(
    ledger: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ListSource(whole_match("otter", [100, -50]))

    def fail(connection: Connection, workspace: Workspace) -> None:
        save(connection, workspace)
        raise OperationalError("COMMIT", {}, Exception("connection lost"))

    monkeypatch.setattr("services.ledger.batch.save", fail)
    with pytest.raises(OperationalError):
        Consumer(ledger, source).run_once(0)
    assert (event_count(ledger), source.working) == (0, 0)
    monkeypatch.undo()
    drain(Consumer(ledger, source))
    assert event_count(ledger) == 7
    assert run_audit(ledger).findings == []


def test_events_delivered_twice_in_one_batch_count_once(ledger: Engine) -> None:
    events = whole_match("otter", [100, -50])
    drain(Consumer(ledger, ListSource([*events[:4], *events[:4], *events, *events])))
    assert event_count(ledger) == 7
    assert letters(ledger) == []
    assert run_audit(ledger).findings == []


def test_poison_goes_to_the_dead_letters_and_the_rest_goes_on(ledger: Engine) -> None:
    script = Script().sit_down()
    good = script.hand(100)
    conflict = replace(good, value=script.hand_message(5).SerializeToString())
    unreadable = Undecodable("KeyError: 'ce_id'", b"k", b"v")
    stranger = Script("m9").sit_down().hand(100)
    after = script.events[-1:]
    records: list[Record] = [*script.events, unreadable, conflict, stranger, *after]
    dead = ListDeadLetters()
    metrics = Metrics()
    source = ListSource(records)
    drain(Consumer(ledger, source, dead_letters=dead, metrics=metrics))
    expected = [(4, "not_an_event"), (5, "event_conflict"), (6, "unknown_match")]
    assert letters(ledger) == dead.buried == expected
    assert metrics.registry.get_sample_value(LETTERS_TOTAL, {"reason": "event_conflict"}) == 1
    assert source.committed == 8
    assert chips(ledger)["stack:m1:otter"] == 10_100
    assert run_audit(ledger).findings == []


Fault = Callable[[pb.HandSettled], object]


def _changed(name: str, value: object) -> Fault:
    return lambda message: setattr(message, name, value)


POISON: dict[str, tuple[Fault, str]] = {
    "a jump in the numbers": (_changed("hand_no", 9_999), "hand_missing"),
    "a number that was there": (_changed("hand_no", 1), "hand_out_of_order"),
    "another ruleset": (_changed("ruleset_id", "practice"), "wrong_ruleset"),
    "another big blind": (_changed("big_blind_chips", 200), "wrong_big_blind"),
    "no result": (lambda message: message.ClearField("results"), "invalid_results"),
    "a single result": (lambda message: message.results.pop(), "invalid_results"),
}


@pytest.mark.parametrize("what", POISON)
def test_poison_is_refused_for_its_own_reason_and_the_match_goes_on(
    ledger: Engine, what: str
) -> None:
    fault, reason = POISON[what]
    script = Script().sit_down()
    script.hand(100)
    message = script.hand_message(50)
    message.hand_id, script.hand_no = "poison", 1  # the real second hand is still to come
    fault(message)
    poisoned = wrap(posting.HAND_SETTLED, "m1", message, START)
    before = list(script.events)
    script.hand(-30)
    script.hand(40)
    script.settled()
    drain(Consumer(ledger, ListSource([*before, poisoned, *script.events[len(before) :]])))
    assert letters(ledger) == [(len(before), reason)]
    assert run_audit(ledger).findings == []
    with reading(ledger) as connection:
        row = read_row(connection, Scope("hu_river"), "otter")
    assert row is not None
    assert (row.tally.hands, row.tally.net_chips) == (3, 110)


@pytest.mark.parametrize(
    "spoil",
    [{"event_id": ""}, {"key": "a\nb"}, {"time_us": 9 * 10**18}, {"time_us": -9 * 10**18}],
    ids=["no id", "line break in the key", "after all times", "before all times"],
)
def test_corrupt_rows_of_the_outbox_are_dead_letters_and_count_to_the_halt(
    ledger: Engine, spoil: dict[str, object]
) -> None:
    """The ledger's own database plays the producer's too."""
    script = Script().sit_down()
    with ledger.begin() as connection:
        outbox.create_tables(connection)
        outbox.append(connection, [*script.events, script.hand(100)])
    for n, place in enumerate((2, 4)):
        # Ids differ also where they are none.
        values = {**spoil, **({"event_id": "\n" * n} if "event_id" in spoil else {})}
        with ledger.begin() as connection:
            at = outbox.OUTBOX.c.position == place
            connection.execute(sa.update(outbox.OUTBOX).where(at).values(values))
    drain(Consumer(ledger, EmbeddedSource(ledger, 0)))
    assert letters(ledger) == [(2, "not_an_event"), (4, "not_an_event")]
    (column,) = spoil
    with reading(ledger) as connection:
        details = connection.execute(sa.select(DEAD_LETTERS.c.detail)).scalars().all()
    assert all(column in detail for detail in details)
    with ledger.begin() as connection:
        connection.execute(sa.delete(DEAD_LETTERS))
        connection.execute(sa.delete(POSITIONS))
        poisoned = sa.update(outbox.OUTBOX).where(outbox.OUTBOX.c.position != 2)
        connection.execute(poisoned.values(source=""))
    with pytest.raises(HaltedError, match="not_an_event"):
        Consumer(ledger, EmbeddedSource(ledger, 0), poison_limit=3).run_once(0)
    assert [offset for offset, _ in letters(ledger)] == [1, 2, 3]


def test_a_dead_letter_delivered_again_is_not_buried_again(ledger: Engine) -> None:
    records = [Undecodable("broken", b"k", b"v")]
    for _ in range(3):
        drain(Consumer(ledger, ListSource(records), poison_limit=1))
    assert letters(ledger) == [(0, "not_an_event")]


def test_a_dead_letter_that_comes_from_another_place_is_not_buried_again(ledger: Engine) -> None:
    """A relay that dies sends its batch again: what was refused is in the topic twice."""
    refused = Script("nowhere").sit_down().hand(5)
    named = (("ce_id", b"e-broken"), ("ce_type", b"\xff"))
    damaged = Undecodable("broken", b"k", b"v", named)
    dead = ListDeadLetters()
    source = ListSource([refused, damaged, refused, damaged, refused])
    drain(Consumer(ledger, source, dead_letters=dead, poison_limit=2))
    assert letters(ledger) == [(0, "unknown_match"), (1, "not_an_event")]
    assert dead.buried == letters(ledger)


def test_records_that_differ_are_dead_letters_each(ledger: Engine) -> None:
    refused = Script("nowhere").sit_down().hand(5)
    other = replace(refused, value=refused.value + b"\x10\x09")
    nameless = Undecodable("broken", b"k", b"v")
    drain(Consumer(ledger, ListSource([refused, other, nameless, nameless])))
    assert [offset for offset, _ in letters(ledger)] == [0, 1, 2, 3]


def test_while_dead_letters_cannot_be_kept_nothing_moves(ledger: Engine) -> None:
    dead = ListDeadLetters()
    dead.away = True
    script = Script().sit_down()
    source = ListSource([*script.events, Undecodable("broken", b"k", b"v")])
    consumer = Consumer(ledger, source, dead_letters=dead)
    with pytest.raises(EventLogError):
        consumer.run_once(0)
    assert (event_count(ledger), letters(ledger), source.committed) == (0, [], 0)
    dead.away = False
    drain(consumer)
    assert (event_count(ledger), letters(ledger)) == (3, [(3, "not_an_event")])


def poison(count: int) -> list[Record]:
    return [Undecodable("broken", b"k", b"v") for _ in range(count)]


def test_too_many_dead_letters_in_a_row_halt_the_consumer(ledger: Engine) -> None:
    script = Script().sit_down()
    metrics = Metrics()
    source = ListSource([*script.events, *poison(5)])
    with pytest.raises(HaltedError, match="3 dead letters"):
        Consumer(ledger, source, poison_limit=3, metrics=metrics).run_once(0)
    assert [offset for offset, _ in letters(ledger)] == [3, 4, 5]
    assert event_count(ledger) == 3  # what came before is stored
    assert metrics.registry.get_sample_value("riverboat_ledger_halted") == 1


def test_a_halted_consumer_halts_again_instead_of_draining_the_log(ledger: Engine) -> None:
    records = poison(30)
    for _ in range(4):
        with pytest.raises(HaltedError):
            Consumer(ledger, ListSource(records), poison_limit=3).run_once(0)
    with reading(ledger) as connection:
        position = load_offset(connection, "list", "0")
    with pytest.raises(HaltedError):
        Consumer(ledger, ListSource(records, position + 1), poison_limit=3).run_once(0)
    assert len(letters(ledger)) == 3


def test_a_halted_consumer_goes_on_when_the_dead_letters_are_forgiven(ledger: Engine) -> None:
    script = Script().sit_down()
    records: list[Record] = [*poison(4), *script.events]
    with pytest.raises(HaltedError):
        Consumer(ledger, ListSource(records), poison_limit=3).run_once(0)
    with ledger.begin() as connection:
        expected = {"log": "list", "partition": "0", "offset": 2, "dead_letters": 3}
        assert forgive(connection) == [expected]
        assert forgive(connection) == []
    drain(Consumer(ledger, ListSource(records, 3), poison_limit=3))
    assert (event_count(ledger), len(letters(ledger))) == (3, 4)


def test_a_version_that_accepts_the_next_record_goes_on(ledger: Engine) -> None:
    script = Script().sit_down()
    records: list[Record] = poison(4)
    with pytest.raises(HaltedError):
        Consumer(ledger, ListSource(records), poison_limit=3).run_once(0)
    # The fourth record turns out well, and the count begins again.
    fixed = [*records[:3], *script.events, *poison(3)]
    drain(Consumer(ledger, ListSource(fixed), poison_limit=3))
    assert event_count(ledger) == 3
    assert len(letters(ledger)) == 6


def test_good_events_between_keep_the_consumer_going(ledger: Engine) -> None:
    events = whole_match("otter", [1] * 8)
    records = [record for event in events for record in (*poison(2), event)]
    drain(Consumer(ledger, ListSource(records), poison_limit=3))
    assert event_count(ledger) == len(events)
    assert len(letters(ledger)) == 2 * len(events)


def test_run_waits_out_an_outage_and_stops_when_told(ledger: Engine) -> None:
    stop = threading.Event()
    events = whole_match("otter", [100])

    class FlakySource(ListSource):
        failures = 3

        def poll(self, limit: int, timeout_seconds: float) -> Sequence[Delivery]:
            if self.failures:
                self.failures -= 1
                raise EventLogError("away")
            deliveries = super().poll(limit, timeout_seconds)
            if not deliveries:
                stop.set()
            return deliveries

    metrics = Metrics()
    Consumer(ledger, FlakySource(events), metrics=metrics).run(stop)
    assert event_count(ledger) == len(events)
    assert metrics.registry.get_sample_value(FAILURES_TOTAL) == 3


def test_two_consumers_of_the_same_events_count_them_once(ledger: Engine) -> None:
    """After a rebalance the old owner may still be busy with what the new one gets."""
    events = [e for n in range(6) for e in whole_match(f"p{n}", [10, -20, 5])]
    stop, faults = threading.Event(), []

    def consume() -> None:
        source = ListSource(events)
        consumer = Consumer(ledger, source)
        thread_stop = threading.Event()

        def until_drained(limit: int, timeout_seconds: float) -> Sequence[Delivery]:
            deliveries = ListSource.poll(source, min(limit, 7), timeout_seconds)
            if not deliveries or stop.is_set():
                thread_stop.set()
            return deliveries

        source.poll = until_drained  # type: ignore[method-assign]
        try:
            consumer.run(thread_stop)
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=consume) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stop.set()
    assert faults == []
    assert event_count(ledger) == len(events)
    assert letters(ledger) == []
    assert run_audit(ledger).findings == []


def test_positions_of_partitions_are_kept_apart(ledger: Engine) -> None:
    events = whole_match("otter", [1])

    class TwoPartitions(ListSource):
        def poll(self, limit: int, timeout_seconds: float) -> Sequence[Delivery]:
            found = super().poll(limit, timeout_seconds)
            return [replace(d, partition=str(d.offset // 100)) for d in found]

    source = TwoPartitions([*events, *poison(1) * 100])
    with pytest.raises(HaltedError):
        Consumer(ledger, source, poison_limit=2).run_once(0)
    with reading(ledger) as connection:
        rows = connection.execute(sa.select(POSITIONS.c.partition, POSITIONS.c.poison_run)).all()
    assert [(row.partition, row.poison_run) for row in rows] == [("0", 2)]
