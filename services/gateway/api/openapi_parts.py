"""What the OpenAPI document says beside its operations: tags, headers, links, parameters."""

from collections.abc import Mapping
from typing import Any, Final

from services.gateway.api.deps import COOKIE
from services.gateway.problems import ProblemType

Json = dict[str, Any]

TAGS: Final = (
    ("Meta", "About the server: its version, limits, tables on offer and problem types."),
    ("Identity", "Guests, accounts, sessions and personal tokens; one's own profile."),
    ("Preferences", "One's own settings and shortcut buttons, saved under If-Match."),
    ("Lobby", "What the first page shows."),
    ("Matches", "Sitting down against River, the next hand, topping up, settling."),
    ("Tables", "Playing: the table as its player sees it, actions, events."),
    ("Hands", "Hands played, as far as their player may see them."),
    ("Fair deal", "Proofs that the deck was fixed before the hand, and their verifier."),
    ("Notices", "What happened to one's matches while one was away."),
    ("Live", "Updates as they happen, over a socket or a stream of server-sent events."),
    ("Leaderboards", "Who wins how much, and one's own place."),
    ("Operations", "Probes and metrics for whoever runs the server."),
)
"""The groups of operations, in the order of the document."""

SECURITY_SCHEMES: Final[Mapping[str, Json]] = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The cookie of a session, set by POST /v1/sessions/guest, by signing in "
        "and by making an account. It may do everything. A request that changes something must "
        "come from this site's own pages, or from no browser at all.",
    },
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A personal token (POST /v1/me/tokens), which may do what one of its "
        "scopes allows: each operation lists the scopes of which one is needed, none for what "
        "takes a session. A session's own token is taken too and may do everything. With it "
        "the cookie does not count.",
    },
}


_OR_A_SESSION: Final[list[Json]] = [{}, {"session": []}, {"bearer": []}]
OPTIONAL_SECURITY: Final[Mapping[str, list[Json]]] = {
    "createAccount": _OR_A_SESSION,
    "createGuest": _OR_A_SESSION,
    "getLeaderboard": [{}, {"session": []}, {"bearer": ["party", "play", "read"]}],
    "recover": _OR_A_SESSION,
    "signIn": _OR_A_SESSION,
}
"""Operations that need nobody signed in, and take notice of who is."""


def _header(description: str, example: object, kind: str = "string", **more: object) -> Json:
    schema = {"type": kind, "examples": [example]}
    return {"description": description, "schema": schema, **more}


HEADERS: Final[Mapping[str, Json]] = {
    "X-Request-Id": _header(
        "Name of this request in the server's logs; the end of a problem's `instance`",
        "5f0c2b7d9e1a4c3f8b6d0e2a7c9f1b34",
        required=True,
    ),
    "Retry-After": _header(
        "Seconds after which the request may be repeated", 1, "integer", required=True
    ),
    "MaybeRetryAfter": _header(
        "Seconds after which the request may be repeated, when that would help", 1, "integer"
    ),
    "ETag": _header("Version of the answer; send it back in If-Match", '"3"', required=True),
    "NewerETag": _header("The version that there is now", '"4"', required=True),
    "WWW-Authenticate": _header("How to sign in, when no session was there", "Bearer"),
    "Set-Cookie": _header(
        "The session; scripts cannot read it",
        f"{COOKIE}=…; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax",
        required=True,
    ),
}
"""The headers of responses, by component name."""

RESPONSE_HEADERS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "401": (("WWW-Authenticate", "WWW-Authenticate"),),
    "409": (("Retry-After", "MaybeRetryAfter"),),
    "412": (("ETag", "NewerETag"),),
    "429": (("Retry-After", "Retry-After"),),
    "503": (("Retry-After", "Retry-After"),),
}
"""Which headers a refusal has, by status: the header and its component."""

_ID: Final = "0123456789abcdef0123"

