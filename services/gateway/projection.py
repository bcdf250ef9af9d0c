"""From the full record to what one viewer gets to see: the only way out of the gateway.

Every card in a response comes through `poker.view` here. Other modules never read the
cards of a snapshot, an event or a setup.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from poker.actions import Legal
from poker.cards import Card
from poker.events import (
    ActionTaken,
    AllInReveal,
    BetReturned,
    BlindsPosted,
    CardsDealt,
    HandEnded,
    HandStarted,
    HoleCards,
    Pot,
    PotAwarded,
    PotsUpdated,
    SeatResult,
    Showdown,
    ShownHand,
    StreetDealt,
    TurnStarted,
)
from poker.positions import position_labels
from poker.snapshot import HandResult, HandSnapshot, PublicAction
from poker.view import HandView, SeatView, redact, view_for
from services.gateway import matches, presets
from services.gateway.fairness import places_of, proof_of
from services.gateway.model import (
    PLAYER_SEAT,
    RIVER_NAME,
    Hand,
    HandState,
    LoggedEvent,
    Match,
    Scene,
    Shuffle,
    Table,
)
from services.gateway.money import big_blinds_text
from services.gateway.preset_sets import PresetSets
from services.gateway.reports import match_json, time_text

Json = dict[str, Any]


def event_json(logged: LoggedEvent, viewer: int | None) -> Json:
    """Return an event as the viewer may see it."""
    content = logged.content
    data: Json = {}
    if content.event is not None:
        event = redact(content.event, viewer)
        data = _EVENT_DATA[type(event)](event)
    return {
        "seq": logged.seq,
        "type": content.name,
        "at": time_text(logged.at),
        "data": {**data, **content.extras},
    }


def events_json(events: Iterable[LoggedEvent], viewer: int | None) -> list[Json]:
    """Return events as the viewer may see them, in order."""
    return [event_json(event, viewer) for event in events]


def _hole_cards(cards: HoleCards | None) -> list[str | None]:
    return [None, None] if cards is None else [str(card) for card in cards]


def _cards(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _seat_chips(pairs: Iterable[tuple[int, int]]) -> list[Json]:
    return [{"seat": seat, "chips": chips} for seat, chips in pairs]


def _pots(pots: Iterable[Pot]) -> list[Json]:
    return [{"chips": pot.chips, "eligible": list(pot.eligible)} for pot in pots]


def _shown(hand: ShownHand) -> Json:
    return {
        "seat": hand.seat,
        "cards": _hole_cards(hand.hole_cards),
        "category": hand.category,
        "name": hand.name,
        "best_five": _cards(hand.best_five),
    }


def _seat_result(result: SeatResult) -> Json:
    return {
        "seat": result.seat,
        "put_in": result.put_in_chips,
        "won": result.won_chips,
        "net": result.net_chips,
        "stack": result.stack_chips,
    }


def _hand_started(event: HandStarted) -> Json:
    return {
        "hand_id": event.hand_id,
        "button": event.button,
        "small_blind_seat": event.small_blind_seat,
        "big_blind_seat": event.big_blind_seat,
        "stacks": _seat_chips(event.stacks),
    }


def _action_taken(event: ActionTaken) -> Json:
    return {
        "seat": event.seat,
        "type": event.kind.value,
        "to": event.to_chips,
        "added": event.added_chips,
        "all_in": event.all_in,
    }


def _blinds_posted(event: BlindsPosted) -> Json:
    return {
        "posts": [
            {"seat": post.seat, "chips": post.chips, "all_in": post.all_in} for post in event.posts
        ]
    }


def _hands(hands: Iterable[tuple[int, HoleCards | None]]) -> Json:
    return {"hands": [{"seat": seat, "cards": _hole_cards(cards)} for seat, cards in hands]}


def _pot_awarded(event: PotAwarded) -> Json:
    winners = _seat_chips(event.winners)
    return {"pot_no": event.pot_no, "chips": event.chips, "winners": winners}


_EVENT_DATA: Final[dict[type, Callable[[Any], Json]]] = {
    HandStarted: _hand_started,
    BlindsPosted: _blinds_posted,
    CardsDealt: lambda event: _hands(event.hands),
    TurnStarted: lambda event: {"seat": event.seat},
    ActionTaken: _action_taken,
    BetReturned: lambda event: {"seat": event.seat, "chips": event.chips},
    StreetDealt: lambda event: {"street": event.street.value, "cards": _cards(event.cards)},
    PotsUpdated: lambda event: {"pots": _pots(event.pots)},
    AllInReveal: lambda event: _hands(event.hands),
    Showdown: lambda event: {"hands": [_shown(hand) for hand in event.hands]},
    PotAwarded: _pot_awarded,
    HandEnded: lambda event: {"results": [_seat_result(result) for result in event.results]},
}


def snapshot_json(
    scene: Scene,
    snapshot: HandSnapshot,
    log: Sequence[LoggedEvent],
    sets: PresetSets,
    now: datetime,
) -> Json:
    """Return a table as its player sees it.

    ``log`` holds the events of the current hand, ``sets`` the player's shortcuts.
    """
    view = view_for(snapshot, PLAYER_SEAT)
    void = scene.hand.state is HandState.VOID
    turn_seat = scene.table.turn_seat
    return {
        "version": scene.table.version,
        "server_time": time_text(now),
        "table_id": scene.table.table_id,
        "ruleset": {
            "id": scene.match.ruleset.ruleset_id,
            "small_blind": view.rules.small_blind_chips,
            "big_blind": view.rules.big_blind_chips,
        },
        "hand": _hand_json(scene.hand, view, void=void),
        "seats": [_seat_json(seat, view, scene) for seat in view.seats],
        "turn": None if turn_seat is None else {"seat": turn_seat},
        "legal": legal_json(scene.table, view, sets) if turn_seat == PLAYER_SEAT else None,
        "match": match_json(scene.match),
        "log": events_json(log, PLAYER_SEAT),
    }


def _hand_json(hand: Hand, view: HandView, *, void: bool) -> Json:
    return {
        "id": view.hand_id,
        "no": hand.hand_no,
        "street": view.street.value,
        "board": _cards(view.board),
        "pots": _pots(view.pots),
        "pot_total": 0 if void else view.pot_total_chips,
        "button": view.button,
        "commit_root": None if hand.shuffle is None else hand.shuffle.root,
        "over": void or view.result is not None,
        "void": void,
        "result": None if view.result is None else _result_json(view.result),
    }


def _result_json(result: HandResult) -> Json:
    return {
        "seats": [_seat_result(seat) for seat in result.seats],
        "pots": [{"chips": pot.chips, "winners": _seat_chips(pot.winners)} for pot in result.pots],
        "returned": _seat_chips(result.returned),
        "shown": [_shown(hand) for hand in result.shown],
    }


def _seat_json(seat: SeatView, view: HandView, scene: Scene) -> Json:
    own = seat.seat == PLAYER_SEAT
    last = next((act for act in reversed(view.actions) if act.seat == seat.seat), None)
    stack_chips, bet_chips = seat.stack_chips, seat.bet_chips
    if scene.hand.state is not HandState.OPEN:
        # Between hands: with top-ups, and with a void hand's chips back where they were.
        stack_chips = scene.match.stack_chips if own else scene.match.river_stack_chips
        bet_chips = 0
    return {
        "no": seat.seat,
        "name": scene.player.display_name if own else RIVER_NAME,
        "kind": "human" if own else "computer",
        "tag": scene.player.kind if own else "computer",
        "pos": seat.position,
        "stack": stack_chips,
        "bet": bet_chips,
        "folded": seat.folded,
        "all_in": seat.all_in,
        "cards": _hole_cards(seat.hole_cards),
        "last_action": None if last is None else _last_action(last),
        "you": own,
    }


def _last_action(action: PublicAction) -> Json:
    return {
        "type": action.kind.value,
        "to": action.to_chips,
        "added": action.added_chips,
        "all_in": action.all_in,
    }


def offers_json(
    snapshot: HandSnapshot, viewer: int, row: Sequence[presets.Preset]
) -> list[Json] | None:
    """Return what shortcuts would do in this spot; None when it is not the viewer's turn."""
    view = view_for(snapshot, viewer)
    return None if view.legal is None else _offers_json(view, view.legal, row)


