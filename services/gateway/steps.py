"""What each thing that happens at a table makes of it: pure functions from scene to step.

A `Step` is everything that one transaction writes. It is built from the scene that was read
and is valid for that version only; the store refuses it when the table has moved on.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from poker.events import ActionTaken, Event, HandStarted
from poker.snapshot import HandResult, HandSnapshot
from services.common.eventlog.port import Event as OutboxEvent
from services.gateway import notices, outbox_events
from services.gateway.model import (
    PLAYER_SEAT,
    RIVER_ID,
    RIVER_SEAT,
    Actor,
    Commitment,
    EndReason,
    Hand,
    HandAction,
    HandState,
    Match,
    MatchState,
    Reply,
    Scene,
    TableEvent,
    TopUp,
)
from services.gateway.notices import News
from services.gateway.reports import time_text


@dataclass(frozen=True, slots=True)
class Step:
    """One transaction: the scene afterwards and what is appended to the logs.

    ``seen_version`` is the table's version before; 0 for a new table. With ``following`` the
    scene's hand was dealt by this step, which used up the commitment to its deck and made
    this one for the hand after it. ``news`` are for the player, who may be away.
    """

    seen_version: int
    scene: Scene
    at: datetime
    events: tuple[TableEvent, ...]
    outbox: tuple[OutboxEvent, ...]
    following: Commitment | None = None
    news: tuple[News, ...] = ()

    @property
    def seen_seq(self) -> int:
        """The number of the table's last event before."""
        return self.scene.table.last_seq - len(self.events)


def sit_down(scene: Scene, reply: Reply, at: datetime, following: Commitment) -> Step:
    """Begin a match; the scene holds its first hand, ``reply`` the engine's answer to it."""
    draft, match = _Draft(scene, at), scene.match
    draft.tell("match.started", {"match_id": match.match_id})
    draft.outbox.append(outbox_events.match_started(match, scene.player, at))
    draft.bought(match.player_id, "buy_in", match.buy_in_chips, 1)
    draft.bought(RIVER_ID, "buy_in", match.river_stack_chips, 1)
    draft.following = following
    _put_on_table(draft, scene.hand, reply)
    return draft.step()


def deal(scene: Scene, hand: Hand, reply: Reply, at: datetime, following: Commitment) -> Step:
    """Put the next hand on the table; it may be over at once when a blind is all-in."""
    draft = _Draft(scene, at, following=following)
    _put_on_table(draft, hand, reply)
    return draft.step()


def act(
    scene: Scene, choice: HandAction, reply: Reply, at: datetime, *, bot_version: str = ""
) -> Step:
    """Apply an accepted action; ``bot_version`` is set when River's strategy chose it."""
    draft, actor = _Draft(scene, at), choice.actor
    match, hand = scene.match, scene.hand
    if actor is Actor.PLAYER:
        draft.match = replace(match, moves=match.moves + 1, hand_moves=match.hand_moves + 1)
    by_program = choice.action.seat == PLAYER_SEAT and actor is not Actor.PLAYER
    draft.hand = replace(
        hand,
        actions=(*hand.actions, choice),
        bot_version=bot_version or hand.bot_version,
        bot_fallback=hand.bot_fallback or actor is Actor.FALLBACK,
        ai_decided=hand.ai_decided or by_program,
    )
    _follow(draft, reply, actor)
    return draft.step()


def top_up(scene: Scene, to_chips: int, at: datetime) -> Step:
    """Bring the player's stack to ``to_chips``, more than it is now."""
    draft, match = _Draft(scene, at), scene.match
    added_chips = to_chips - match.stack_chips
    draft.match = replace(
        match,
        stack_chips=to_chips,
        top_ups=(*match.top_ups, TopUp(added_chips, at)),
        kept_until=at + match.idle_expiry,
    )
    facts = {"seat": PLAYER_SEAT, "added": added_chips, "stack": to_chips}
    draft.tell("stack.topped_up", facts)
    draft.bought(match.player_id, "top_up", added_chips, len(draft.match.top_ups))
    return draft.step()


def settle(scene: Scene, reason: EndReason, at: datetime) -> Step:
    """End a match that has no hand open."""
    draft = _Draft(scene, at)
    _settle(draft, reason)
    return draft.step()


