"""The names of hosts: their one form, and which of them lead to what is near."""

import re
import unicodedata

from seamlaw_packs._texts import has_unseen

from ._doubt import Doubtful

__all__ = ["is_foreign", "is_local", "is_metadata", "plain_name"]

LONGEST_NAME, LONGEST_LABEL = 253, 63  # RFC 1035, section 2.3.4, without the root
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # of a last label: the host is an IPv4 address (WHATWG, "ends in a number")
FOREIGN = "xn--"  # RFC 5890, section 2.3.2.1

# RFC 6761, RFC 6762, RFC 8375 and what ICANN keeps out of the root because networks use it inside.
LOCAL = frozenset("localhost local localdomain internal intranet private corp home lan arpa svc test".split())
METADATA = frozenset(  # where clouds answer a machine with its credentials
    (
        "metadata.google.internal",
        "metadata.goog",
        "instance-data.ec2.internal",
        "metadata.tencentyun.com",
        "metadata.packet.net",
        "metadata.platformequinix.com",
    )
)


def plain_name(text: str) -> str:
    """Give a name in ASCII and lower case; raises `Doubtful` for one that is read in more ways than one."""
    name = ".".join(map(_plain_label, text.split(".")))
    if len(name) > LONGEST_NAME:
        raise Doubtful("has a host that is too long")
    if NUMBER.fullmatch(name.rpartition(".")[2]):
        raise Doubtful("has an address as its host, in a form that is read in more ways than one")
    return name


def _plain_label(text: str) -> str:
    label = text if len(text) > LONGEST_LABEL else text.lower() if text.isascii() else _ascii_label(text)
    if len(label) > LONGEST_LABEL or not LABEL.fullmatch(label):
        raise Doubtful("has a host that is no plain name")
    return label


def _ascii_label(text: str) -> str:
    """Write a label of other letters in ASCII, where all three standards for that write the same.

    IDNA 2003 (the codec `idna`), IDNA 2008 and UTS 46 differ in what they make of a letter first; they agree on one
    that none of them changes, which is one that case folding and NFKC leave as it is. All that is left to do with such
    is Punycode, RFC 3492, and for that the standard library is enough.
    """
    label = "".join(one.lower() if one.isascii() else one for one in text)
    seen = all(one.isascii() or unicodedata.category(one)[0] in "LM" for one in label)
    stable = label == label.lower() == unicodedata.normalize("NFKC", label.casefold())  # in Cherokee the two differ
    if not (seen and stable) or has_unseen(label):  # UTS 46 leaves out what has no shape
        raise Doubtful("has a host with a letter that is read in more ways than one")
    return FOREIGN + label.encode("punycode").decode("ascii")


def is_foreign(name: str) -> bool:
    """Whether some label of a name stands for other letters than those of ASCII."""
    return any(label.startswith(FOREIGN) for label in name.split("."))


def is_local(name: str) -> bool:
    """Whether a name is of the machine or the network at hand: it has no dot, or ends as such names do."""
    return "." not in name or name.rpartition(".")[2] in LOCAL


def is_metadata(name: str) -> bool:
    """Whether a name is one at which a cloud tells a machine's credentials."""
    return name in METADATA
