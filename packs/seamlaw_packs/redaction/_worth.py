"""Whether what a name stands before is a secret, or code, a reference to one, or a word about one.

The rules are of three strengths. A value in JSON, under its own key, is hidden whatever it is; the same in quotes, in
a text, with less doubt; and a bare word after `password:` only if it looks like one.
"""

import re

from ._names import ENDINGS, Kind
from ._placeholders import PLACEHOLDER

__all__ = ["bare", "kept", "quoted"]

REFERENCE = re.compile(
    r"\$\{.*\}|\{\{.*\}\}|\{[^{}]*\}|\$\(.*\)?|\$[A-Z_][A-Z0-9_]*|\$|<[A-Za-z][A-Za-z _./-]*>|%\([^()]*\)s|%[A-Za-z]"
    r"|[*xX.•…-]{3,}",
    re.DOTALL,
)
NOTHING = frozenset(
    "none null nil true false undefined str string text bytes int any object required optional default empty unset "
    "value hidden masked include omit same-origin yes no".split()
)
OF_ITSELF = re.compile("|".join(sorted(ENDINGS)) + "|key", re.IGNORECASE)
ABOUT = re.compile(
    r"(?:an?|the|this|your|enter|confirm|repeat|new|old|current|forgot|forgotten|reset|change|set|show|hide|use|invalid"
    r"|incorrect|wrong|missing|please|no|must|should)\b",
    re.IGNORECASE,
)
CODE = re.compile(r"[A-Za-z_$][A-Za-z_$]*(?:(?:\.|->|::)[A-Za-z_$]+)*")
FOLDER = re.compile(r"(?:[A-Za-z]:)?[/\\~]")
SCHEME = re.compile(r"(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|Bot|AWS4-HMAC-SHA256)[ \t]+(?=\S)", re.IGNORECASE)
ENOUGH = 200  # characters, to judge by
SHORTEST = 4  # characters, as a PIN has
SHORT, LONG = 6, 16  # less is no token; so many in a row are one, though there be no digit


def kept(value: str, kind: Kind) -> bool:
    """Whether a value under a name, in JSON, is to be hidden; by what is in it beside placeholders."""
    value = PLACEHOLDER.sub("", value)[:ENOUGH]
    return not _empty(value, kind) and (not kind.weak or _meant(value, kind))


def quoted(value: str, kind: Kind) -> bool:
    """Whether what a text has in quotes after a name is to be hidden."""
    value = value[:ENOUGH]
    if _empty(value, kind) or value[0] in "),;]}":  # these quotes are the end of one text, and the next
        return False
    if kind.weak:
        return _meant(value, kind)
    if _digits(value) or not OF_ITSELF.search(value):
        return True
    # "Password", "Enter your password" and "errors.password" are words about one.
    identifier = ("." in value or "_" in value) and CODE.fullmatch(value)
    return not (value == kind.label or value.istitle() or ABOUT.match(value) or identifier)


def bare(value: str, kind: Kind, *, tight: bool, after: str) -> bool:
    """Whether a word after a name is to be hidden; `tight` is one without a space before it, `after` what follows."""
    value = value[:ENOUGH]
    if _empty(value, kind) or (after[:1] in ("(", "[") and CODE.fullmatch(value)):
        return False
    if not kind.plain:
        return _odd(value) and (tight or len(value) > SHORT)
    if _digits(value):
        return len(value) >= SHORT or (tight and len(value) >= SHORTEST)
    told = OF_ITSELF.search(value) is not None
    return tight and len(value) >= SHORTEST and not told and not ("." in value and CODE.fullmatch(value))


def _empty(value: str, kind: Kind) -> bool:
    value = SCHEME.sub("", value.strip(), count=1)
    if kind.label == "pwd" and FOLDER.match(value):
        return True
    return not value or REFERENCE.fullmatch(value) is not None or value.lower() in NOTHING


def _meant(value: str, kind: Kind) -> bool:
    """Whether a name that may mean something else means a secret here."""
    return _odd(value) or (kind.label == "cookie" and "=" in value)


def _digits(value: str) -> bool:
    return any(map(str.isdecimal, value))


def _odd(value: str) -> bool:
    """Whether a word of it looks made up by a machine: letters and digits, or very long, and neither path nor code."""
    return any(map(_odd_word, SCHEME.sub("", value.strip(), count=1).split()))


def _odd_word(word: str) -> bool:
    if FOLDER.match(word) or not any(map(str.isalpha, word)):
        return False
    return len(word) >= SHORT if _digits(word) else len(word) >= LONG and not CODE.fullmatch(word)