def void_hand(scene: Scene, reason: EndReason, at: datetime) -> Step:
    """Take the open hand off the table, uncounted, and end the match.

    Chips are as before the hand. A match without a finished hand does not count as a whole:
    it ends as VOID; ``reason`` says why its player is gone.
    """
    draft = _Draft(scene, at)
    draft.hand = replace(scene.hand, state=HandState.VOID, ended_at=at)
    draft.tell_of_hand("hand.voided")
    draft.outbox.append(outbox_events.hand_voided(scene.match, scene.hand, at))
    if scene.match.hands:
        draft.news.append(notices.hand_voided(scene.match, scene.hand, reason))
    _settle(draft, reason, void=not scene.match.hands)
    return draft.step()


def warn(scene: Scene, at: datetime) -> Step:
    """Tell that the match is not kept much longer; the turn and its token stay the same."""
    draft, match = _Draft(scene, at), scene.match
    facts = {"match_id": match.match_id, "kept_until": time_text(match.kept_until)}
    draft.tell("match.expiring", facts)
    draft.news.append(notices.match_expiring(match))
    draft.turn_seat = scene.table.turn_seat
    step = draft.step()
    table = replace(step.scene.table, version=scene.table.version)
    return replace(step, scene=replace(step.scene, table=table))


def begin_closing(scene: Scene, reason: EndReason, at: datetime) -> Step:
    """Hand the player's seat to a stand-in, who finishes the hand; then the match ends."""
    draft = _Draft(scene, at)
    draft.match = replace(scene.match, closing=reason)
    draft.turn_seat = scene.table.turn_seat
    return draft.step()


def retell(hand: Hand, events: Iterable[Event]) -> list[TableEvent]:
    """Return the log of a hand as it was told, from what the engine says to all of it."""
    actors = iter([item.actor for item in hand.actions])
    told = []
    for event in events:
        actor = next(actors) if isinstance(event, ActionTaken) else Actor.PLAYER
        told.append(_logged(event, hand, actor))
    return told


@dataclass
class _Draft:
    """A step being put together; starts as the scene before, with nobody to act."""

    scene: Scene
    at: datetime
    events: list[TableEvent] = field(default_factory=list)
    outbox: list[OutboxEvent] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    turn_seat: int | None = None
    following: Commitment | None = None

    def __post_init__(self) -> None:
        self.match: Match = self.scene.match
        self.hand: Hand = self.scene.hand

    def tell(self, name: str, facts: dict[str, Any]) -> None:
        """Log an event of the table."""
        self.events.append(TableEvent(name, facts))

    def tell_of_hand(self, name: str, **more: Any) -> None:  # noqa: ANN401  # JSON
        """Log an event about the hand as a whole."""
        facts = {"hand_id": self.hand.hand_id, "hand_no": self.hand.hand_no, **more}
        self.events.append(TableEvent(name, facts, hand_id=self.hand.hand_id))

    def bought(self, player_id: str, source: str, chips: int, occasion: int) -> None:
        """Publish that chips came to a seat."""
        purchase = outbox_events.Purchase(player_id, source, chips, occasion)
        self.outbox.append(outbox_events.chips_bought(self.match, purchase, self.at))

    def step(self) -> Step:
        """Return the finished step: the table moves on by one version."""
        table = self.scene.table
        after = replace(
            table,
            version=table.version + 1,
            last_seq=table.last_seq + len(self.events),
            turn_seat=self.turn_seat,
        )
        scene = Scene(after, self.match, self.hand, self.scene.player)
        return Step(
            table.version,
            scene,
            self.at,
            tuple(self.events),
            tuple(self.outbox),
            self.following,
            tuple(self.news),
        )


def _put_on_table(draft: _Draft, hand: Hand, reply: Reply) -> None:
    before_chips = draft.match.river_stack_chips
    river_chips = next(stack.stack_chips for stack in hand.setup.seats if stack.seat == RIVER_SEAT)
    draft.hand = hand
    draft.match = replace(
        draft.match,
        state=MatchState.IN_HAND,
        river_stack_chips=river_chips,
        button=hand.setup.button,
        hand_no=hand.hand_no,
        hand_id=hand.hand_id,
        hand_moves=0,
        next_commit_root=None if draft.following is None else draft.following.root,
    )
    if river_chips != before_chips:
        rebought = before_chips == 0
        added_chips = river_chips - before_chips
        facts = {"seat": RIVER_SEAT, "added": added_chips, "stack": river_chips}
        draft.tell("opponent.rebought" if rebought else "opponent.topped_up", facts)
        draft.bought(RIVER_ID, "rebuy" if rebought else "top_up", added_chips, hand.hand_no)
    _follow(draft, reply, Actor.PLAYER)


