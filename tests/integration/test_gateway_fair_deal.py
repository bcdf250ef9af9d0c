"""The verifiable shuffle over HTTP: who learns which root when, and which deck is dealt."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from poker.cards import parse_cards
from services.common.database import reading
from services.gateway.model import Hand
from services.gateway.store.schema import PREPARED
from tests.support.fair_deals import (
    SEED,
    following,
    next_hand,
    offered,
    proof_of,
    started,
    stored,
    verified,
    visible,
)
from tests.support.gateways import (
    Guest,
    House,
    StackedDealer,
    open_house,
    passive,
)


class KilledError(BaseException):
    """Stands for the death of the process."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    else:
        url = request.getfixturevalue("postgres_url")
    with open_house(url, dealer=StackedDealer(seed=11)) as house:
        yield house


@pytest.fixture
def ana(house: House) -> Guest:
    return house.guest("Ana")


def test_the_root_of_the_first_hand_is_known_before_sitting_down_eng_009(ana: Guest) -> None:
    noted = offered(ana)
    assert offered(ana) == noted
    seat = ana.sit_down(client_seed=SEED)
    assert seat.state["hand"]["commit_root"] == noted
    assert started(seat)["commit_root"] == noted
    assert proof_of(seat)["client_seed"] == SEED
    assert verified(seat, noted) == visible(seat)


def test_the_root_of_the_next_hand_is_known_from_the_deal_of_the_hand_before_eng_009(
    ana: Guest,
) -> None:
    seat = ana.sit_down()
    for number in range(4):
        noted = seat.state["match"]["next_commit_root"]
        assert noted != seat.state["hand"]["commit_root"]
        seat.play_out()
        assert following(seat) == noted
        next_hand(seat, f"seed of hand {number}")
        assert seat.state["hand"]["commit_root"] == noted
        assert verified(seat, noted) == visible(seat)


def test_the_root_comes_before_the_blinds_eng_009(ana: Guest) -> None:
    names = [event["type"] for event in ana.sit_down().events]
    assert names[:4] == ["match.started", "hand.started", "blinds.posted", "cards.dealt"]


def test_the_same_deck_is_dealt_otherwise_with_another_seed(tmp_path: Path) -> None:
    dealt = {}
    for seed in (None, "one", "two"):
        with open_house(f"sqlite:///{tmp_path}/{seed}.sqlite3") as house:
            seat = house.guest().sit_down(client_seed=seed)
            scene = stored(house, seat)
            dealt[seed] = (seat.state["hand"]["commit_root"], scene.hand.setup.deck)
    assert len({root for root, _ in dealt.values()}) == 1
    assert len({deck for _, deck in dealt.values()}) == 3


def test_without_a_seed_the_proof_says_so(ana: Guest) -> None:
    proof = proof_of(ana.sit_down())
    assert proof["client_seed"] is None
    assert proof["permutation"] == list(range(52))


@pytest.mark.parametrize("seed", ["", "x" * 65, "é" * 33, "tab\t", 5, ["a"], "\u200b"])
def test_a_bad_seed_is_refused_and_changes_nothing(house: House, ana: Guest, seed: object) -> None:
    noted = offered(ana)
    body = {"ruleset": "hu_river", "buy_in": 10_000, "client_seed": seed}
    ana.refused("/v1/matches", body, status=422, problem="request-invalid")
    seat = ana.sit_down()
    assert seat.state["hand"]["commit_root"] == noted
    seat.act("fold")
    before = stored(house, seat)
    body = {"client_seed": seed}
    ana.refused(seat.path("next-hand"), body, status=422, problem="request-invalid")
    assert stored(house, seat) == before


def test_a_repeated_request_deals_the_same_hand_and_another_seed_is_another_request(
    ana: Guest,
) -> None:
    seat = ana.sit_down()
    seat.act("fold")
    path = seat.path("next-hand")
    first = ana.post(path, {"client_seed": "one"}, key="key")
    assert ana.post(path, {"client_seed": "one"}, key="key") == first
    problem = ana.post(path, {"client_seed": "two"}, key="key", status=422)
    assert problem["type"].endswith("/idempotency-mismatch")


def test_a_prepared_deck_survives_restarts_and_outages_eng_009(house: House, ana: Guest) -> None:
    noted = offered(ana)
    house.restart()
    assert offered(ana) == noted
    house.engine.down = True
    body = {"ruleset": "hu_river", "buy_in": 10_000}
    assert ana.post("/v1/matches", body, status=503)
    house.engine.down = False
    seat = ana.sit_down()
    assert seat.state["hand"]["commit_root"] == noted
    noted = str(following(seat))
    seat.act("fold")
    house.restart()
    house.engine.down = True
    assert ana.post(seat.path("next-hand"), status=503)
    house.engine.down = False
    next_hand(seat, "chosen after the outage")
    assert verified(seat, noted) == visible(seat)


