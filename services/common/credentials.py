"""Who may call: mutual TLS and a shared token, for both ends of our gRPC calls.

Neither is on unless it is set. With TLS both sides show a certificate of one private authority,
and a server may ask for certain names. A token is a secret that the caller sends with every call;
without TLS whoever can read the network can read it.
"""

import hmac
import ipaddress
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import grpc
from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource

from services.common.settings import Settings, split_address

METADATA_KEY: Final = "authorization"
TOKEN_CHARS_MIN: Final = 32
_SCHEME: Final = "Bearer "
_NAMES_KEYS: Final = ("x509_subject_alternative_name", "x509_common_name")


class CredentialsError(Exception):
    """A certificate, key or authority cannot be read; the text names the file."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """PEM files: the authority that both sides trust, and our own certificate with its key."""

    authority: Path
    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True)
class CallSecurity:
    """How our calls are protected; the default is not at all, for loopback.

    Attributes:
        tls: for mutual TLS, None for plain HTTP/2.
        token: what a client sends, and a server accepts.
        also_accepted: tokens that a server accepts besides, while they are exchanged.
        server_name: what a server's certificate must name, None for the target's host.
        peers: names of which a client's certificate must have one; none for any of the authority.

    """

    tls: TlsFiles | None = None
    token: SecretStr | None = None
    also_accepted: tuple[SecretStr, ...] = ()
    server_name: str | None = None
    peers: frozenset[str] = frozenset()

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """Every token that a server accepts."""
        ours = () if self.token is None else (self.token,)
        return tuple(one.get_secret_value().encode() for one in (*ours, *self.also_accepted))


OPEN: Final = CallSecurity()
"""Everybody may call, in clear text."""


_NEVER_EMPTY: Final = (
    "grpc_token",
    "grpc_tls_ca",
    "grpc_tls_cert",
    "grpc_tls_key",
    "grpc_tls_peers",
)


class _Protections(EnvSettingsSource):
    """The variables without which a service would be open, also where they are set to nothing."""

    def __init__(self, settings_class: type[BaseSettings]) -> None:
        super().__init__(settings_class, env_ignore_empty=False)

    def __call__(self) -> dict[str, Any]:
        """Return what is set."""
        return {name: value for name, value in super().__call__().items() if name in _NEVER_EMPTY}


class GrpcSettings(Settings):
    """``GRPC_TOKEN``, ``GRPC_TLS_CA`` and their like; see `CallSecurity`.

    ``GRPC_TLS_CA``, ``GRPC_TLS_CERT`` and ``GRPC_TLS_KEY`` are set together or not at all.
    ``GRPC_TOKENS_ACCEPTED`` and ``GRPC_TLS_PEERS`` are lists with commas. What is set to nothing,
    such as a secret that was never filled in, is an error: nobody means to be open by it.
    """

    grpc_token: SecretStr | None = Field(default=None, min_length=TOKEN_CHARS_MIN)
    grpc_tokens_accepted: SecretStr | None = None
    grpc_tls_ca: Path | None = None
    grpc_tls_cert: Path | None = None
    grpc_tls_key: Path | None = None
    grpc_tls_name: str | None = None
    grpc_tls_peers: str | None = None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read the environment as everybody does, and what protects before that."""
        del dotenv_settings, file_secret_settings
        return init_settings, _Protections(settings_cls), env_settings

    @field_validator("grpc_tls_ca", "grpc_tls_cert", "grpc_tls_key", mode="before")
    @classmethod
    def _check_path(cls, path: object) -> object:
        if path == "":
            raise ValueError("is empty")
        return path

    @model_validator(mode="after")
    def _check_security(self) -> Self:
        files = (self.grpc_tls_ca, self.grpc_tls_cert, self.grpc_tls_key)
        if any(files) and not all(files):
            raise ValueError("set GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY, or none of them")
        if self.grpc_tls_ca is None and (self.grpc_tls_name or self.grpc_tls_peers):
            raise ValueError("GRPC_TLS_NAME and GRPC_TLS_PEERS need GRPC_TLS_CA")
        if self.grpc_tls_peers is not None and not _split(self.grpc_tls_peers):
            raise ValueError("GRPC_TLS_PEERS names nobody")
        accepted = _tokens(self.grpc_tokens_accepted)
        if self.grpc_tokens_accepted is not None and not accepted:
            raise ValueError("GRPC_TOKENS_ACCEPTED has no token")
        if any(len(one) < TOKEN_CHARS_MIN for one in accepted):
            raise ValueError(f"GRPC_TOKENS_ACCEPTED: tokens need {TOKEN_CHARS_MIN} characters")
        if not all(_is_token(one) for one in self._token_texts()):
            raise ValueError("tokens are printable ASCII without spaces")
        return self

    def _token_texts(self) -> Iterable[str]:
        if self.grpc_token is not None:
            yield self.grpc_token.get_secret_value()
        yield from _tokens(self.grpc_tokens_accepted)

    @property
    def security(self) -> CallSecurity:
        """How calls are protected."""
        tls = None
        if self.grpc_tls_ca and self.grpc_tls_cert and self.grpc_tls_key:
            tls = TlsFiles(self.grpc_tls_ca, self.grpc_tls_cert, self.grpc_tls_key)
        return CallSecurity(
            tls=tls,
            token=self.grpc_token,
            also_accepted=tuple(map(SecretStr, _tokens(self.grpc_tokens_accepted))),
            server_name=self.grpc_tls_name,
            peers=frozenset(_split(self.grpc_tls_peers or "")),
        )


