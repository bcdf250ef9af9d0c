"""What personal tokens may do: decided in one place, closed unless somebody opened it."""

import pytest

from services.gateway.api.scopes import check_scope
from services.gateway.problems import ProblemError
from services.gateway.tokens import Scope

READ, PLAY, PARTY = ({scope} for scope in (Scope.READ, Scope.PLAY, Scope.PARTY))
READS = ["/v1/me", "/v1/lobby", "/v1/matches/m_1", "/v1/tables/t_1/events", "/v1/me/settings"]
PLAYS = [
    "/v1/matches", "/v1/matches/m_1/next-hand", "/v1/matches/m_1/settle", "/v1/me/bet-presets",
    "/v1/me/settings", "/v1/me/notices/read", "/v1/hands/h_1/note",
]  # fmt: skip
SESSIONS_ONLY = [
    ("POST", "/v1/accounts"), ("POST", "/v1/sessions"), ("POST", "/v1/sessions/guest"),
    ("POST", "/v1/sessions/recover"), ("GET", "/v1/sessions"), ("DELETE", "/v1/sessions/s_1"),
    ("DELETE", "/v1/sessions/current"), ("POST", "/v1/me/tokens"), ("GET", "/v1/me/tokens"),
    ("DELETE", "/v1/me/tokens/k_1"), ("POST", "/v1/me/recovery-code"), ("GET", "/v1/me/export"),
    ("POST", "/v1/me/merge-guest"), ("POST", "/v1/me/bot-upgrade"), ("DELETE", "/v1/me"),
    ("PATCH", "/v1/me"), ("POST", "/v1/what/comes/next"),
]  # fmt: skip


def needed(scopes: set[Scope], method: str, path: str) -> str | None:
    """What is told to be missing; None when the request is allowed."""
    try:
        check_scope(scopes, method, path)
    except ProblemError as problem:
        told = {"forbidden-scope": problem.facts["needed"]}
        return str(told[problem.problem_type])
    return None


@pytest.mark.parametrize("path", READS)
@pytest.mark.parametrize("scopes", [READ, PLAY, PARTY])
def test_every_scope_reads(scopes: set[Scope], path: str) -> None:
    assert needed(scopes, "GET", path) is None


@pytest.mark.parametrize("path", PLAYS)
def test_playing_takes_the_scope_play(path: str) -> None:
    assert needed(PLAY, "POST", path) is None
    assert needed(READ | PARTY, "POST", path) == "play"


@pytest.mark.parametrize("path", ["/v1/parties", "/v1/parties/p_1/ready", "/v1/practice"])
def test_parties_take_the_scope_party(path: str) -> None:
    assert needed(PARTY, "POST", path) is None
    assert needed(READ | PLAY, "POST", path) == "party"


def test_acting_at_a_table_takes_either() -> None:
    for scopes in (PLAY, PARTY):
        assert needed(scopes, "POST", "/v1/tables/t_1/actions") is None
    assert needed(READ, "POST", "/v1/tables/t_1/actions") in {"play", "party"}


def test_a_socket_only_reads() -> None:
    assert needed(READ, "POST", "/v1/ws-tickets") is None


@pytest.mark.parametrize(("method", "path"), SESSIONS_ONLY)
def test_no_token_manages_sign_ins_or_does_what_nobody_thought_of(method: str, path: str) -> None:
    assert needed(set(Scope), method, path) == "session"


@pytest.mark.parametrize("path", ["/v1/matchesx", "/v1/tablesx/t_1", "/v1", "/v1/mex"])
def test_a_name_that_only_begins_alike_is_not_allowed(path: str) -> None:
    assert needed(set(Scope), "POST", path) == "session"
