"""What is shown to a person: nothing from a session or a policy can steer the terminal, and lines fit."""

import os
import shutil
import sys
from typing import TextIO

import click
from attrs import frozen

__all__ = ["PIPED_WIDTH", "Screen", "fitted", "is_coloured", "printable"]

PIPED_WIDTH = 100  # what is written into a file is the same everywhere


def printable(text: str) -> str:
    """Escape all that is not plainly visible: control characters, ANSI and bidi sequences, what has no width."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def fitted(text: str, width: int, *, around: int = 0) -> str:
    """Cut a text so that the character at `around` is among those shown, and make it printable."""
    start = 0 if around < width else around - width // 2
    end = start + width
    rest = f"… +{len(text) - end}" if end < len(text) else ""
    return ("…" if start else "") + printable(text[start:end]) + rest


def is_coloured(stream: TextIO) -> bool:
    """Whether to colour: NO_COLOR (no-color.org) and FORCE_COLOR count if they are not empty, in this order."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


@frozen
class Screen:
    """How lines are written to standard output: how wide, in colour or not, and whether long values are cut."""

    width: int = PIPED_WIDTH
    colour: bool = False
    full: bool = False

    @classmethod
    def of_stdout(cls, *, full: bool = False) -> "Screen":
        """Look at standard output."""
        terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if terminal else PIPED_WIDTH
        return cls(max(width, 40), is_coloured(sys.stdout), full)

    def paint(self, text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False) -> str:
        """Colour a text that is printable already."""
        return click.style(text, fg=colour, bold=bold or None, dim=dim or None) if self.colour else text

    def value(self, text: str, used: int, *, around: int = 0) -> str:
        """Fit a value into what `used` columns leave of a line."""
        return printable(text) if self.full else fitted(text, max(self.width - used - 8, 20), around=around)

    def say(self, line: str) -> None:
        """Write a line, at once."""
        click.echo(line, color=self.colour)
