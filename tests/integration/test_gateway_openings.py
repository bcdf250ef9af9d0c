"""The verifiable shuffle over HTTP: who gets which opening of a hand, and who never does."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from poker.actions import Action
from poker.view import HandView
from services.common.database import reading
from services.common.eventlog import outbox
from services.gateway import verifier
from services.gateway.api.fairness import FairnessProof
from services.gateway.model import RIVER_SEAT
from services.gateway.store import queries
from services.gateway.store.schema import HANDS, MATCHES, PREPARED
from tests.support.fair_deals import (
    SEED,
    following,
    next_hand,
    proof_of,
    record_of,
    verified,
    visible,
)
from tests.support.gateways import (
    Chooser,
    Guest,
    House,
    StackedDealer,
    folding,
    open_house,
    passive,
    shoving,
    whimsical,
)


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
