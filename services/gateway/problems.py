"""Every refusal of the HTTP interface (RFC 9457): its type, status and meaning.

Clients switch on the type; titles and details are for people and may change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final

MEDIA_TYPE: Final = "application/problem+json"


class ProblemType(StrEnum):
    """Names of the problem types, the last segment of their address."""

    MALFORMED = "malformed"
    NO_SESSION = "no-session"
    BAD_CREDENTIALS = "bad-credentials"
    CROSS_ORIGIN = "cross-origin"
    FORBIDDEN_SCOPE = "forbidden-scope"
    NOT_SEATED = "not-seated"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    STALE_TURN = "stale-turn"
    NOT_YOUR_TURN = "not-your-turn"
    ACTIVE_MATCH = "active-match"
    HAND_IN_PROGRESS = "hand-in-progress"
    MATCH_BUSTED = "match-busted"
    MATCH_CLOSED = "match-closed"
    NOT_ELIGIBLE = "not-eligible"
    NAME_TAKEN = "name-taken"
    MERGE_CONFLICT = "merge-conflict"
    TOO_MANY_TOKENS = "too-many-tokens"
    IDEMPOTENCY_IN_PROGRESS = "idempotency-in-progress"
    MATCH_EXPIRED = "match-expired"
    EVENTS_TRIMMED = "events-trimmed"
    PRECONDITION_FAILED = "precondition-failed"
    TOO_LARGE = "too-large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    REQUEST_INVALID = "request-invalid"
    ILLEGAL_ACTION = "illegal-action"
    INVALID_BUY_IN = "invalid-buy-in"
    INVALID_RULESET = "invalid-ruleset"
    WEAK_PASSWORD = "weak-password"  # noqa: S105  # a problem type, no password
    PRESET_LIMIT = "preset-limit"
    PRESET_INVALID = "preset-invalid"
    IDEMPOTENCY_MISMATCH = "idempotency-mismatch"
    PRECONDITION_REQUIRED = "precondition-required"
    RATE_LIMITED = "rate-limited"
    INTERNAL = "internal"
    ENGINE_UNAVAILABLE = "engine-unavailable"
    UNAVAILABLE = "unavailable"
    DRAINING = "draining"


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """What a type means: its HTTP status, its title and what a client can do."""

    status: HTTPStatus
    title: str
    description: str


_S = HTTPStatus
KINDS: Final[Mapping[ProblemType, ProblemKind]] = {
    ProblemType.MALFORMED: ProblemKind(
        _S.BAD_REQUEST, "The request cannot be read", "Send a JSON object as the body."
    ),
    ProblemType.NO_SESSION: ProblemKind(
        _S.UNAUTHORIZED, "No session", "Create one with POST /v1/sessions/guest."
    ),
    ProblemType.BAD_CREDENTIALS: ProblemKind(
        _S.UNAUTHORIZED,
        "Not known",
        "Name and password, or the words, do not belong together; which of them is wrong is "
        "not told.",
    ),
    ProblemType.CROSS_ORIGIN: ProblemKind(
        _S.FORBIDDEN,
        "Cross-origin request refused",
        "A browser may change things only from this site's own pages.",
    ),
    ProblemType.FORBIDDEN_SCOPE: ProblemKind(
        _S.FORBIDDEN,
        "The token does not allow that",
        "`needed` is the scope to ask for; `session` means that no personal token may do it.",
    ),
    ProblemType.NOT_SEATED: ProblemKind(
        _S.FORBIDDEN, "Not your table", "Only the players of a table can see it or act."
    ),
    ProblemType.NOT_FOUND: ProblemKind(
        _S.NOT_FOUND, "Not found", "Nothing by this name exists, or it is not yours."
    ),
    ProblemType.METHOD_NOT_ALLOWED: ProblemKind(
        _S.METHOD_NOT_ALLOWED, "Method not allowed", "The address knows other methods."
    ),
    ProblemType.STALE_TURN: ProblemKind(
        _S.CONFLICT,
        "That turn is over",
        "The turn token answers an earlier turn; `version` is the table's current one. "
        "Read the table again.",
    ),
    ProblemType.NOT_YOUR_TURN: ProblemKind(
        _S.CONFLICT, "It is not your turn", "Wait for your turn and use its token."
    ),
    ProblemType.ACTIVE_MATCH: ProblemKind(
        _S.CONFLICT,
        "A match is open",
        "Resume `match_id`, or send supersede:true; `consequence` says what then happens.",
    ),
    ProblemType.HAND_IN_PROGRESS: ProblemKind(
        _S.CONFLICT, "A hand is in progress", "Possible only between hands."
    ),
    ProblemType.MATCH_BUSTED: ProblemKind(
        _S.CONFLICT, "Out of chips", "The match is over; it can only be settled."
    ),
    ProblemType.MATCH_CLOSED: ProblemKind(
        _S.CONFLICT, "The match is closed", "It was settled; start another one."
    ),
    ProblemType.NOT_ELIGIBLE: ProblemKind(
        _S.CONFLICT,
        "Not possible as things are",
        "A stack is topped up to the table's maximum only, a guest becomes an account and an "
        "account without matches a bot; `reason` names what stands in the way.",
    ),
    ProblemType.NAME_TAKEN: ProblemKind(
        _S.CONFLICT, "That name is taken", "Choose another name; capitals make no difference."
    ),
    ProblemType.MERGE_CONFLICT: ProblemKind(
        _S.CONFLICT,
        "The two cannot be merged",
        "`reason` says why: two open matches must first be one, and only a guest's matches "
        "move, to an account.",
    ),
    ProblemType.TOO_MANY_TOKENS: ProblemKind(
        _S.CONFLICT, "Too many tokens", "At most `max` at a time; delete one that is not used."
    ),
    ProblemType.IDEMPOTENCY_IN_PROGRESS: ProblemKind(
        _S.CONFLICT,
        "Still being processed",
        "A request with this Idempotency-Key is running; repeat it after a moment.",
    ),
    ProblemType.MATCH_EXPIRED: ProblemKind(
        _S.GONE, "The match expired", "It was finished by the rules for absent players."
    ),
    ProblemType.EVENTS_TRIMMED: ProblemKind(
        _S.GONE,
        "Those events are not kept",
        "The log does not continue from `since`; read the table and follow it from there.",
    ),
    ProblemType.PRECONDITION_FAILED: ProblemKind(
        _S.PRECONDITION_FAILED,
        "Changed by somebody else",
        "If-Match names an older version. Read again and decide anew.",
    ),
    ProblemType.TOO_LARGE: ProblemKind(
        _S.REQUEST_ENTITY_TOO_LARGE, "The body is too large", "Send at most 64 kB."
    ),
    ProblemType.UNSUPPORTED_MEDIA_TYPE: ProblemKind(
        _S.UNSUPPORTED_MEDIA_TYPE, "Unsupported content type", "Send application/json."
    ),
    ProblemType.REQUEST_INVALID: ProblemKind(
        _S.UNPROCESSABLE_ENTITY,
        "The request is invalid",
        "`errors` lists each field that is wrong.",
    ),
    ProblemType.ILLEGAL_ACTION: ProblemKind(
        _S.UNPROCESSABLE_ENTITY,
        "The rules forbid that action",
        "`reason` says why; `to_call`, `min_to` and `max_to` are the legal amounts.",
    ),
    ProblemType.INVALID_BUY_IN: ProblemKind(
        _S.UNPROCESSABLE_ENTITY,
        "Invalid buy-in",
        "Choose an amount from `min` to `max` in steps of `step`.",
    ),
    ProblemType.INVALID_RULESET: ProblemKind(
        _S.UNPROCESSABLE_ENTITY, "No such table on offer", "See GET /v1/rulesets."
    ),
    ProblemType.PRESET_LIMIT: ProblemKind(
        _S.UNPROCESSABLE_ENTITY,
        "Too many shortcuts, or none",
        "`set` has `count` shortcuts; from `min` to `max` are possible.",
    ),
    ProblemType.PRESET_INVALID: ProblemKind(
        _S.UNPROCESSABLE_ENTITY,
        "No such shortcut",
        "`errors` names each shortcut that is wrong, by set and index (from 0), and says why.",
    ),
    ProblemType.WEAK_PASSWORD: ProblemKind(
        _S.UNPROCESSABLE_ENTITY,
        "That password is too weak",
        "`reason` says why: too-short, common, repetitive or like-the-name; `min` is the "
        "number of characters that it takes.",
    ),
    ProblemType.IDEMPOTENCY_MISMATCH: ProblemKind(
        _S.UNPROCESSABLE_ENTITY,
        "Idempotency-Key used before",
        "The key belongs to another request; take a new key.",
    ),
    ProblemType.PRECONDITION_REQUIRED: ProblemKind(
        _S.PRECONDITION_REQUIRED,
        "If-Match is missing",
        "Read first and send the ETag back in If-Match, so that no other change is lost.",
    ),
    ProblemType.RATE_LIMITED: ProblemKind(
        _S.TOO_MANY_REQUESTS, "Too many requests", "Wait for `ratelimit.seconds`."
    ),
    ProblemType.INTERNAL: ProblemKind(
        _S.INTERNAL_SERVER_ERROR, "Internal error", "Our fault; `instance` identifies it."
    ),
    ProblemType.ENGINE_UNAVAILABLE: ProblemKind(
        _S.SERVICE_UNAVAILABLE,
        "The table cannot be reached",
        "Repeat the request with the same Idempotency-Key.",
    ),
    ProblemType.UNAVAILABLE: ProblemKind(
        _S.SERVICE_UNAVAILABLE, "Temporarily unavailable", "Repeat the request later."
    ),
    ProblemType.DRAINING: ProblemKind(
        _S.SERVICE_UNAVAILABLE,
        "The server is about to restart",
        "Connect again after a moment; another server may answer.",
    ),
}


class ProblemError(Exception):
    """A refusal on its way to the client; ``facts`` become members of the problem."""

    def __init__(
        self,
        problem_type: ProblemType,
        detail: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        **facts: Any,  # noqa: ANN401  # whatever JSON can hold
    ) -> None:
        super().__init__(problem_type.value)
        self.problem_type = problem_type
        self.detail = detail
        self.headers = dict(headers or {})
        self.facts = facts

    @property
    def status(self) -> int:
        """The HTTP status of the problem's type."""
        return KINDS[self.problem_type].status.value


def document(error: ProblemError, base_url: str, request_id: str) -> dict[str, Any]:
    """Return the problem as JSON; ``base_url`` has no trailing slash."""
    kind = KINDS[error.problem_type]
    body: dict[str, Any] = {
        "type": f"{base_url}/v1/problems/{error.problem_type.value}",
        "title": kind.title,
        "status": kind.status.value,
    }
    if error.detail is not None:
        body["detail"] = error.detail
    return {**body, "instance": f"urn:riverboat:request:{request_id}", **error.facts}
