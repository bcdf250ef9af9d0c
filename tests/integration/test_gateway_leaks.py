"""River's cards stay River's: nothing that leaves the gateway tells them too early."""

import io
import json
import random
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from poker.cards import Card
from poker.dealing import deal_holes
from proto.events.v1 import events_pb2 as pb
from services.common.database import reading
from services.gateway.model import Hand
from services.gateway.store import queries
from tests.support.gateways import (
    House,
    Seat,
    StackedDealer,
    open_house,
    published,
    whimsical,
)

HANDS = 120


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    with open_house(url, dealer=StackedDealer(seed=77)) as house:
        house.river.choose = whimsical(78)
        yield house


def rivers_cards(hand: Hand) -> tuple[str, str]:
    seats = [stack.seat for stack in hand.setup.seats]
    first = 0 if hand.setup.button == 2 else 1
    holes = deal_holes(hand.setup.deck, len(seats), first)
    cards = holes[seats.index(2)]
    return str(Card(cards[0])), str(Card(cards[1]))


def current_hand(house: House, seat: Seat) -> Hand:
    with reading(house.sql_engine) as connection:
        scene = queries.load_scene(connection, seat.table_id)
    assert scene is not None
    return scene.hand


def mentions(text: str, card: str) -> bool:
    return re.search(rf"\b{card}\b", text) is not None


def everything_readable(seat: Seat, hand_id: str) -> str:
    guest = seat.guest
    paths = [
        f"/v1/tables/{seat.table_id}", f"/v1/hands/{hand_id}", seat.path("hands") + "?limit=1",
        f"/v1/hands/{hand_id}/fairness",
        seat.path("summary"), f"/v1/matches/{seat.match_id}", "/v1/lobby", "/v1/matches",
    ]  # fmt: skip
    texts = [guest.send("GET", path).text for path in paths]
    refused = guest.send(
        "POST",
        seat.actions,
        json={"turn_token": "x", "type": "raise", "to": 1},
        headers={"Idempotency-Key": f"{hand_id}-{random.random()}"},
    )
    assert refused.status_code in {409, 422}
    return "\n".join([*texts, refused.text, json.dumps(seat.state)])


def act_at_random(seat: Seat, rng: random.Random) -> None:
    legal = seat.legal
    assert legal is not None
    raises = legal["raise"]
    if raises is not None and rng.random() < 0.3:
        top = raises["max_to"]
        if rng.random() < 0.9:
            top = min(top, raises["min_to"] + 300)
        seat.act(raises["kind"], rng.randint(raises["min_to"], top))
    elif legal["can_check"]:
        seat.act("check")
    else:
        seat.act("fold" if rng.random() < 0.25 else "call")


def play_hand(house: House, seat: Seat, rng: random.Random, problems: list[str]) -> bool:
    """Play one hand, looking at everything after every step; whether River had to show."""
    hand = current_hand(house, seat)
    hidden = rivers_cards(hand)
    seen = 0
    while True:
        state = seat.state
        shown = state["hand"]["over"] and state["hand"]["result"]["shown"]
        if shown:
            assert state["seats"][1]["cards"] == list(hidden)
            return True
        texts = seat.guest.answers[seen:]
        seen = len(seat.guest.answers)
        if state["hand"]["over"] or rng.random() < 0.3:
            texts.append(everything_readable(seat, hand.hand_id))
        if any(mentions(text, card) for text in texts for card in hidden):
            problems.append(hand.hand_id)
        if state["hand"]["over"]:
            return False
        seat.guest.answers.clear()
        seen = 0
        act_at_random(seat, rng)


def test_no_answer_and_no_log_tells_rivers_cards_before_showdown(house: House) -> None:
    rng, problems, output = random.Random(79), list[str](), io.StringIO()
    shown = hidden = 0
    with redirect_stdout(output), redirect_stderr(output):
        seat = house.guest("Ana").sit_down()
        for _ in range(HANDS):
            seat.guest.answers.clear()
            if play_hand(house, seat, rng, problems):
                shown += 1
            else:
                hidden += 1
            if seat.state["match"]["state"] == "busted":
                seat = seat.guest.sit_down(supersede=True)
            else:
                seat.next_hand()
    assert problems == []
    assert shown > 10
    assert hidden > 10
    log = output.getvalue()
    assert "request" in log
    assert not re.search(r"\b[2-9TJQKA][cdhs]\b", log)
    token = seat.guest.http.cookies["riverboat_session"]
    assert token not in log


def test_published_hands_show_only_what_was_shown(house: House) -> None:
    rng = random.Random(80)
    seat = house.guest("Ana").sit_down()
    for _ in range(40):
        while seat.legal is not None:
            act_at_random(seat, rng)
        if seat.state["match"]["state"] == "busted":
            seat = seat.guest.sit_down(supersede=True)
        else:
            seat.next_hand()
    folded = 0
    for message in published(house):
        if not isinstance(message, pb.HandSettled):
            continue
        with reading(house.sql_engine) as connection:
            log = queries.load_hand_events(connection, message.hand_id)
        names = [item.content.name for item in log]
        assert (len(message.shown) == 2) == ("showdown" in names)
        folded += not message.shown
    assert folded > 5


def test_river_is_asked_with_its_own_cards_only(house: House) -> None:
    rng = random.Random(81)
    seat = house.guest("Ana").sit_down()
    for _ in range(15):
        while seat.legal is not None:
            act_at_random(seat, rng)
        if seat.state["match"]["state"] == "busted":
            break
        seat.next_hand()
    assert house.river.asked
    for view, _ in house.river.asked:
        cards = {item.seat: item.hole_cards for item in view.seats}
        assert view.viewer == 2
        assert cards[2] is not None
        assert cards[1] is None
