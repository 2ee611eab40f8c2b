"""The bytes of a recording, line by line: a bad line costs that line and no other."""

from collections.abc import Callable, Iterator

from attrs import frozen

from ._strict_json import Unreadable

__all__ = ["LONGEST_LINE", "Line", "lines"]

LONGEST_LINE = 256 * 2**20  # bytes; four times what one frozen value may hold
BOM = "\ufeff"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # no UTF-8 begins so


@frozen
class Line:
    """One physical line, counted from 1; `raw` is `None` when it was too long to be kept."""

    number: int
    raw: bytes | None

    @property
    def place(self) -> str:
        """Name the line as a place."""
        return f"line {self.number}"

    @property
    def is_blank(self) -> bool:
        """Tell whether nothing stands on it."""
        return self.raw is not None and not self.raw.removeprefix(BOM.encode()).strip()

    def text(self, errors: str = "strict") -> str:
        """Decode the line, without the mark that some editors put before UTF-8."""
        if self.raw is None:
            raise Unreadable("the line is too long to be read")
        if self.raw.startswith(UTF_16):
            raise Unreadable("written in UTF-16; save it as UTF-8")
        try:
            return self.raw.decode(errors=errors).removeprefix(BOM)
        except UnicodeDecodeError as error:
            raise Unreadable(f"not UTF-8 at byte {error.start + 1} of the line") from None


def lines(readline: Callable[[int], bytes], *, longest: int = LONGEST_LINE) -> Iterator[Line]:
    """Read the lines that are not blank."""
    for number, raw in enumerate(iter(lambda: readline(longest), b""), 1):
        line = Line(number, None if _skipped_rest(raw, readline, longest) else raw)
        if not line.is_blank:
            yield line


def _skipped_rest(raw: bytes, readline: Callable[[int], bytes], longest: int) -> bool:
    """Leave a line that is longer than allowed behind, without holding it."""
    too_long = len(raw) >= longest and not raw.endswith(b"\n")
    while too_long and raw and not raw.endswith(b"\n"):
        raw = readline(longest)
    return too_long
