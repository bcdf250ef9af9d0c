"""Who may call a service: a shared token, certificates of one authority, both or neither."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
import trustme
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import CollectorRegistry
from pydantic import SecretStr, ValidationError

from proto.engine.v1 import engine_pb2, engine_pb2_grpc
from services.common import healthcheck
from services.common.channels import open_channel
from services.common.credentials import (
    OPEN,
    CallSecurity,
    CredentialsError,
    GrpcSettings,
    TlsFiles,
    is_exposed,
)
from services.common.grpc_metrics import CallMetrics
from services.local import free_ports
from tests.support.guarded import guarded
from tests.support.probes import OPTIONS, Probe, call, refused, serving

REPO = Path(__file__).parents[2]
SECONDS = 60.0
TOKEN = SecretStr("a" * 40)
OLD_TOKEN = SecretStr("b" * 40)
HANDS = REPO / "tests/golden/data/replay/hands.jsonl"
REFUSED_HANDSHAKE_SECONDS = 0.3
TLS_VARIABLES = {
    "GRPC_TLS_CA": "/ca.pem",
    "GRPC_TLS_CERT": "/cert.pem",
    "GRPC_TLS_KEY": "/key.pem",
}


@asynccontextmanager
async def between(
    server_side: CallSecurity, client_side: CallSecurity
) -> AsyncIterator[tuple[Probe, grpc.aio.Channel]]:
    probe = Probe()
    options = replace(OPTIONS, security=server_side)
    async with (
        serving(probe, options=options) as server,
        open_channel(
            f"127.0.0.1:{server.port}", deadline_seconds=SECONDS, security=client_side
        ) as channel,
    ):
        yield probe, channel


def tls_files(
    folder: Path, authority: trustme.CA, name: str, *, trusted: trustme.CA | None = None
) -> TlsFiles:
    """Certificate and key of somebody, and the authority that they trust."""
    home = folder / name
    home.mkdir()
    pair = authority.issue_cert("127.0.0.1", name, common_name=name)
    files = TlsFiles(home / "ca.pem", home / "cert.pem", home / "key.pem")
    (trusted or authority).cert_pem.write_to_path(str(files.authority))
    for number, blob in enumerate(pair.cert_chain_pems):
        blob.write_to_path(str(files.certificate), append=number > 0)
    pair.private_key_pem.write_to_path(str(files.key))
    return files


def test_a_call_with_the_token_goes_on() -> None:
    async def main() -> None:
        ours = CallSecurity(token=TOKEN)
        async with between(ours, ours) as (probe, channel):
            assert await call(channel, wait_for_ready=True) == b"ok"
            assert probe.calls == 1

    asyncio.run(main())


@pytest.mark.parametrize("token", [None, OLD_TOKEN, SecretStr("a" * 39)])
def test_a_call_without_the_token_is_refused_before_anything_is_done(
    token: SecretStr | None,
) -> None:
    async def main() -> None:
        ours = CallSecurity(token=TOKEN)
        async with between(ours, CallSecurity(token=token)) as (probe, channel):
            assert await refused(channel) is grpc.StatusCode.UNAUTHENTICATED
            assert probe.calls == 0

    asyncio.run(main())


def test_two_tokens_are_as_bad_as_none() -> None:
    async def main() -> None:
        ours = CallSecurity(token=TOKEN)
        async with between(ours, ours) as (probe, channel):
            twice = (("authorization", f"Bearer {TOKEN.get_secret_value()}"),)
            assert await refused(channel, metadata=twice) is grpc.StatusCode.UNAUTHENTICATED
            assert probe.calls == 0

    asyncio.run(main())


def test_the_token_before_is_good_while_tokens_are_exchanged() -> None:
    async def main() -> None:
        both = CallSecurity(token=TOKEN, also_accepted=(OLD_TOKEN,))
        for token in (TOKEN, OLD_TOKEN):
            async with between(both, CallSecurity(token=token)) as (_, channel):
                assert await call(channel, wait_for_ready=True) == b"ok"

    asyncio.run(main())


def test_health_is_for_everybody_and_reflection_for_nobody() -> None:
    async def main() -> None:
        async with between(CallSecurity(token=TOKEN), OPEN) as (_, channel):
            stub: Any = cast("Any", health_pb2_grpc.HealthStub)(channel)
            answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
            ask: Any = channel.stream_stream(
                "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
            )
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await anext(aiter(ask(iter([b""]), timeout=SECONDS)))
            assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED

    asyncio.run(main())


def test_refused_calls_are_counted() -> None:
    async def main() -> None:
        registry = CollectorRegistry()
        metrics = CallMetrics("server", registry)
        options = replace(OPTIONS, security=CallSecurity(token=TOKEN), metrics=metrics)
        async with (
            serving(Probe(), options=options) as server,
            open_channel(f"127.0.0.1:{server.port}", deadline_seconds=SECONDS) as channel,
        ):
            await refused(channel)
        labels = {"method": "EngineService/Act", "code": "UNAUTHENTICATED"}
        assert registry.get_sample_value("riverboat_grpc_server_calls_total", labels) == 1

    asyncio.run(main())


def test_both_sides_show_certificates_of_one_authority(tmp_path: Path) -> None:
    async def main() -> None:
        authority = trustme.CA()
        server = CallSecurity(tls=tls_files(tmp_path, authority, "engine"))
        client = CallSecurity(tls=tls_files(tmp_path, authority, "gateway"))
        async with between(server, client) as (probe, channel):
            assert await call(channel, wait_for_ready=True) == b"ok"
            assert probe.calls == 1

    asyncio.run(main())


def test_a_probe_shows_the_certificate_that_it_is_given(tmp_path: Path) -> None:
    tls = tls_files(tmp_path, trustme.CA(), "engine")
    named = CallSecurity(tls=tls, server_name="engine")

    async def main() -> tuple[str | None, str | None]:
        async with serving(Probe(), options=replace(OPTIONS, security=named)) as server:
            target = f"127.0.0.1:{server.port}"
            probe = healthcheck.grpc_problem
            return (
                await asyncio.to_thread(probe, target, REFUSED_HANDSHAKE_SECONDS, OPEN),
                await asyncio.to_thread(probe, target, SECONDS, named),
            )

    without, given = asyncio.run(main())
    assert without is not None
    assert given is None


def test_a_probe_reads_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("CA", "CERT", "KEY"):
        monkeypatch.setenv(f"GRPC_TLS_{name}", str(tmp_path / "nowhere.pem"))
    assert healthcheck.main(["127.0.0.1:1"]) == 1
    assert "nowhere.pem" in capsys.readouterr().err


def test_a_certificate_of_another_authority_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        ours, theirs = trustme.CA(), trustme.CA()
        server = CallSecurity(tls=tls_files(tmp_path, ours, "engine"))
        stranger = tls_files(tmp_path, theirs, "stranger", trusted=ours)
        deceived = tls_files(tmp_path, ours, "deceived", trusted=theirs)
        for client in (OPEN, CallSecurity(tls=stranger), CallSecurity(tls=deceived)):
            async with between(server, client) as (probe, channel):
                code = await refused(channel, timeout=REFUSED_HANDSHAKE_SECONDS)
                # Which of the two it is depends on how far the handshake came in time.
                assert code in {
                    grpc.StatusCode.UNAVAILABLE,
                    grpc.StatusCode.DEADLINE_EXCEEDED,
                }
                assert probe.calls == 0

    asyncio.run(main())


def test_a_server_whose_certificate_names_somebody_else_is_not_called(tmp_path: Path) -> None:
    async def main() -> None:
        authority = trustme.CA()
        server = CallSecurity(tls=tls_files(tmp_path, authority, "bot"))
        tls = tls_files(tmp_path, authority, "gateway")
        async with between(server, CallSecurity(tls=tls, server_name="engine")) as (_, channel):
            code = await refused(channel, timeout=REFUSED_HANDSHAKE_SECONDS)
            assert code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
        async with between(server, CallSecurity(tls=tls, server_name="bot")) as (_, channel):
            assert await call(channel, wait_for_ready=True) == b"ok"

    asyncio.run(main())


def test_a_server_may_ask_for_certain_names(tmp_path: Path) -> None:
    async def main() -> None:
        authority = trustme.CA()
        files = tls_files(tmp_path, authority, "ledger")
        server = CallSecurity(tls=files, peers=frozenset({"gateway"}))
        gateway = CallSecurity(tls=tls_files(tmp_path, authority, "gateway"))
        engine = CallSecurity(tls=tls_files(tmp_path, authority, "engine"))
        async with between(server, gateway) as (_, channel):
            assert await call(channel, wait_for_ready=True) == b"ok"
        async with between(server, engine) as (probe, channel):
            assert await refused(channel) is grpc.StatusCode.UNAUTHENTICATED
            assert probe.calls == 0

    asyncio.run(main())


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    missing = TlsFiles(tmp_path / "ca.pem", tmp_path / "cert.pem", tmp_path / "key.pem")
    with pytest.raises(CredentialsError, match=r"(ca|cert|key)\.pem"):
        open_channel("127.0.0.1:1", security=CallSecurity(tls=missing))


def test_a_file_that_is_empty_is_named(tmp_path: Path) -> None:
    tls = tls_files(tmp_path, trustme.CA(), "gateway")
    tls.authority.write_text("\n")
    with pytest.raises(CredentialsError, match=r"ca\.pem: is empty"):
        open_channel("127.0.0.1:1", security=CallSecurity(tls=tls))


def test_a_file_that_is_something_else_is_named(tmp_path: Path) -> None:
    tls = tls_files(tmp_path, trustme.CA(), "gateway")
    tls.key.write_text("not a key")
    with pytest.raises(CredentialsError, match=r"key\.pem: is no PEM file"):
        open_channel("127.0.0.1:1", security=CallSecurity(tls=tls))


def test_what_may_be_empty_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GRPC_TOKENS_ACCEPTED", "GRPC_TLS_NAME"):
        monkeypatch.setenv(name, "")
    assert GrpcSettings().security == OPEN


@pytest.mark.parametrize(
    "variables",
    [
        {"GRPC_TOKEN": "short"},
        {"GRPC_TOKEN": "ü" * 40},
        {"GRPC_TOKENS_ACCEPTED": "a" * 40 + ",short"},
        {"GRPC_TLS_CA": "/ca.pem"},
        {"GRPC_TLS_NAME": "engine"},
        {"GRPC_TLS_PEERS": "gateway"},
        {"GRPC_TOKENS_ACCEPTED": " , "},
        # Set to nothing, as a secret that was never filled in.
        {"GRPC_TOKEN": ""},
        {"GRPC_TOKEN": " " * 40},
        {"GRPC_TLS_CA": "", "GRPC_TLS_CERT": "", "GRPC_TLS_KEY": ""},
        {**TLS_VARIABLES, "GRPC_TLS_PEERS": ""},
        {**TLS_VARIABLES, "GRPC_TLS_PEERS": ","},
    ],
)
def test_half_a_setting_is_refused_and_no_secret_told(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError):
        GrpcSettings()


def test_settings_become_security(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {
        "GRPC_TOKEN": TOKEN.get_secret_value(),
        "GRPC_TOKENS_ACCEPTED": f"{OLD_TOKEN.get_secret_value()}, ",
        **TLS_VARIABLES,
        "GRPC_TLS_PEERS": "gateway, probe",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    settings = GrpcSettings()
    assert settings.security == CallSecurity(
        tls=TlsFiles(Path("/ca.pem"), Path("/cert.pem"), Path("/key.pem")),
        token=TOKEN,
        also_accepted=(OLD_TOKEN,),
        peers=frozenset({"gateway", "probe"}),
    )
    assert TOKEN.get_secret_value() not in repr(settings)
    assert OLD_TOKEN.get_secret_value() not in repr(settings.security)


@pytest.mark.parametrize(
    ("listen", "exposed"),
    [
        ("127.0.0.1:1", False),
        ("[::1]:1", False),
        ("localhost:1", False),
        ("0.0.0.0:1", True),
        ("10.0.0.1:1", True),
        ("engine:1", True),
    ],
)
def test_what_others_may_reach_is_told(listen: str, exposed: bool) -> None:
    assert is_exposed(listen, OPEN) is exposed
    assert not is_exposed(listen, CallSecurity(token=TOKEN))


@contextmanager
def engine_process(port: int, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "ENGINE_LISTEN": f"127.0.0.1:{port}", **variables}
    command = [*guarded(signal.SIGTERM), sys.executable, "-m", "services.engine"]
    with subprocess.Popen(command, cwd=REPO, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


async def ask_engine(port: int, security: CallSecurity) -> grpc.StatusCode:
    """Ask an engine something that it refuses, and return the code."""
    async with open_channel(
        f"127.0.0.1:{port}", deadline_seconds=SECONDS, security=security
    ) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Replay(engine_pb2.ReplayRequest(), wait_for_ready=True)
        return refused.value.code()


def test_a_service_is_protected_by_its_settings(tmp_path: Path) -> None:
    authority = trustme.CA()
    server, client = (tls_files(tmp_path, authority, name) for name in ("engine", "gateway"))
    (port,) = free_ports(1)
    variables = {
        "GRPC_TOKEN": TOKEN.get_secret_value(),
        "GRPC_TLS_CA": str(server.authority),
        "GRPC_TLS_CERT": str(server.certificate),
        "GRPC_TLS_KEY": str(server.key),
        "GRPC_TLS_PEERS": "gateway",
    }
    with engine_process(port, **variables) as process:
        both, half = CallSecurity(tls=client, token=TOKEN), CallSecurity(tls=client)
        assert asyncio.run(ask_engine(port, both)) is grpc.StatusCode.INVALID_ARGUMENT
        assert asyncio.run(ask_engine(port, half)) is grpc.StatusCode.UNAUTHENTICATED
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0


def test_a_service_without_its_files_does_not_start(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    nowhere = str(tmp_path / "nowhere.pem")
    variables = {f"GRPC_TLS_{name}": nowhere for name in ("CA", "CERT", "KEY")}
    with engine_process(port, **variables) as process:
        assert process.wait(SECONDS) == 1


def test_the_replay_proves_itself_as_a_service_does() -> None:
    token = {"GRPC_TOKEN": TOKEN.get_secret_value()}
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "services.engine.replay", "--target", f"127.0.0.1:{port}"]
    with engine_process(port, **token):
        asyncio.run(ask_engine(port, CallSecurity(token=TOKEN)))  # it is there
        codes = [
            subprocess.run(
                [*command, str(HANDS)],
                cwd=REPO,
                env={**os.environ, **variables},
                capture_output=True,
                check=False,
            ).returncode
            for variables in ({}, token)
        ]
    assert codes == [3, 0]
