"""Steps: what each thing that happens makes of a table, as pure functions."""

from dataclasses import replace
from datetime import timedelta

import pytest

from poker.actions import Action, ActionKind
from poker.events import SeatResult
from poker.snapshot import HandResult, PotResult
from proto.events.v1 import events_pb2 as pb
from services.gateway import steps
from services.gateway.model import Actor, EndReason, HandAction, HandState, MatchState, Scene
from services.gateway.outbox_events import HAND_SETTLED, MATCH_SETTLED
from services.gateway.steps import Step
from tests.support.gateway_steps import acted, dealt, reply_to, sat_down
from tests.support.gateways import NOON

LATER = NOON + timedelta(hours=3)


def names(step: Step) -> list[str]:
    return [event.name for event in step.events]


def types(step: Step) -> list[str]:
    return [event.type for event in step.outbox]


def act_later(scene: Scene, kind: ActionKind, actor: Actor) -> Step:
    assert scene.table.turn_seat is not None
    action = Action(scene.table.turn_seat, kind)
    return steps.act(scene, HandAction(action, actor), reply_to(scene.hand, action), LATER)


def test_a_step_built_twice_is_the_same_step() -> None:
    scene = sat_down().scene
    first, second = acted(scene, ActionKind.FOLD), acted(scene, ActionKind.FOLD)
    assert first == second
    assert [event.digest for event in first.outbox] == [event.digest for event in second.outbox]


def test_every_step_moves_the_table_on_by_one_version() -> None:
    step = sat_down()
    for kind in (ActionKind.CALL, ActionKind.CHECK, ActionKind.CHECK, ActionKind.CHECK):
        before = step.scene.table
        step = acted(step.scene, kind)
        assert step.seen_version == before.version
        assert step.scene.table.version == before.version + 1
        assert step.scene.table.last_seq == before.last_seq + len(step.events)


def test_event_ids_never_repeat_in_a_match() -> None:
    all_steps = [sat_down()]
    for seed in range(2, 30):
        all_steps.append(acted(all_steps[-1].scene, ActionKind.FOLD))
        all_steps.append(dealt(all_steps[-1].scene, seed))
    all_steps.append(steps.void_hand(all_steps[-1].scene, EndReason.SUPERSEDED, NOON))
    ids = [event.event_id for step in all_steps for event in step.outbox]
    assert len(set(ids)) == len(ids)
    assert {event.key for step in all_steps for event in step.outbox} == {
        all_steps[0].scene.match.match_id
    }


def test_only_the_players_own_actions_are_moves_hu_066() -> None:
    scene = sat_down().scene
    scene = acted(scene, ActionKind.CALL).scene
    assert (scene.match.moves, scene.match.hand_moves) == (1, 1)
    scene = acted(scene, ActionKind.CHECK).scene
    assert (scene.match.moves, scene.match.hand_moves) == (1, 1)


def test_the_players_time_runs_from_their_command_or_their_turn_hu_060_hu_061() -> None:
    scene = sat_down().scene
    day = timedelta(hours=24)
    assert scene.match.kept_until == NOON + day
    called = act_later(scene, ActionKind.CALL, Actor.PLAYER).scene
    assert called.match.kept_until == LATER + day
    # River acts twice: only the action that gives the turn back starts the time anew.
    limped = acted(scene, ActionKind.CALL).scene
    first = act_later(limped, ActionKind.CHECK, Actor.RIVER).scene
    assert first.table.turn_seat == 2
    assert first.match.kept_until == NOON + day
    second = act_later(first, ActionKind.CHECK, Actor.RIVER).scene
    assert second.table.turn_seat == 1
    assert second.match.kept_until == LATER + day


