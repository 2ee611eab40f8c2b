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
GOES_ON = re.compile(r"""[\w@%$\\"'`-]|[.:]\w|[.,:;!?*()\[\]{}<>|]+@""")
# What stands in quotes, or begins a text, is a URL to whoever takes all of it for one: up to there its host may go on,
# and a user before it may have spaces. Readers by WHATWG's standard drop tabs and line breaks first.
ALONE = {quote: re.compile(rf"//([^/?#{quote}]*)") for quote in ("'", '"', "`")}
DROPPED = re.compile(r"[\t\r\n]+(?![A-Za-z][A-Za-z0-9+.-]+://)")  # before a URL they part two
BEGINS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):([/\\]*)([^/?#]*)")
SPACE = re.compile(r"\s")
EDGES = "".join(map(chr, range(0x21)))  # readers strip what nobody sees, or all that is a space
LEADS_ON = re.compile(r"@|\[[0-9a-f.]*:", re.IGNORECASE)  # whatever stands before it


def urls_in(text: str) -> Iterator[Target]:
    """Give where each URL in a text leads; raises `Doubtful` where that is not certain."""
    if BARE.search(text):
        raise Doubtful("has a URL in it without //")
    for found in COLON.finditer(text):
        before = text[max(0, found.start() - LONGEST_SCHEME) : found.start()]
        if named := SCHEME.search(before):
            scheme = named[0].lower()
            yield from _read(scheme, text, found.end())
            quoted = ALONE.get(before[: named.start()][-1:])
            if quoted is not None and (alone := quoted.match(text, found.end())):
                yield from _alone(scheme, alone[1], text[alone.end() : alone.end() + 1])
    yield from _at_the_beginning(DROPPED.sub("", text.strip().strip(EDGES).strip()))


def _at_the_beginning(text: str) -> Iterator[Target]:
    found = BEGINS.match(text)
    if found is None:
        return
    scheme, slashes, authority = found[1].lower(), found[2], found[3]
    if slashes == "//":
        yield from _alone(scheme, authority, text[found.end() : found.end() + 1])
    elif scheme in WITHOUT_SLASHES and (slashes or authority) and not SPACE.search(authority):
        raise Doubtful("has a URL in it without //")


def _alone(scheme: str, authority: str, behind: str) -> Iterator[Target]:
    """Read what would be a URL if nothing around it were anything else; with a space in its host it is prose."""
    if not authority.startswith("[") and LEADS_ON.search(authority):
        raise Doubtful("has a user, or what may be one, before its host")
    if not SPACE.search(authority):
        yield read_authority(scheme, _bare(authority, behind))


def _bare(authority: str, behind: str) -> str:
    """Leave out what ends a sentence, where no path comes, but not what ends an address."""
    if behind in tuple("/?#"):
        return authority
    bare = authority.rstrip(CLOSING)
    return f"{bare}]" if bare.startswith("[") and "]" not in bare else bare


def _read(scheme: str, text: str, start: int) -> Iterator[Target]:
    found = AUTHORITY.match(text, start)
    if found is not None:
        authority, end = found[1], found.end()
        if not APART.match(text, end) and GOES_ON.match(text, end + 1):  # a shell joins "https://a.example"@b.example
            raise Doubtful("has a URL in it whose host may go on")
        yield read_authority(scheme, _bare(authority, text[end : end + 1]))
    elif scheme in WITHOUT_SLASHES:
        raise Doubtful("has a URL in it without //")
