"""Passwords: which are refused and why, and how they are kept and compared."""

import asyncio
from typing import Literal

import pytest
from argon2 import PasswordHasher
from pydantic import SecretStr

from services.gateway.passwords import CHARS_MIN, COMMON, Passwords, check_strength
from services.gateway.problems import ProblemError

GOOD = SecretStr("a seat by the paddle wheel")
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("", "too-short"),
        ("kX9#q2!", "too-short"),
        ("password", "common"),
        ("PASSWORD", "common"),
        ("Password1!", "common"),
        ("p4ssw0rd99", "common"),
        ("iloveyou2", "common"),
        ("$unsh1ne", "common"),
        ("19840517", "common"),
        ("55512345678", "common"),
        ("aaaaaaaaaaaa", "repetitive"),
        ("abababababab", "repetitive"),
        ("hijklmnop", "repetitive"),
        ("98765432", "repetitive"),
        ("ana-the-great", "like-the-name"),
        ("xx ANA-THE-GREAT xx", "like-the-name"),
        ("great12345", "like-the-name"),
    ],
)
def test_what_is_guessed_first_is_refused_with_a_reason(password: str, reason: str) -> None:
    with pytest.raises(ProblemError) as caught:
        check_strength(SecretStr(password), "ana-the-great")
    assert caught.value.problem_type == "weak-password"
    assert caught.value.facts == {"reason": reason, "min": CHARS_MIN}


@pytest.mark.parametrize(
    "password",
    [
        "kX9#q2!b",
        "correct horse",
        "玩家在河上打牌很开心",
        "пароль-реки",
        "8402 1759 3364 9",
        "7294817a",
    ],
)
def test_anything_else_is_good_enough(password: str) -> None:
    check_strength(SecretStr(password), "ana-the-great")


def test_the_length_counts_characters_as_they_are_compared() -> None:
    # Eight ligatures are sixteen letters, and eight combined letters are eight.
    check_strength(SecretStr("ﬁﬂĳǆǉǌ"), "ana")
    with pytest.raises(ProblemError):
        check_strength(SecretStr("a\u0301e\u0301i\u0301o\u0301"), "ana")


def test_common_passwords_are_written_as_they_are_compared() -> None:
    assert {word for word in COMMON if word != word.casefold() or len(word) < 4} == set()


def test_a_password_is_kept_as_argon2id_and_recognised() -> None:
    async def try_out() -> None:
        passwords = Passwords()
        stored = await passwords.hash(GOOD)
        assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert stored != await passwords.hash(GOOD)
        assert await passwords.verify(stored, GOOD)
        assert not await passwords.verify(stored, SecretStr(GOOD.get_secret_value() + " "))
        assert not passwords.is_outdated(stored)

    asyncio.run(try_out())


def test_the_same_characters_typed_on_another_device_are_the_same_password() -> None:
    async def try_out() -> None:
        passwords = Passwords(CHEAP)
        stored = await passwords.hash(SecretStr("caf\u00e9 \ufb01n"))
        assert await passwords.verify(stored, SecretStr("cafe\u0301 fin"))

    asyncio.run(try_out())


def test_nobodys_password_is_compared_at_the_same_cost_and_never_right() -> None:
    hashed: list[str] = []

    class Spy(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
            hashed.append(str(hash))
            return super().verify(hash, password)

    async def try_out() -> None:
        passwords = Passwords(Spy(time_cost=1, memory_cost=8, parallelism=1))
        assert not await passwords.verify(None, GOOD)
        assert not await passwords.verify(await passwords.hash(SecretStr("other")), GOOD)

    asyncio.run(try_out())
    costs = [text.split("$")[1:4] for text in hashed]
    assert costs[0] == costs[1] == ["argon2id", "v=19", "m=8,t=1,p=1"]
    lengths = [list(map(len, text.split("$"))) for text in hashed]
    assert lengths[0] == lengths[1]


def test_a_hash_of_other_parameters_is_recognised_and_outdated() -> None:
    async def try_out() -> None:
        passwords = Passwords()
        stored = CHEAP.hash(GOOD.get_secret_value())
        assert await passwords.verify(stored, GOOD)
        assert passwords.is_outdated(stored)

    asyncio.run(try_out())


@pytest.mark.parametrize("stored", ["", "plain", "$argon2id$v=19$m=8,t=1,p=1$", "$2b$12$abc"])
def test_a_damaged_hash_matches_nothing(stored: str) -> None:
    assert not asyncio.run(Passwords(CHEAP).verify(stored, GOOD))


def test_only_a_few_are_hashed_at_once() -> None:
    running = most = 0

    class Counting(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            nonlocal running, most
            running += 1
            most = max(most, running)
            try:
                return super().hash(password, salt=salt)
            finally:
                running -= 1

    async def try_out() -> None:
        passwords = Passwords(Counting(time_cost=1, memory_cost=64, parallelism=1))
        await asyncio.gather(*(passwords.hash(GOOD) for _ in range(12)))

    asyncio.run(try_out())
    assert 1 <= most <= 2
