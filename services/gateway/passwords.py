"""Passwords: which are good enough, and how they are kept and compared.

A password is text of the person's choice. It is brought to one Unicode form, because devices
type the same character differently, and hashed with Argon2id. It is held in a `SecretStr`
until that moment, so no log, error or repr can show it.
"""

import asyncio
import base64
import itertools
import unicodedata
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from pydantic import SecretStr

from services.gateway.problems import ProblemError, ProblemType

CHARS_MIN: Final = 8
CHARS_MAX: Final = 256
DIFFERENT_MIN: Final = 5
"""Different characters that a password has at least."""

DIGITS_MIN: Final = 12
"""Length of a password that is a number: shorter ones are dates and telephone numbers."""

CORE_MIN: Final = 3
"""Letters that make a part of the name recognisable in a password."""

HASHES_AT_ONCE: Final = 2
"""Bounds the memory that hashing takes, and leaves threads to the database."""

COMMON: Final = frozenset(
    """
    1q2w3e4r abcdefg abcdefgh access admin administrator asdfghjkl baseball
    basketball changeme charlie chelsea computer dragon facebook football freedom google hello
    holdem iloveu iloveyou internet jennifer jordan letmein liverpool login lovely master
    michael michelle monkey mustang nothing passphrase password passwort pokemon poker
    pokerstars princess qazwsx qwerty qwertyui qwertyuiop qwertz river riverboat samsung secret
    shadow soccer starwars sunshine superman superstar test trustno1 welcome whatever zaq12wsx
    zxcvbnm
    """.split()  # noqa: SIM905  # as a list it would be a page
)
"""Passwords that are tried first; digits and signs around them, or for letters, hide nothing."""

# What stands for a letter, and letters that stand for each other.
_SIGNS: Final = str.maketrans("01l!345@$7", "oiiieasast")


def _core(text: str) -> str:
    """Return what is left without the digits and signs at both ends."""
    return text.strip("".join(sign for sign in text if not sign.isalpha()))


_FORMS: Final = frozenset(
    form.translate(_SIGNS) for word in COMMON for form in (word, _core(word)) if len(form) > 3
)


def check_strength(password: SecretStr, username: str) -> None:
    """Raise weak-password, with a reason, for a password that guessing finds soon."""
    text = _normal(password)
    bare, name = text.casefold(), username.casefold()
    core = _core(bare)
    if len(text) < CHARS_MIN:
        reason = "too-short"
    elif not _FORMS.isdisjoint({bare.translate(_SIGNS), core.translate(_SIGNS)}):
        reason = "common"
    elif len(set(bare)) < DIFFERENT_MIN or _is_run(bare):
        reason = "repetitive"
    elif bare.isdecimal() and len(bare) < DIGITS_MIN:
        reason = "common"
    elif name in bare or (len(core) >= CORE_MIN and core in name):
        reason = "like-the-name"
    else:
        return
    raise ProblemError(ProblemType.WEAK_PASSWORD, reason=reason, min=CHARS_MIN)


class Passwords:
    """Hashes passwords in worker threads, a few at a time."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        # OWASP's first choice for Argon2id: 19 MiB, two passes, one lane.
        self._hasher = hasher or PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
        self._turns = asyncio.Semaphore(HASHES_AT_ONCE)
        self._nobodys = _nobodys_hash(self._hasher)

    async def hash(self, password: SecretStr) -> str:
        """Return what to store for a password: parameters, salt and hash as text."""
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, _normal(password))

    async def verify(self, stored: str | None, password: SecretStr) -> bool:
        """Return whether the password is the stored one; None takes as long and is False."""
        async with self._turns:
            return await asyncio.to_thread(self._matches, stored, _normal(password))

    def is_outdated(self, stored: str) -> bool:
        """Return whether a password was hashed with other parameters than new ones are."""
        return self._hasher.check_needs_rehash(stored)

    def _matches(self, stored: str | None, text: str) -> bool:
        try:
            return self._hasher.verify(stored or self._nobodys, text) and stored is not None
        except (VerificationError, InvalidHashError):
            return False


def _normal(password: SecretStr) -> str:
    return unicodedata.normalize("NFKC", password.get_secret_value())


def _is_run(text: str) -> bool:
    """Return whether each character is the next, or the one before, of the one before it."""
    steps = {ord(after) - ord(before) for before, after in itertools.pairwise(text)}
    return steps in ({1}, {-1}, {0})


def _nobodys_hash(hasher: PasswordHasher) -> str:
    """Return a hash that costs as much to compare as a real one and that nothing matches."""

    def text(length: int) -> str:
        return base64.b64encode(bytes(length)).rstrip(b"=").decode()

    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${costs}${text(hasher.salt_len)}${text(hasher.hash_len)}"
