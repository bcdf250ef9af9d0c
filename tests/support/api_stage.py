"""A served gateway with everything that the operations of its API need to succeed once.

`Stage.wish` returns, for an operation, a person and a request of theirs that is granted now:
the turn is theirs, the hand is over, the token exists, whatever the operation asks for.
"""

import collections
import itertools
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import httpx
from google.protobuf.timestamp_pb2 import Timestamp

from proto.ledger.v1 import ledger_pb2 as pb
from services.gateway.api.deps import COOKIE
from tests.support.gateways import Json, ScriptedRiver, passive
from tests.support.live_servers import Served, served
from tests.support.people import PASSWORD

_PLAYED = Timestamp(seconds=1_777_636_800)
_ROW = pb.LeaderboardRow(
    rank=1,
    player_id="u_other",
    display_name="Ben",
    kind="guest",
    hands=500,
    net_chips=5_050,
    big_blind_chips=100,
    bb_per_100="+10.10",
    ai_decided_hands=2,
    void_hands=1,
    last_played_time=_PLAYED,
    margin_95="38.21",
    ai_decided_percent="0.4",
)


class KnownLedger:
    """The wire to a ledger that knows one page, and everybody's place."""

    async def GetLeaderboard(  # noqa: N802
        self, request: pb.GetLeaderboardRequest, **_: object
    ) -> pb.GetLeaderboardResponse:
        if request.page_token not in {"", "more"}:
            nothing = grpc.aio.Metadata()
            raise grpc.aio.AioRpcError(grpc.StatusCode.INVALID_ARGUMENT, nothing, nothing)
        ranked = request.section == pb.SECTION_RANKED and request.board == "hu_river"
        return pb.GetLeaderboardResponse(
            rows=[_ROW] if ranked else [],
            next_page_token="" if request.page_token else "more",
            as_of_time=_PLAYED,
            ranked_hands=500,
            window=_window(request.window),
            seasons=["2026-Q2"],
            versions=["river-1"],
        )

    async def GetStanding(  # noqa: N802
        self, request: pb.GetStandingRequest, **_: object
    ) -> pb.GetStandingResponse:
        row = pb.LeaderboardRow()
        row.CopyFrom(_ROW)
        row.player_id = request.player_id
        return pb.GetStandingResponse(row=row, hands_to_rank=0, window=_window(request.window))


def _window(asked: str) -> str:
    return {"": "all", "season": "2026-Q2"}.get(asked, asked)


@dataclass
class Person:
    """Somebody with a session; ``table`` and ``match`` are those of their open match."""

    http: httpx.Client
    token: str
    match: str = ""
    table: str = ""
    state: Json = field(default_factory=dict)

    def ask(self, method: str, path: str, body: Json | None = None, **headers: str) -> Json:
        sent = {"Cookie": f"{COOKIE}={self.token}", "Idempotency-Key": uuid.uuid4().hex, **headers}
        response = self.http.request(method, path, json=body, headers=sent)
        assert response.is_success, response.text
        return dict(response.json()) if response.content else {}

    def sit_down(self, buy_in: int = 3_000) -> None:
        body = {"ruleset": "hu_river", "buy_in": buy_in, "supersede": True}
        answer = self.ask("POST", "/v1/matches", body)
        self.match, self.table = answer["match"]["id"], answer["table_id"]
        self.state = answer["snapshot"]

    def refresh(self) -> None:
        """Look at the table; sit down at another one when nothing can be played here."""
        self.state = self.ask("GET", f"/v1/tables/{self.table}")
        if self.state["match"]["state"] not in {"in_hand", "between_hands"}:
            self.sit_down()

    def act(self, kind: str) -> None:
        body = {"turn_token": self.state["legal"]["turn_token"], "type": kind}
        self.state = self.ask("POST", f"/v1/tables/{self.table}/actions", body)["snapshot"]

    def come_to_a_turn(self) -> None:
        self.refresh()
        while self.state["legal"] is None:
            answer = self.ask("POST", f"/v1/matches/{self.match}/next-hand", {})
            self.state = answer["snapshot"]

    def come_to_the_end_of_a_hand(self) -> None:
        self.refresh()
        while (legal := self.state["legal"]) is not None:
            self.act("fold" if legal["can_fold"] else "check")


