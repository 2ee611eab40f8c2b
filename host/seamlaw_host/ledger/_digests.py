"""Digests for records: those of the kernel, taken in a faster way where a value is plain enough.

The kernel writes a value canonically (RFC 8785) before it hashes it. For text, integers up to 2**53, true, false and
null under ASCII keys, which is what arguments are made of, a JSON encoder that sorts keys writes the very same.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import msgspec

from seamlaw import ToolCall, ToolResult, digest

__all__ = ["digest_of", "is_plain", "keyed"]

OPAQUE = "opaque:"
EXACT = 2**53
DEEPEST = 12  # levels; what is deeper is left to the kernel
ENCODE: Callable[[object], bytes] = msgspec.json.Encoder(order="sorted").encode
SHA256 = hashlib.sha256


def digest_of(value: object, *, plain: bool = False) -> str | None:
    """Give the kernel's digest of a value; `None` for what is no JSON, of a host's own seam.

    `plain`: `is_plain` is known to hold for what the call or the result carries.
    """
    if plain and isinstance(value, ToolCall):
        return SHA256(b"ToolCall[%b,%b]" % (ENCODE(value.name), ENCODE(value.arguments))).hexdigest()
    if plain and isinstance(value, ToolResult):
        parts = ENCODE(value.output), ENCODE(value.error), ENCODE(value.metadata)
        return SHA256(b"ToolResult[%b,%b,%b]" % parts).hexdigest()
    try:
        return digest(value)
    except Exception:
        return None


def is_plain(value: Any, levels: int = DEEPEST) -> bool:
    """Whether a value is of those that any encoder of JSON writes as the kernel does."""
    kind: type[object] = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str or value is None or kind is bool:
        return True
    if kind is int:
        return bool(-EXACT < value < EXACT)
    if not levels:
        return False
    if issubclass(kind, dict):
        for key, item in value.items():
            if not (type(key) is str and key.isascii() and (type(item) is str or is_plain(item, levels - 1))):
                return False
        return True
    if issubclass(kind, list):
        for item in value:  # noqa: SIM110
            if not is_plain(item, levels - 1):
                return False
        return True
    return False


def keyed(plain: str | None, key: bytes | None) -> str | None:
    """Make a digest into one that needs the key to be found by trying."""
    if key is None or plain is None:
        return plain
    opaque = OPAQUE if plain.startswith(OPAQUE) else ""
    return f"{opaque}hmac-sha256:{hmac.new(key, plain.encode(), SHA256).hexdigest()}"
