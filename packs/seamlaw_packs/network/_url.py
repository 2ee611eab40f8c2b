r"""Reads where a URL leads, if every reader of URLs would say the same.

Clients read URLs by WHATWG's standard, by RFC 3986, or by neither: `http://a\@b` is the host `a` to one and `b` to
the other. A parser of either kind gives the reading of its own, and a gate that believes it can be led past by a client
of the other. So none is used here. What is read is the small part on which they agree, a scheme, `://`, a plain host
and a port; and whatever is not plainly that is in doubt. What follows the host may be anything that ends no URL.
"""

import re
from ipaddress import IPv6Address

from attrs import frozen

from ._addresses import address_of
from ._doubt import Doubtful
from ._names import plain_name

__all__ = ["DEFAULT_PORTS", "Target", "read_authority", "read_host", "read_url"]

# The schemes for which both standards say what the host is. `javascript:`, `data:`, `file:` and others have none.
DEFAULT_PORTS = {"https": 443, "http": 80, "wss": 443, "ws": 80, "ftp": 21}
LONGEST = 8_192  # characters; RFC 9110, section 4.1, asks for 8,000
PORT = re.compile(r"[1-9][0-9]{0,4}")
HIGHEST_PORT = 65_535
END = re.compile(r"[/?#]")
BAD = frozenset(' \\"<>`')  # RFC 3986 has none of them in a URL, and WHATWG's standard changes most


@frozen
class Target:
    """Where a URL leads: a scheme, a port, and a host: a name in ASCII, an IPv4 address, or an IPv6 one in brackets."""

    scheme: str
    host: str
    port: int


def read_url(text: str) -> Target:
    """Give where a URL leads; raises `Doubtful`."""
    check(text)
    scheme, slashes, rest = text.partition("://")
    scheme = scheme.lower() if scheme.isascii() else scheme
    if not slashes or ":" in scheme or END.search(scheme):
        raise Doubtful("is no URL with a scheme and a host")
    found = END.search(rest)
    end = found.start() if found else len(rest)
    target = read_authority(scheme, rest[:end])
    if not rest.startswith("/", end) and "@" in rest:  # some look for the last @ first, and then for the end
        raise Doubtful("has an @ that may end a user's name")
    return target


def read_host(scheme: str, text: str) -> Target:
    """Give where a host, with a port or without, leads by this scheme; raises `Doubtful`."""
    check(text)
    return read_authority(scheme, text)


def check(text: str) -> None:
    """Refuse what has a character that some readers drop, change, or end at."""
    if not text:
        raise Doubtful("is empty")
    if len(text) > LONGEST:
        raise Doubtful(f"has more than {LONGEST:,} characters")
    if not text.isprintable() or not BAD.isdisjoint(text):
        raise Doubtful("has a character that is read in more ways than one")


def read_authority(scheme: str, text: str) -> Target:
    """Give where what stands between `://` and the path leads; raises `Doubtful`."""
    if scheme not in DEFAULT_PORTS:
        raise Doubtful("has a scheme that is never allowed")
    if "@" in text:
        raise Doubtful("has a user before its host")
    host, colon, port = text.rpartition(":") if PORT.fullmatch(text.rpartition(":")[2]) else (text, "", "")
    if colon and int(port) > HIGHEST_PORT:
        raise Doubtful("has a port that is none")
    return Target(scheme, _host(host), int(port) if colon else DEFAULT_PORTS[scheme])


def _host(text: str) -> str:
    if not text:
        raise Doubtful("has no host")
    if text.startswith("["):
        address = address_of(text[1:-1]) if text.endswith("]") else None
        if not isinstance(address, IPv6Address):
            raise Doubtful("has an address as its host, in a form that is read in more ways than one")
        return f"[{address.compressed}]"
    return text if ":" not in text and address_of(text) is not None else plain_name(text)