def _follow(draft: _Draft, reply: Reply, actor: Actor) -> None:
    """Go on to what the engine answered, up to the end of the hand or of the match."""
    draft.events.extend(_logged(event, draft.hand, actor) for event in reply.events)
    if reply.snapshot.legal is not None:
        draft.turn_seat = reply.snapshot.legal.seat
    if reply.snapshot.result is not None:
        _finish(draft, reply.snapshot, reply.snapshot.result)
    if actor is Actor.PLAYER or draft.turn_seat in {PLAYER_SEAT, None}:
        # The player's time runs from their command, or from when the turn came back.
        kept_until = draft.at + draft.match.idle_expiry
        draft.match = replace(draft.match, kept_until=kept_until)


def _logged(event: Event, hand: Hand, actor: Actor) -> TableEvent:
    extras: dict[str, Any] = {}
    if isinstance(event, HandStarted):
        extras["hand_no"] = hand.hand_no
        extras["commit_root"] = None if hand.shuffle is None else hand.shuffle.root
    if isinstance(event, ActionTaken):
        # Chosen by someone else than the seat's own player.
        extras["auto"] = actor in {Actor.FALLBACK, Actor.STAND_IN}
    return TableEvent(event.NAME, extras, event, hand.hand_id)


def _finish(draft: _Draft, snapshot: HandSnapshot, result: HandResult) -> None:
    """Count a finished hand; a match that waited only for it ends too."""
    player = next(seat for seat in result.seats if seat.seat == PLAYER_SEAT)
    draft.hand = replace(
        draft.hand,
        state=HandState.FINISHED,
        ended_at=draft.at,
        net_chips=player.net_chips,
        pot_chips=sum(pot.chips for pot in result.pots),
    )
    draft.match = _counted(draft.match, draft.hand, result)
    draft.outbox.append(
        outbox_events.hand_settled(draft.match, draft.hand, snapshot, result, draft.at)
    )
    if draft.hand.ai_decided:
        draft.tell_of_hand("hand.ai_decided", net=player.net_chips)
        draft.news.append(notices.hand_decided(draft.match, draft.hand))
    if draft.match.closing is not None:
        _settle(draft, draft.match.closing)


def _counted(match: Match, hand: Hand, result: HandResult) -> Match:
    player = next(seat for seat in result.seats if seat.seat == PLAYER_SEAT)
    river = next(seat for seat in result.seats if seat.seat == RIVER_SEAT)
    pot_chips = sum(pot.chips for pot in result.pots)
    won_chips = pot_chips if player.net_chips > 0 else 0
    lost_chips = pot_chips if player.net_chips < 0 else 0
    busted = player.stack_chips == 0 and match.ruleset.bust == "end_match"
    return replace(
        match,
        state=MatchState.BUSTED if busted else MatchState.BETWEEN_HANDS,
        stack_chips=player.stack_chips,
        river_stack_chips=river.stack_chips,
        hands=match.hands + 1,
        result_chips=match.result_chips + player.net_chips,
        ai_decided=match.ai_decided + int(hand.ai_decided),
        biggest_pot_won_chips=max(match.biggest_pot_won_chips, won_chips),
        biggest_pot_lost_chips=max(match.biggest_pot_lost_chips, lost_chips),
    )


def _settle(draft: _Draft, reason: EndReason, *, void: bool = False) -> None:
    """End the match; of a void one ``reason`` says why its player is gone."""
    draft.match = replace(
        draft.match,
        state=MatchState.VOID if void else MatchState.SETTLED,
        closing=None,
        settled_at=draft.at,
        end_reason=EndReason.VOID if void else reason,
    )
    facts = {"match_id": draft.match.match_id, "reason": reason.value}
    draft.tell("match.voided" if void else "match.settled", facts)
    if reason is not EndReason.SETTLED:
        draft.news.append(notices.match_ended(draft.match, reason))
    draft.outbox.append(outbox_events.match_settled(draft.match, draft.at))
