"""Accounts: how a guest becomes one, how people come back, and how they leave for good.

A password is only ever in the request that brings it: what is kept is its Argon2 hash, and
neither idempotency keys nor logs hold anything that depends on it. Whoever signs in gets a
new token, so a token that was known before (or planted) is worth nothing afterwards.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from pydantic import SecretStr

from services.gateway.driver import Clock
from services.gateway.identity import SignedIn, new_session, stale_profile, token_hash
from services.gateway.ids import new_id
from services.gateway.leaving import Leaving
from services.gateway.model import User
from services.gateway.passwords import Passwords, check_strength
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.store import accounts, belongings
from services.gateway.store.accounts import Secret
from services.gateway.store.belongings import Belongings
from services.gateway.store.database import Database
from services.gateway.store.idempotency import Ticket
from services.gateway.store.users import RevisionConflictError
from services.gateway.tokens import MERGE_PREFIX, clean_code, new_code, new_token
from services.gateway.usernames import is_username, username_key

OFFER_LIFE: Final = timedelta(hours=24)
"""How long a merge can be put off after signing in."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A wish for an account; ``key`` is the request's Idempotency-Key."""

    username: str
    password: SecretStr
    email: str | None = field(repr=False)
    key: str

    @property
    def key_hash(self) -> str:
        """SHA-256 (hex) of the key, as it is kept with the account."""
        return hashlib.sha256(self.key.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Device:
    """What signs in: the session that it had before, if any, and its program's family."""

    user: User | None
    token: str | None = field(repr=False)
    agent: str


@dataclass(frozen=True, slots=True)
class MergeOffer:
    """A guest's matches that the account may take over, with this token."""

    guest: User
    token: str = field(repr=False)
    belongings: Belongings


class Accounts:
    """The front desk."""

    def __init__(
        self,
        database: Database,
        *,
        leaving: Leaving,
        clock: Clock,
        passwords: Passwords | None = None,
    ) -> None:
        self._database = database
        self._leaving = leaving
        self._clock = clock
        self._passwords = passwords or Passwords()

    async def register(self, wish: Registration, device: Device) -> SignedIn:
        """Make an account: of the guest who asks, under the same id, or a new person.

        The same request again (its key, name and password) is answered by signing in.
        Raises weak-password, name-taken, not-eligible and idempotency-mismatch.
        """
        check_strength(wish.password, wish.username)
        now, token = self._clock(), new_token()
        password_hash = await self._passwords.hash(wish.password)
        guest = device.user
        user = User(
            new_id("u") if guest is None else guest.user_id,
            "account",
            wish.username,
            now if guest is None else guest.created_at,
            wish.username,
            1 if guest is None else guest.revision + 1,
        )
        try:
            await self._database.write(
                accounts.create if guest is None else accounts.upgrade,
                user,
                username_key(wish.username),
                Secret(password_hash, wish.email, wish.key_hash),
                new_session(token_hash(token), now, device.agent),
            )
        except accounts.NameTakenError:
            refusal = ProblemError(ProblemType.NAME_TAKEN)
            return await self._registered_before(wish, device, refusal)
        except accounts.NotAGuestError:
            refusal = ProblemError(ProblemType.NOT_ELIGIBLE, reason="has-account")
            return await self._registered_before(wish, device, refusal)
        return SignedIn(user, token)

    async def _registered_before(
        self, wish: Registration, device: Device, refusal: ProblemError
    ) -> SignedIn:
        """Sign in to the account that this very request made; else refuse."""
        found = await self._database.read(accounts.find_secret, username_key(wish.username))
        if found is None or found[1].key_hash != wish.key_hash:
            raise refusal
        user, secret = found
        same = secret.email == wish.email and user.username == wish.username
        if not await self._passwords.verify(secret.password_hash, wish.password) or not same:
            raise ProblemError(ProblemType.IDEMPOTENCY_MISMATCH)
        return (await self._let_in(user, device))[0]

    async def sign_in(
        self, username: str, password: SecretStr, device: Device
    ) -> tuple[SignedIn, MergeOffer | None]:
        """Sign in by name and password; a guest with matches is offered to bring them along.

        It takes as long for a name that nobody has. Raises bad-credentials.
        """
        found = None
        if is_username(username):
            found = await self._database.read(accounts.find_secret, username_key(username))
        stored = None if found is None else found[1].password_hash
        if not await self._passwords.verify(stored, password) or found is None or stored is None:
            raise ProblemError(ProblemType.BAD_CREDENTIALS)
        user = found[0]
        if self._passwords.is_outdated(stored):
            newer = await self._passwords.hash(password)
            await self._database.write(accounts.replace_hash, user.user_id, stored, newer)
        return await self._let_in(user, device)

    async def new_code(self, user: User) -> str:
        """Return a recovery code, shown only now, in place of the one before it."""
        code = new_code()
        await self._database.write(
            accounts.save_code, user.user_id, token_hash(code), self._clock()
        )
        return code

    async def recover(self, words: SecretStr, device: Device) -> tuple[SignedIn, MergeOffer | None]:
        """Sign in by recovery code; it stays good until another is made."""
        code = clean_code(words.get_secret_value())
        user = await self._database.read(accounts.find_by_code, token_hash(code))
        if user is None:
            raise ProblemError(ProblemType.BAD_CREDENTIALS)
        return await self._let_in(user, device)

    async def merge_guest(self, user: User, guest_token: str, ticket: Ticket) -> dict[str, Any]:
        """Make the guest of a merge offer part of the account, with all their matches.

        Returns how many finished hands moved. Raises not-found and merge-conflict.
        """
        guest = await self._database.read(
            belongings.find_offer, user.user_id, token_hash(guest_token), self._clock()
        )
        if guest is None:
            raise ProblemError(ProblemType.NOT_FOUND, "no such offer, or it has run out")
        for person in (user, guest):
            await self._tidy(person)
        try:
            return await self._database.write(
                belongings.merge, user.user_id, guest.user_id, ticket, self._clock()
            )
        except belongings.MergeConflictError as conflict:
            raise ProblemError(ProblemType.MERGE_CONFLICT, reason=conflict.reason) from None

    async def erase(self, user: User, allows: Callable[[int], bool]) -> None:
        """Forget a person for good, if ``allows`` agrees to their profile's revision.

        Raises active-match while a match is open, and precondition-failed.
        """
        await self._leaving.make_room(user, supersede=False)
        try:
            await self._database.write(belongings.erase, user.user_id, allows, self._clock())
        except belongings.MatchOpenError:
            await self._leaving.make_room(user, supersede=False)
            raise ProblemError(ProblemType.ACTIVE_MATCH) from None
        except RevisionConflictError as conflict:
            raise stale_profile(conflict) from None

    async def become_bot(self, user: User) -> User:
        """Make an account a program's, for ever; raises not-eligible."""
        try:
            return await self._database.write(belongings.become_bot, user.user_id, self._clock())
        except belongings.NoAccountError:
            reason = "no-account"
        except belongings.HasPlayedError:
            reason = "has-played"
        raise ProblemError(ProblemType.NOT_ELIGIBLE, reason=reason)

    async def _let_in(self, user: User, device: Device) -> tuple[SignedIn, MergeOffer | None]:
        now, token, offer_token = self._clock(), new_token(), new_token(MERGE_PREFIX)
        entry = accounts.Entry(
            new_session(token_hash(token), now, device.agent),
            device.user,
            None if device.token is None else token_hash(device.token),
            token_hash(offer_token),
            now + OFFER_LIFE,
        )
        brought = await self._database.write(accounts.let_in, user, entry)
        signed_in = SignedIn(user, token)
        if brought is None or device.user is None:
            return signed_in, None
        return signed_in, MergeOffer(device.user, offer_token, brought)

    async def _tidy(self, user: User) -> None:
        """Bring a match to its end that is expired, or that a stand-in has to finish."""
        try:
            await self._leaving.make_room(user, supersede=False)
        except ProblemError as problem:
            if problem.problem_type is not ProblemType.ACTIVE_MATCH:
                raise
