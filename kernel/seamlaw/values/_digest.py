"""A value's identity: SHA-256 over its canonical JSON (RFC 8785), extended to integers past 2^53.

What writes and hashes is loaded with the first digest: it takes as long as a tenth of all that the kernel needs.
"""

from ._frozen import freeze

__all__ = ["canonical", "digest"]

OPAQUE = "opaque:"


def digest(value: object) -> str:
    """Name a value, the same up to key order and different for absent and null.

    Takes JSON, plain or frozen, and attrs objects such as `ToolCall` (whose id does not count: an approval is
    for what runs) or tuples of these. The digest of a value that holds a Python object begins with `opaque:`; it
    depends on that very object, and no approval ever covers it again. Raises `InvalidValue` for bad plain JSON.
    """
    import hashlib

    text, exact = _text(value)
    return ("" if exact else OPAQUE) + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def canonical(value: object) -> str | None:
    """Give the canonical text of a value, or `None` where it holds a Python object; raises as `digest` does."""
    text, exact = _text(value)
    return text if exact else None


def _text(value: object) -> tuple[str, bool]:
    from ._canonical import write

    parts: list[str] = []
    exact = write(freeze(value, objects=True), parts)
    return "".join(parts), exact
