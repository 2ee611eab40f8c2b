"""Secrets known by what stands around them: the marks of a private key, and places in a URL."""

import re
from collections.abc import Iterator

from attrs import field, frozen

from ._view import Found, View, compiled

__all__ = ["SHAPES", "PrivateKey", "Shape"]

NOT = r"\s\"'`<>{}/?#\0\\@"


@frozen
class Shape:
    """A pattern, looked for where a text has what it `needs`; its first group, if any, is what is hidden."""

    label: str
    needs: str
    pattern: re.Pattern[str] = field(converter=compiled)

    @property
    def marks(self) -> tuple[str, ...]:
        """What is in every text that has one."""
        return (self.needs.lower(),)

    def spans(self, view: View) -> Iterator[Found]:
        """Find each of the family."""
        if self.needs in view.text:
            for found in self.pattern.finditer(view.text):
                yield *found.span(found.lastindex or 0), self.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:  # noqa: ARG002
        """Find nothing: there is no space in any of them."""
        return iter(())


# RFC 7468, RFC 4880, and what OpenSSH writes. The lines of a key come with escapes, quotes and pluses between them
# where it stands in JSON or in code. The mark alone, as in this file, is no key: sixteen characters of one must follow.
BEGIN = r"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----"
BETWEEN = r"(?:\\[nrt]|[\s\"'+,\\])*+"
HEADERS = rf"(?:{BETWEEN}[A-Z][A-Za-z-]{{2,24}}+: [^\n\\\0]{{0,200}}+){{0,8}}+{BETWEEN}"
BODY = rf"(?:[A-Za-z0-9/=]++|{BETWEEN.removesuffix('*+')})*+"
END = r"(?:-----END [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----)?+"
OPEN = re.compile(
    rf"-----BEGIN(?=((?: [A-Z0-9 ]{{0,48}}+-{{0,5}}+)?+{HEADERS}"
    rf"(?:[A-Z][A-Za-z-]{{0,24}}+(?::[^\n\\\0]{{0,201}}+)?+)?+{BODY}"
    r"(?:-{1,5}+(?:E(?:ND?+)?+)?+(?: [A-Z0-9 ]{0,48}+-{0,5}+)?+)?+))"
)


@frozen
class PrivateKey:
    """A private key, from its first mark to its last, or as far as it goes."""

    label: str = "private-key"
    pattern: re.Pattern[str] = re.compile(BEGIN + HEADERS + "[A-Za-z0-9+/=]{16,}+" + BODY + END)
    marks: tuple[str, ...] = ("-----begin",)

    def spans(self, view: View) -> Iterator[Found]:
        """Find each key, also one that is cut off."""
        if "-----BEGIN" in view.text:
            for found in self.pattern.finditer(view.text):
                yield found.start(), found.end(), self.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:
        """Find what begins as a key."""
        return ((found.start(), found.end(1)) for found in OPEN.finditer(text))


SHAPES: tuple[Shape | PrivateKey, ...] = (
    PrivateKey(),
    Shape("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,}+)"),
    # RFC 3986, 3.2.1. ${PASSWORD} and $PASSWORD are no passwords.
    Shape("url-password", "@", rf"://[^:{NOT}]{{0,256}}+:(?!\$[A-Z_]+@)([^{NOT}][^{NOT.replace('@', '')}]{{0,1024}})@"),
    Shape("azure-signature", "&", r"&sig=([A-Za-z0-9%+/]{32,}+=*)"),
)