def test_looking_after_the_hand_when_the_player_left() -> None:
    scene = acted(sat_down().scene, ActionKind.CALL).scene
    closing = steps.begin_closing(scene, EndReason.EXPIRED, NOON)
    assert (names(closing), types(closing)) == ([], [])
    assert closing.scene.table.turn_seat == scene.table.turn_seat
    scene = closing.scene
    while scene.table.turn_seat is not None:
        step = act_later(
            scene, ActionKind.CHECK, Actor.RIVER if scene.table.turn_seat == 2 else Actor.STAND_IN
        )
        scene = step.scene
    assert names(step)[-3:] == ["hand.ended", "hand.ai_decided", "match.settled"]
    assert types(step) == [HAND_SETTLED, MATCH_SETTLED]
    assert (scene.match.state, scene.match.end_reason) == (MatchState.SETTLED, EndReason.EXPIRED)
    assert scene.match.closing is None
    assert scene.match.ai_decided == 1
    settled = pb.HandSettled.FromString(step.outbox[0].value)
    assert settled.ai_decided
    assert scene.match.moves == 1


def test_a_void_hand_leaves_every_chip_where_it_was() -> None:
    scene = acted(sat_down().scene, ActionKind.RAISE, 5_000).scene
    step = steps.void_hand(scene, EndReason.VOID, NOON)
    match = step.scene.match
    assert (match.stack_chips, match.river_stack_chips) == (10_000, 10_000)
    assert (match.state, match.hands, match.result_chips) == (MatchState.VOID, 0, 0)
    assert step.scene.hand.state is HandState.VOID
    assert step.scene.table.turn_seat is None
    assert names(step) == ["hand.voided", "match.voided"]


def test_a_hand_that_the_blinds_decide_is_over_when_it_is_dealt() -> None:
    """A stack of 30 posts all-in: there is nothing to decide (ENG-066)."""
    scene = acted(sat_down().scene, ActionKind.FOLD).scene
    poor = replace(scene, match=replace(scene.match, stack_chips=30))
    step = dealt(poor)
    assert step.scene.table.turn_seat is None
    assert step.scene.match.hands == 2
    assert names(step)[-1] == "hand.ended"
    assert types(step)[-1] == HAND_SETTLED
    total = step.scene.match.stack_chips + step.scene.match.river_stack_chips
    assert total == 30 + poor.match.river_stack_chips


def test_nothing_secret_is_in_the_text_of_a_scene() -> None:
    scene = sat_down().scene
    text = repr(scene)
    assert repr(scene.hand.secret) not in text
    assert repr(scene.table.secret) not in text
    assert "deck" not in text


def ended_with(player_net: int, pot: int) -> Scene:
    """A match whose first hand ends with this net for the player and this pot."""
    scene = sat_down().scene
    reply = reply_to(scene.hand, Action(1, ActionKind.FOLD))
    nets = ((1, player_net), (2, -player_net))
    result = HandResult(
        seats=tuple(SeatResult(seat, 50, 50 + net, net, 10_000 + net) for seat, net in nets),
        pots=(PotResult(pot, ()),),
        returned=(),
        shown=(),
    )
    reply = replace(reply, snapshot=replace(reply.snapshot, result=result))
    choice = HandAction(Action(1, ActionKind.FOLD), Actor.PLAYER)
    return steps.act(scene, choice, reply, LATER).scene


@pytest.mark.parametrize(
    ("net", "won", "lost"), [(300, 600, 0), (-300, 0, 600), (0, 0, 0)], ids=["won", "lost", "split"]
)
def test_the_biggest_pots_are_those_won_or_lost_and_not_split(
    net: int, won: int, lost: int
) -> None:
    match = ended_with(net, 600).match
    assert (match.biggest_pot_won_chips, match.biggest_pot_lost_chips) == (won, lost)


def test_the_result_counts_chips_won_and_lost_and_no_top_up_hu_020() -> None:
    scene = acted(sat_down(buy_in_chips=3_000).scene, ActionKind.FOLD).scene
    assert scene.match.result_chips == -50
    scene = steps.top_up(scene, 10_000, LATER).scene
    assert scene.match.result_chips == -50
    scene = dealt(scene).scene
    assert scene.table.turn_seat == 2
    scene = acted(scene, ActionKind.FOLD).scene
    assert (scene.match.result_chips, scene.match.stack_chips) == (0, 10_050)


def test_moves_of_a_hand_are_counted_from_its_deal() -> None:
    scene = acted(sat_down().scene, ActionKind.FOLD).scene
    assert scene.match.hand_moves == 1
    assert dealt(scene).scene.match.hand_moves == 0
