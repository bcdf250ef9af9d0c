"""The same hand in pokerkit, and the rules by which the two are known to differ.

`differences` plays a hand in both and names what differs first; `known` names, from the hand
alone and never from pokerkit, every disagreement that its present turn can show. The list is
explained in docs/poker.md.
"""

import warnings
from collections.abc import Iterable, Iterator
from enum import StrEnum

from pokerkit import Automation, Mode, NoLimitTexasHoldem, State

from poker.actions import Action, ActionKind
from poker.cards import cards_text
from poker.errors import Reason
from poker.events import ActionTaken, BlindsPosted, StreetDealt
from poker.hand import Hand
from poker.positions import left_of
from poker.setup import HandSetup, ReopenRule

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


Offer = tuple[bool, int | None, int | None, int | None]


class Disagreement(StrEnum):
    """The rules on which pokerkit and the rule pages part."""

    SHORT_BIG_BLIND = "everyone still calls the full big blind; there only what was posted"
    EQUAL_BLINDS_HEADS_UP = "the button acts first; there the big blind when blinds are equal"
    SHORT_OPENING = "a first raise below one big blind closes; there it reopens"
    SINGLE_RULE = "one raise must be full to reopen; there they always add up"
    POOL_RESTARTED = "short all-ins add up; there the sum restarts after each full raise of them"
    FREE_FOLD = "a table may allow folds when checking is free; there never"
    UNCALLABLE_RAISE = "a table may allow raises nobody can call; there never"
    NEEDLESS_CHECK = "a blind with nobody left to act against is not asked; there it must check"
    ODD_CHIPS = "odd chips one by one, pot by pot; there together, pots of one winner set merged"


def clockwise(setup: HandSetup) -> list[int]:
    """Return the seats from the left of the button, the order of pokerkit's players."""
    seats = [seat.seat for seat in setup.seats]
    first = left_of(seats, setup.button)
    return seats[first:] + seats[:first]


def playable_there(setup: HandSetup) -> bool:
    """Say whether pokerkit has such hands: heads-up it knows no dead button."""
    return len(setup.seats) > 2 or setup.button in {seat.seat for seat in setup.seats}