@dataclass(frozen=True)
class Wish:
    """A request that is granted: who asks, and what."""

    person: Person | None = None
    path: Json = field(default_factory=dict)
    body: Any = None
    headers: Json = field(default_factory=dict)
    query: Json = field(default_factory=dict)

    @property
    def cookie(self) -> dict[str, str]:
        return {} if self.person is None else {"Cookie": f"{COOKIE}={self.person.token}"}


class Stage:
    """People in every situation that an operation needs; ``player`` does what can be repeated."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.base_url, trust_env=False, timeout=30)
        self.asked: collections.Counter[str] = collections.Counter()
        self.names = (f"ana_{number}" for number in itertools.count())
        self.player = self.guest()
        self.stranger = self.guest()
        self.player.sit_down()
        self.away = self._somebody_who_left()

    def guest(self) -> Person:
        response = self.http.post("/v1/sessions/guest")
        self.http.cookies.clear()
        return Person(self.http, response.cookies[COOKIE])

    def account(self) -> tuple[Person, str]:
        """A new person with an account, and its name."""
        name = next(self.names)
        body = {"username": name, "password": PASSWORD}
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        response = self.http.post("/v1/accounts", json=body, headers=headers)
        self.http.cookies.clear()
        return Person(self.http, response.cookies[COOKIE]), name

    def _somebody_who_left(self) -> Person:
        """A person whose hand was finished in their absence, which a notice tells them."""
        person = self.guest()
        person.sit_down()
        person.come_to_the_end_of_a_hand()
        person.come_to_a_turn()
        person.act("call" if person.state["legal"]["to_call"] else "check")
        person.come_to_a_turn()
        person.sit_down()
        return person

    def wish(self, operation: str) -> Wish:
        """Return a request for an operation that succeeds now."""
        prepare = _WISHES.get(operation)
        return Wish(self.player) if prepare is None else prepare(self)


def _match(stage: Stage) -> Wish:
    return Wish(stage.player, {"match_id": stage.player.match})


def _table(stage: Stage) -> Wish:
    return Wish(stage.player, {"table_id": stage.player.table})


def _hand(stage: Stage) -> Wish:
    stage.player.refresh()
    return Wish(stage.player, {"hand_id": stage.player.state["hand"]["id"]})


def _command(body: Any = None) -> Callable[[Stage], Wish]:  # noqa: ANN401
    """Between the hands of a match."""

    def prepare(stage: Stage) -> Wish:
        stage.player.come_to_the_end_of_a_hand()
        return Wish(stage.player, {"match_id": stage.player.match}, body, _key())

    return prepare


def _key() -> Json:
    return {"Idempotency-Key": uuid.uuid4().hex}


def _start(stage: Stage) -> Wish:
    body = {"ruleset": "hu_river", "buy_in": 3_000, "supersede": True}
    person = stage.guest()
    return Wish(person, body=body, headers=_key())


def _settle(stage: Stage) -> Wish:
    person = stage.guest()
    person.sit_down()
    person.come_to_the_end_of_a_hand()
    return Wish(person, {"match_id": person.match}, {}, _key())


def _act(stage: Stage) -> Wish:
    stage.player.come_to_a_turn()
    legal = stage.player.state["legal"]
    body = {"turn_token": legal["turn_token"], "type": "call" if legal["to_call"] else "check"}
    return Wish(stage.player, {"table_id": stage.player.table}, body, _key())


def _preview(stage: Stage) -> Wish:
    stage.player.come_to_a_turn()
    body = {"presets": [{"kind": "bb", "value": "2.5"}]}
    return Wish(stage.player, {"table_id": stage.player.table}, body)


def _notice(stage: Stage) -> Wish:
    return Wish(stage.away, {"seq": 1})


def _new_token(stage: Stage) -> Wish:
    return Wish(stage.guest(), body={"name": "phone", "scopes": ["play"]})


def _token(stage: Stage) -> Wish:
    person = stage.guest()
    made = person.ask("POST", "/v1/me/tokens", {"name": "phone", "scopes": ["play"]})
    return Wish(person, {"token_id": made["id"]})


def _session(stage: Stage) -> Wish:
    person = stage.guest()
    (found,) = person.ask("GET", "/v1/sessions")["items"]
    return Wish(person, {"session_id": found["id"]})


def _new_account(stage: Stage) -> Wish:
    body = {"username": next(stage.names), "password": PASSWORD}
    return Wish(stage.guest(), body=body, headers=_key())


def _sign_in(stage: Stage) -> Wish:
    _, name = stage.account()
    return Wish(body={"username": name, "password": PASSWORD})


def _recover(stage: Stage) -> Wish:
    words = stage.guest().ask("POST", "/v1/me/recovery-code", {})["words"]
    return Wish(body={"words": words})


def _bot(stage: Stage) -> Wish:
    return Wish(stage.account()[0], body={"confirm": True})


def _merge(stage: Stage) -> Wish:
    """Somebody who played as a guest signs in on the same device."""
    _, name = stage.account()
    person = stage.guest()
    person.sit_down()
    cookie = {"Cookie": f"{COOKIE}={person.token}"}
    body = {"username": name, "password": PASSWORD}
    response = stage.http.post("/v1/sessions", json=body, headers=cookie)
    stage.http.cookies.clear()
    owner = Person(stage.http, response.cookies[COOKIE])
    token = response.json()["merge_offer"]["guest_token"]
    return Wish(owner, body={"guest_token": token}, headers=_key())


def _presets(stage: Stage) -> Wish:
    row = [{"kind": "min", "value": None}, {"kind": "pot_fraction", "value": "2/3"}]
    return Wish(stage.player, body={"preflop": row, "postflop": row}, headers={"If-Match": "*"})


_WISHES: dict[str, Callable[[Stage], Wish]] = {
    "act": _act,
    "becomeBot": _bot,
    "createAccount": _new_account,
    "createGuest": lambda _: Wish(body={"display_name": "Ana"}),
    "createToken": _new_token,
    "dealNextHand": _command({"client_seed": "4f1c0a9be37d2586"}),
    "deleteToken": _token,
    "endOtherSession": _session,
    "endSession": lambda stage: Wish(stage.guest()),
    "eraseMe": lambda stage: Wish(stage.guest()),
    "getFairness": _hand,
    "getGraph": _match,
    "getHand": _hand,
    "getLeaderboard": lambda _: Wish(path={"board": "hu_river"}),
    "getMatch": _match,
    "getMyStanding": lambda stage: Wish(stage.player, {"board": "hu_river"}),
    "getProblemType": lambda _: Wish(path={"problem_type": "stale-turn"}),
    "getRuleset": lambda _: Wish(path={"ruleset_id": "hu_river"}),
    "getSummary": _match,
    "getTable": _table,
    "listEvents": _table,
    "listHands": _match,
    "mergeGuest": _merge,
    "previewPresets": _preview,
    "putBetPresets": _presets,
    "putSettings": lambda stage: Wish(
        stage.player, body={"amounts": "bb"}, headers={"If-Match": "*"}
    ),
    "readNotice": _notice,
    "recover": _recover,
    "resetBetPresets": lambda stage: Wish(stage.player, headers={"If-Match": "*"}),
    "settleMatch": _settle,
    "signIn": _sign_in,
    "startMatch": _start,
    "topUp": _command({}),
    "updateMe": lambda stage: Wish(stage.player, body={"display_name": "Zoë"}),
}


@contextmanager
def staged(url: str) -> Iterator[Stage]:
    """Serve a gateway on a database, with its people."""
    with served(url, river=ScriptedRiver(passive)) as server:
        # Asked through the gateway's own client, on the stub of its own kind.
        vars(server.gateway.ledger)["_stub"] = KnownLedger()
        stage = Stage(server)
        try:
            yield stage
        finally:
            stage.http.close()
