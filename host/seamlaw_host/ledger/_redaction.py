"""What the ledger needs of a redactor, and what it makes of one that fails: then nothing is kept, rather than all."""

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from ._record import Kind
from ._values import plain

__all__ = ["NO_REDACTION", "WITHHELD", "Redacting", "Redactor", "default_redactor"]

WITHHELD = "[withheld: the redactor failed]"
SHORT, REMEMBERED = 200, 2_048  # characters, texts: names come again and again


class Redactor(Protocol):
    """Takes secrets out; gives back the very same object where it found none."""

    def value(self, value: object, /) -> object:
        """Take secrets out of plain JSON, keys included."""
        ...

    def text(self, text: str, /) -> str:
        """Take secrets out of a text."""
        ...


class _NoRedaction:
    """Keeps everything as it is."""

    def value(self, value: object, /) -> object:
        """Give it back."""
        return value

    def text(self, text: str, /) -> str:
        """Give it back."""
        return text


NO_REDACTION: Redactor = _NoRedaction()


def default_redactor() -> Redactor:
    """Make the redactor of the packs, as it is without any configuration."""
    return cast(Redactor, import_module("seamlaw_packs.redaction").Redactor())


class Redacting:
    """One record's use of a redactor: remembers whether any of its texts was changed, or withheld."""

    def __init__(self, redactor: Redactor, remembered: dict[str, str]) -> None:
        self._redactor = redactor
        self._remembered = remembered
        self.texts: Kind = "whole"

    def value(self, value: object) -> tuple[object, Kind]:
        """Redact what `plain` gave, and say what became of it."""
        try:
            redacted = self._redactor.value(value)
            if redacted is value:
                return value, "whole"
            return plain(redacted)[0], "redacted"
        except Exception:  # its text may quote what it was to hide
            return WITHHELD, "withheld"

    def text(self, text: str) -> str:
        """Redact a text; one that comes again is remembered, if it is short."""
        redacted = self._remembered.get(text) or (text and self._first(text))
        if redacted != text:
            self.add("withheld" if redacted is WITHHELD else "redacted")
        return redacted

    def add(self, kind: Kind) -> None:
        """Note what became of a text."""
        if kind == "withheld" or self.texts == "whole":
            self.texts = kind

    def _first(self, text: str) -> str:
        redacted = self._redacted(text)
        if len(text) <= SHORT and redacted is not WITHHELD:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[text] = redacted
        return redacted

    def optional(self, text: str | None) -> str | None:
        """Redact a text that may not be there."""
        return None if text is None else self.text(text)

    def _redacted(self, text: str) -> str:
        try:
            clean: Callable[[str], object] = self._redactor.text
            redacted = clean(_written(text))
            return redacted if type(redacted) is str else WITHHELD
        except Exception:
            return WITHHELD


def _written(text: str) -> str:
    """Make a text that can be written down: lone surrogates, from file names mostly, become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
