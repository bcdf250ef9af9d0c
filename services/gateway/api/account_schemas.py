"""What the server answers about accounts, sessions and tokens, for the OpenAPI document."""

from typing import Literal

from pydantic import Field

from services.gateway.api.schemas import User
from services.gateway.api.shape import Shape

_TIME = "2026-05-01T12:00:00.000Z"


class MeReply(Shape):
    """One's own profile."""

    user: User
    created_at: str = Field(examples=[_TIME])
    email: str | None = Field(
        description="Null also for personal tokens, which do not see it",
        examples=["ana@example.org"],
    )
    recovery_code_at: str | None = Field(
        description="When the recovery code was made; null without one", examples=[_TIME]
    )


class MergeOffer(Shape):
    """What was played as a guest on this device, to be taken over by the account."""

    guest_token: str = Field(
        description="For POST /me/merge-guest, within a day",
        examples=["rbm_3q2-7wTn0f8vJmB1cXz5uYpQe9sKdLhRaGoViWyN4kE"],
    )
    display_name: str = Field(examples=["Otter-41"])
    matches: int = Field(examples=[3])
    hands: int = Field(description="Finished hands", examples=[120])
    open_match: bool


class SignInReply(Shape):
    """Who signed in; the session is in the cookie."""

    user: User
    merge_offer: MergeOffer | None


class MergeReply(Shape):
    """How much was taken over."""

    hands_moved: int = Field(description="Finished hands", examples=[120])


class CodeReply(Shape):
    """A recovery code, shown only this once."""

    words: str = Field(examples=["otter lemon canyon velvet robin tiger acorn pilot snow marble"])


class SessionInfo(Shape):
    """A device that is signed in. The id ends the session and is good for nothing else."""

    id: str = Field(examples=["s_0123456789abcdef0123"])
    agent: str | None = Field(
        description="Family of the program; null for sessions from before it was noted",
        examples=["Firefox on Windows"],
    )
    created_at: str = Field(examples=[_TIME])
    last_seen_at: str = Field(description="Exact to a quarter of an hour", examples=[_TIME])
    expires_at: str = Field(examples=["2027-05-01T12:00:00.000Z"])
    current: bool = Field(description="Whether it is the one that asks")


class SessionList(Shape):
    """One's sessions, the last used first; there are never more than a page."""

    items: list[SessionInfo]
    next_cursor: None


class TokenInfo(Shape):
    """A personal token."""

    id: str = Field(examples=["k_0123456789abcdef0123"])
    name: str = Field(examples=["phone"])
    scopes: list[Literal["party", "play", "read"]] = Field(examples=[["play"]])
    created_at: str = Field(examples=[_TIME])
    expires_at: str = Field(examples=["2026-07-30T12:00:00.000Z"])
    last_used_at: str | None = Field(description="Exact to a quarter of an hour", examples=[_TIME])


class TokenMade(TokenInfo):
    """A new personal token, shown only this once."""

    token: str = Field(examples=["rbt_3q2-7wTn0f8vJmB1cXz5uYpQe9sKdLhRaGoViWyN4kE"])


class TokenList(Shape):
    """One's live tokens, the newest first; there are never more than a page."""

    items: list[TokenInfo]
    next_cursor: None
