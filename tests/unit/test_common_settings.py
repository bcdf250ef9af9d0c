"""Configuration: all problems at once, no values in messages."""

import pytest
from pydantic import Field, ValidationError

from services.common.settings import Address, Settings, load, split_address


class ExampleSettings(Settings):
    example_listen: Address = "127.0.0.1:1"
    example_workers: int = Field(default=1, ge=1)
    example_secret: int = 0


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_LISTEN", "0.0.0.0:50051")
    monkeypatch.setenv("EXAMPLE_WORKERS", "4")
    settings = load(ExampleSettings)
    assert (settings.example_listen, settings.example_workers) == ("0.0.0.0:50051", 4)
    assert settings.log_level == "INFO"


def test_an_empty_variable_means_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_WORKERS", "")
    assert load(ExampleSettings).example_workers == 1


def test_all_problems_are_listed_and_the_exit_status_is_two(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EXAMPLE_LISTEN", "nowhere")
    monkeypatch.setenv("EXAMPLE_WORKERS", "0")
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    with pytest.raises(SystemExit) as exit_:
        load(ExampleSettings)
    assert exit_.value.code == 2
    printed = capsys.readouterr().err
    for name in ("EXAMPLE_LISTEN", "EXAMPLE_WORKERS", "LOG_LEVEL"):
        assert name in printed


def test_values_are_never_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EXAMPLE_SECRET", "hunter2")
    with pytest.raises(SystemExit):
        load(ExampleSettings)
    assert "hunter2" not in capsys.readouterr().err


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        ExampleSettings().example_workers = 2


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("127.0.0.1:50051", ("127.0.0.1", 50051)),
        ("localhost:0", ("localhost", 0)),
        ("[::1]:65535", ("[::1]", 65535)),
    ],
)
def test_an_address_has_a_host_and_a_port(address: str, parts: tuple[str, int]) -> None:
    assert split_address(address) == parts


@pytest.mark.parametrize("address", ["", "host", ":1", "host:", "host:x", "host:65536", "::1:1"])
def test_anything_else_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match="must"):
        split_address(address)
