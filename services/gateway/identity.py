"""Guests: a name and a random token, known to the server only by its hash."""

import hashlib
import secrets
import unicodedata
from datetime import timedelta
from typing import Final

from services.gateway.driver import Clock
from services.gateway.ids import new_id
from services.gateway.model import RIVER_NAME, User
from services.gateway.store import users
from services.gateway.store.database import Database

SESSION_LIFE: Final = timedelta(days=365)
RENEW_AFTER: Final = timedelta(days=1)
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


class Identity:
    """Who is asking."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create_guest(self, display_name: str | None) -> tuple[User, str]:
        """Return a new person and the token of their session, which is told only once."""
        now = self._clock()
        name = friendly_name() if display_name is None else display_name
        user = User(new_id("u"), "guest", name, now)
        token = secrets.token_urlsafe(32)
        await self._database.write(users.create_guest, user, token_hash(token), now + SESSION_LIFE)
        return user, token

    async def authenticate(self, token: str) -> tuple[User, bool] | None:
        """Return whose token it is, and whether its life was just extended; None: nobody's.

        A session lives a year from its last use; that is written at most once a day.
        """
        now = self._clock()
        found = await self._database.read(users.find_session, token_hash(token), now)
        if found is None:
            return None
        user, expires_at = found
        renew = expires_at - now < SESSION_LIFE - RENEW_AFTER
        if renew:
            await self._database.write(users.extend_session, token_hash(token), now + SESSION_LIFE)
        return user, renew

    async def rename(self, user: User, display_name: str) -> User:
        """Change a person's name; a running match shows it at once, boards from the next."""
        await self._database.write(users.rename, user.user_id, display_name)
        return User(user.user_id, user.kind, display_name, user.created_at)

    async def sign_out(self, token: str) -> None:
        """Forget a session."""
        await self._database.write(users.end_session, token_hash(token))


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
