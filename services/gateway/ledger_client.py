"""Leaderboards, read from the ledger over gRPC."""

from dataclasses import dataclass
from typing import Final

import grpc

from proto.ledger.v1 import ledger_pb2 as pb
from proto.ledger.v1 import ledger_pb2_grpc
from services.gateway.problems import ProblemError, ProblemType

DEADLINE_SECONDS: Final = 5.0
HURRY_SECONDS: Final = 1.0

SECTIONS: Final = {
    "ranked": pb.SECTION_RANKED,
    "qualifying": pb.SECTION_QUALIFYING,
}


@dataclass(frozen=True, slots=True)
class Counted:
    """Which hands a leaderboard is to count.

    ``window`` is "all", "season", "30d" or a season's name; ``version`` is one of River's, or
    empty for any.
    """

    window: str = "all"
    version: str = ""


EVERYTHING: Final = Counted()


class LedgerClient:
    """The ledger service; unreachable means 503, a bad cursor 422."""

    def __init__(
        self, channel: grpc.aio.Channel, *, deadline_seconds: float = DEADLINE_SECONDS
    ) -> None:
        self._stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        self._deadline_seconds = deadline_seconds

    async def leaderboard(
        self, board: str, section: str, cursor: str, limit: int, counted: Counted = EVERYTHING
    ) -> pb.GetLeaderboardResponse:
        """Return a page of a board, best first; ``limit`` is 1..100."""
        request = pb.GetLeaderboardRequest(
            board=board,
            section=SECTIONS[section],
            page_size=limit,
            page_token=cursor,
            window=counted.window,
            version=counted.version,
        )
        try:
            return await self._stub.GetLeaderboard(
                request, timeout=self._deadline_seconds, wait_for_ready=True
            )
        except grpc.aio.AioRpcError as error:
            raise _problem(error) from error

    async def standing(
        self, board: str, player_id: str, counted: Counted = EVERYTHING, *, hurry: bool = False
    ) -> pb.GetStandingResponse | None:
        """Return a player's row, or None when they have none yet.

        In a ``hurry``, a ledger that is not there now is not waited for.
        """
        request = pb.GetStandingRequest(
            board=board, player_id=player_id, window=counted.window, version=counted.version
        )
        timeout = min(HURRY_SECONDS, self._deadline_seconds) if hurry else self._deadline_seconds
        try:
            return await self._stub.GetStanding(request, timeout=timeout, wait_for_ready=not hurry)
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:
                return None
            raise _problem(error) from error


def _problem(error: grpc.aio.AioRpcError) -> ProblemError:
    if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
        return ProblemError(ProblemType.REQUEST_INVALID, "no such page, or window")
    return ProblemError(
        ProblemType.UNAVAILABLE, "leaderboards cannot be read now", headers={"Retry-After": "2"}
    )
