r"""Allows tools to reach hosts on a list, and no others: it judges the URLs, and the hosts, in their arguments.

It stops URLs to other hosts, schemes and ports; users before the host; addresses in any shape but the plain one
(decimal, octal, hexadecimal, short, mapped, with a zone); addresses and names of the machine, the local network and
the metadata of clouds, whenever they are not written out in the list; names in other letters than ASCII's that are
not, either; and every URL that two readers may read differently, such as `http://a\@b`. For that it reads no more
than what the standards agree on, and parses with none of them: a parser gives one reading, and the tool has another.

It does not stop: **redirects**, which lead on from an allowed host: the host must not follow them by itself, but judge
each by a call of its own; **what a name resolves to**: whoever has the name can have it say 127.0.0.1, and another
address a second later, so the host must connect to the address that it looked at, with `is_public_address`; tools
and arguments that are not listed, and parts of a URL in separate arguments (a port, a path, a proxy); what an allowed
host does with a URL in its query. In texts that are searched, URLs without a scheme, and those that a program puts
together. Names that only look like others (`examp1e.com`) are others: with `*` in the list, they pass.
"""

from ._addresses import is_public_address as is_public_address
from ._arguments import FETCH_TOOLS as FETCH_TOOLS
from ._arguments import HOSTS as HOSTS
from ._network import Network as Network

__all__ = ["FETCH_TOOLS", "HOSTS", "Network", "is_public_address"]