class Peer:
    """A hand in pokerkit; actions and cards are ours."""

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.seats = clockwise(setup)
        stacks = {seat.seat: seat.stack_chips for seat in setup.seats}
        self.state: State = NoLimitTexasHoldem.create_state(
            AUTOMATIONS,
            ante_trimming_status=False,
            raw_antes=0,
            raw_blinds_or_straddles=(setup.rules.small_blind_chips, setup.rules.big_blind_chips),
            min_bet=setup.rules.big_blind_chips,
            raw_starting_stacks=tuple(stacks[seat] for seat in self.seats),
            player_count=len(self.seats),
            mode=Mode.TOURNAMENT,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of cards that its own deck has passed
            for at in range(len(self.seats)):
                hole = (setup.deck[at], setup.deck[len(self.seats) + at])
                self.state.deal_hole(cards_text(hole))
        self._deal()

    @property
    def actor(self) -> int | None:
        """The seat to act."""
        at = self.state.actor_index
        return None if at is None else self.seats[at]

    def offer(self) -> Offer:
        """Return (can fold, to call, min raise-to, max raise-to)."""
        state = self.state
        return (
            state.can_fold(),
            state.checking_or_calling_amount,
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )

    def allows(self, action: Action) -> bool:
        """Say whether pokerkit, too, offers the kind of an action that we offer."""
        can_fold, _, least, _ = self.offer()
        if action.kind is ActionKind.FOLD:
            return can_fold
        return action.to_chips is None or least is not None

    def act(self, action: Action) -> None:
        """Carry out an action that both offer, and deal what follows."""
        if action.kind is ActionKind.FOLD:
            self.state.fold()
        elif action.to_chips is None:
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(action.to_chips)
        self._deal()

    def nets(self) -> dict[int, int]:
        """Return each seat's net chips of a hand that is over."""
        return {seat: int(net) for seat, net in zip(self.seats, self.state.payoffs, strict=True)}

    def _deal(self) -> None:
        burn = int(self.setup.rules.burn_cards)
        at = 2 * len(self.seats) + burn
        deck = self.setup.deck
        streets = (deck[at : at + 3], deck[at + 3 + burn :][:1], deck[at + 4 + 2 * burn :][:1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while self.state.can_deal_board():
                known = sum(len(cards) for cards in self.state.board_cards)
                self.state.deal_board(cards_text(streets[max(0, known - 2)]))


def differences(setup: HandSetup, actions: Iterable[Action]) -> Iterator[tuple[Hand, str]]:
    """Play a hand in both; yield what differs, with our hand at that moment.

    Ends with the first difference that makes two hands of one, or with the script; the check
    that pokerkit asks for without need is made for it.
    """
    hand, peer, script = Hand(setup), Peer(setup), iter(actions)
    while True:
        legal = hand.legal
        turn = legal.seat if legal else None
        if peer.actor != turn:
            yield hand, f"turn: {peer.actor}"
            if turn is not None or peer.state.checking_or_calling_amount != 0:
                return
            peer.act(Action(peer.actor or 0, ActionKind.CHECK))
            continue
        if legal is None:
            break
        bounds = (
            (legal.raises.min_to_chips, legal.raises.max_to_chips) if legal.raises else (None,) * 2
        )
        ours, theirs = (legal.can_fold, legal.to_call_chips, *bounds), peer.offer()
        if ours != theirs:
            yield hand, f"offer: {theirs}"
            if not _differs_by_options_only(hand, ours, theirs):
                return
        action = next(script, None)
        if action is None or not peer.allows(action):
            return
        hand.act(action)
        peer.act(action)
    assert hand.result is not None
    if peer.nets() != {seat.seat: seat.net_chips for seat in hand.result.seats}:
        yield hand, f"nets: {peer.nets()}"


def _differs_by_options_only(hand: Hand, ours: Offer, theirs: Offer) -> bool:
    """Say whether our table merely allows more: whoever does not use it goes on in both."""
    same_fold = ours[0] == theirs[0] or _free_fold(hand)
    same_raises = ours[2:] == theirs[2:] or (_uncallable_raise(hand) and theirs[2] is None)
    return same_fold and ours[1] == theirs[1] and same_raises


def known(hand: Hand, difference: str) -> set[Disagreement]:
    """Return the disagreements that explain a difference at this moment of the hand."""
    if difference.startswith("nets"):
        return {Disagreement.ODD_CHIPS} if _odd_chips(hand) else set()
    found = {
        Disagreement.SHORT_BIG_BLIND: _short_big_blind(hand),
        Disagreement.EQUAL_BLINDS_HEADS_UP: _equal_blinds_heads_up(hand),
    }
    if difference.startswith("turn"):
        found[Disagreement.NEEDLESS_CHECK] = _needless_check(hand)
    else:
        found |= {
            Disagreement.SHORT_OPENING: _short_opening(hand),
            Disagreement.SINGLE_RULE: _single_rule(hand),
            Disagreement.POOL_RESTARTED: _pool_restarted(hand),
            Disagreement.FREE_FOLD: _free_fold(hand),
            Disagreement.UNCALLABLE_RAISE: _uncallable_raise(hand),
        }
    return {name for name, holds in found.items() if holds}


def _short_big_blind(hand: Hand) -> bool:
    posts = next(event for event in hand.events if isinstance(event, BlindsPosted)).posts
    return posts[1].chips < hand.setup.rules.big_blind_chips


def _equal_blinds_heads_up(hand: Hand) -> bool:
    rules = hand.setup.rules
    equal = rules.small_blind_chips == rules.big_blind_chips
    return equal and len(hand.setup.seats) == 2


def raise_sizes(hand: Hand) -> tuple[list[int], list[int]]:
    """Return what each raise of this round added to the price, and those since the actor's act."""
    events = list(hand.events)
    starts = [at for at, event in enumerate(events) if isinstance(event, StreetDealt)]
    price = 0 if starts else hand.setup.rules.big_blind_chips
    sizes: list[int] = []
    since: list[int] = []
    for event in events[max(starts, default=0) :]:
        if isinstance(event, ActionTaken):
            if event.kind in {ActionKind.BET, ActionKind.RAISE}:
                sizes.append(event.to_chips - price)
                since.append(event.to_chips - price)
                price = event.to_chips
            if hand.legal and event.seat == hand.legal.seat:
                since = []
    return sizes, since


def _closed(hand: Hand) -> bool:
    return hand.legal is not None and hand.legal.no_raise_reason is Reason.NOT_REOPENED


def _short_opening(hand: Hand) -> bool:
    """Every raise of the round is an all-in below one big blind; it closes the actor."""
    sizes, _ = raise_sizes(hand)
    return _closed(hand) and max(sizes) < hand.setup.rules.big_blind_chips


def _single_rule(hand: Hand) -> bool:
    """Short all-ins add up to a full raise, which does not reopen under `single`."""
    sizes, since = raise_sizes(hand)
    full = max(hand.setup.rules.big_blind_chips, *sizes, 0)
    single = hand.setup.rules.reopen_rule is ReopenRule.SINGLE
    return single and _closed(hand) and sum(since) >= full


def _pool_restarted(hand: Hand) -> bool:
    """Short all-ins had added up to a full raise before the latest of them."""
    full, pool, restarted = hand.setup.rules.big_blind_chips, 0, False
    for size in raise_sizes(hand)[0]:
        if size >= full:
            full, pool, restarted = size, 0, False
            continue
        pool += size
        if pool >= full:
            pool, restarted = 0, True
    return restarted and pool > 0


def _free_fold(hand: Hand) -> bool:
    return hand.legal is not None and hand.legal.can_fold and hand.legal.can_check


def _uncallable_raise(hand: Hand) -> bool:
    """A raise is offered though nobody else has chips beyond the highest bet."""
    snapshot, legal = hand.snapshot(), hand.legal
    if legal is None or legal.raises is None:
        return False
    price = max(seat.bet_chips for seat in snapshot.seats)
    others = [seat for seat in snapshot.seats if seat.seat != legal.seat and not seat.folded]
    return all(
        not seat.stack_chips or seat.bet_chips + seat.stack_chips <= price for seat in others
    )


def _needless_check(hand: Hand) -> bool:
    """The hand went on without a blind that had acted on nothing: all others were all-in."""
    live = [seat for seat in hand.snapshot().seats if not seat.folded]
    start = {seat.seat: seat.stack_chips for seat in hand.setup.seats}
    acted = {action.seat for action in hand.actions}
    behind = [seat for seat in live if seat.put_in_chips < start[seat.seat]]
    return len(live) > 1 and len(behind) == 1 and behind[0].seat not in acted


def _odd_chips(hand: Hand) -> bool:
    """A split pot leaves two or more odd chips, or one beside another split pot."""
    assert hand.result is not None
    split = [pot for pot in hand.result.pots if len(pot.winners) > 1]
    odd = [pot.chips % len(pot.winners) for pot in split]
    return max(odd, default=0) > 1 or (len(split) > 1 and any(odd))
