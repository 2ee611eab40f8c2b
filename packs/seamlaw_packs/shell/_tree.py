"""The parser, tree-sitter-bash, held to a time that no text can stretch."""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from seamlaw_packs.errors import MissingExtra

from ._doubt import Doubt

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["LONGEST", "ready", "tree_of"]

LONGEST = 20_000  # bytes
STEPS = 100  # of about a hundred operations each
CHUNK = 4_096
# The scanner of the grammar looks any character up in a table for those up to 255 (tree-sitter-bash 0.25.1, `isdigit`),
# and reads whatever memory is there, or crashes the process. So the parser is shown a letter for each byte that is not
# ASCII: to a shell they are the letters of a word, too, but in the name of a variable.
STANDS_FOR = "Z"
ASCII = bytes(range(128)) + STANDS_FOR.encode() * 128
HERE = re.compile(r"(?<!<)<<(?!<).*")  # a here-document, and the line with its end word
MOST = {
    "<<": 20,
    "<": 400,
    "[": 400,
    "=(": 50,
    "${": 150,
    "$(": 150,
    "`": 150,
}  # what the grammar takes more than linear time for


@cache
def language() -> "Language":
    try:
        import tree_sitter_bash
        from tree_sitter import Language
    except ImportError as missing:
        raise MissingExtra("reading shell commands needs tree-sitter: pip install 'seamlaw[shell]'") from missing
    return Language(tree_sitter_bash.language())


def ready() -> None:
    """Raise `MissingExtra` now, and not at the first call."""
    language()


def tree_of(text: str) -> "Node":
    """Parse a script; raises `Doubt` for one that is no shell, or takes too long to read."""
    raw = text.encode()
    if len(raw) > LONGEST:
        raise Doubt(f"the command is longer than {LONGEST:,} bytes")
    if any(text.count(sign) > most for sign, most in MOST.items()):
        raise Doubt("the command is too involved to be read")
    if not text.isascii() and any(map(_may_end_elsewhere, HERE.findall(text.replace("\\\n", "")))):
        raise Doubt("where a here-document ends is not known")
    root = _parsed(raw.translate(ASCII))
    if root.has_error:
        raise Doubt("the command cannot be parsed")
    return root


def _may_end_elsewhere(here: str) -> bool:
    """Whether the end word may be one that looks to the parser like another."""
    return not here.isascii() or STANDS_FOR in here


def _parsed(raw: bytes) -> "Node":
    from tree_sitter import Parser

    steps = iter(range(STEPS))

    def read(at: int, _: Any) -> bytes:
        return raw[at : at + CHUNK]

    def stop(*_: object) -> bool:
        return next(steps, None) is None

    try:
        return Parser(language()).parse(read, encoding="utf8", progress_callback=stop).root_node
    except ValueError:
        raise Doubt("the command is too involved to be read") from None
