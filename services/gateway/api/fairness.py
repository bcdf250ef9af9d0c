"""Proofs of what was dealt, and the program that checks them."""

from pathlib import Path
from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse, JSONResponse
from pydantic import Field

from services.gateway import verifier
from services.gateway.api.deps import READ, CallerDep, refusals
from services.gateway.api.shape import Shape
from services.gateway.ids import is_id
from services.gateway.model import PLAYER_SEAT
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.projection import proof_json
from services.gateway.store import queries

router = APIRouter(tags=["Fair deal"])

_VERIFIER: Final = Path(verifier.__file__)
_HASH: Final = "9b2f6b0e5d1c4a7f8e3d2c1b0a9f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7"


class Opening(Shape):
    """A card that is proven: with the path, its leaf leads to the root."""

    pos: int = Field(ge=0, le=51, description="Place in the committed order", examples=[17])
    card: str = Field(examples=["As"])
    salt: str = Field(description="16 bytes, hexadecimal", examples=[_HASH[:32]])
    path: list[str] = Field(
        description="Siblings from the leaf up, hexadecimal", examples=[[_HASH] * 6]
    )


class FairnessProof(Shape):
    """The proof of a hand's deal, as far as its player has seen it, in the order of the deal."""

    scheme: str = Field(examples=[verifier.SCHEME])
    root: str = Field(description="What was committed to before the hand", examples=[_HASH])
    client_seed: str | None = Field(
        description="The player's part in the shuffle", examples=["4f1c0a9be37d2586"]
    )
    permutation: list[int] = Field(
        description="Which committed position was dealt i-th", examples=[[17, 3, 44]]
    )
    openings: list[Opening]


@router.get(
    "/hands/{hand_id}/fairness",
    operation_id="getFairness",
    response_model=FairnessProof,
    responses=refusals(*READ, ProblemType.ENGINE_UNAVAILABLE),
)
async def get_fairness(caller: CallerDep, hand_id: str) -> Response:
    """Read the proof of one of one's own hands: the cards that one has seen, no others.

    While the hand runs it grows with what is turned up. Hands from before there were
    commitments have none (`not-found`).
    """
    gateway = caller.gateway
    hand = await gateway.database.read(queries.load_hand, hand_id) if is_id(hand_id) else None
    if hand is None:
        raise ProblemError(ProblemType.NOT_FOUND)
    await gateway.commands.own_match(caller.user, hand.match_id)
    if hand.shuffle is None:
        raise ProblemError(ProblemType.NOT_FOUND, "the hand was dealt without a commitment")
    snapshot = await gateway.rules.position(hand)
    return JSONResponse(proof_json(hand, hand.shuffle, snapshot, PLAYER_SEAT))


@router.get(
    "/fairness/verifier",
    operation_id="getVerifier",
    response_class=Response,
    responses={
        200: {
            "description": "The program",
            "content": {
                "text/plain": {
                    "schema": {"type": "string"},
                    "example": '"""Check the proof of a deal."""',
                }
            },
        }
    },
)
async def get_verifier() -> Response:
    """Download the program that checks proofs: one file for Python 3.11, to read and to run.

    It needs nothing but itself, and takes the answers of this interface as files.
    """
    return FileResponse(_VERIFIER, media_type="text/plain", filename="verifier.py")
