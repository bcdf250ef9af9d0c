"""Names, passwords and codes from anywhere: understood or refused, never half of both."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from services.gateway.api.account_bodies import AccountBody, LoginBody, RecoveryBody, TokenBody
from services.gateway.passwords import CHARS_MIN, COMMON, check_strength
from services.gateway.problems import ProblemError
from services.gateway.tokens import CODE_WORDS, clean_code
from services.gateway.usernames import RESERVED, USERNAME_CHARS, clean_username, username_key
from services.gateway.words import WORDS

NAME_CHARS = st.characters(codec="ascii", categories=["Lu", "Ll", "Nd"]) | st.sampled_from("-_")
TEXT = st.text(max_size=300)
GOOD = "a seat by the paddle wheel"


@given(TEXT | st.text(NAME_CHARS, max_size=25))
@example("ana\ud800")
@example("Ⅷana")
def test_a_username_is_clean_or_refused(text: str) -> None:
    try:
        name = clean_username(text)
    except ValueError:
        return
    assert name.isascii()
    assert len(name) in USERNAME_CHARS
    assert name[0].isalpha()
    assert name[-1] not in "-_"
    assert clean_username(name) == name
    assert username_key(name) == name.lower()
    assert username_key(name).replace("-", "").replace("_", "") not in RESERVED


@given(st.text(NAME_CHARS, min_size=3, max_size=20))
def test_capitals_never_make_another_name(name: str) -> None:
    assert username_key(name) == username_key(name.upper()) == username_key(name.lower())


@given(TEXT, st.sampled_from(["ana", "otter_41"]))
@example("ß" * 8, "ana")
@example("İİİİİİİİ", "ana")
def test_a_password_is_judged_by_what_is_compared(password: str, name: str) -> None:
    def judged(text: str) -> str | None:
        try:
            check_strength(SecretStr(text), name)
        except ProblemError as problem:
            return str(problem.facts["reason"])
        return None

    reason = judged(password)
    normal = unicodedata.normalize("NFKC", password)
    assert judged(normal) == reason
    assert (reason == "too-short") == (len(normal) < CHARS_MIN)
    if reason is None:
        assert normal.casefold() not in COMMON
        assert name not in normal.casefold()


@given(st.sampled_from(sorted(COMMON)), st.text("0123456789!?.* ", max_size=6), st.booleans())
def test_dressing_up_a_common_password_does_not_help(word: str, tail: str, upper: bool) -> None:
    with pytest.raises(ProblemError):
        check_strength(SecretStr((word.upper() if upper else word) + tail), "nobody_else")


@given(st.lists(st.sampled_from(WORDS), min_size=CODE_WORDS, max_size=CODE_WORDS), st.data())
def test_a_code_survives_any_separators_and_capitals(words: list[str], data: st.DataObject) -> None:
    separator = st.text(" -,.;\t\n0123456789", min_size=1, max_size=3)
    cases = st.sampled_from([str.upper, str.lower, str.title])
    typed = "".join(data.draw(cases)(word) + data.draw(separator) for word in words)
    assert clean_code(typed) == " ".join(words)


@given(TEXT)
def test_whatever_is_typed_as_a_code_is_a_text_to_look_up(text: str) -> None:
    code = clean_code(text)
    assert clean_code(code) == code
    assert all(part.isalpha() for part in code.split(" ") if part)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


@given(
    st.sampled_from([AccountBody, LoginBody, RecoveryBody, TokenBody]),
    st.fixed_dictionaries(
        {},
        optional={
            "username": JSON, "password": JSON, "email": JSON, "words": JSON, "name": JSON,
            "scopes": JSON, "expires_in_days": JSON, "more": JSON,
        },
    ),
)  # fmt: skip
def test_any_json_is_a_body_or_invalid(
    shape: type[AccountBody | LoginBody | RecoveryBody | TokenBody], body: dict[str, object]
) -> None:
    try:
        read = shape.model_validate(body)
    except ValidationError:
        return
    for secret in ("password", "words"):
        value = body.get(secret)
        if isinstance(value, str) and len(value) > 3:
            assert value not in repr(read).replace(repr(body.get("username")), "")
            assert value not in str(read.canonical()).replace(str(body.get("username")), "")


@given(st.text(min_size=1, max_size=256))
@example(GOOD)
def test_a_password_is_in_no_form_of_its_body(password: str) -> None:
    try:
        body = AccountBody.model_validate({"username": "ana_p", "password": password})
    except ValidationError:
        # Half a surrogate pair is no text.
        assert any(unicodedata.category(character) == "Cs" for character in password)
        return
    other = AccountBody.model_validate({"username": "ana_p", "password": GOOD})
    assert body.password.get_secret_value() == password
    assert repr(body) == repr(other)
    assert body.canonical() == other.canonical()
