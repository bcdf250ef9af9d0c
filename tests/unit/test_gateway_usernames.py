"""Usernames, kinds of programs, and the words of recovery codes."""

import pytest

from services.gateway.agents import UNKNOWN, agent_family
from services.gateway.tokens import CODE_WORDS, clean_code, new_code
from services.gateway.usernames import RESERVED, clean_username, username_key
from services.gateway.words import WORDS


@pytest.mark.parametrize("name", ["ana", "Ana_P", "a-b-c", "x" * 20, "R2D2", "rivers", "River2"])
def test_a_username_is_kept_as_it_is_written(name: str) -> None:
    assert clean_username(f" {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "", "ab", "x" * 21, "7up", "-ana", "_ana", "ana-", "a--b", "a_-b", "a b", "a.b", "a@b",
        "a\u00f1a", "\u0430na", "ana\u200b", "ana\n", "ana\0", "٣ana", "ﬁna", "ana/../x", "River",
        "RIVER", "ri-ver", "r_i-v_e_r", "admin", "Ad-Min", "me-", "Guest", "riverboat",
    ],
)  # fmt: skip
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        clean_username(name)


def test_names_that_differ_in_capitals_only_are_one_name() -> None:
    assert username_key("Ana_P") == username_key(" aNA_p ") == "ana_p"
    assert username_key("ana-p") != username_key("ana_p")


def test_reserved_names_are_written_as_they_are_compared() -> None:
    assert all(name == name.casefold() and name.isalnum() for name in RESERVED)


@pytest.mark.parametrize(
    ("header", "family"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Firefox/140.0", "Firefox on Windows"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
            "Chrome on Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140 Safari/537.36 Edg/140",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1",
            "Safari on iOS",
        ),
        (
            "Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/140.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15", "Safari on macOS"),
        ("curl/8.9.1", "curl"),
        ("python-httpx/0.28", "Python"),
        ("my own bot <script>alert(1)</script>", UNKNOWN),
        ("", UNKNOWN),
        (None, UNKNOWN),
    ],
)
def test_of_a_program_only_its_family_is_kept(header: str | None, family: str) -> None:
    assert agent_family(header) == family


def test_the_words_are_256_and_differ_in_their_first_letters() -> None:
    assert len(set(WORDS)) == 256
    assert len({word[:4] for word in WORDS}) == 256
    assert list(WORDS) == sorted(WORDS)
    assert all(word.isascii() and word.islower() and word.isalpha() for word in WORDS)


def test_a_recovery_code_is_ten_words_and_never_the_same() -> None:
    codes = {new_code() for _ in range(50)}
    assert len(codes) == 50
    assert {len(code.split()) for code in codes} == {CODE_WORDS}
    assert {word for code in codes for word in code.split()} <= set(WORDS)


def test_a_recovery_code_is_understood_however_it_is_typed() -> None:
    code = new_code()
    for typed in (code.upper(), code.replace(" ", "-"), f"\t{code}\n", code.replace(" ", ", ")):
        assert clean_code(typed) == code