def test_a_crash_while_dealing_changes_neither_root_nor_deck(house: House, ana: Guest) -> None:
    seat = ana.sit_down()
    seat.act("fold")
    noted, replay = following(seat), house.engine.replay
    with reading(house.sql_engine) as connection:
        waiting = connection.execute(sa.select(PREPARED).order_by(PREPARED.c.holder)).all()

    async def die(_: Hand) -> None:
        raise KilledError

    house.engine.replay = die  # type: ignore[method-assign, assignment]
    with pytest.raises(KilledError):
        house.run(ana.posting(seat.path("next-hand"), {"client_seed": SEED}, "key"))
    house.engine.replay = replay  # type: ignore[method-assign]
    house.restart()
    with reading(house.sql_engine) as connection:
        again = connection.execute(sa.select(PREPARED).order_by(PREPARED.c.holder)).all()
    assert again == waiting
    house.clock.advance(seconds=6)
    seat.took(ana.post(seat.path("next-hand"), {"client_seed": SEED}, key="key"))
    assert verified(seat, noted) == visible(seat)


def test_a_crash_in_the_middle_of_a_hand_keeps_root_seed_and_cards(
    house: House, ana: Guest
) -> None:
    noted = offered(ana)
    seat = ana.sit_down(client_seed=SEED)
    before = stored(house, seat)

    async def die() -> None:
        raise KilledError

    house.river.before = die
    with pytest.raises(KilledError):
        house.run(ana.posting(seat.actions, seat.order("call"), "key"))
    house.river.before = None
    house.restart()
    seat.refresh()
    after = stored(house, seat)
    assert (after.hand.setup, after.hand.shuffle) == (before.hand.setup, before.hand.shuffle)
    assert after.match.next_commit_root == before.match.next_commit_root
    seat.play_out()
    assert verified(seat, noted) == visible(seat)


def test_a_top_up_leaves_the_prepared_deck_alone(ana: Guest) -> None:
    seat = ana.sit_down(3_000)
    seat.act("fold")
    noted = following(seat)
    seat.do("top-up")
    assert following(seat) == noted
    next_hand(seat)
    assert verified(seat, noted) == visible(seat)


def test_a_closed_match_has_no_next_root_and_the_lobby_has_another(
    house: House, ana: Guest
) -> None:
    first = offered(ana)
    seat = ana.sit_down()
    table_root, lobby_root = following(seat), offered(ana)
    assert len({first, table_root, lobby_root}) == 3
    seat.act("fold")
    assert seat.do("settle")
    assert following(seat) is None
    assert offered(ana) == lobby_root
    again = ana.sit_down()
    assert again.state["hand"]["commit_root"] == lobby_root
    with reading(house.sql_engine) as connection:
        holders = connection.execute(sa.select(PREPARED.c.holder)).scalars().all()
    assert holders == [again.table_id]


def test_a_busted_match_has_no_next_root(house: House, ana: Guest) -> None:
    deck = parse_cards("AsKdAhKc2c7d9hTs3d")
    rest = tuple(card for card in StackedDealer().shuffled_deck() if card not in deck)
    house.dealer.decks = [(*deck, *rest)]
    seat = ana.sit_down()
    house.river.choose = passive
    assert seat.legal is not None
    seat.act("raise", seat.legal["raise"]["max_to"])
    assert seat.state["match"]["state"] == "busted"
    assert following(seat) is None


def test_replicas_that_prepare_at_once_publish_one_root_eng_009(house: House, ana: Guest) -> None:
    async def prepare_together() -> list[str]:
        replicas = [house.assemble() for _ in range(6)]
        holder = ana.user["id"]
        found = await asyncio.gather(*(replica.shoe.ready(holder) for replica in replicas))
        return [commitment.root for commitment in found]

    roots = house.run(prepare_together())
    assert set(roots) == {offered(ana)}


def test_replicas_that_deal_at_once_deal_one_deck(house: House, ana: Guest) -> None:
    seat = ana.sit_down()
    for _ in range(3):
        seat.play_out()
        noted = following(seat)

        async def deal_together() -> list[httpx.Response]:
            path = seat.path("next-hand")
            wishes = [ana.posting(path, {"client_seed": f"seed {no}"}) for no in range(4)]
            return list(await asyncio.gather(*wishes))

        responses = house.run(deal_together())
        statuses = [response.status_code for response in responses]
        assert statuses.count(200) == 1
        seat.took(json.loads(responses[statuses.index(200)].text))
        assert proof_of(seat)["client_seed"] == f"seed {statuses.index(200)}"
        assert verified(seat, noted) == visible(seat)
