"""What personal tokens may do: the one place that decides it.

Whatever is not listed is refused to them, so that a new endpoint is closed until somebody has
thought about it. Reading is part of every scope; managing sign-ins is part of none.
"""

from collections.abc import Set
from typing import Final

from services.gateway.problems import ProblemError, ProblemType
from services.gateway.tokens import Scope

# Read or written, these decide who comes in, or hand out everything at once.
_SESSIONS_ONLY: Final = (
    "/v1/accounts",
    "/v1/sessions",
    "/v1/me/bot-upgrade",
    "/v1/me/export",
    "/v1/me/merge-guest",
    "/v1/me/recovery-code",
    "/v1/me/tokens",
)
_PLAY: Final = frozenset({Scope.PLAY})
_PARTY: Final = frozenset({Scope.PARTY})
_WRITES: Final = (
    ("/v1/matches", _PLAY),
    ("/v1/hands", _PLAY),
    ("/v1/me/bet-presets", _PLAY),
    ("/v1/me/notices", _PLAY),
    ("/v1/me/settings", _PLAY),
    ("/v1/parties", _PARTY),
    ("/v1/practice", _PARTY),
    # Matches and parties are played at the same kind of table.
    ("/v1/tables", _PLAY | _PARTY),
    # Opens a socket, which only reads.
    ("/v1/ws-tickets", frozenset(Scope)),
)


def check_scope(scopes: Set[Scope], method: str, path: str) -> None:
    """Raise forbidden-scope unless a token with these scopes may make such a request."""
    allowed = allowed_scopes(method, path)
    if scopes.isdisjoint(allowed):
        needed = min(allowed, default="session")
        raise ProblemError(ProblemType.FORBIDDEN_SCOPE, needed=str(needed))


def allowed_scopes(method: str, path: str) -> Set[Scope]:
    """Return the scopes of which one is needed; none for what takes a session.

    ``path`` may be a route's, with names in place of ids.
    """
    if any(_is_under(path, top) for top in _SESSIONS_ONLY):
        return frozenset()
    if method in {"GET", "HEAD"}:
        return frozenset(Scope)
    return next((scopes for top, scopes in _WRITES if _is_under(path, top)), frozenset())


def _is_under(path: str, top: str) -> bool:
    return path == top or path.startswith(f"{top}/")
