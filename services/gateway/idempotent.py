"""Runs a command at most once per Idempotency-Key and gives its first response again."""

import hashlib
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

from services.gateway.driver import Clock
from services.gateway.model import User
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.store import idempotency
from services.gateway.store.database import Database
from services.gateway.store.idempotency import Answer, Ticket

KEY_CHARS: Final = 128

R = TypeVar("R", bound=Mapping[str, Any])
"""A receipt: what a command did, enough to build its response."""

Work = Callable[[Ticket], Awaitable[R]]
Respond = Callable[[R], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Request:
    """What makes two requests the same: who, key, method, path and body."""

    user: User
    key: str
    method: str
    path: str
    body: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of everything but the identity and the key."""
        text = json.dumps([self.method, self.path, self.body], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


class Idempotent:
    """The keeper of keys."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(
        self, request: Request, work: Work[R], respond: Respond[R], status: int
    ) -> Answer:
        """Do the work unless it was done, and return its response, the same every time.

        ``work`` commits the receipt it returns; ``respond`` builds the response from a
        receipt, of this attempt or of one that died before it could answer. Raises
        ProblemError: refusals of the command itself are repeated for the same key, failures
        (5xx) are not.
        """
        claim = await self._claim(request)
        if claim.answer is not None:
            return _replayed(claim.answer)
        if claim.receipt is None:
            receipt = await self._attempt(claim.ticket, work)
        else:
            receipt = cast("R", claim.receipt)  # as the work itself wrote it
        body = json.dumps(await respond(receipt), separators=(",", ":"), ensure_ascii=False)
        answer = Answer(status, body)
        return await self._database.write(idempotency.keep_answer, claim.ticket, answer)

    async def _claim(self, request: Request) -> idempotency.Claim:
        ticket = Ticket(request.user.user_id, request.key, secrets.token_hex(16))
        try:
            return await self._database.write(
                idempotency.claim, ticket, request.fingerprint, self._clock()
            )
        except idempotency.MismatchError:
            raise ProblemError(ProblemType.IDEMPOTENCY_MISMATCH) from None
        except idempotency.InProgressError:
            raise _in_progress() from None

    async def _attempt(self, ticket: Ticket, work: Work[R]) -> R:
        try:
            return await work(ticket)
        except idempotency.InProgressError:
            raise _in_progress() from None
        except ProblemError as problem:
            if not await self._keep_refusal(ticket, problem):
                raise _in_progress() from None
            raise
        except Exception:
            await self._database.write(idempotency.release, ticket)
            raise

    async def _keep_refusal(self, ticket: Ticket, problem: ProblemError) -> bool:
        """Keep a refusal, or forget a failure; returns whether it may be told."""
        if problem.status >= 500:
            await self._database.write(idempotency.release, ticket)
            return True
        body = {
            "type": problem.problem_type.value,
            "detail": problem.detail,
            "facts": problem.facts,
        }
        answer = Answer(problem.status, json.dumps(body))
        return await self._database.write(idempotency.keep_refusal, ticket, answer)


def _replayed(answer: Answer) -> Answer:
    """Return an earlier response, or raise the refusal that it was."""
    if answer.status < 400:
        return answer
    body = json.loads(answer.body)
    raise ProblemError(ProblemType(body["type"]), body["detail"], **body["facts"])


def _in_progress() -> ProblemError:
    return ProblemError(ProblemType.IDEMPOTENCY_IN_PROGRESS, headers={"Retry-After": "1"})
