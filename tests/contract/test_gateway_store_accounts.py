"""Accounts, merges, erasure and tokens on every database, whoever races."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from services.common.database import migrate, open_engine, reading
from services.gateway.app import MIGRATIONS
from services.gateway.model import MatchState, User
from services.gateway.store import (
    accounts,
    belongings,
    commits,
    idempotency,
    pruning,
    sessions,
    tokens,
    users,
)
from services.gateway.store.accounts import Secret
from services.gateway.store.idempotency import Ticket
from services.gateway.store.schema import MATCHES, METADATA, SESSIONS, USERS
from services.gateway.store.sessions import NewSession
from services.gateway.store.tokens import TOKENS_MAX, PersonalToken
from services.gateway.tokens import Scope
from tests.support.gateway_steps import ANA, BEN, prepare, sat_down
from tests.support.gateways import NOON

T = TypeVar("T")

LATER = NOON + timedelta(days=1)
ACCOUNT = User("u_00000000000000000009", "account", "Cy", NOON, "Cy")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    else:
        url = request.getfixturevalue("postgres_url")
    engine = open_engine(url)
    migrate(engine, MIGRATIONS)
    with engine.begin() as connection:
        for number, user in enumerate((ANA, BEN)):
            sessions.create_guest(connection, user, session(f"hash-{number}"))
    yield engine
    engine.dispose()


def session(token_hash: str) -> NewSession:
    return NewSession(token_hash, NOON, LATER, "Firefox on Linux")


def write(engine: Engine, query: Callable[..., T], *args: object) -> T:
    with engine.begin() as connection:
        return query(connection, *args)


def read(engine: Engine, query: Callable[..., T], *args: object) -> T:
    with reading(engine) as connection:
        return query(connection, *args)


def as_account(user: User, name: str) -> User:
    return User(user.user_id, "account", name, user.created_at, name, user.revision + 1)


def upgrade(engine: Engine, user: User, name: str, key: str = "k") -> None:
    secret = Secret("$argon2id$...", None, f"key-{key}")
    new = session(f"session-{user.user_id}-{key}")
    write(engine, accounts.upgrade, as_account(user, name), name.casefold(), secret, new)


def create(engine: Engine, user: User = ACCOUNT) -> None:
    secret = Secret("$argon2id$...", "cy@example.org", "key-0")
    assert user.username is not None
    write(engine, accounts.create, user, user.username.casefold(), secret, session("hash-9"))


def race(*works: Callable[[], object]) -> list[str]:
    """Run all at once; return what became of each."""

    def outcome(work: Callable[[], object]) -> str:
        try:
            work()
        except Exception as error:
            return type(error).__name__
        return "done"

    with ThreadPoolExecutor(len(works)) as pool:
        return sorted(pool.map(outcome, works))


def start_match(engine: Engine, player: User, seed: int = 0) -> None:
    step = sat_down(player, seed=seed or int(player.user_id[-4:]))
    with engine.begin() as connection:
        prepare(connection, step)
        commits.create(connection, step)


def rows_of(connection: Connection, user_id: str) -> set[str]:
    """Names of the tables that have something of a person."""
    return {
        table.name
        for table in METADATA.sorted_tables
        if "user_id" in table.c
        and connection.execute(sa.select(table.c.user_id).where(table.c.user_id == user_id)).first()
    }


def test_an_upgraded_guest_is_found_by_name_and_by_the_new_session_only(engine: Engine) -> None:
    write(engine, accounts.save_code, ANA.user_id, "code", NOON)
    upgrade(engine, ANA, "Ana_P")
    found = read(engine, accounts.find_secret, "ana_p")
    assert found is not None
    assert found[0] == as_account(ANA, "Ana_P")
    assert read(engine, sessions.find, "hash-0", NOON) is None
    assert read(engine, accounts.find_by_code, "code") is None
    new = read(engine, sessions.find, f"session-{ANA.user_id}-k", NOON)
    assert new is not None
    assert new[0] == as_account(ANA, "Ana_P")


def test_a_name_is_one_persons(engine: Engine) -> None:
    upgrade(engine, ANA, "Ana_P")
    with pytest.raises(accounts.NameTakenError):
        upgrade(engine, BEN, "ANA_p")
    with pytest.raises(accounts.NameTakenError):
        create(engine, User("u_00000000000000000008", "account", "x", NOON, "aNa_p"))
    found = read(engine, users.find, BEN.user_id)
    assert found == BEN


def test_of_many_who_want_one_name_at_once_one_gets_it(engine: Engine) -> None:
    people = [User(f"u_0000000000000000001{n}", "account", "Cy", NOON, "Cy") for n in range(6)]
    for number, person in enumerate(people):
        guest = User(person.user_id, "guest", "Guest", NOON)
        write(engine, sessions.create_guest, guest, session(f"guest-{number}"))

    def claim(person: User) -> Callable[[], None]:
        return lambda: upgrade(engine, person, person.username or "", "race")

    outcomes = race(*map(claim, people))
    assert outcomes == ["NameTakenError"] * 5 + ["done"]
    with reading(engine) as connection:
        named = sa.select(sa.func.count()).where(USERS.c.username_key == "cy")
        assert connection.execute(named).scalar_one() == 1


def test_a_guest_who_upgrades_twice_at_once_becomes_one_account(engine: Engine) -> None:
    def attempt(name: str) -> Callable[[], None]:
        return lambda: upgrade(engine, ANA, name, name)

    outcomes = race(*map(attempt, ("ana", "anna", "annie", "hannah")))
    assert outcomes == ["NotAGuestError"] * 3 + ["done"]
    found = read(engine, users.find, ANA.user_id)
    assert found is not None
    secret = read(engine, accounts.find_secret, str(found.username))
    assert secret is not None
    assert secret[1].key_hash == f"key-{found.username}"
    with reading(engine) as connection:
        query = sa.select(sa.func.count()).where(SESSIONS.c.user_id == ANA.user_id)
        assert connection.execute(query).scalar_one() == 1


def test_a_merge_moves_matches_once_however_often_it_is_tried_at_once(engine: Engine) -> None:
    create(engine)
    start_match(engine, ANA)
    keys = ["one", "two", "three", "four"]
    for key in keys:
        ticket = Ticket(ACCOUNT.user_id, key, key)
        write(engine, idempotency.claim, ticket, "print", NOON)

    def attempt(key: str) -> Callable[[], None]:
        ticket = Ticket(ACCOUNT.user_id, key, key)

        def merge() -> None:
            write(engine, belongings.merge, ACCOUNT.user_id, ANA.user_id, ticket, NOON)

        return merge

    assert race(*map(attempt, keys)) == ["MergeConflictError"] * 3 + ["done"]
    own = read(engine, belongings.belongings, ACCOUNT.user_id)
    assert (own.matches, own.open_match) == (1, True)
    assert read(engine, belongings.belongings, ANA.user_id).matches == 0
    assert read(engine, users.find, ANA.user_id) is None
    assert read(engine, sessions.find, "hash-0", NOON) is None


def test_two_open_matches_are_not_merged_and_nothing_changes(engine: Engine) -> None:
    create(engine)
    start_match(engine, ANA)
    start_match(engine, ACCOUNT)
    ticket = Ticket(ACCOUNT.user_id, "key", "key")
    write(engine, idempotency.claim, ticket, "print", NOON)
    with pytest.raises(belongings.MergeConflictError, match="two-open-matches"):
        write(engine, belongings.merge, ACCOUNT.user_id, ANA.user_id, ticket, NOON)
    assert read(engine, belongings.belongings, ANA.user_id).open_match
    assert read(engine, sessions.find, "hash-0", NOON) is not None


@pytest.mark.parametrize("swap", [False, True])
def test_only_a_guest_is_merged_and_only_into_an_account(engine: Engine, swap: bool) -> None:
    create(engine)
    into, guest = (ANA, BEN) if not swap else (ANA, ACCOUNT)
    ticket = Ticket(into.user_id, "key", "key")
    write(engine, idempotency.claim, ticket, "print", NOON)
    with pytest.raises(belongings.MergeConflictError, match="guest-into-account"):
        write(engine, belongings.merge, into.user_id, guest.user_id, ticket, NOON)


def test_a_guest_who_was_merged_starts_no_match(engine: Engine) -> None:
    create(engine)
    ticket = Ticket(ACCOUNT.user_id, "key", "key")
    write(engine, idempotency.claim, ticket, "print", NOON)
    write(engine, belongings.merge, ACCOUNT.user_id, ANA.user_id, ticket, NOON)
    with pytest.raises(users.PersonGoneError):
        start_match(engine, ANA)
    assert read(engine, belongings.belongings, ANA.user_id).matches == 0


def test_erasing_leaves_the_anonymous_id_and_nothing_else(engine: Engine) -> None:
    upgrade(engine, ANA, "ana")
    write(engine, accounts.save_code, ANA.user_id, "code", NOON)
    token = PersonalToken("k_1", "phone", frozenset({Scope.PLAY}), NOON, LATER)
    write(engine, tokens.create, ANA.user_id, token, "token-hash")
    write(engine, idempotency.claim, Ticket(ANA.user_id, "key", "key"), "print", NOON)
    write(engine, belongings.erase, ANA.user_id, lambda _: True, NOON)
    with reading(engine) as connection:
        assert rows_of(connection, ANA.user_id) == {"users"}
        row = connection.execute(sa.select(USERS).where(USERS.c.user_id == ANA.user_id)).one()
    assert (row.display_name, row.username, row.username_key) == (users.ERASED_NAME, None, None)
    assert read(engine, sessions.find, f"session-{ANA.user_id}-k", NOON) is None
    assert read(engine, tokens.find, "token-hash", NOON) is None
    upgrade(engine, BEN, "Ana")


def test_whoever_is_erased_meanwhile_does_not_come_in(engine: Engine) -> None:
    write(engine, belongings.erase, ANA.user_id, lambda _: True, NOON)
    entry = accounts.Entry(session("late"), None, None, "offer", LATER)
    token = PersonalToken("k_1", "phone", frozenset({Scope.PLAY}), NOON, LATER)
    for work in (
        lambda: write(engine, accounts.let_in, ANA, entry),
        lambda: write(engine, accounts.save_code, ANA.user_id, "code", NOON),
        lambda: write(engine, tokens.create, ANA.user_id, token, "token-hash"),
        lambda: write(engine, accounts.rename, ANA.user_id, "Ana", lambda _: True, NOON),
    ):
        with pytest.raises(users.PersonGoneError):
            work()
    with reading(engine) as connection:
        assert rows_of(connection, ANA.user_id) == {"users"}


def test_nobody_is_erased_at_the_table(engine: Engine) -> None:
    start_match(engine, ANA)
    with pytest.raises(belongings.MatchOpenError):
        write(engine, belongings.erase, ANA.user_id, lambda _: True, NOON)
    assert read(engine, users.find, ANA.user_id) == ANA
    assert read(engine, sessions.find, "hash-0", NOON) is not None


def test_sitting_down_and_erasing_at_once_never_both_happen(engine: Engine) -> None:
    outcomes = race(
        lambda: start_match(engine, ANA),
        lambda: write(engine, belongings.erase, ANA.user_id, lambda _: True, NOON),
    )
    assert outcomes in (["MatchOpenError", "done"], ["PersonGoneError", "done"])


def test_sitting_down_and_merging_at_once_wait_for_each_other_in_one_order(engine: Engine) -> None:
    create(engine)
    for number in range(8):
        guest = User(f"u_0000000000000000010{number}", "guest", "Dee", NOON)
        write(engine, sessions.create_guest, guest, session(f"guest-{number}"))
        start_match(engine, guest)
        ticket = Ticket(ACCOUNT.user_id, f"key-{number}", f"key-{number}")
        write(engine, idempotency.claim, ticket, "print", NOON)
        outcomes = race(
            partial(start_match, engine, ACCOUNT, 1_000 + number),
            partial(write, engine, belongings.merge, ACCOUNT.user_id, guest.user_id, ticket, NOON),
        )
        assert outcomes in (["MatchOpenError", "done"], ["MergeConflictError", "done"])
        with engine.begin() as connection:
            ended = {"state": MatchState.SETTLED.value}
            connection.execute(sa.update(MATCHES).values(ended))


def test_merging_into_whoever_is_being_erased_is_done_before_it_or_not_at_all(
    engine: Engine,
) -> None:
    for number in range(8):
        account = User(f"u_0000000000000000020{number}", "account", "Eve", NOON, f"Eve{number}")
        secret = Secret("$argon2id$...", None, f"key-{number}")
        new = session(f"account-{number}")
        write(engine, accounts.create, account, f"eve{number}", secret, new)
        guest = User(f"u_0000000000000000010{number}", "guest", "Dee", NOON)
        write(engine, sessions.create_guest, guest, session(f"guest-{number}"))
        ticket = Ticket(account.user_id, "key", "key")
        write(engine, idempotency.claim, ticket, "print", NOON)
        outcomes = race(
            partial(write, engine, belongings.erase, account.user_id, lambda _: True, NOON),
            partial(write, engine, belongings.merge, account.user_id, guest.user_id, ticket, NOON),
        )
        assert outcomes in (["done", "done"], ["InProgressError", "done"])


def test_names_follow_renames_merges_and_erasure(engine: Engine) -> None:
    create(engine)
    write(engine, accounts.rename, BEN.user_id, "Benjamin", lambda _: True, NOON)
    ticket = Ticket(ACCOUNT.user_id, "key", "key")
    write(engine, idempotency.claim, ticket, "print", NOON)
    write(engine, belongings.merge, ACCOUNT.user_id, ANA.user_id, ticket, NOON)
    ids = [ANA.user_id, BEN.user_id, ACCOUNT.user_id, "u_99999999999999999999"]
    found = read(engine, users.names, ids)
    assert {key: user.display_name for key, user in found.items()} == {
        ANA.user_id: "Cy",
        BEN.user_id: "Benjamin",
        ACCOUNT.user_id: "Cy",
    }
    write(engine, belongings.erase, ACCOUNT.user_id, lambda _: True, NOON)
    found = read(engine, users.names, ids)
    assert found[ANA.user_id].display_name == users.ERASED_NAME
    assert found[ACCOUNT.user_id].display_name == users.ERASED_NAME


def test_an_account_becomes_a_bot_before_its_first_match_only(engine: Engine) -> None:
    create(engine)
    with pytest.raises(belongings.NoAccountError):
        write(engine, belongings.become_bot, ANA.user_id, NOON)

    def become_bot() -> None:
        write(engine, belongings.become_bot, ACCOUNT.user_id, NOON)

    outcomes = race(
        lambda: start_match(engine, ACCOUNT),
        become_bot,
    )
    assert outcomes in (["HasPlayedError", "done"], ["PersonGoneError", "done"])


def test_tokens_are_limited_whoever_asks_at_once(engine: Engine) -> None:
    def make(number: int) -> Callable[[], None]:
        token = PersonalToken(f"k_{number}", "bot", frozenset({Scope.READ}), NOON, LATER)
        return lambda: write(engine, tokens.create, ANA.user_id, token, f"token-{number}")

    outcomes = race(*map(make, range(TOKENS_MAX + 4)))
    assert outcomes == ["TooManyTokensError"] * 4 + ["done"] * TOKENS_MAX
    # Expired ones make room.
    new = PersonalToken("k_new", "bot", frozenset({Scope.READ}), LATER, LATER + timedelta(days=1))
    write(engine, tokens.create, ANA.user_id, new, "token-new")
    assert [t.token_id for t in read(engine, tokens.list_tokens, ANA.user_id, LATER)] == ["k_new"]


def test_sessions_are_limited_and_the_least_used_makes_room(engine: Engine) -> None:
    with engine.begin() as connection:
        for number in range(sessions.SESSIONS_MAX):
            at = NOON + timedelta(minutes=number + 1)
            new = NewSession(f"more-{number}", at, LATER, None)
            sessions.start(connection, ANA.user_id, new)
    assert read(engine, sessions.find, "hash-0", NOON) is None
    assert read(engine, sessions.find, "more-0", NOON) is not None
    assert len(write(engine, sessions.list_sessions, ANA.user_id, NOON)) == sessions.SESSIONS_MAX


def test_a_session_of_an_older_release_gets_its_id_when_it_is_listed(engine: Engine) -> None:
    row = {
        "token_hash": "old", "user_id": ANA.user_id, "created_at": NOON, "expires_at": LATER,
    }  # fmt: skip
    with engine.begin() as connection:
        connection.execute(sa.insert(SESSIONS).values(row))
    found = read(engine, sessions.find, "old", NOON)
    assert found == (ANA, NOON, LATER)
    (first, second) = (write(engine, sessions.list_sessions, ANA.user_id, NOON) for _ in "ab")
    assert first == second
    (old,) = [item for item in first if item.agent is None]
    assert old.session_id.startswith("s_")
    assert write(engine, sessions.end_by_id, BEN.user_id, old.session_id) is None
    assert write(engine, sessions.end_by_id, ANA.user_id, old.session_id) == "old"
    assert read(engine, sessions.find, "old", NOON) is None


def test_tokens_and_offers_that_ran_out_are_pruned(engine: Engine) -> None:
    create(engine)
    token = PersonalToken("k_1", "phone", frozenset({Scope.PLAY}), NOON, LATER)
    write(engine, tokens.create, ANA.user_id, token, "token-hash")
    write(engine, belongings.offer_merge, ACCOUNT.user_id, BEN.user_id, "offer-hash", LATER)
    for prune in (pruning.prune_tokens, pruning.prune_offers):
        assert write(engine, prune, NOON, 10) == 0
        assert write(engine, prune, LATER, 10) == 1
