"""Names whose values are secrets: `password`, `DB_PASSWORD`, `x-api-key`, `clientSecret`."""

import re
from collections.abc import Mapping

from attrs import Factory, field, frozen

from ._placeholders import PLACEHOLDER

__all__ = ["ENDINGS", "Kind", "Names", "plain_name"]

# What a name ends with, without its `_`, `-` and capitals. Not `key`: most keys find something, and keep nothing.
ENDINGS: Mapping[str, str] = {
    "password": "password",
    "passwords": "password",
    "passwd": "password",
    "passphrase": "password",
    "passcode": "password",
    "pwd": "pwd",  # a password, or where the shell is
    "secret": "secret",
    "secrets": "secret",
    "secretkey": "secret",
    "token": "token",
    "apikey": "api-key",
    "apikeys": "api-key",
    "accesskey": "access-key",
    "accountkey": "access-key",
    "sharedkey": "access-key",
    "storagekey": "access-key",
    "subscriptionkey": "access-key",
    "functionskey": "access-key",
    "authkey": "access-key",
    "masterkey": "access-key",
    "privatekey": "private-key",
    "signingkey": "private-key",
    "encryptionkey": "private-key",
    "authorization": "authorization",
    "credential": "credentials",
    "credentials": "credentials",
    "cookie": "cookie",
}
# The token of a page or of a tokenizer is no secret.
NO_SECRET = re.compile(
    r".*(?:page|next|continuation|cursor|sync|resume|cancellation)token"
    r"|(?:prev|previous|max|min|num|per|total|first|last|eos|bos|pad|unk|mask|cls|sep|stop|special|start|end|input|output)token"
)
# Words that stand for other things as well: what they name must look like a secret.
WEAK = frozenset({"token", "credential", "credentials", "cookie"})
PLAIN = frozenset({"password", "pwd", "secret"})
# `DB_PASS` and `dbPass`, but not `bypass`.
PASS_AT_END = re.compile(r"(?:[_-]pass|[_-]PASS|[a-z]Pass)\d*\Z")
ODD = re.compile(r"[^a-z0-9]+")
LONGEST, REMEMBERED = 100, 4096


@frozen
class Kind:
    """What a name says of its value; of a `weak` one it may mean something else, and a `plain` one may be a word."""

    label: str
    weak: bool = False
    plain: bool = False


def plain_name(name: str) -> str:
    """Give a name without what styles of writing it differ in, and without a number at its end."""
    return ODD.sub("", name[-LONGEST:].lower()).rstrip("0123456789")


@frozen
class Names:
    """Which names are those of secrets: what ends as one of them, and what ends as one of the caller's `own`."""

    own: tuple[str, ...] = ()
    endings: Mapping[str, str] = ENDINGS
    _known: dict[str, Kind | None] = field(init=False, eq=False, repr=False, default=Factory(dict[str, Kind | None]))

    def kind(self, name: str) -> Kind | None:
        """What the value of this name is, if it is a secret. Names come again and again, and are remembered."""
        name = name[-LONGEST:]  # what comes before changes nothing, but for the few that are no secret
        if name in self._known:
            return self._known[name]
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        kind = self._known[name] = self._kind(name)
        return kind

    def _kind(self, written: str) -> Kind | None:
        name = plain_name(PLACEHOLDER.sub("", written))  # whose label is no part of a name
        for own in self.own:
            if name.endswith(plain_name(own)):
                return Kind(label_of(own), plain=True)
        if NO_SECRET.fullmatch(name):
            return None
        endings = [ending for ending in self.endings if name.endswith(ending)]
        if endings:
            label = self.endings[max(endings, key=len)]
            return Kind(label, name in WEAK, label in PLAIN)
        return Kind("password", plain=True) if self.endings and PASS_AT_END.search(written) else None


def label_of(name: str) -> str:
    """Give the label for a name of the caller's own."""
    return ODD.sub("-", name.lower()).strip("-")[:64]
