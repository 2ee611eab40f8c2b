"""Policies in JSON; a key that an object has twice is refused, and NaN is refused by the rules themselves."""

import json

from ._document import Document, Unreadable
from ._scan import json_places

__all__ = ["read_json"]


def read_json(text: str) -> Document:
    """Read JSON (RFC 8259)."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"no JSON: {error.msg} at column {error.colno}", error.lineno) from None
    return Document(data, json_places(text))