def _offers_json(view: HandView, legal: Legal, row: Sequence[presets.Preset]) -> list[Json]:
    return [_offer_json(offer) for offer in presets.offers(_spot(view, legal), row)]


def legal_json(table: Table, view: HandView, sets: PresetSets) -> Json | None:
    """Return what the viewer may do now, with the token of this turn and their shortcuts."""
    legal = view.legal
    if legal is None:
        return None
    offers = _offers_json(view, legal, sets.on(view.street))
    raises = legal.raises
    return {
        "turn_token": matches.turn_token(table),
        "can_fold": legal.can_fold,
        "can_check": legal.can_check,
        "to_call": legal.to_call_chips,
        "call_all_in": legal.call_all_in,
        "raise": None
        if raises is None
        else {
            "kind": raises.kind.value,
            "min_to": raises.min_to_chips,
            "full_min_to": raises.full_min_to_chips,
            "max_to": raises.max_to_chips,
            "step": view.rules.big_blind_chips // 2,
            "presets": offers,
        },
        "no_raise_reason": None if legal.no_raise_reason is None else legal.no_raise_reason.value,
        "presets": offers,
    }


def _spot(view: HandView, legal: Legal) -> presets.Spot:
    own = next(seat for seat in view.seats if seat.seat == legal.seat)
    return presets.Spot(
        big_blind_chips=view.rules.big_blind_chips,
        pot_total_chips=view.pot_total_chips,
        own_bet_chips=own.bet_chips,
        legal=legal,
    )


