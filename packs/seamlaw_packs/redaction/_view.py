"""A text as the families look at it: what several of them need is worked out once, and only when one asks."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Protocol, TypeAlias

__all__ = ["CLASSES", "LONG", "RUN", "Family", "Found", "Span", "View", "compiled"]

RUN = 20  # characters; no token that has a prefix of its own is shorter
CONTEXT = 8  # characters before a run: `Bearer `, `SG.`
LONG = b"w" * RUN
CLASSES = bytes(ord("w" if chr(byte).isalnum() or chr(byte) in "_-" else " ") for byte in range(128)) + b" " * 128


# Plain tuples, of which a hostile text can need many.
Found: TypeAlias = tuple[int, int, str]  # where something starts and ends that must not be shown, and its label
Span: TypeAlias = tuple[int, int, int, str]  # the same, with the place of its family in their order before the label


class View:
    """A text, its lower case, and the tokens in it that are long enough for a secret."""

    __slots__ = ("_lengths", "_lower", "_runs", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._lower: str | None = None
        self._runs: bytes | None = None
        self._starts: list[int] = []  # of the runs in the text
        self._lengths: list[int] = []  # of what is before each run in `runs`

    @property
    def lower(self) -> str:
        """The text in lower case, character for character at the same place."""
        lower = self._lower
        if lower is None:
            lower = self.text.lower()
            if len(lower) != len(self.text):  # of all characters this one alone becomes two
                lower = self.text.replace("\u0130", "I").lower()
            self._lower = lower
        return lower

    @property
    def runs(self) -> bytes:
        """Every run of at least 20 letters, digits, `_` and `-`, with a little of what stands before it.

        Nearly all secrets with a prefix are such runs, and little else is; so this alone is searched for the
        prefixes, and thirty families cost what three would. It is bytes because `bytes.translate` is the one
        fast way in the standard library of looking at every character.
        """
        runs = self._runs
        if runs is None:
            runs = self._runs = self._found_runs()
        return runs

    def _found_runs(self) -> bytes:
        raw = self.text.encode("ascii", "replace")  # a byte for each character: places stay the same
        flat = raw.translate(CLASSES)
        at, length, found = flat.find(LONG), 0, list[bytes]()
        while at >= 0:
            start, end = max(0, at - CONTEXT), flat.find(b" ", at + RUN)
            end = len(raw) if end < 0 else end
            self._starts.append(start)
            self._lengths.append(length)
            found.append(raw[start:end])
            length += end - start + 1
            at = flat.find(LONG, end)
        return b"\n".join(found)

    def place(self, at: int) -> int:
        """Give the place in the text of a place in the runs."""
        run = bisect_right(self._lengths, at) - 1
        return self._starts[run] + at - self._lengths[run]

    def run_place(self, at: int) -> int:
        """Give the place in the runs of a place in the text, or of what comes after it."""
        run = bisect_right(self._starts, at) - 1
        following = self._lengths[run + 1] if run + 1 < len(self._lengths) else len(self.runs)
        return min(self._lengths[run] + at - self._starts[run], following)


class Family(Protocol):
    """One kind of secret: how it is found, and what of it a stream must not cut."""

    @property
    def label(self) -> str:
        """What its placeholders say."""
        ...

    @property
    def marks(self) -> tuple[str, ...]:
        """Texts in lower-case ASCII, one of which is in `View.lower` of all in which it finds something.

        None where there are no such texts; of tokens the runs tell more.
        """
        ...

    def spans(self, view: View) -> Iterator[Found]:
        """Find every secret of the family, in linear time; what is found has no wall in it."""
        ...

    def held(self, text: str) -> Iterator[tuple[int, int]]:
        """Find where a text must not be cut: from each start to its end, and at that end.

        Each stretch holds all of the characters that decide whether there is a secret in it, but for the one
        behind it. White space, `"`, `<`, `>`, `{` and `}` outside of these stretches end every secret.
        """
        ...


def compiled(text: str) -> re.Pattern[str]:
    """Compile a pattern whose classes are ASCII, as tokens are."""
    return re.compile(text, re.ASCII)
