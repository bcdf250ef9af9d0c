"""pkcore (Rust behind Python), through its poker session.

It cannot be asked what is legal, so the player keeps count of bets; an action that it refuses
all the same becomes a call or a check.
"""

import random

from pkcore import (
    ForcedBets,
    PlayerAction,
    PlayerNoCell,
    PokerSession,
    SeatNoCell,
    SeatsNoCell,
    TableNoCell,
)

from benchmarks.peers.policy import BIG_BLIND, SMALL_BLIND, STACK, Move, amount, choose


def play(players: int, hands: int, rng: random.Random) -> int:
    """Play hands; return how many decisions were made."""
    return sum(_play_one(players, rng) for _ in range(hands))


def _play_one(players: int, rng: random.Random) -> int:
    seats = SeatsNoCell([SeatNoCell(PlayerNoCell(str(seat), STACK)) for seat in range(players)])
    table = TableNoCell.nlh_from_seats(seats, ForcedBets(SMALL_BLIND, BIG_BLIND))
    session = PokerSession(table)
    session.start_hand()
    # Seat 0 has the button, and with two players the small blind.
    small = 0 if players == 2 else 1
    bets = dict.fromkeys(range(players), 0)
    bets |= {small: SMALL_BLIND, small + 1: BIG_BLIND}
    behind = {seat: STACK - bet for seat, bet in bets.items()}
    raise_by = BIG_BLIND
    decisions = 0
    while (step := session.next_step()).kind() != "HandComplete":
        if step.kind() == "StreetAdvanced":
            bets, raise_by = dict.fromkeys(bets, 0), BIG_BLIND
            continue
        seat, high = step.seat(), max(bets.values())
        most, least = bets[seat] + behind[seat], high + raise_by
        move = choose(rng, can_raise=most >= least, must_pay=high > bets[seat])
        to_chips = min(high, most)
        action = PlayerAction.call() if high > bets[seat] else PlayerAction.check()
        if move is Move.FOLD:
            action, to_chips = PlayerAction.fold(), bets[seat]
        elif move is Move.RAISE:
            to_chips = amount(rng, least, most)
            raise_by = max(raise_by, to_chips - high)
            action = PlayerAction.raise_(to_chips) if high else PlayerAction.bet(to_chips)
        session.apply_action(seat, action)
        behind[seat] -= to_chips - bets[seat]
        bets[seat] = to_chips
        decisions += 1
    session.end_hand()
    return decisions
