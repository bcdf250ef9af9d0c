"""The abstract betting game is a part of the real one."""

from random import Random

import numpy as np
import pytest

from poker.actions import Action, ActionKind
from poker.hand import Hand
from poker.kinds import Street
from services.bot.blueprint.sizes import DEPTHS_BB, Sizes, sizes_for
from services.bot.blueprint.tree import FOLDED, SHOWDOWN, Tree, build_tree
from tests.support.scripted_hands import nets, table

WALKS = 60
STREETS = tuple(Street)
SEATS = (2, 1)
"""The rules' seat of players 0 (big blind) and 1 (button)."""


def children(tree: Tree, node: int) -> range:
    first = int(tree.first_child[node])
    return range(first, first + int(tree.action_count[node]))


def follow(hand: Hand, tree: Tree, node: int) -> None:
    legal = hand.legal
    assert legal is not None
    kind = tree.kind[node]
    amount = int(tree.to[node]) if kind in {ActionKind.BET, ActionKind.RAISE} else None
    hand.act(Action(legal.seat, kind, amount))


@pytest.mark.parametrize("depth_bb", DEPTHS_BB)
def test_every_line_of_the_abstract_game_is_legal_by_the_rules(depth_bb: int) -> None:
    tree = build_tree(sizes_for(depth_bb))
    rng = Random(depth_bb)
    for _ in range(WALKS):
        hand = table({1: 100 * depth_bb, 2: 100 * depth_bb}, button=1)
        node = 0
        while tree.player[node] >= 0:
            assert hand.legal is not None
            assert hand.legal.seat == SEATS[tree.player[node]]
            assert hand.snapshot().street is STREETS[tree.street[node]]
            node = rng.choice(children(tree, node))
            follow(hand, tree, node)
        if tree.player[node] == FOLDED:
            assert nets(hand)[2] == tree.to_zero[node]
        else:
            assert abs(nets(hand)[2]) in {0, tree.to_zero[node]}


@pytest.mark.parametrize("depth_bb", DEPTHS_BB)
def test_children_follow_one_another_and_the_last_raise_is_all_in(depth_bb: int) -> None:
    tree = build_tree(sizes_for(depth_bb))
    assert (tree.put <= 100 * depth_bb).all()
    for node in np.flatnonzero(tree.player >= 0):
        below = children(tree, int(node))
        assert all(tree.parent[child] == node for child in below)
        raises = [child for child in below if tree.to[child]]
        assert sorted(tree.to[raises]) == list(tree.to[raises])
        if raises:
            assert tree.put[raises[-1]].max() == 100 * depth_bb


def test_at_a_hundred_blinds_four_raises_come_before_the_all_in() -> None:
    tree = build_tree(sizes_for(100))
    node, raises = 0, 0
    while tree.action_count[node] > 3 or raises == 0:
        node = next(child for child in children(tree, node) if tree.to[child])
        raises += 1
    assert raises >= 4
    assert tree.put[node].max() < 10_000


def test_the_button_may_limp_and_the_big_blind_raise() -> None:
    tree = build_tree(sizes_for(100))
    limp = children(tree, 0)[1]
    assert tree.kind[limp] is ActionKind.CALL
    assert tree.player[limp] == 0
    kinds = [tree.kind[child] for child in children(tree, limp)]
    assert kinds[0] is ActionKind.CHECK
    assert set(kinds[1:]) == {ActionKind.RAISE}


def test_push_or_fold_leaves_the_button_two_moves() -> None:
    tree = build_tree(Sizes(800, (), (), (), ((), (), ()), ((), (), ()), (0, 0, 0), 0.6, True))
    assert [tree.kind[child] for child in children(tree, 0)] == [
        ActionKind.FOLD,
        ActionKind.RAISE,
    ]
    assert sorted(tree.player) == [SHOWDOWN, FOLDED, FOLDED, 0, 1]
    assert len(tree.player) == 5


def test_sizes_survive_json() -> None:
    for depth_bb in DEPTHS_BB:
        assert Sizes.from_json(sizes_for(depth_bb).to_json()) == sizes_for(depth_bb)


def test_raises_and_prices_are_those_of_the_betting() -> None:
    tree = build_tree(sizes_for(100))
    raises, prices = tree.raises(), tree.prices()
    assert (raises[0], prices[0]) == (0, pytest.approx(1 / 3))
    limp = int(tree.first_child[0]) + 1
    assert (raises[limp], prices[limp]) == (0, 0.0)
    opened = limp + 1
    assert (raises[opened], prices[opened]) == (1, pytest.approx(125 / 325))
    called = int(tree.first_child[opened]) + 1
    assert (tree.street[called], raises[called], prices[called]) == (1, 0, 0.0)


def test_deeper_stacks_meet_plain_styles_less_often() -> None:
    shares = [sizes_for(depth_bb).plain_share for depth_bb in DEPTHS_BB]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == sizes_for(100).plain_share == 2 * sizes_for(200).plain_share > 0.0
