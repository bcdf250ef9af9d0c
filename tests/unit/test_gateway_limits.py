"""Rate limits and names."""

import pytest

from services.gateway.identity import clean_name, friendly_name, token_hash
from services.gateway.problems import ProblemError
from services.gateway.ratelimit import LIMITS, RateLimiter


class Ticking:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_allowed_and_then_the_caller_is_told_how_long_to_wait() -> None:
    clock = Ticking()
    limiter = RateLimiter(clock=clock)
    for _ in range(LIMITS["guests"].burst):
        limiter.spend("guests", "10.0.0.1")
    with pytest.raises(ProblemError) as caught:
        limiter.spend("guests", "10.0.0.1")
    assert caught.value.problem_type.value == "rate-limited"
    assert caught.value.facts == {"ratelimit": {"key": "guests", "seconds": 360}}
    assert caught.value.headers["Retry-After"] == "360"
    clock.now += 360
    limiter.spend("guests", "10.0.0.1")


def test_callers_and_limits_do_not_share_a_bucket() -> None:
    limiter = RateLimiter(clock=Ticking())
    for _ in range(LIMITS["matches"].burst):
        limiter.spend("matches", "u_1")
    limiter.spend("matches", "u_2")
    limiter.spend("actions", "u_1")


def test_limits_can_be_off() -> None:
    limiter = RateLimiter(enabled=False, clock=Ticking())
    for _ in range(LIMITS["guests"].burst * 2):
        limiter.spend("guests", "10.0.0.1")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ana", "Ana"),
        ("  Ana   María  ", "Ana María"),
        ("玩家", "玩家"),
        ("e\u0301", "é"),
        ("Ольга", "Ольга"),
        ("ปู่", "ปู่"),
        ("क्षितिज", "क्षितिज"),
        ("Rivers", "Rivers"),
        ("♠ 7", "♠ 7"),
    ],
)
def test_names_are_kept_in_normal_form(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 41,
        "a\u0000b",
        "a\u202eb",
        "a\ud800",
        "\u3164",
        "\u2800",
        "\u115f",
        "..--",
        "e" + "\u0332" * 39,
    ],
)
def test_names_that_cannot_be_read_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "River",
        "rIVER ",
        "River\ufe0f",
        "\u034fRiver",
        "Ｒｉｖｅｒ",  # noqa: RUF001 - full-width letters
        "Rіver",  # noqa: RUF001 - a Cyrillic letter
        "𝐑iver",  # noqa: RUF001 - a mathematical letter
        "Rívér",
        "R.i.v.e.r",
    ],
)
def test_nobody_can_pass_for_river(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        clean_name(name)


def test_a_guest_without_a_name_gets_a_friendly_one() -> None:
    animal, _, number = friendly_name().partition("-")
    assert animal.isalpha()
    assert 10 <= int(number) <= 99


def test_a_token_is_stored_as_its_hash() -> None:
    assert token_hash("secret") != "secret"
    assert len(token_hash("secret")) == 64
