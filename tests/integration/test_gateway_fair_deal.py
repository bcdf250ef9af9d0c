"""The verifiable shuffle over HTTP: who learns which root when, and who gets which opening."""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from poker.actions import Action
from poker.cards import parse_cards
from poker.view import HandView
from services.common.database import reading
from services.common.eventlog import outbox
from services.gateway import verifier
from services.gateway.api.fairness import FairnessProof
from services.gateway.model import RIVER_SEAT, Hand, Scene
from services.gateway.store import queries
from services.gateway.store.schema import HANDS, MATCHES, PREPARED
from tests.support.gateways import (
    Chooser,
    Guest,
    House,
    Json,
    Seat,
    StackedDealer,
    folding,
    open_house,
    passive,
    shoving,
    whimsical,
)

SEED = "4f1c0a9be37d2586"


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


def offered(guest: Guest) -> str:
    """The root for the first hand of the next match."""
    return str(guest.get("/v1/lobby")["next_commit_root"])


def following(seat: Seat) -> str | None:
    """The root for the next hand of this match, read again."""
    root: str | None = seat.refresh()["match"]["next_commit_root"]
    return root


def next_hand(seat: Seat, seed: str | None = None) -> None:
    seat.took(seat.guest.post(seat.path("next-hand"), {"client_seed": seed}))


def proof_of(seat: Seat, hand_id: str | None = None) -> Json:
    return seat.guest.get(f"/v1/hands/{hand_id or seat.state['hand']['id']}/fairness")


def record_of(seat: Seat, hand_id: str | None = None) -> Json:
    return seat.guest.get(f"/v1/hands/{hand_id or seat.state['hand']['id']}")


def verified(seat: Seat, noted: str | None = None) -> set[str]:
    """The cards of the current hand's proof, which holds together with the hand's record."""
    opened = verifier.verify(proof_of(seat), record_of(seat), noted)
    return set(opened.values())


def stored(house: House, seat: Seat) -> Scene:
    with reading(house.sql_engine) as connection:
        scene = queries.load_scene(connection, seat.table_id)
    assert scene is not None
    return scene


def visible(seat: Seat) -> set[str]:
    """The cards that the player can see on the table."""
    cards = [card for place in seat.state["seats"] for card in place["cards"] if card]
    return {*cards, *seat.state["hand"]["board"]}


def started(seat: Seat) -> Json:
    events = [event for event in seat.events if event["type"] == "hand.started"]
    return dict(events[-1]["data"])


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


def test_while_a_hand_runs_ones_own_cards_and_the_board_are_opened(ana: Guest) -> None:
    seat = ana.sit_down(client_seed=SEED)
    streets = set()
    while seat.legal is not None:
        opened = verified(seat)
        assert opened == visible(seat)
        assert len(opened) == 2 + len(seat.state["hand"]["board"])
        streets.add(seat.state["hand"]["street"])
        seat.take_free()
    assert streets == {"preflop", "flop", "turn", "river"}


def test_at_showdown_rivers_cards_are_opened_too(ana: Guest) -> None:
    seat = ana.sit_down(client_seed=SEED)
    seat.play_out()
    assert len(verified(seat)) == 9
    assert verified(seat) == visible(seat)


def test_rivers_folded_hand_is_never_opened_eng_009(house: House, ana: Guest) -> None:
    house.river.choose = folding
    seat = ana.sit_down(client_seed=SEED)
    seat.act("raise", 300)
    assert seat.state["hand"]["over"]
    assert seat.state["seats"][1]["folded"]
    hand_id = seat.state["hand"]["id"]
    own = set(seat.state["seats"][0]["cards"])
    assert verified(seat) == own
    next_hand(seat)
    seat.play_out()
    later = verifier.verify(proof_of(seat, hand_id), record_of(seat, hand_id))
    assert set(later.values()) == own


def test_after_ones_own_fold_one_sees_ones_own_cards_and_not_rivers(ana: Guest) -> None:
    seat = ana.sit_down(client_seed=SEED)
    seat.act("fold")
    assert verified(seat) == set(seat.state["seats"][0]["cards"])


def test_a_void_hand_opens_what_was_seen_and_no_more(ana: Guest) -> None:
    seat = ana.sit_down(client_seed=SEED)
    seat.take_free()
    seen = visible(seat)
    assert len(seen) == 5
    ana.sit_down(supersede=True)
    seat.refresh()
    assert seat.state["hand"]["void"]
    assert verified(seat) == seen


