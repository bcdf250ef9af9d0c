"""What clients send about accounts, sessions and tokens.

Passwords, words and tokens are secrets from the moment they are read: no error, log or repr
shows them, and no comparison of requests contains them.
"""

import hashlib
import re
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from services.gateway.api.bodies import Body, DisplayName
from services.gateway.passwords import CHARS_MAX, CHARS_MIN
from services.gateway.tokens import Scope
from services.gateway.usernames import clean_username

TOKEN_DAYS_MAX: Final = 365

_EMAIL: Final = re.compile(r"[^@\s]{1,64}@[^@\s.]+(?:\.[^@\s.]+)+")


def clean_email(text: str) -> str:
    """Return an address as it was given, if it can be one. Raises ValueError."""
    if not text.isprintable() or _EMAIL.fullmatch(text) is None:
        raise ValueError("that is no e-mail address")
    return text


def _only_true(value: object) -> object:
    if value is not True:
        raise ValueError("confirm with true")
    return value


def _whole(secret: SecretStr) -> SecretStr:
    """Refuse half of a surrogate pair, which UTF-8 cannot write and so nothing can hash."""
    # Of plain texts pydantic sees to that itself.
    if any("\ud800" <= char <= "\udfff" for char in secret.get_secret_value()):
        raise ValueError("there is half a character in it")
    return secret


Username = Annotated[
    str,
    Field(
        max_length=64,
        description="3 to 20 letters and digits with single - and _ between, a letter first",
        examples=["ana_p"],
    ),
    AfterValidator(clean_username),
]
Password = Annotated[
    SecretStr,
    Field(
        min_length=1,
        max_length=CHARS_MAX,
        description=f"{CHARS_MIN} characters or more, none of the passwords that are tried first",
        examples=["a seat by the paddle wheel"],
    ),
    AfterValidator(_whole),
]


class AccountBody(Body):
    """An account to make of the guest who asks, or for a new person."""

    username: Username
    password: Password
    email: (
        Annotated[
            str,
            Field(
                max_length=254,
                description="Kept for you, shown to nobody; nothing is sent to it",
                examples=["ana@example.org"],
            ),
            AfterValidator(clean_email),
        ]
        | None
    ) = None


class LoginBody(Body):
    """Name and password."""

    username: Annotated[str, Field(max_length=64, examples=["ana_p"])]
    password: Password


class RecoveryBody(Body):
    """The ten words of a recovery code."""

    words: Annotated[
        SecretStr,
        Field(
            min_length=1,
            max_length=400,
            description="In their order; capitals and what is between the words do not matter",
            examples=["otter lemon canyon velvet robin tiger acorn pilot snow marble"],
        ),
        AfterValidator(_whole),
    ]


class MergeBody(Body):
    """The token of a merge offer."""

    guest_token: Annotated[
        SecretStr,
        Field(
            min_length=1,
            max_length=128,
            description="`merge_offer.guest_token` of the answer to signing in",
            examples=["rbm_3q2-7wTn0f8vJmB1cXz5uYpQe9sKdLhRaGoViWyN4kE"],
        ),
        AfterValidator(_whole),
    ]

    def canonical(self) -> dict[str, Any]:
        """Return the body to compare requests by: the token's hash in its place."""
        token = self.guest_token.get_secret_value()
        return {"guest_token": hashlib.sha256(token.encode()).hexdigest()}


class TokenBody(Body):
    """A personal token to make."""

    name: Annotated[DisplayName, Field(description="What it is for", examples=["phone"])]
    scopes: Annotated[
        list[Literal["play", "read", "party"]],
        Field(
            min_length=1,
            max_length=3,
            description="What it may be used for; each includes reading",
            examples=[["play"]],
        ),
    ]
    expires_in_days: Annotated[int, Field(ge=1, le=TOKEN_DAYS_MAX, examples=[90])] = 90

    @property
    def scope_set(self) -> frozenset[Scope]:
        """The scopes, each once."""
        return frozenset(map(Scope, self.scopes))


class ConfirmBody(Body):
    """A yes to what cannot be undone."""

    confirm: Annotated[Literal[True], BeforeValidator(_only_true)]
