"""Secrets that have only their name to be known by: `password=…`, `"api_key": "…"`, `Authorization: …`."""

import re
from collections.abc import Iterator

from attrs import Factory, field, frozen

from ._names import Kind, Names
from ._view import Found, View
from ._worth import bare, quoted

__all__ = ["Named"]

# Each begins with the rarest letters of a name; the rest is looked back at. All in lower case.
TAILS = (
    r"k(?:en(?<=token)|ey(?<=[a-z0-9_-]key)s?|ie(?<=cookie))",
    r"p(?:ass(?:w(?:or)?ds?|phrase|code|(?<=[_-]pass))|wd)",
    r"cr(?:et(?<=secret)s?|edentials?)",
    r"z(?<=authoriz)ation",
)
MARKS = ("token", "key", "cookie", "pass", "pwd", "secret", "credential", "authoriz")  # what they begin with or have
NUMBER = r"(?:[_-]?\d{1,3})?()"
CLOSE = r"[\"'`\]\\]{0,6}"
WORD = r"[^\s\"'`,;&<>{}()\[\]\0\\]"
SIGN = r"[ \t]{0,4}(?::(?!:)=?|=(?![=~])>?|>(?!>))[ \t]{0,4}"
OPTION = rf"[ \t]{{1,4}}(?=[\"'`\\]{{0,3}}(?!--){WORD}{{0,64}}?\d)"
DIGEST_SCHEME = re.compile(r"(?i:digest|aws4-hmac-sha256)[ \t]")  # whose parts fill the line
SCHEMES = "bearer|basic|token|negotiate|apikey|bot"
VALUE = re.compile(
    r'"(?P<double>(?:[^"\\\n\r\0]|\\[^\n\r\0])*+)'
    r"|'(?P<single>(?:[^'\\\n\r\0]|\\[^\n\r\0])*+)"
    r"|`(?P<back>(?:[^`\\\n\r\0]|\\[^\n\r\0])*+)"
    # JSON in JSON: the quote that ends it has as many backslashes as the one that began it.
    r'|(?P<slashes>\\++)"(?P<escaped>(?:[^"\\\n\r\0]++|(?!(?P=slashes)")\\++"?+)*+)'
    rf"|(?P<line>{DIGEST_SCHEME.pattern}[^\n\r\"'\0]*+)"
    rf"|(?P<bare>(?:(?i:{SCHEMES})[ \t]{{1,4}})?{WORD}++)"
)
SCHEME, SPACE = re.compile(SCHEMES, re.IGNORECASE), re.compile(r"[ \t]{0,4}")
COOKIES = re.compile(r"[^\n\r\"'`\0\\]*=[^\n\r\"'`\0\\]*+")
LINE = re.compile(r"[^\n\r\"'`\0\\]*+")
SO_FAR = re.compile(rf"{CLOSE}[ \t]{{0,4}}[:=>]{{0,2}}[ \t]{{0,4}}")
WORDS = re.compile("[A-Z]*[a-z0-9]+|[A-Z]+")
NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$"
SIGNED = (":", "=", ">", "--")  # no name has a value without one of them
SIGNS = frozenset(":=>")
BEFORE = 64  # characters of a name


def _tail_of(name: str) -> str:
    """Match the end of a name of the caller's own, in whatever style its words are joined."""
    return "[_-]?".join(map(str.lower, WORDS.findall(name)))


def _finders(names: Names, then: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(tail + NUMBER + then) for tail in (*TAILS, *map(_tail_of, names.own)))


@frozen
class Named:
    """What stands after a name, in the ways in which JSON, headers, settings, options and URLs write it."""

    names: Names = Names()
    label: str = "named"
    _finders: tuple[re.Pattern[str], ...] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda it: _finders(it.names, f"{CLOSE}(?:{SIGN}|{OPTION})"), takes_self=True),
    )
    _openers: tuple[re.Pattern[str], ...] = field(
        init=False, eq=False, repr=False, default=Factory(lambda it: _finders(it.names, ""), takes_self=True)
    )

    @property
    def marks(self) -> tuple[str, ...]:
        """Part of each name; a name without letters that are words has none, and then there are no marks at all."""
        own = tuple(WORDS.findall(name)[0].lower() for name in self.names.own)
        return (*MARKS, *own)

    def spans(self, view: View) -> Iterator[Found]:
        """Find each value; after one the search goes on behind it, so that none is read twice."""
        text = view.text
        if not any(map(text.__contains__, SIGNED)):
            return
        lower = view.lower
        for finder in self._finders:
            at = 0 if finder.pattern[0] in lower else len(text)  # `z` is in few texts
            while found := finder.search(lower, at):
                at = found.end()
                name = _name(text, found)
                kind = self.names.kind(name)
                if kind is None or not _signed(text, found, name):
                    continue
                value = _value(text, at, kind)
                if value is not None:
                    at = value.end()
                    if _is_secret(value, kind, tight=text[found.end() - 1] not in " \t"):
                        start, end = value.span(value.lastgroup or 0)
                        yield start, end, kind.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:
        """Find each name with its value, as far as it goes."""
        lower = View(text).lower
        for opener in self._openers:
            ends = dict[str, int]()
            for found in opener.finditer(lower):
                name = _name(text, found)
                kind = self.names.kind(name)
                if kind is not None:
                    yield found.end(1) - len(name), _reach(text, found.end(), kind, ends)


def _name(text: str, found: re.Match[str]) -> str:
    name = text[max(0, found.start() - BEFORE) : found.end(1)]
    return name[len(name.rstrip(NAME)) :]


def _signed(text: str, found: re.Match[str], name: str) -> bool:
    """Whether a sign or, for an option, a space leads from the name to its value."""
    return name.startswith("--") or not SIGNS.isdisjoint(text[found.end(1) : found.end()])


def _reach(text: str, at: int, kind: Kind, ends: dict[str, int]) -> int:
    """Give the end of what may belong to a name that ends here.

    `ends` has where the rest of a line ended that was read last: the same for all names in it, so it is read once.
    """
    sign = SO_FAR.match(text, at)
    at = sign.end() if sign else at
    rest = "cookie" if kind.label == "cookie" else "digest" if DIGEST_SCHEME.match(text, at) else None
    if rest is not None and at < ends.get(rest, 0):
        return ends[rest]
    value = LINE.match(text, at) if kind.label == "cookie" else VALUE.match(text, at)
    if rest is not None and value:
        ends[rest] = value.end()
    end = value.end() if value else at
    space = SPACE.match(text, end) if value and SCHEME.fullmatch(value[0]) else None
    return space.end() if space else end


def _value(text: str, at: int, kind: Kind) -> re.Match[str] | None:
    cookies = COOKIES.match(text, at) if kind.label == "cookie" else None
    return cookies or VALUE.match(text, at)


def _is_secret(value: re.Match[str], kind: Kind, *, tight: bool) -> bool:
    form = value.lastgroup
    if form is None or form == "line":
        return True
    if form == "bare":
        return bare(value["bare"], kind, tight=tight, after=value.string[value.end() : value.end() + 1])
    return quoted(value[form], kind)
