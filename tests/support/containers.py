"""Whether a container engine can be used."""

import os
import socket
from urllib.parse import urlsplit

DEFAULT_ENGINE = "unix:///var/run/docker.sock"


def engine_listens() -> bool:
    """Tell whether a container engine accepts connections.

    Asked by hand: Docker's client leaves a socket open when there is none.
    """
    address = urlsplit(os.environ.get("DOCKER_HOST", DEFAULT_ENGINE))
    if address.scheme == "unix":
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(address.path) == 0
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex((address.hostname or "127.0.0.1", address.port or 2375)) == 0
