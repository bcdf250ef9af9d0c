"""The port check that keeps two services from sharing a port by accident."""

import socket

import pytest

from services.common.workers import check_port_is_free


def test_a_free_port_passes_and_stays_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    check_port_is_free(f"127.0.0.1:{port}")
    check_port_is_free(f"127.0.0.1:{port}")


def test_a_port_somebody_listens_on_is_refused_even_if_it_could_be_shared() -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            check_port_is_free(f"127.0.0.1:{port}")
