"""What is said to an approver is redacted first; what cannot be redacted is not said, and so not granted."""

from importlib import import_module
from typing import Any, Protocol

import attrs

from seamlaw import MemoryItem, Message, ProviderRequest, ToolCall, ToolResult, freeze

__all__ = ["Redactor", "Unredacted", "default_redactor", "plain", "redacted", "redacted_text"]

DEEPEST = 120  # levels; what is frozen has at most 100, and an envelope adds some
FIELDS: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in attrs.fields(kind))
    for kind in (MemoryItem, Message, ProviderRequest, ToolCall, ToolResult)
}


class Redactor(Protocol):
    """Takes secrets out of what an approver is shown."""

    def value(self, value: object, /) -> object:
        """Take secrets out of plain JSON, keys included."""
        ...

    def text(self, text: str, /) -> str:
        """Take secrets out of a text."""
        ...


class Unredacted(Exception):
    """What could not be redacted; stays in the package."""


def default_redactor() -> Redactor:
    """Make the redactor of the packs, as it is without any configuration."""
    made: Redactor = import_module("seamlaw_packs.redaction").Redactor()
    return made


def redacted(redactor: Redactor, value: object) -> object:
    """Give a value as frozen JSON without its secrets; raises `Unredacted`."""
    try:
        return freeze(redactor.value(plain(value)))
    except Exception:  # its text may quote what it was to hide
        raise Unredacted from None


def redacted_text(redactor: Redactor, text: str | None) -> str:
    """Give a text without its secrets, empty where there is none; raises `Unredacted`."""
    if not text:
        return ""
    try:
        clean: object = redactor.text(text)
    except Exception:
        raise Unredacted from None
    if type(clean) is not str:
        raise Unredacted
    return clean


def plain(value: object) -> object:
    """Give what a seam carries as JSON; of what is no JSON the type alone is told, since its text may be anything.

    Raises `RecursionError` for what nests too deeply.
    """
    return _plain(value, DEEPEST)


def _plain(value: Any, levels: int) -> Any:
    kind = _class(value)
    if kind in (str, bool, int, type(None)) or (kind is float and value - value == 0):
        return value
    if not levels:
        raise RecursionError("nested too deeply to be shown")
    if issubclass(kind, dict):
        return {key: _plain(item, levels - 1) for key, item in value.items()}
    if issubclass(kind, list | tuple):
        return [_plain(item, levels - 1) for item in value]
    if kind in FIELDS:
        return {name: _plain(getattr(value, name), levels - 1) for name in FIELDS[kind]}
    return f"<{kind.__name__}>"


def _class(value: object) -> type[Any]:
    return type(value)
