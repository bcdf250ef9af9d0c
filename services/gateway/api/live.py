"""Live updates: the socket, the event stream, and the tickets that open a socket."""

import time
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Final

import structlog
from fastapi import APIRouter, Depends, Header, Query, Response, WebSocket
from fastapi.responses import JSONResponse
from starlette.websockets import WebSocketDisconnect

from services.common.logs import get_logger, stack_of
from services.gateway.api.deps import (
    READ,
    Caller,
    CallerDep,
    Limit,
    caller_address,
    refusals,
    session_token,
)
from services.gateway.api.live_schemas import TicketReply
from services.gateway.api.matches import lobby_json
from services.gateway.api.table_schemas import EventPage
from services.gateway.api.views import TableViews
from services.gateway.gateway import Gateway
from services.gateway.identity import token_hash
from services.gateway.ids import is_id
from services.gateway.live import envelope, stream
from services.gateway.live.channels import Channel, LobbyChannel, TableChannel, UserChannel
from services.gateway.live.envelope import Farewell
from services.gateway.live.line import GoneError, Viewer
from services.gateway.live.service import TICKET_LIFE, Live
from services.gateway.live.socket import Connection, part
from services.gateway.model import PLAYER_SEAT, User
from services.gateway.problems import ProblemError, ProblemType, document
from services.gateway.projection import events_json
from services.gateway.reports import time_text
from services.gateway.store import feeds
from services.gateway.store.feeds import TrimmedError

Json = dict[str, Any]

router = APIRouter()

_STREAM_DOC: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "A page of events, or with `Accept: text/event-stream` a stream of the "
        "socket's messages (see docs/live.md)",
        "content": {
            stream.MEDIA_TYPE: {
                "schema": {"type": "string"},
                "example": 'id: 42\ndata: {"op":"ev","ch":"table:t_0123456789abcdef0123","seq":42,'
                '"type":"turn.started","at":"2026-05-01T12:00:00.000Z","data":{"seat":1}}\n\n',
            }
        },
    }
}

