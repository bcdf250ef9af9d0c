"""Whatever comes, however often and in whatever batches: chips are conserved, counted once."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from proto.events.v1 import events_pb2 as pb
from services.common.eventlog.port import Event
from services.ledger.matches import Match, RejectedError, Status
from services.ledger.workspace import Applied, Outcome, Workspace
from tests.support.ledgers import Script

STEP = st.one_of(
    st.tuples(st.just("hand"), st.integers(-2_000, 2_000)),
    st.tuples(st.just("top_up"), st.integers(1, 5_000)),
    st.tuples(st.just("void"), st.just(0)),
)


@st.composite
def matches(draw: st.DrawFn, number: int) -> list[Event]:
    """Draw the events of one plausible match, settled or not."""
    script = Script(f"m{number}", f"p{number % 2}").sit_down(draw(st.integers(3_000, 10_000)))
    for kind, chips in draw(st.lists(STEP, max_size=8)):
        at_risk = min(script.stacks.values())
        if kind == "hand":
            net = max(-at_risk, min(at_risk, chips))
            script.hand(net, put_in=max(abs(net), min(at_risk, 100)))
        elif kind == "top_up":
            script.bought(chips, "river", pb.CHIP_SOURCE_TOP_UP)
        else:
            script.voided()
    if draw(st.booleans()):
        script.settled()
    return script.events


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[Event], list[Event]]:
    """Draw matches side by side, and a delivery of them with copies and forgeries."""
    queues = [draw(matches(n)) for n in range(draw(st.integers(1, 3)))]
    once: list[Event] = []
    while any(queues):
        queue = draw(st.sampled_from([q for q in queues if q]))
        once.append(queue.pop(0))
    delivered: list[Event] = []
    for event in once:
        delivered.append(event)
        if draw(st.integers(0, 3)) == 0:
            delivered.append(draw(st.sampled_from(delivered)))
        if draw(st.integers(0, 5)) == 0:
            victim = draw(st.sampled_from(delivered))
            delivered.append(replace(victim, value=victim.value + b"\x00"))
    return once, delivered


def run(events: list[Event], sizes: list[int]) -> tuple[dict[str, Match], list[Applied], int]:
    """Apply events in batches; each batch begins with what the ones before it stored."""
    stored: dict[str, Match] = {}
    applied: list[Applied] = []
    refused, start = 0, 0
    while start < len(events):
        size = sizes[start % len(sizes)]
        digests = {entry.event.event_id: entry.digest for entry in applied}
        hands = {
            entry.posting.hand.hand_id: entry.digest for entry in applied if entry.posting.hand
        }
        workspace = Workspace(stored, digests, hands)
        for event in events[start : start + size]:
            try:
                assert workspace.apply(event) in {Outcome.APPLIED, Outcome.DUPLICATE}
            except RejectedError:
                refused += 1
        stored.update(workspace.matches)
        applied += workspace.applied
        start += size
    return stored, applied, refused


@given(streams(), st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_copies_and_forgeries_change_nothing(
    stream: tuple[list[Event], list[Event]], sizes: list[int]
) -> None:
    once, delivered = stream
    expected, expected_applied, refused = run(once, [len(once)])
    assert refused == 0
    got, applied, _ = run(delivered, sizes)
    assert got == expected
    assert [entry.event for entry in applied] == [entry.event for entry in expected_applied]


@given(streams())
def test_all_accounts_sum_to_zero_and_pots_are_empty(
    stream: tuple[list[Event], list[Event]],
) -> None:
    found, applied, _ = run(stream[1], [5])
    accounts: Counter[str] = Counter()
    for entry in applied:
        for transfer in entry.posting.transfers:
            accounts[transfer.debit] -= transfer.chips
            accounts[transfer.credit] += transfer.chips
        pots = {name: chips for name, chips in accounts.items() if name.startswith("pot:")}
        assert not any(pots.values())
        stacks = [c for name, c in accounts.items() if name.startswith("stack:")]
        assert all(chips >= 0 for chips in stacks)
        assert accounts["bank"] == -sum(stacks)
    for match in found.values():
        for seat in match.seats:
            assert seat.stack_chips == accounts[f"stack:{match.match_id}:{seat.player_id}"]


@given(streams())
def test_a_player_s_standing_is_the_sum_of_hands_of_settled_matches(
    stream: tuple[list[Event], list[Event]],
) -> None:
    found, applied, _ = run(stream[0], [4])
    standings: Counter[tuple[str, str]] = Counter()
    for entry in applied:
        for change in entry.posting.standings:
            standings[change.player_id, "hands"] += change.total.hands
            standings[change.player_id, "net"] += change.total.net_chips
    expected: Counter[tuple[str, str]] = Counter()
    for match in found.values():
        if match.status is Status.SETTLED:
            seat = next(seat for seat in match.seats if seat.player_id != "river")
            expected[seat.player_id, "hands"] += seat.hands
            expected[seat.player_id, "net"] += seat.net_chips
    assert {k: v for k, v in standings.items() if v} == {k: v for k, v in expected.items() if v}
