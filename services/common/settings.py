"""Configuration from the environment, read once in ``__main__`` into a frozen object."""

import ipaddress
import sys
from typing import Annotated, TypeVar

from pydantic import AfterValidator, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.common.logs import LogLevel

EXIT_BAD_CONFIGURATION = 2


class Settings(BaseSettings):
    """Base of every service's settings: field ``engine_listen`` reads ``ENGINE_LISTEN``."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", case_sensitive=False, env_ignore_empty=True
    )

    log_level: LogLevel = "INFO"


AnySettings = TypeVar("AnySettings", bound=BaseSettings)


def load(settings_class: type[AnySettings]) -> AnySettings:
    """Read the settings; on any problem print *all* of them and exit with status 2.

    Values are never printed: some are secret.
    """
    try:
        return settings_class()
    except ValidationError as error:
        sys.stderr.write("\n".join(["Bad configuration:", *problems(error)]) + "\n")
        sys.exit(EXIT_BAD_CONFIGURATION)


def problems(error: ValidationError) -> list[str]:
    """Return one line a problem, ``NAME: what is wrong``, without the offending value."""
    return [
        f"  {'.'.join(map(str, item['loc'])).upper() or 'settings'}: {item['msg']}"
        for item in error.errors(include_input=False, include_url=False)
    ]


def split_address(address: str) -> tuple[str, int]:
    """Split ``host:port`` (or ``[::1]:port``); raises ValueError unless port is 0..65535."""
    host, separator, port = address.rpartition(":")
    if not separator or not host or not (port.isascii() and port.isdigit()):
        raise ValueError("must be HOST:PORT")
    if ":" in host and not (host.startswith("[") and host.endswith("]")):
        raise ValueError("an IPv6 host must be in brackets")
    if int(port) > 65535:
        raise ValueError("port must be 0..65535")
    return host, int(port)


def _check_address(address: str) -> str:
    split_address(address)
    return address


Address = Annotated[str, AfterValidator(_check_address)]
"""A ``HOST:PORT`` to listen on; port 0 lets the system choose."""


def _check_addresses(addresses: str) -> str:
    for address in addresses.split(","):
        split_address(address.strip())
    return addresses


Addresses = Annotated[str, AfterValidator(_check_addresses)]
"""One ``HOST:PORT`` or more, with commas."""


def _check_networks(networks: str) -> str:
    if networks != "*":
        for network in networks.split(","):
            ipaddress.ip_network(network.strip())
    return networks


Networks = Annotated[str, AfterValidator(_check_networks)]
"""IP addresses and networks (``10.0.0.0/8``) with commas, or ``*`` for all."""