_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events are asked for, and how."""

    since: Annotated[
        int | None,
        Query(
            ge=0,
            le=10**15,
            description="Sequence number already known; left out, a stream begins with a "
            "snapshot and a page with the first event",
        ),
    ] = None
    limit: Limit = 100
    accept: Annotated[str, Header(max_length=1000, include_in_schema=False)] = ""
    last_event_id: Annotated[
        int | None, Header(ge=0, le=10**15, description="Of a stream: wins over `since`")
    ] = None


@router.post(
    "/ws-tickets",
    operation_id="createTicket",
    tags=["Live"],
    status_code=201,
    response_model=TicketReply,
    responses=refusals(
        ProblemType.NO_SESSION,
        ProblemType.CROSS_ORIGIN,
        ProblemType.TOO_LARGE,
        ProblemType.UNSUPPORTED_MEDIA_TYPE,
        ProblemType.RATE_LIMITED,
    ),
)
async def create_ticket(caller: CallerDep) -> Response:
    """Get a ticket that opens one socket, `/v1/ws?ticket=`, within half a minute.

    For clients that can neither send a cookie nor a header with the handshake.
    """
    ticket = await caller.gateway.live.tickets.issue(caller.user, caller.token)
    body = {"ticket": ticket, "expires_in": int(TICKET_LIFE.total_seconds())}
    return JSONResponse(body, status_code=201)


@router.get(
    "/tables/{table_id}/events",
    operation_id="listEvents",
    tags=["Tables"],
    response_model=EventPage,
    responses={
        **_STREAM_DOC,
        **refusals(
            *READ,
            ProblemType.NOT_SEATED,
            ProblemType.EVENTS_TRIMMED,
            ProblemType.REQUEST_INVALID,
            ProblemType.DRAINING,
        ),
    },
)
async def list_events(
    caller: CallerDep, table_id: str, wanted: Annotated[Wanted, Depends()]
) -> Response:
    """Read what happened at one's table after ``since``, in order and without gaps.

    As a stream it goes on: what happens is sent as it is committed.
    """
    if stream.MEDIA_TYPE in wanted.accept.lower():
        resumed = wanted.last_event_id
        return await _open_stream(caller, table_id, wanted.since if resumed is None else resumed)
    return await _event_page(caller, table_id, wanted.since or 0, wanted.limit)


async def _event_page(caller: Caller, table_id: str, since: int, limit: int) -> Response:
    gateway = caller.gateway
    scene = await gateway.commands.own_table(caller.user, table_id)
    if since >= scene.table.last_seq:
        events = []
    else:
        try:
            events = await gateway.database.read(feeds.table_events, table_id, since, limit)
        except TrimmedError:
            raise ProblemError(ProblemType.EVENTS_TRIMMED) from None
    last = events[-1].seq if events else since
    return JSONResponse(
        {
            "items": events_json(events, PLAYER_SEAT),
            "next_cursor": str(last) if last < scene.table.last_seq else None,
            "last_seq": max(last if events else 0, scene.table.last_seq),
            "version": scene.table.version,
        }
    )


async def _open_stream(caller: Caller, table_id: str, since: int | None) -> Response:
    gateway = caller.gateway
    channel = await open_channel(gateway, caller.user, f"table:{table_id}")
    if since is not None:
        try:
            await channel.events(since, 1)
        except TrimmedError:
            raise ProblemError(ProblemType.EVENTS_TRIMMED) from None
    return stream.EventStream(
        gateway.live,
        _viewer(gateway, caller.user, token_hash(caller.token)),
        channel,
        since=since,
        greeting=_greeting(gateway, caller.request.state.request_id),
        address=caller_address(caller.request),
    )


@router.websocket("/ws")
async def live_socket(websocket: WebSocket) -> None:
    """Talk `holdem.v1` with one person."""
    session = uuid.uuid4().hex
    ticket = _take_ticket(websocket)
    with structlog.contextvars.bound_contextvars(live=session):
        started, farewell = time.perf_counter(), None
        live: Live = websocket.app.state.gateway.live
        try:
            with live.counted("ws"):
                farewell = await _Handshake(websocket, session).serve(ticket)
        except (GoneError, WebSocketDisconnect):
            pass
        except Exception as error:  # the last line of defence; uvicorn would log its message
            _log.error("live failed", error=type(error).__name__, frames=stack_of(error))
        live.count_end("ws", farewell)
        _log.info(
            "live closed",
            code=None if farewell is None else farewell.code,
            duration_ms=round((time.perf_counter() - started) * 1000, 1),
        )


def _take_ticket(websocket: WebSocket) -> str | None:
    """Return the ticket of the address, and remove it before anybody logs the address."""
    ticket = websocket.query_params.get("ticket")
    websocket.scope["query_string"] = b""
    return ticket


class _Handshake:
    """From an open request to a served connection, or to a refusal that a browser can read.

    A refused handshake tells a browser nothing, so the socket is accepted first and then
    closed with the code that says why.
    """

    def __init__(self, websocket: WebSocket, session: str) -> None:
        self._websocket = websocket
        self._session = session
        self._gateway: Gateway = websocket.app.state.gateway
        self._wire = _Wire(websocket)

    async def serve(self, ticket: str | None) -> Farewell | None:
        """Serve the connection to its end; returns why it ended."""
        offered = envelope.SUBPROTOCOL in self._websocket.scope["subprotocols"]
        await self._websocket.accept(subprotocol=envelope.SUBPROTOCOL if offered else None)
        registry = self._gateway.live.registry
        with registry.arriving(caller_address(self._websocket)) as no_place:
            refusal = no_place or self._refusal(offered=offered)
            viewer = None if refusal else await self._identify(ticket)
            if viewer is None:
                farewell = refusal or envelope.NO_SESSION
                await part(self._wire, farewell)
                return farewell
            return await self._talk_with(viewer)

    def _refusal(self, *, offered: bool) -> Farewell | None:
        if _is_foreign(self._websocket):
            return envelope.FORBIDDEN
        return None if offered else envelope.PROTOCOL

    async def _talk_with(self, viewer: Viewer) -> Farewell | None:
        gateway, live = self._gateway, self._gateway.live
        connection = Connection(
            self._wire,
            viewer,
            open_channel=lambda name: open_channel(gateway, viewer.user, name),
            describe=self._describe,
            wakeups=live.wakeups,
            settings=live.settings,
        )
        with live.registry.held(viewer.user.user_id, connection.line):
            return await connection.serve(_greeting(gateway, self._session))

    async def _identify(self, ticket: str | None) -> Viewer | None:
        gateway = self._gateway
        if ticket is not None:
            admission = await gateway.live.tickets.redeem(ticket)
            if admission is None:
                return None
            return _viewer(gateway, admission.user, admission.session_hash)
        token = session_token(self._websocket)
        found = None if token is None else await gateway.identity.authenticate(token)
        if token is None or found is None:
            return None
        return _viewer(gateway, found[0], token_hash(token))

    def _describe(self, problem: ProblemError) -> Json:
        url = self._websocket.url
        scheme = "https" if url.scheme == "wss" else "http"
        return document(problem, f"{scheme}://{url.netloc}", self._session)


class _Wire:
    """Starlette's socket as `live.socket` wants it."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def send(self, text: str) -> None:
        try:
            await self._websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            # Starlette says RuntimeError when the socket is closed already.
            raise GoneError from None

    async def receive(self) -> str | None:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise GoneError
        text: str | None = message.get("text")
        return text

    async def close(self, code: int, reason: str) -> None:
        try:
            await self._websocket.close(code, reason)
        except (WebSocketDisconnect, RuntimeError):
            raise GoneError from None


async def open_channel(gateway: Gateway, user: User, name: str) -> Channel:
    """Return a person's channel of this name; raises not-found and not-seated."""
    kind, _, rest = name.partition(":")
    if kind == "table" and is_id(rest):
        await gateway.commands.own_table(user, rest)
        show = TableViews(gateway).snapshot
        return TableChannel(rest, gateway.database, gateway.driver, gateway.rules, show)
    if name == "user:me":
        return UserChannel(user, gateway.database)
    if name == "lobby":
        return LobbyChannel(user, gateway.database, lambda person: lobby_json(gateway, person))
    raise ProblemError(ProblemType.NOT_FOUND, "no such channel")


def _viewer(gateway: Gateway, user: User, session_hash: str) -> Viewer:
    return Viewer(
        user,
        lambda: gateway.live.tickets.is_signed_in(session_hash),
        # The end of a session is told of under its token's hash.
        lambda: gateway.live.wakeups.listen(session_hash),
    )


def _greeting(gateway: Gateway, session: str) -> Json:
    now = time_text(gateway.clock())
    return envelope.hello(session, now, gateway.live.settings.ping_seconds)


def _is_foreign(websocket: WebSocket) -> bool:
    """Return whether another site's page opens the socket; without Origin no browser does.

    A browser sends cookies with any page's socket and lets that page read all of it.
    """
    origin = websocket.headers.get("origin")
    if origin is None:
        return False
    # An opaque origin ("null") names no site; it must not equal a Host that is empty.
    site = origin.partition("://")[2]
    return not site or site != websocket.headers.get("host")
