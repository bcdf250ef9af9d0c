"""The ledger's reads over gRPC. They change nothing, so retrying one is always safe."""

import asyncio
from collections.abc import Callable
from typing import NoReturn, TypeVar

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError

from proto.ledger.v1 import ledger_pb2 as pb
from proto.ledger.v1 import ledger_pb2_grpc
from services.common.database import reading
from services.common.eventlog.port import is_id
from services.common.rpc_errors import refusal_metadata
from services.ledger.boards import BOARDS, RANKED_HANDS, Board, bb_per_100_text
from services.ledger.leaderboard import Row, Section, as_of_us, read_page, read_row
from services.ledger.statement import Entry, read_statement
from services.ledger.tokens import (
    TokenError,
    decode_cursor,
    decode_number,
    encode_cursor,
    encode_number,
)

SERVICE_NAME = "riverboat.ledger.v1.LedgerService"
CONSUMER_NAME = "riverboat.ledger.v1.Consumer"
"""Name under which health tells whether events are still applied; no service to call."""

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 100

SECTIONS = {
    pb.SECTION_RANKED: Section.RANKED,
    pb.SECTION_QUALIFYING: Section.QUALIFYING,
}

Request = TypeVar("Request")
Answer = TypeVar("Answer")


class _RequestError(Exception):
    """The request is wrong, or asks for what is not there."""

    def __init__(
        self, code: grpc.StatusCode, reason: str, message: str, **facts: int | str
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.facts = facts


class LedgerServicer(ledger_pb2_grpc.LedgerServiceServicer):
    """Answers from the projections; each answer is one snapshot of the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def GetLeaderboard(  # noqa: N802 - gRPC names it
        self,
        request: pb.GetLeaderboardRequest,
        context: grpc.aio.ServicerContext[pb.GetLeaderboardRequest, pb.GetLeaderboardResponse],
    ) -> pb.GetLeaderboardResponse:
        """Return one page of a section of a board."""
        return await _answered(self._engine, context, lambda c: _leaderboard(c, request))

    async def GetStanding(  # noqa: N802
        self,
        request: pb.GetStandingRequest,
        context: grpc.aio.ServicerContext[pb.GetStandingRequest, pb.GetStandingResponse],
    ) -> pb.GetStandingResponse:
        """Return one player's row, or NOT_FOUND."""
        return await _answered(self._engine, context, lambda c: _standing(c, request))

    async def GetStatement(  # noqa: N802
        self,
        request: pb.GetStatementRequest,
        context: grpc.aio.ServicerContext[pb.GetStatementRequest, pb.GetStatementResponse],
    ) -> pb.GetStatementResponse:
        """Return one page of a player's transfers."""
        return await _answered(self._engine, context, lambda c: _statement(c, request))


async def _answered(
    engine: Engine,
    context: grpc.aio.ServicerContext[Request, Answer],
    read: Callable[[Connection], Answer],
) -> Answer:
    """Run a read in a thread, and turn what goes wrong into a status."""

    def run() -> Answer:
        with reading(engine) as connection:
            return read(connection)

    try:
        return await asyncio.to_thread(run)
    except _RequestError as error:
        refusal = error
    except OperationalError:
        refusal = _RequestError(
            grpc.StatusCode.UNAVAILABLE, "DATABASE_AWAY", "the database is away"
        )
    details = refusal_metadata(refusal.code, refusal.reason, refusal.message, refusal.facts)
    return await context.abort(refusal.code, refusal.message, details)


def _leaderboard(
    connection: Connection, request: pb.GetLeaderboardRequest
) -> pb.GetLeaderboardResponse:
    board = _board(request.board)
    section = SECTIONS.get(request.section)
    if section is None:
        _refuse("INVALID_SECTION", "section must be ranked or qualifying")
    size = _page_size(request.page_size)
    after = None
    if request.page_token:
        try:
            after = decode_cursor(board.board_id, section.value, request.page_token)
        except TokenError as error:
            _refuse("INVALID_PAGE_TOKEN", str(error))
    page = read_page(connection, board.board_id, section, size, after)
    token = ""
    if page.next_cursor is not None:
        token = encode_cursor(board.board_id, section.value, page.next_cursor)
    return pb.GetLeaderboardResponse(
        rows=[_row_message(board, row) for row in page.rows],
        next_page_token=token,
        as_of_time=_timestamp(as_of_us(connection)),
        ranked_hands=RANKED_HANDS,
    )


def _standing(connection: Connection, request: pb.GetStandingRequest) -> pb.GetStandingResponse:
    board = _board(request.board)
    row = read_row(connection, board.board_id, _player(request.player_id))
    if row is None:
        raise _RequestError(
            grpc.StatusCode.NOT_FOUND,
            "NO_STANDING",
            "no settled hand on this board",
            board=board.board_id,
        )
    return pb.GetStandingResponse(
        row=_row_message(board, row),
        hands_to_rank=max(0, RANKED_HANDS - row.hands),
        as_of_time=_timestamp(as_of_us(connection)),
    )


def _statement(connection: Connection, request: pb.GetStatementRequest) -> pb.GetStatementResponse:
    player_id = _player(request.player_id)
    size = _page_size(request.page_size)
    before_no = None
    if request.page_token:
        try:
            before_no = decode_number(player_id, request.page_token)
        except TokenError as error:
            _refuse("INVALID_PAGE_TOKEN", str(error))
    entries, next_no = read_statement(connection, player_id, size, before_no)
    return pb.GetStatementResponse(
        transfers=[_transfer_message(entry) for entry in entries],
        next_page_token="" if next_no is None else encode_number(player_id, next_no),
    )


def _board(board_id: str) -> Board:
    board = BOARDS.get(board_id)
    if board is None:
        raise _RequestError(grpc.StatusCode.NOT_FOUND, "UNKNOWN_BOARD", "no such board")
    return board


def _player(player_id: str) -> str:
    if not is_id(player_id):
        _refuse("INVALID_PLAYER_ID", "player_id must have 1..128 printable characters")
    return player_id


def _page_size(size: int) -> int:
    if not 0 <= size <= MAX_PAGE_SIZE:
        _refuse("INVALID_PAGE_SIZE", f"page_size must be 0..{MAX_PAGE_SIZE}", max=MAX_PAGE_SIZE)
    return size or DEFAULT_PAGE_SIZE


def _refuse(reason: str, message: str, **facts: int | str) -> NoReturn:
    raise _RequestError(grpc.StatusCode.INVALID_ARGUMENT, reason, message, **facts)


def _row_message(board: Board, row: Row) -> pb.LeaderboardRow:
    return pb.LeaderboardRow(
        rank=row.rank or 0,
        player_id=row.player_id,
        display_name=row.display_name,
        kind=row.kind,
        hands=row.hands,
        net_chips=row.net_chips,
        big_blind_chips=board.big_blind_chips,
        bb_per_100=bb_per_100_text(row.net_chips, row.hands, board.big_blind_chips),
        ai_decided_hands=row.ai_decided_hands,
        void_hands=row.void_hands,
        last_played_time=_timestamp(row.last_played_us),
    )


def _transfer_message(entry: Entry) -> pb.Transfer:
    return pb.Transfer(
        transfer_no=entry.transfer_no,
        debit_account=entry.debit,
        credit_account=entry.credit,
        chips=entry.chips,
        kind=entry.kind,
        match_id=entry.match_id,
        hand_id=entry.hand_id or "",
        posted_time=_timestamp(entry.posted_us),
    )


def _timestamp(microseconds: int) -> Timestamp | None:
    """Return a timestamp, None (absent) for never."""
    if microseconds == 0:
        return None
    stamp = Timestamp()
    stamp.FromMicroseconds(microseconds)
    return stamp