def river_shoves(view: HandView) -> Action:
    """River puts everything in, and a stand-in in the player's seat folds."""
    return shoving(view) if view.viewer == RIVER_SEAT else folding(view)


@pytest.mark.parametrize(("choose", "cards"), [(passive, 9), (river_shoves, 2 + 3)])
def test_a_hand_that_was_played_on_for_the_player_opens_what_the_table_showed(
    house: House, ana: Guest, choose: Chooser, cards: int
) -> None:
    seat = ana.sit_down()
    seat.play_out()
    next_hand(seat, SEED)
    seat.take_free()
    own = set(seat.state["seats"][0]["cards"])
    assert len(seat.state["hand"]["board"]) == 3
    house.river.choose = choose
    ana.sit_down(supersede=True)
    seat.refresh()
    assert record_of(seat)["tags"] == ["ai_decided"]
    opened = verified(seat)
    assert own <= opened
    assert opened == visible(seat)
    assert len(opened) == cards


def test_others_and_strangers_get_no_proof(house: House, ana: Guest) -> None:
    seat = ana.sit_down()
    path = f"/v1/hands/{seat.state['hand']['id']}/fairness"
    assert house.guest("Ben").get(path, status=404)["type"].endswith("/not-found")
    stranger = Guest(house)
    assert stranger.get(path, status=401)["type"].endswith("/no-session")
    for unknown in ("h_" + "0" * 20, "nonsense", "m_" + "0" * 20):
        ana.get(f"/v1/hands/{unknown}/fairness", status=404)


def test_a_hand_from_before_there_were_commitments_has_no_proof(house: House, ana: Guest) -> None:
    seat = ana.sit_down()
    forgotten = {"commit_root": None, "client_seed": None, "salt_key": None}
    with house.sql_engine.begin() as connection:
        connection.execute(sa.update(HANDS).values(**forgotten))
        connection.execute(sa.update(MATCHES).values(next_commit_root=None))
        connection.execute(sa.delete(PREPARED))
    ana.get(f"/v1/hands/{seat.state['hand']['id']}/fairness", status=404)
    assert seat.refresh()["hand"]["commit_root"] is None
    seat.play_out()
    assert following(seat) is None
    next_hand(seat, SEED)
    assert verified(seat) == visible(seat)
    assert following(seat) is not None


def test_a_proof_is_what_the_document_says(ana: Guest) -> None:
    seat = ana.sit_down(client_seed=SEED)
    seat.play_out()
    FairnessProof.model_validate(proof_of(seat), strict=True)
    operation = ana.get("/openapi.json")["paths"]["/v1/hands/{hand_id}/fairness"]["get"]
    assert operation["operationId"] == "getFairness"


def test_the_verifier_can_be_downloaded(house: House) -> None:
    response = Guest(house).send("GET", "/v1/fairness/verifier")
    assert response.status_code == 200
    assert response.content == Path(verifier.__file__).read_bytes()
    assert response.headers["Content-Disposition"] == 'attachment; filename="verifier.py"'


def test_no_salt_and_no_waiting_card_leaves_the_gateway_eng_008(house: House, ana: Guest) -> None:
    """Neither in the outbox, nor in the table's log, nor in any answer but the proof's."""
    house.river.choose = whimsical(5)
    rng, seat = random.Random(6), ana.sit_down(client_seed=SEED)
    for number in range(12):
        while seat.legal is not None:
            kind = "check" if seat.legal["can_check"] else rng.choice(["call", "fold"])
            seat.act(kind)
        if seat.state["match"]["state"] == "busted":
            seat = ana.sit_down(supersede=True)
        else:
            next_hand(seat, f"seed {number}")
    with reading(house.sql_engine) as connection:
        keys = [
            bytes(key)
            for column in (HANDS.c.salt_key, PREPARED.c.salt_key)
            for key in connection.execute(sa.select(column)).scalars()
        ]
        values = [event.value for _, event in outbox.read_after(connection, 0, 10_000)]
        events = [
            json.dumps(item.content.extras)
            for item in queries.load_events(connection, seat.table_id, 0)
        ]
    assert len(set(keys)) == len(keys)
    text = "\n".join([*ana.answers, *events])
    for key in keys:
        assert not any(key in value for value in values)
        assert key.hex() not in text