PATH_PARAMETERS: Final[Mapping[str, tuple[str, Any]]] = {
    "board": ("`hu_river`: matches against River; `bots`: those of programs", "hu_river"),
    "hand_id": ("Id of one of one's own hands", f"h_{_ID}"),
    "match_id": ("Id of one of one's own matches", f"m_{_ID}"),
    "problem_type": (
        "The last part of a problem's `type`",
        ProblemType.STALE_TURN.value,
    ),
    "ruleset_id": ("Id of a table on offer", "hu_river"),
    "seq": ("Number of the notice", 1),
    "session_id": ("`id` in the list of sessions", f"s_{_ID}"),
    "table_id": ("`table_id` of a match", f"t_{_ID}"),
    "token_id": ("`id` in the list of tokens", f"k_{_ID}"),
}
"""Description and example of what stands in paths."""

PARAMETERS: Final[Mapping[str, Any]] = {
    "accept": "application/json",
    "after": 0,
    "cursor": "WzE3Nzc2MzY4MDAwMDAwMDAsIm1fMDEyMzQ1Njc4OWFiY2RlZjAxMjMiXQ",
    "from": "2026-05-01T00:00:00Z",
    "Idempotency-Key": "0b1f6f0e6c9d4f6f9f6d3c1b2a4e5d70",
    "If-Match": '"3"',
    "if-none-match": '"18"',
    "last-event-id": 41,
    "limit": 50,
    "match": f"m_{_ID}",
    "min_pot": 600,
    "need": "database,engine",
    "points": 500,
    "pos": "BTN",
    "section": "ranked",
    "since": 41,
    "tag": "ai_decided",
    "to": "2026-06-01T00:00:00Z",
}
"""An example of each query parameter and request header."""

_MATCH: Final = {"match_id": "$response.body#/match/id"}
_TABLE: Final = {"table_id": "$response.body#/table_id"}
_HAND: Final = {"hand_id": "$response.body#/snapshot/hand/id"}


def _link(operation: str, parameters: Mapping[str, str], description: str, **more: object) -> Json:
    return {
        "operationId": operation,
        "parameters": dict(parameters),
        "description": description,
        **more,
    }


_AT_THE_TABLE: Final = {"table_id": "$response.body#/snapshot/table_id"}
_ACT: Final = _link(
    "act",
    _AT_THE_TABLE,
    "Answer the turn, if it is one's own (`snapshot.legal` is not null)",
    requestBody={"turn_token": "$response.body#/snapshot/legal/turn_token", "type": "fold"},
)

LINKS: Final[Mapping[str, tuple[str, Mapping[str, Json]]]] = {
    "startMatch": (
        "201",
        {
            "act": _ACT,
            "table": _link("getTable", _TABLE, "Read the table again"),
            "events": _link("listEvents", _TABLE, "Follow the table"),
            "match": _link("getMatch", _MATCH, "Read the match"),
            "nextHand": _link("dealNextHand", _MATCH, "Deal on, once the hand is over"),
            "topUp": _link("topUp", _MATCH, "Top up, once the hand is over"),
            "settle": _link("settleMatch", _MATCH, "Settle, once the hand is over"),
            "summary": _link("getSummary", _MATCH, "Sum the match up"),
            "hands": _link("listHands", _MATCH, "List its hands"),
            "graph": _link("getGraph", _MATCH, "Read its course"),
            "hand": _link("getHand", _HAND, "Read the hand"),
            "proof": _link("getFairness", _HAND, "Read the proof of the deal"),
        },
    ),
    "dealNextHand": ("200", {"act": _ACT, "hand": _link("getHand", _HAND, "Read the hand")}),
    "act": ("200", {"act": _ACT, "hand": _link("getHand", _HAND, "Read the hand")}),
    "createToken": (
        "201",
        {"revoke": _link("deleteToken", {"token_id": "$response.body#/id"}, "Revoke it")},
    ),
}
"""From an answer to what can be done next: the operation, its status, and its links."""
