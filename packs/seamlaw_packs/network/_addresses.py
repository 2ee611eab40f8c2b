"""Which addresses belong to the public internet.

The tables are IANA's, "IPv4 Special-Purpose Address Registry" and "IPv6 Special-Purpose Address Registry", and a few
addresses at which clouds answer machines with their credentials. `is_global` of the standard library is not used: what
it says of some ranges has changed between versions of Python.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

__all__ = ["address_of", "is_public_address"]

RESERVED = tuple(
    IPv4Network(one)
    for one in (
        "0.0.0.0/8",  # this network; many systems take 0.0.0.0 for themselves
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by carriers (CGNAT); with 100.100.100.200, metadata of Alibaba
        "127.0.0.0/8",
        "168.63.129.16/32",  # the host of a machine at Azure
        "169.254.0.0/16",  # link-local; with 169.254.169.254, metadata of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocols; with 192.0.0.192, metadata of Oracle
        "192.0.2.0/24",
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
GLOBAL_UNICAST = IPv6Network("2000::/3")  # all else is for something, loopback, NAT64, multicast and so on
RESERVED_6 = tuple(
    IPv6Network(one)
    for one in (
        "2001::/23",  # protocols; Teredo, ORCHID and benchmarks among them
        "2001:db8::/32",
        "2002::/16",  # 6to4, which wraps an IPv4 address
        "3fff::/20",
    )
)


def is_public_address(text: str) -> bool:
    """Whether an address, in the form in which systems write it, is one of the public internet.

    For a host to check what it connects to, once the name is resolved. What is no address is not public.
    """
    return (address := address_of(text)) is not None and is_public(address)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is in none of the ranges that are kept for something."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in RESERVED)
    return address in GLOBAL_UNICAST and not any(address in network for network in RESERVED_6)


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address: four decimal numbers, or IPv6 without a zone and without IPv4 in it; `None` for all else."""
    try:
        if ":" not in text:
            return IPv4Address(text)
        address = IPv6Address(text)
    except ValueError:
        return None
    # What is mapped is written in one way or the other, as the version of Python will have it.
    return None if "%" in text or "." in text or address.ipv4_mapped is not None else address
