"""Policies in TOML."""

import re
import tomllib

from ._document import Document, Unreadable
from ._scan import toml_places

__all__ = ["read_toml"]

AT = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")


def read_toml(text: str) -> Document:
    """Read TOML 1.0."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = AT.search(str(error))
        line = None if at is None else int(at["line"] or text.rstrip().count("\n") + 1)
        raise Unreadable(f"no TOML: {AT.sub('', str(error))}", line) from None
    return Document(data, toml_places(text))
