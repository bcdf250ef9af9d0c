"""What a player does to check the deal: note roots, choose seeds, verify proofs."""

from services.common.database import reading
from services.gateway import verifier
from services.gateway.model import Scene
from services.gateway.store import queries
from tests.support.gateways import Guest, House, Json, Seat

SEED = "4f1c0a9be37d2586"


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
