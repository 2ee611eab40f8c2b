"""An entry of the allow list: `[scheme://]host[:port]`, with `https` and the port of the scheme unless said."""

from attrs import frozen

from seamlaw_packs.errors import InvalidPack

from ._addresses import address_of, is_public
from ._doubt import Doubtful
from ._names import is_foreign, is_local, is_metadata
from ._url import DEFAULT_PORTS, Target, read_host

__all__ = ["Entry", "entry_at"]

ANY, UNDER = "*", "*."


@frozen
class Entry:
    """What is allowed: a scheme, a port, and a host, or the end of the names that are."""

    target: Target
    wild: bool
    """Whether names under this host are meant, and not itself; with no host, all names."""

    def admits(self, target: Target) -> bool:
        """Whether a URL that leads there is allowed by this entry."""
        if (target.scheme, target.port) != (self.target.scheme, self.target.port):
            return False
        return _is_under(target.host, self.target.host) if self.wild else target.host == self.target.host


def _is_under(host: str, top: str) -> bool:
    """Whether a host may be meant by `*.top` or, without a top, by `*`: what is near or odd must be written out."""
    address = address_of(host.strip("[]"))
    if address is not None or host.startswith("["):
        return not top and address is not None and is_public(address)
    if is_metadata(host) or (top and not host.endswith(f".{top}")) or (not top and is_local(host)):
        return False
    return not is_foreign(host.removesuffix(top))


def entry_at(place: str, text: str) -> Entry:
    """Read an entry; raises `InvalidPack`."""
    before, slashes, after = text.partition("://")
    scheme, host = (before.lower(), after) if slashes else ("https", text)
    if scheme not in DEFAULT_PORTS:
        raise InvalidPack(place, f"a scheme must be one of {', '.join(DEFAULT_PORTS)}")
    every = host == ANY or host.startswith(f"{ANY}:")
    wild = every or host.startswith(UNDER)
    try:
        # A name stands in for "all of them", so that the port is read as for any other.
        target = read_host(scheme, "any" + host[1:] if every else host.removeprefix(UNDER))
    except Doubtful as doubt:
        raise InvalidPack(place, f"must be [scheme://]host[:port], and {doubt}") from None
    if wild and not every and address_of(target.host.strip("[]")) is not None:
        raise InvalidPack(place, "nothing lies under an address")
    return Entry(Target(scheme, "" if every else target.host, target.port), wild)