def _offer_json(offer: presets.Offer) -> Json:
    return {
        "id": offer.preset.preset_id,
        "label": offer.preset.label,
        "kind": offer.preset.kind.value,
        "amount": offer.amount_chips,
        "enabled": offer.reason is None,
        "reason": offer.reason,
    }


def hand_json(hand: Hand, match: Match, log: Sequence[LoggedEvent], player_name: str) -> Json:
    """Return a stored hand as its player may see it: the record that a replayer needs."""
    rules = hand.setup.rules
    return {
        "hand_id": hand.hand_id,
        "match_id": hand.match_id,
        "table_id": match.table_id,
        "hand_no": hand.hand_no,
        "state": hand.state.value,
        "ruleset": {
            "id": match.ruleset.ruleset_id,
            "hash": hand.ruleset_hash,
            "small_blind": rules.small_blind_chips,
            "big_blind": rules.big_blind_chips,
            "burn_cards": rules.burn_cards,
        },
        "button": hand.setup.button,
        "seats": [
            {
                "no": seat.seat,
                "name": player_name if seat.seat == PLAYER_SEAT else RIVER_NAME,
                "kind": "human" if seat.seat == PLAYER_SEAT else "computer",
                "stack": seat.stack_chips,
                "you": seat.seat == PLAYER_SEAT,
            }
            for seat in hand.setup.seats
        ],
        "started_at": time_text(hand.started_at),
        "ended_at": None if hand.ended_at is None else time_text(hand.ended_at),
        "tags": _tags(hand),
        "events": events_json(log, PLAYER_SEAT),
    }


def proof_json(hand: Hand, shuffle: Shuffle, snapshot: HandSnapshot, viewer: int) -> Json:
    """Return what proves the cards that the viewer has seen, and opens no others (ENG-009)."""
    view = view_for(snapshot, viewer)
    seen = [seat.seat for seat in view.seats if seat.hole_cards is not None]
    return proof_of(shuffle, hand.setup, places_of(hand.setup, seen, len(view.board)))


def hand_row_json(hand: Hand, log: Sequence[LoggedEvent]) -> Json:
    """Return one line of a hand list: own cards, board and result."""
    seats = [stack.seat for stack in hand.setup.seats]
    big_blind_chips = hand.setup.rules.big_blind_chips
    seen = [redact(item.content.event, PLAYER_SEAT) for item in log if item.content.event]
    dealt = next((event for event in seen if isinstance(event, CardsDealt)), None)
    own = None if dealt is None else dict(dealt.hands)[PLAYER_SEAT]
    board = [card for event in seen if isinstance(event, StreetDealt) for card in event.cards]
    net_chips = hand.net_chips
    return {
        "hand_id": hand.hand_id,
        "match_id": hand.match_id,
        "hand_no": hand.hand_no,
        "state": hand.state.value,
        "pos": position_labels(seats, hand.setup.button)[PLAYER_SEAT],
        "cards": _hole_cards(own),
        "board": _cards(board),
        "pot": hand.pot_chips,
        "net_chips": net_chips,
        "net_bb": None if net_chips is None else big_blinds_text(net_chips, big_blind_chips),
        "tags": _tags(hand),
        "started_at": time_text(hand.started_at),
        "ended_at": None if hand.ended_at is None else time_text(hand.ended_at),
    }


def _tags(hand: Hand) -> list[str]:
    facts = {
        "ai_decided": hand.ai_decided,
        "not_counted": hand.state is HandState.VOID,
        "bot_fallback": hand.bot_fallback,
    }
    return [name for name, holds in facts.items() if holds]
