"""Steps for tests that need a table in some state without HTTP."""

from sqlalchemy.engine import Connection

from poker.actions import Action, ActionKind
from poker.hand import replay
from services.gateway import seating, steps
from services.gateway.fairness import Deal, commit_to
from services.gateway.model import Actor, Commitment, Hand, HandAction, Reply, Scene, User
from services.gateway.rulesets import HU_RIVER
from services.gateway.store import prepared
from tests.support.gateways import NOON, StackedDealer

ANA = User("u_00000000000000000001", "guest", "Ana", NOON)
BEN = User("u_00000000000000000002", "guest", "Ben", NOON)


def reply_to(hand: Hand, action: Action | None = None) -> Reply:
    """What the engine says to a hand, or to one more action in it."""
    played = replay(hand.setup, hand.played)
    events = played.events if action is None else played.act(action)
    return Reply(events, played.snapshot())


def sat_down(player: User = ANA, buy_in_chips: int = 10_000, seed: int = 1) -> steps.Step:
    """The first step of a match: the player is on the button and must act."""
    dealer = StackedDealer(seed=seed)
    deal = Deal(commit_to(dealer))
    scene = seating.seat_player(player, HU_RIVER, buy_in_chips, deal=deal, dealer=dealer, now=NOON)
    return steps.sit_down(scene, reply_to(scene.hand), NOON, commit_to(dealer))


def acted(scene: Scene, kind: ActionKind, to_chips: int | None = None) -> steps.Step:
    """The step after the seat whose turn it is acts."""
    seat = scene.table.turn_seat
    assert seat is not None
    action = Action(seat, kind, to_chips)
    actor = Actor.PLAYER if seat == 1 else Actor.RIVER
    choice = HandAction(action, actor)
    return steps.act(scene, choice, reply_to(scene.hand, action), NOON, bot_version="test-1")


def dealt(scene: Scene, seed: int = 2) -> steps.Step:
    """The step that deals the next hand."""
    dealer = StackedDealer(seed=seed)
    hand = seating.next_hand(scene.match, Deal(commit_to(dealer)), dealer, NOON)
    return steps.deal(scene, hand, reply_to(hand), NOON, commit_to(dealer))


def prepare(connection: Connection, step: steps.Step) -> None:
    """Have the deck wait that a dealing step uses up, as it would in a running gateway."""
    hand, table_id = step.scene.hand, step.scene.table.table_id
    if step.following is None or hand.shuffle is None:
        return
    # Without a client seed the committed order is the order of the deal.
    waiting = Commitment(hand.shuffle.root, hand.setup.deck, hand.shuffle.salt_key)
    prepared.discard(connection, table_id)
    prepared.keep(connection, table_id, waiting, NOON)
