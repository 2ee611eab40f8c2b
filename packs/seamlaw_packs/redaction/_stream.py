"""Redacts a text that comes in parts, and gives out what can no longer become part of a secret.

It is cut where no secret goes across: after white space, quotes or brackets, unless a family holds the place (the
value of a name, a key of several lines, a number in groups). Each piece is then redacted by itself, which gives what
redacting the whole text would give.
"""

from collections.abc import Callable, Iterable

from ._own import Own
from ._placeholders import walled, withheld
from ._view import Family

__all__ = ["Stream"]

ANYWHERE = ' \t\n\r"<>{}'
LINES = "\n"
MARK = "-----BEGIN"
SMALL = 512  # characters; while less is held it is looked at again with every chunk


class Stream:
    """A text on its way: `feed` each chunk and pass on what comes back, then `flush` for the rest.

    At most `hold` characters are kept back. What cannot be cut within so many is withheld, to the end of its line; a
    private key of that length, or a match of a pattern of the caller's own, to the end of the text.
    """

    def __init__(
        self, clean: Callable[[str], str], families: Iterable[Family], *, hold: int, cuts: str = ANYWHERE
    ) -> None:
        self._clean = clean
        self._families = tuple(families)
        self._hold = hold
        self._cuts = cuts
        self._own = any(type(family) is Own for family in self._families)
        self._start()

    def _start(self) -> None:
        self._parts: list[str] = []
        self._length = 0  # of the parts
        self._look_at = 0  # the length from which they are looked at again
        self._dropped = 0
        self._for_good = False
        self._tail = ""

    def feed(self, chunk: str) -> str:
        """Take a chunk, and give what may be passed on, which may be nothing."""
        chunk = str.__str__(chunk)
        steps = range(0, len(chunk), self._hold)
        return "".join([self._fed(chunk[at : at + self._hold]) for at in steps])

    def flush(self) -> str:
        """Give what is left at the end of the text, and be ready for another."""
        rest = withheld(self._dropped) if self._dropped else self._clean("".join(self._parts))
        self._start()
        return rest

    def _fed(self, chunk: str) -> str:
        if self._dropped:
            return self._drop(chunk)
        self._parts.append(chunk)
        self._length += len(chunk)
        full = self._length > self._hold
        if not full and (self._length < self._look_at or not any(cut in chunk for cut in self._cuts)):
            return ""
        text = "".join(self._parts)
        cut = self._cut(text)
        given, rest = text[:cut], text[cut:]
        self._parts, self._length = [rest], len(rest)
        # Looking again only when an eighth has come keeps the time linear while a long piece is held.
        self._look_at = self._length + self._length // 8 if self._length > SMALL else 0
        return self._clean(given) + (self._drop(rest, first=True) if self._length > self._hold else "")

    def _cut(self, text: str) -> int:
        """Give the last place up to which nothing that comes can change anything."""
        walls = walled(text)
        held = _joined(stretch for family in self._families for stretch in family.held(walls))
        cut = self._before(text, len(text))
        for start, end in reversed(held):
            if end < cut:
                break
            if start < cut:
                cut = self._before(text, start)
        return cut

    def _before(self, text: str, end: int) -> int:
        return max(text.rfind(cut, 0, end) for cut in self._cuts) + 1

    def _drop(self, chunk: str, *, first: bool = False) -> str:
        """Let go of what is too long, and go on behind its line."""
        if first:
            self._parts, self._length = [], 0
            self._for_good = self._own
        self._for_good = self._for_good or MARK in self._tail + chunk
        self._tail = chunk[-len(MARK) :]
        end = -1 if self._for_good else chunk.find("\n")
        if end < 0:
            self._dropped += len(chunk)
            return ""
        said = withheld(self._dropped + end)
        self._start()
        return said + self._fed(chunk[end:])


def _joined(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined
