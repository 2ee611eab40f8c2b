"""Find on which line each part of a TOML or JSON document stands: the parsers that read the data do not tell.

Only text that its parser has accepted is scanned, so the scan knows no errors; it needs to know no more of the
grammar than where values begin and end.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator

from ._document import Places, Unreadable, inside, item

__all__ = ["json_places", "toml_places"]

TOKEN = re.compile(
    r'''
    (?P<text> """(?:\\.|[^\\])*?"""(?!") | \'\'\'.*?\'\'\'(?!\')    # over several lines, TOML alone
            | "(?:\\.|[^"\\\n])*" | '[^'\n]*' )
  | (?P<comment> \#[^\n]* )
  | (?P<end> \n )
  | (?P<space> [ \t\r]+ )
  | (?P<mark> [\[\]{}=:,.] )
  | (?P<bare> [^\s\[\]{}=:,."'\#]+ )
    ''',
    re.VERBOSE | re.DOTALL,
)
Token = tuple[str, str, int]  # its kind (a mark is its own), its text, its line
NOTHING: Token = ("", "", 0)


def json_places(text: str) -> Places:
    """Map each place of a JSON document to its line; raises `Unreadable` for a key that is given twice."""
    scan = _Scan(text, json.loads, once=True)
    scan.skip("end")
    scan.value("", scan.line)
    return scan.places


def toml_places(text: str) -> Places:
    """Map each place of a TOML document to its line."""
    scan = _Scan(text, _toml_key, once=False)
    table = ""
    while scan.skip("end"):
        if scan.kind == "[":
            table = scan.header()
        else:
            scan.pair(table)
    return scan.places


def _toml_key(token: str) -> str:
    return next(iter(tomllib.loads(f"{token} = 0")))


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for found in TOKEN.finditer(text):
        kind, token = str(found.lastgroup), found[0]
        if kind not in ("space", "comment"):
            yield (token if kind == "mark" else kind), token, line
        line += token.count("\n")


class _Scan:
    """The token it has come to, and the places found so far."""

    def __init__(self, text: str, read_key: Callable[[str], str], *, once: bool) -> None:
        self.tokens = _tokens(text)
        self.read_key = read_key
        self.once = once
        self.places: Places = {}
        self.lengths: dict[str, int] = {}  # of each array of tables
        self.kind, self.text, self.line = next(self.tokens, NOTHING)

    def take(self) -> str:
        """Go on to the next token, and give the text of this one."""
        text = self.text
        self.kind, self.text, self.line = next(self.tokens, NOTHING)
        return text

    def skip(self, *kinds: str) -> bool:
        """Pass over tokens of these kinds, and tell whether any other is left."""
        while self.kind in kinds:
            self.take()
        return bool(self.kind)

    def key(self) -> list[str]:
        """Read a key, dotted perhaps."""
        parts = [self.read_key(self.take())]
        while self.kind == ".":
            self.take()
            parts.append(self.read_key(self.take()))
        return parts

    def header(self) -> str:
        """Read `[table]` or `[[table]]`, and give its place; one inside an array of tables is in its last element."""
        line, place = self.line, ""
        self.take()
        if several := self.kind == "[":
            self.take()
        *around, last = self.key()
        for part in around:
            place = inside(place, part)
            self.places.setdefault(place, line)
            place = self.last_of(place)
        place = inside(place, last)
        if several:
            self.places.setdefault(place, line)
            self.lengths[place] = self.lengths.get(place, 0) + 1
            place = self.last_of(place)
        self.places.setdefault(place, line)
        self.skip("]")
        return place

    def last_of(self, place: str) -> str:
        """Give the place itself, or that of its last element."""
        return item(place, self.lengths[place] - 1) if place in self.lengths else place

    def pair(self, place: str, seen: set[str] | None = None) -> None:
        """Read a key and its value; no key may be `seen` twice (the parser of TOML has seen to that)."""
        line, parts = self.line, self.key()
        if seen is not None:
            if parts[0] in seen:
                raise Unreadable("is given twice", line, inside(place, parts[0]))
            seen.add(parts[0])
        for part in parts:
            place = inside(place, part)
            self.places.setdefault(place, line)
        self.skip("=", ":", "end")
        self.value(place, line)

    def value(self, place: str, line: int) -> None:
        """Read a value."""
        self.places.setdefault(place, line)
        if self.kind == "[":
            self.array(place)
        elif self.kind == "{":
            self.table(place)
        else:
            while self.kind in ("text", "bare", ".", ":"):  # 1.5 and 07:32:00 are several
                self.take()

    def array(self, place: str) -> None:
        """Read `[…]`."""
        self.take()
        index = 0
        while self.skip("end", ",") and self.kind != "]":
            self.value(item(place, index), self.line)
            index += 1
        self.take()

    def table(self, place: str) -> None:
        """Read `{…}`."""
        self.take()
        seen = set[str]() if self.once else None
        while self.skip("end", ",") and self.kind != "}":
            self.pair(place, seen)
        self.take()
