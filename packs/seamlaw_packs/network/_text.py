"""Finds the URLs in a text, and where each leads."""

import re
from collections.abc import Iterator

from ._doubt import Doubtful
from ._url import DEFAULT_PORTS, Target, read_authority

__all__ = ["urls_in"]

# A URL may begin at a colon with a slash of either kind behind it. Its scheme stands before, and is looked for from
# there, backwards and not further than this, so that every text is read in linear time.
COLON = re.compile(r":(?=[/\\])")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+\Z")  # not of one letter: that is a drive
LONGEST_SCHEME = 40
WITHOUT_SLASHES = (*DEFAULT_PORTS, "file")  # browsers read a URL of these without, or with one, or with backslashes
BARE = re.compile(rf"(?<![A-Za-z0-9+.-])(?:{'|'.join(WITHOUT_SLASHES)}):[\w@%\[]", re.IGNORECASE)
AUTHORITY = re.compile(r"""//([^/?#\s"'`<>(),;|]*)""")
CLOSING = ".,:;!?*_)]}"  # what ends a sentence, or a mark around a URL, and no host
APART = re.compile(r"[/?#\s<>|]|\Z")
GOES_ON = re.compile(r"""[\w@%$\\"'`-]|[.:]\w""")


def urls_in(text: str) -> Iterator[Target]:
    """Give where each URL in a text leads; raises `Doubtful` where that is not certain."""
    if BARE.search(text):
        raise Doubtful("has a URL in it without //")
    for found in COLON.finditer(text):
        before = text[max(0, found.start() - LONGEST_SCHEME) : found.start()]
        if scheme := SCHEME.search(before):
            yield from _read(scheme[0].lower(), text, found.end())


def _read(scheme: str, text: str, start: int) -> Iterator[Target]:
    found = AUTHORITY.match(text, start)
    if found is not None:
        authority, end = found[1], found.end()
        if not APART.match(text, end) and GOES_ON.match(text, end + 1):  # a shell joins "https://a.example"@b.example
            raise Doubtful("has a URL in it whose host may go on")
        yield read_authority(scheme, authority if text[end : end + 1] in tuple("/?#") else authority.rstrip(CLOSING))
    elif scheme in WITHOUT_SLASHES:
        raise Doubtful("has a URL in it without //")
