"""The limits of live connections (API.md 5.3 and 5.5)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """Times are in seconds.

    ``ping_seconds``: how often a client should ping; ``silence_seconds``: how long it may say
    nothing, ``away_seconds`` while it is away (browsers slow the timers of hidden pages).
    ``session_seconds``: how often the session is looked at again. ``poll_seconds``: how often
    a channel is read without a hint. ``send_seconds``: how long a peer may not take a message.
    ``user_connections`` and ``address_connections`` count open ones in this process; ``rate``
    messages a second on average may come in, ``burst`` at once.
    """

    ping_seconds: int = 15
    silence_seconds: float = 45.0
    away_seconds: float = 180.0
    session_seconds: float = 15.0
    poll_seconds: float = 10.0
    send_seconds: float = 15.0
    user_connections: int = 5
    address_connections: int = 20
    subscriptions: int = 8
    rate: float = 5.0
    burst: int = 30
    errors: int = 10
    limits_on: bool = True
