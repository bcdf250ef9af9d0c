"""A health probe for machines: `python -m services.common.healthcheck TARGET`.

TARGET is HOST:PORT for a gRPC service (grpc.health.v1, overall status) or an http:// address. Where
``GRPC_TLS_CA`` and its like are set, it shows the certificate that they name.
Exit code 0 when it serves, 1 when it does not or cannot be reached within the deadline, 2 for
a target that cannot be probed.
"""

import argparse
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2

from services.common.credentials import (
    OPEN,
    CallSecurity,
    CredentialsError,
    GrpcSettings,
    channel_credentials,
)
from services.common.settings import load

TIMEOUT_SECONDS = 2.0


def grpc_problem(
    target: str, timeout_seconds: float = TIMEOUT_SECONDS, security: CallSecurity = OPEN
) -> str | None:
    """Why the gRPC server at HOST:PORT is not serving, or None when it is."""
    try:
        channel = _channel(target, security)
    except CredentialsError as error:
        return f"{target}: {error}"
    with channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        request = health_pb2.HealthCheckRequest()
        try:
            response = check(request, timeout=timeout_seconds, wait_for_ready=True)
        except grpc.RpcError as error:
            return f"{target}: {error.code().name}"
    if response.status == health_pb2.HealthCheckResponse.SERVING:
        return None
    return f"{target}: {health_pb2.HealthCheckResponse.ServingStatus.Name(response.status)}"


def _channel(target: str, security: CallSecurity) -> grpc.Channel:
    if security.tls is None:
        return grpc.insecure_channel(target)
    name = security.server_name
    options = [] if name is None else [("grpc.ssl_target_name_override", name)]
    return grpc.secure_channel(target, channel_credentials(security.tls), options=options)


def http_problem(url: str, timeout_seconds: float = TIMEOUT_SECONDS) -> str | None:
    """Why GET on an http:// address does not answer 200, or None when it does."""
    try:
        with urllib.request.urlopen(url, timeout=timeout_seconds) as response:  # noqa: S310
            status = response.status
    except urllib.error.HTTPError as error:
        with error:
            return f"{url}: HTTP {error.code}"
    except OSError as error:
        return f"{url}: {error}"
    return None if status == 200 else f"{url}: HTTP {status}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Probes the target named on the command line and answers with the exit code."""
    parser = argparse.ArgumentParser(prog="python -m services.common.healthcheck")
    parser.add_argument("target", help="HOST:PORT of a gRPC service, or an http:// address")
    target: str = parser.parse_args(arguments).target
    if "://" in target and not target.startswith("http://"):
        parser.error("only http:// addresses can be probed")
    if target.startswith("http://"):
        problem = http_problem(target)
    else:
        problem = grpc_problem(target, security=load(GrpcSettings).security)
    if problem is not None:
        sys.stderr.write(problem + "\n")
    return 0 if problem is None else 1


if __name__ == "__main__":
    sys.exit(main())
