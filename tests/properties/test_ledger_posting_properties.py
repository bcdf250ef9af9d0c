"""Chips are conserved whatever the results, and no corrupted result passes."""

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proto.events.v1 import events_pb2 as pb
from services.ledger.boards import average_key
from services.ledger.hands import post_hand
from services.ledger.matches import Kind, Match, RejectedError, Seat, Transfer

STACK = 1_000_000


def table(players: int) -> Match:
    seats = tuple(Seat(f"p{n}", n + 1, Kind.GUEST, STACK) for n in range(players))
    return Match("m", "t", "party", 20, 0, seats)


@st.composite
def hands(draw: st.DrawFn) -> pb.HandSettled:
    """Results of 2..10 players that sum to zero: what is put in is split anyhow."""
    put_in = draw(st.lists(st.integers(0, STACK), min_size=2, max_size=10))
    total = sum(put_in)
    won: list[int] = []
    for _ in put_in[1:]:
        won.append(draw(st.integers(0, total - sum(won))))
    won.append(total - sum(won))
    message = pb.HandSettled(
        hand_id="h", match_id="m", hand_no=1, ruleset_id="party", big_blind_chips=20
    )
    for n, (paid, gained) in enumerate(zip(put_in, won, strict=True)):
        message.results.add(
            player_id=f"p{n}",
            seat=n + 1,
            put_in_chips=paid,
            won_chips=gained,
            net_chips=gained - paid,
        )
    return message


def moved(transfers: tuple[Transfer, ...]) -> Counter[str]:
    """Return what transfers change, account by account."""
    change: Counter[str] = Counter()
    for transfer in transfers:
        assert transfer.chips >= 1
        change[transfer.debit] -= transfer.chips
        change[transfer.credit] += transfer.chips
    return change


@given(hands())
def test_a_zero_sum_hand_conserves_chips_and_empties_its_pot(message: pb.HandSettled) -> None:
    match = table(len(message.results))
    posting = post_hand(match, message, 0)
    change = moved(posting.transfers)
    assert change["pot:h"] == 0
    assert sum(change.values()) == 0
    assert sum(seat.stack_chips for seat in posting.match.seats) == STACK * len(match.seats)
    assert all(seat.stack_chips >= 0 for seat in posting.match.seats)
    for seat, result in zip(posting.match.seats, message.results, strict=True):
        assert seat.stack_chips - STACK == change[f"stack:m:{seat.player_id}"]
        assert seat.net_chips == result.net_chips
        assert seat.hands == 1
    assert posting.hand is not None
    assert posting.hand.put_in_chips == posting.hand.won_chips


@given(
    hands(),
    st.integers(0, 9),
    st.sampled_from(["put_in_chips", "won_chips", "net_chips"]),
    st.integers(-STACK, STACK).filter(bool),
    st.booleans(),
)
def test_a_hand_with_one_wrong_number_is_refused(
    message: pb.HandSettled, victim: int, name: str, error: int, consistent: bool
) -> None:
    result = message.results[victim % len(message.results)]
    setattr(result, name, getattr(result, name) + error)
    if consistent and name != "net_chips":
        result.net_chips = result.won_chips - result.put_in_chips
    match = table(len(message.results))
    with pytest.raises(RejectedError):
        post_hand(match, message, 0)


@given(hands(), st.integers(1, STACK))
def test_nobody_can_put_in_more_than_their_stack(message: pb.HandSettled, extra: int) -> None:
    first, second = message.results[0], message.results[1]
    first.put_in_chips = STACK + extra
    second.won_chips += STACK + extra
    total = sum(r.put_in_chips for r in message.results)
    rest = total - sum(r.won_chips for r in message.results)
    assume(second.won_chips + rest >= 0)
    second.won_chips += rest
    for result in message.results:
        result.net_chips = result.won_chips - result.put_in_chips
    with pytest.raises(RejectedError, match="stack_would_go_negative"):
        post_hand(table(len(message.results)), message, 0)


AVERAGE = st.tuples(st.integers(-(10**12), 10**12), st.integers(1, 2**31 - 1))
CLOSE = st.integers(2, 2**31 - 1).flatmap(
    lambda hands: st.tuples(
        st.tuples(st.integers(-(10**6), 10**6), st.just(hands)),
        st.tuples(st.integers(-(10**6), 10**6), st.just(hands - 1)),
    )
)


@given(st.one_of(st.tuples(AVERAGE, AVERAGE), CLOSE))
def test_keys_compare_exactly_as_the_fractions_do_ldr_005(
    pair: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    (net_a, hands_a), (net_b, hands_b) = pair
    a, b = net_a * hands_b, net_b * hands_a
    key_a, key_b = average_key(net_a, hands_a), average_key(net_b, hands_b)
    assert (key_a < key_b, key_a == key_b) == (a < b, a == b)
    assert all(-(2**63) <= part < 2**63 for part in (*key_a, *key_b))


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**5), st.integers(1, 10**4))
def test_equal_averages_have_equal_keys(net: int, hands: int, factor: int) -> None:
    assert average_key(net, hands) == average_key(net * factor, hands * factor)
