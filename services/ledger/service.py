"""The ledger's reads over gRPC. They change nothing, so retrying one is always safe."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
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
from services.ledger.boards import (
    BOARDS,
    RANKED_HANDS,
    Board,
    bb_per_100_text,
    distance_text,
    margin_text,
    percent_text,
)
from services.ledger.days import day_of, season_of
from services.ledger.leaderboard import (
    Cursor,
    Row,
    Scope,
    Section,
    as_of_us,
    read_filters,
    read_next_rank,
    read_page,
    read_row,
)
from services.ledger.standings import ALL_TIME, ANY_VERSION, LAST_30_DAYS
from services.ledger.statement import Entry, read_statement
from services.ledger.store import now_us
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

SEASON = "season"
"""The window that is the current season."""

_SEASON = re.compile(r"\d{4}-Q[1-4]", re.ASCII)

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

    def __init__(self, engine: Engine, clock_us: Callable[[], int] = now_us) -> None:
        self._engine = engine
        self._clock_us = clock_us

    async def GetLeaderboard(  # noqa: N802 - gRPC names it
        self,
        request: pb.GetLeaderboardRequest,
        context: grpc.aio.ServicerContext[pb.GetLeaderboardRequest, pb.GetLeaderboardResponse],
    ) -> pb.GetLeaderboardResponse:
        """Return one page of a section of a board."""
        return await _answered(
            self._engine, context, lambda c: _leaderboard(c, request, day_of(self._clock_us()))
        )

    async def GetStanding(  # noqa: N802
        self,
        request: pb.GetStandingRequest,
        context: grpc.aio.ServicerContext[pb.GetStandingRequest, pb.GetStandingResponse],
    ) -> pb.GetStandingResponse:
        """Return one player's row, or NOT_FOUND."""
        return await _answered(
            self._engine, context, lambda c: _standing(c, request, day_of(self._clock_us()))
        )

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
    connection: Connection, request: pb.GetLeaderboardRequest, today: int
) -> pb.GetLeaderboardResponse:
    board = _board(request.board)
    section = SECTIONS.get(request.section)
    if section is None:
        _refuse("INVALID_SECTION", "section must be ranked or qualifying")
    size = _page_size(request.page_size)
    scope = _scope(board, request, today)
    after = None
    if request.page_token:
        scope, after = _continued(scope, section, request)
    page = read_page(connection, scope, section, size, after)
    token = ""
    if page.next_cursor is not None:
        token = encode_cursor(scope, section.value, page.next_cursor)
    seasons, versions = read_filters(connection, board.board_id)
    return pb.GetLeaderboardResponse(
        rows=[_row_message(board, row) for row in page.rows],
        next_page_token=token,
        as_of_time=_timestamp(as_of_us(connection)),
        ranked_hands=RANKED_HANDS,
        window=scope.period,
        seasons=seasons,
        versions=versions,
    )


def _continued(
    scope: Scope, section: Section, request: pb.GetLeaderboardRequest
) -> tuple[Scope, Cursor]:
    """Return the list that a page token goes on with, and the place in it.

    A list of the current season stays in the season in which it began.
    """
    try:
        period, cursor = decode_cursor(
            scope.board, scope.version, section.value, request.page_token
        )
        began = request.window == SEASON and _SEASON.fullmatch(period) is not None
        if period != scope.period and not began:
            raise TokenError("the page token belongs to another list")
    except TokenError as error:
        _refuse("INVALID_PAGE_TOKEN", str(error))
    return replace(scope, period=period), cursor


def _scope(
    board: Board, request: pb.GetLeaderboardRequest | pb.GetStandingRequest, today: int
) -> Scope:
    window = request.window or ALL_TIME
    if window == SEASON:
        window = season_of(today)
    if window not in (ALL_TIME, LAST_30_DAYS) and not _SEASON.fullmatch(window):
        _refuse("INVALID_WINDOW", "window must be all, season, 30d or a season such as 2026-Q2")
    if request.version != ANY_VERSION and not is_id(request.version):
        _refuse("INVALID_VERSION", "version must have 1..128 printable characters")
    return Scope(board.board_id, window, request.version)


def _standing(
    connection: Connection, request: pb.GetStandingRequest, today: int
) -> pb.GetStandingResponse:
    board = _board(request.board)
    scope = _scope(board, request, today)
    row = read_row(connection, scope, _player(request.player_id))
    if row is None:
        raise _RequestError(
            grpc.StatusCode.NOT_FOUND,
            "NO_STANDING",
            "no settled hand on this board",
            board=board.board_id,
        )
    return pb.GetStandingResponse(
        row=_row_message(board, row),
        hands_to_rank=max(0, RANKED_HANDS - row.tally.hands),
        as_of_time=_timestamp(as_of_us(connection)),
        next_rank=_next_rank(connection, board, scope, row),
        window=scope.period,
    )


def _next_rank(connection: Connection, board: Board, scope: Scope, row: Row) -> pb.NextRank | None:
    better = read_next_rank(connection, scope, row)
    if better is None:
        return None
    average = Fraction(row.tally.net_chips, row.tally.hands)
    missing = distance_text(average, better.average, board.big_blind_chips)
    return pb.NextRank(rank=better.rank, bb_per_100_missing=missing)


def _statement(connection: Connection, request: pb.GetStatementRequest) -> pb.GetStatementResponse:
    player_id = _player(request.player_id)
    size = _page_size(request.page_size)
    before_no = None
    if request.page_token:
        try:
            before_no = decode_number(player_id, request.page_token)
        except TokenError as error:
            _refuse("INVALID_PAGE_TOKEN", str(error))
    page = read_statement(connection, player_id, size, before_no)
    token = "" if page.next_no is None else encode_number(player_id, page.next_no)
    return pb.GetStatementResponse(
        transfers=[_transfer_message(entry) for entry in page.entries],
        next_page_token=token,
        opening_chips=page.opening_chips,
        closing_chips=page.closing_chips,
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
    tally = row.tally
    return pb.LeaderboardRow(
        rank=row.rank or 0,
        player_id=row.player_id,
        display_name=row.display_name,
        kind=row.kind,
        hands=tally.hands,
        net_chips=tally.net_chips,
        big_blind_chips=board.big_blind_chips,
        bb_per_100=bb_per_100_text(tally.net_chips, tally.hands, board.big_blind_chips),
        ai_decided_hands=tally.ai_decided_hands,
        void_hands=tally.void_hands,
        last_played_time=_timestamp(tally.last_played_us),
        margin_95=margin_text(tally, board.big_blind_chips),
        ai_decided_percent=percent_text(tally.ai_decided_hands, tally.hands),
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
        change_chips=entry.change_chips,
    )


def _timestamp(microseconds: int) -> Timestamp | None:
    """Return a timestamp, None (absent) for never."""
    if microseconds == 0:
        return None
    stamp = Timestamp()
    stamp.FromMicroseconds(microseconds)
    return stamp
