"""Matches and hands before they are dealt: stacks, button, deck."""

from dataclasses import replace
from datetime import datetime

from poker.setup import HandSetup, SeatStack
from services.gateway.dealer import Dealer
from services.gateway.fairness import Deal, deal_out, draw_button
from services.gateway.ids import new_id
from services.gateway.model import (
    PLAYER_SEAT,
    RIVER_SEAT,
    Hand,
    Match,
    MatchState,
    Scene,
    Shuffle,
    Table,
    User,
)
from services.gateway.rulesets import Ruleset

_SEATS = (PLAYER_SEAT, RIVER_SEAT)


def seat_player(
    player: User, ruleset: Ruleset, buy_in_chips: int, *, deal: Deal, dealer: Dealer, now: datetime
) -> Scene:
    """Return a new table with a match and its first hand, not yet stored.

    The first button is random (ENG-024), and with a client seed it follows from the seed, as
    the cards do. River brings its full stack whatever the player buys in for (HU-005).
    """
    table = Table(new_id("t"), version=0, last_seq=0, turn_seat=None, secret=dealer.new_secret())
    match = Match(
        match_id=new_id("m"),
        table_id=table.table_id,
        user_id=player.user_id,
        ruleset=ruleset,
        state=MatchState.BETWEEN_HANDS,
        buy_in_chips=buy_in_chips,
        stack_chips=buy_in_chips,
        river_stack_chips=ruleset.opponent_topup_floor_chips or buy_in_chips,
        started_at=now,
        kept_until=now,
        # The first hand moves it to the other seat.
        button=_other(draw_button(deal, _SEATS, dealer)),
    )
    match = replace(match, kept_until=now + match.idle_expiry)
    return Scene(table, match, next_hand(match, deal, dealer, now), player)


def next_hand(match: Match, deal: Deal, dealer: Dealer, now: datetime) -> Hand:
    """Return the match's next hand: the button moved, River back at its floor (HU-014)."""
    floor_chips = match.ruleset.opponent_topup_floor_chips or 0
    hand_id = new_id("h")
    setup = HandSetup(
        hand_id=hand_id,
        rules=match.ruleset.hand_rules,
        seats=(
            SeatStack(PLAYER_SEAT, match.stack_chips),
            SeatStack(RIVER_SEAT, max(match.river_stack_chips, floor_chips)),
        ),
        button=_other(match.button),
        deck=deal_out(deal),
    )
    return Hand(
        hand_id=hand_id,
        match_id=match.match_id,
        hand_no=match.hand_no + 1,
        ruleset_hash=match.ruleset.digest,
        setup=setup,
        secret=dealer.new_secret(),
        started_at=now,
        shuffle=Shuffle(deal.commitment.root, deal.client_seed, deal.commitment.salt_key),
    )


def _other(seat: int) -> int:
    return RIVER_SEAT if seat == PLAYER_SEAT else PLAYER_SEAT