def _is_token(text: str) -> bool:
    # A header loses the spaces at its ends on the way.
    return text.isascii() and text.isprintable() and " " not in text


def _tokens(secret: SecretStr | None) -> list[str]:
    return [] if secret is None else _split(secret.get_secret_value())


def _split(texts: str) -> list[str]:
    return [text.strip() for text in texts.split(",") if text.strip()]


def server_credentials(tls: TlsFiles) -> grpc.ServerCredentials:
    """Return what a server shows, asking every client for a certificate.

    Raises CredentialsError.
    """
    pair = (_read(tls.key), _read(tls.certificate))
    return grpc.ssl_server_credentials(
        [pair], root_certificates=_read(tls.authority), require_client_auth=True
    )


def channel_credentials(tls: TlsFiles) -> grpc.ChannelCredentials:
    """Return what a client shows and trusts. Raises CredentialsError."""
    return grpc.ssl_channel_credentials(
        root_certificates=_read(tls.authority),
        private_key=_read(tls.key),
        certificate_chain=_read(tls.certificate),
    )


def token_metadata(security: CallSecurity) -> tuple[tuple[str, str], ...]:
    """Return what a client adds to the metadata of every call."""
    if security.token is None:
        return ()
    return ((METADATA_KEY, _SCHEME + security.token.get_secret_value()),)


Context = grpc.aio.ServicerContext[Any, Any]


def gatekeeper(security: CallSecurity) -> Callable[[Context], bool] | None:
    """Return what tells whether a call may go on; None when every call may."""
    tokens, peers = security.tokens, security.peers
    if not tokens and not peers:
        return None

    def may_go_on(context: Context) -> bool:
        return (not tokens or _has_token(context, tokens)) and (
            not peers or not peers.isdisjoint(_names(context))
        )

    return may_go_on


def _has_token(context: Context, tokens: tuple[bytes, ...]) -> bool:
    """Compare with every token, in a time that does not tell where one differs."""
    sent = [value for key, value in context.invocation_metadata() or () if key == METADATA_KEY]
    if len(sent) != 1:
        return False
    text = sent[0].encode() if isinstance(sent[0], str) else sent[0]
    # All of them, whichever fits.
    return sum(hmac.compare_digest(text, _SCHEME.encode() + token) for token in tokens) > 0


def _names(context: Context) -> set[str]:
    """Return the names in the client's certificate, which TLS has verified."""
    found = context.auth_context()
    return {name.decode("utf-8", "replace") for key in _NAMES_KEYS for name in found.get(key, ())}


def is_exposed(listen: str, security: CallSecurity) -> bool:
    """Tell whether others than this machine may call without saying who they are."""
    if security.tls is not None or security.tokens:
        return False
    host = split_address(listen)[0].strip("[]")
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CredentialsError(f"{path}: {error.strerror}") from error
    if not data.strip():
        raise CredentialsError(f"{path}: is empty")
    if b"-----BEGIN " not in data:
        raise CredentialsError(f"{path}: is no PEM file")
    return data
