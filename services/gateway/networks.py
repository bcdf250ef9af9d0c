"""Networks: where requests come from, coarse enough to be one household or company."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

IPV4_BITS: Final = 24
IPV6_BITS: Final = 56


def network_of(host: str) -> str:
    """Return the /24 (IPv4) or /56 (IPv6) of an address, or the text itself if it is none."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(ip_network((address, IPV6_BITS), strict=False))
        address = address.ipv4_mapped
    return str(ip_network((address, IPV4_BITS), strict=False))
