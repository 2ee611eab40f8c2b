"""Whether what a name stands before is a secret, or code, a reference to one, or a word about one.

The rules are of three strengths. A value in JSON, under its own key, is hidden whatever it is; the same in quotes, in
a text, with less doubt; and a bare word after `password:` only if it looks like one.
"""

import re

from ._names import ENDINGS, Kind

__all__ = ["bare", "kept", "quoted"]

REFERENCE = re.compile(
    r"\$\{.*\}|\{\{.*\}\}|\{[^{}]*\}|\$\(.*\)?|\$[A-Z_][A-Z0-9_]*|\$|<[A-Za-z][A-Za-z _./-]*>|%\([^()]*\)s|%[A-Za-z]"
    r"|[*xX.•…-]{3,}|\[redacted:[a-z0-9-]{1,64}\]",
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
SHORT, LONG = 6, 16  # characters: less is no token; so many in a row are, though there be no digit


def kept(value: str, kind: Kind) -> bool:
    """Whether a value under a name, in JSON, is to be hidden."""
    value = value[:ENOUGH]
    return not _empty(value, kind) and (not kind.weak or _odd(value))


def quoted(value: str, kind: Kind) -> bool:
    """Whether what a text has in quotes after a name is to be hidden."""
    value = value[:ENOUGH]
    if _empty(value, kind) or value[0] in "),;]}":  # these quotes are the end of one text, and the next
        return False
    if kind.weak:
        return _odd(value)
    if _digits(value) or not OF_ITSELF.search(value):
        return True
    # "Password", "Enter your password" and "errors.password" are words about one.
    identifier = ("." in value or "_" in value) and CODE.fullmatch(value)
    return not (value.istitle() or ABOUT.match(value) or identifier)


def bare(value: str, kind: Kind, *, tight: bool, after: str) -> bool:
    """Whether a word after a name is to be hidden; `tight` is one without a space before it, `after` what follows."""
    value = value[:ENOUGH]
    if _empty(value, kind) or (after[:1] in ("(", "[") and CODE.fullmatch(value)):
        return False
    if not kind.plain:
        return _odd(value) and (tight or len(value) > SHORT)
    if _digits(value):
        return len(value) >= SHORT or (tight and len(value) >= 4)  # noqa: PLR2004 - as a PIN has
    told = OF_ITSELF.search(value) is not None
    return tight and len(value) >= 4 and not told and not ("." in value and CODE.fullmatch(value))  # noqa: PLR2004


def _empty(value: str, kind: Kind) -> bool:
    value = value.strip()
    if kind.label == "pwd" and FOLDER.match(value):
        return True
    return not value or REFERENCE.fullmatch(value) is not None or value.lower() in NOTHING


def _digits(value: str) -> bool:
    return any(map(str.isdecimal, value))


def _odd(value: str) -> bool:
    """Whether it looks made up by a machine: letters and digits, or many characters and none of them a space."""
    value = SCHEME.sub("", value.strip(), count=1)
    if FOLDER.match(value) or any(map(str.isspace, value)):
        return False
    if _digits(value):
        return len(value) >= SHORT and any(map(str.isalpha, value))
    return len(value) >= LONG and not CODE.fullmatch(value)
