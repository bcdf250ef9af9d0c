"""Who is asking: guests, sessions and display names. Accounts are in `accounts`."""

import hashlib
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from services.gateway.driver import Clock
from services.gateway.ids import is_id, new_id
from services.gateway.model import RIVER_NAME, User
from services.gateway.problems import ProblemError, ProblemType
from services.gateway.store import accounts, sessions, tokens
from services.gateway.store.accounts import Profile
from services.gateway.store.database import Database
from services.gateway.store.sessions import NewSession, Session
from services.gateway.store.users import RevisionConflictError
from services.gateway.tokens import TOKEN_PREFIX, Scope, new_token

SESSION_LIFE: Final = timedelta(days=365)
RENEW_AFTER: Final = timedelta(days=1)
SEEN_EVERY: Final = timedelta(minutes=15)
"""How exactly the last use of a session or token is known."""
NAME_CHARS: Final = 40
LOOK_ALIKE_SCRIPTS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK"})
# Letters and marks that leave no trace on the screen (blank in fonts, or default-ignorable
# in Unicode); those of category C need no list.
INVISIBLE: Final = frozenset(
    map(
        chr,
        (
            0x034F,
            0x115F,
            0x1160,
            0x17B4,
            0x17B5,
            *range(0x180B, 0x1810),
            0x2800,
            0x3164,
            *range(0xFE00, 0xFE10),
            0xFFA0,
            *range(0xE0100, 0xE01F0),
        ),
    )
)

ANIMALS: Final = (
    "Badger",
    "Beaver",
    "Bison",
    "Bittern",
    "Curlew",
    "Dipper",
    "Egret",
    "Falcon",
    "Ferret",
    "Finch",
    "Gander",
    "Gecko",
    "Grebe",
    "Heron",
    "Ibis",
    "Jackdaw",
    "Kestrel",
    "Lapwing",
    "Lynx",
    "Magpie",
    "Marten",
    "Mink",
    "Moorhen",
    "Muskrat",
    "Newt",
    "Osprey",
    "Otter",
    "Owl",
    "Pelican",
    "Perch",
    "Pike",
    "Plover",
    "Rail",
    "Raven",
    "Sandpiper",
    "Shrew",
    "Snipe",
    "Sparrow",
    "Stoat",
    "Stork",
    "Sturgeon",
    "Swallow",
    "Swan",
    "Teal",
    "Tern",
    "Trout",
    "Turtle",
    "Vole",
    "Wagtail",
    "Weasel",
)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A person with the token of a new session, which is told only once."""

    user: User
    token: str = field(repr=False)


class Identity:
    """Who is asking."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create_guest(
        self, display_name: str | None, agent: str | None = None
    ) -> tuple[User, str]:
        """Return a new person and the token of their session, which is told only once."""
        now = self._clock()
        name = friendly_name() if display_name is None else display_name
        user = User(new_id("u"), "guest", name, now)
        token = new_token()
        await self._database.write(
            sessions.create_guest, user, new_session(token_hash(token), now, agent)
        )
        return user, token

    async def authenticate(self, token: str) -> tuple[User, bool] | None:
        """Return whose token it is, and whether its life was just extended; None: nobody's.

        A session lives a year from its last use; that is written at most once a day, and when
        it was last seen every few minutes. A personal token ends when it was said to.
        """
        if token.startswith(TOKEN_PREFIX):
            program = await self.authenticate_program(token)
            return None if program is None else (program[0], False)
        now = self._clock()
        found = await self._database.read(sessions.find, token_hash(token), now)
        if found is None:
            return None
        user, seen_at, expires_at = found
        renew = expires_at - now < SESSION_LIFE - RENEW_AFTER
        if renew or now - seen_at >= SEEN_EVERY:
            until = now + SESSION_LIFE if renew else None
            await self._database.write(sessions.touch, token_hash(token), now, until)
        return user, renew

    async def authenticate_program(self, token: str) -> tuple[User, frozenset[Scope]] | None:
        """Return whose personal token it is, and what it may be used for; None: nobody's."""
        now = self._clock()
        found = await self._database.read(tokens.find, token_hash(token), now)
        if found is None:
            return None
        user, personal = found
        seen_at = personal.last_used_at
        if seen_at is None or now - seen_at >= SEEN_EVERY:
            await self._database.write(tokens.touch, token_hash(token), now)
        return user, personal.scopes

    async def profile(self, user_id: str) -> Profile | None:
        """Return what a person's own page shows; None when they are gone."""
        return await self._database.read(accounts.profile, user_id)

    async def rename(self, user: User, display_name: str, allows: Callable[[int], bool]) -> Profile:
        """Change a person's name if ``allows`` agrees to the profile's revision.

        A running match and the boards show it at once. Raises precondition-failed.
        """
        try:
            return await self._database.write(
                accounts.rename, user.user_id, display_name, allows, self._clock()
            )
        except RevisionConflictError as conflict:
            raise stale_profile(conflict) from None

    async def sign_out(self, token: str) -> None:
        """Forget a session."""
        await self._database.write(sessions.end, token_hash(token))

    async def list_sessions(self, user: User) -> list[Session]:
        """Return a person's live sessions, the last used first."""
        return await self._database.write(sessions.list_sessions, user.user_id, self._clock())

    async def end_session(self, user: User, session_id: str) -> str:
        """Forget one of a person's sessions; returns its token's hash. Raises not-found."""
        if is_id(session_id):
            ended = await self._database.write(sessions.end_by_id, user.user_id, session_id)
            if ended is not None:
                return ended
        raise ProblemError(ProblemType.NOT_FOUND, "no such session")


def stale_profile(conflict: RevisionConflictError) -> ProblemError:
    """Return the refusal of a change that was made on an older profile."""
    tag = {"ETag": f'"{conflict.revision}"'}
    return ProblemError(ProblemType.PRECONDITION_FAILED, headers=tag)


def new_session(hashed: str, now: datetime, agent: str | None) -> NewSession:
    """Return a session that begins now, for the token with this hash."""
    return NewSession(hashed, now, now + SESSION_LIFE, agent)


def token_hash(token: str) -> str:
    """Return the form in which a token is stored: a hash of 256 random bits needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def friendly_name() -> str:
    """Return a name such as ``Otter-41`` for a guest who gave none."""
    return f"{secrets.choice(ANIMALS)}-{10 + secrets.randbelow(90)}"


def clean_name(text: str) -> str:
    """Return a display name in normal form: 1..40 visible characters, not the house's own.

    Raises ValueError. A name shows at least one letter, digit or symbol, stacks no marks, and
    writes its letters in one of the scripts that look alike, so that nobody can pass for
    River or for another player.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= NAME_CHARS:
        raise ValueError(f"a name has 1..{NAME_CHARS} characters")
    kinds = [unicodedata.category(character)[0] for character in name]
    if "C" in kinds or INVISIBLE.intersection(name) or not {"L", "N", "S"}.intersection(kinds):
        raise ValueError("a name has only visible characters")
    if "MMM" in "".join(kinds):
        raise ValueError("a name has at most two marks on a letter")
    if len({script for script in map(_look_alike_script, name) if script}) > 1:
        raise ValueError("a name mixes letters that look alike")
    bare = "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name)))
    if bare.casefold() == RIVER_NAME.casefold():
        raise ValueError("that name belongs to the house")
    return name


def _look_alike_script(character: str) -> str | None:
    """Return the script of a letter that has doubles in another one, else None."""
    script = unicodedata.name(character, "").partition(" ")[0]
    return script if script in LOOK_ALIKE_SCRIPTS else None
