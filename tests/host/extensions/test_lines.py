"""Lines of a pipe are what was written, however it was cut into pieces."""

import os
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamlaw_host.extensions._lines import lines_of
from seamlaw_host.extensions.errors import Garbage

LONGEST = 20


def read(pieces: list[bytes]) -> tuple[list[bytes], str]:
    """Write these pieces to a pipe, and give the lines that came and what was wrong."""
    out, into = os.pipe()

    def write() -> None:
        for piece in pieces:
            os.write(into, piece)
        os.close(into)

    writer = Thread(target=write)
    writer.start()
    found: list[bytes] = []
    try:
        found.extend(lines_of(out, LONGEST))
    except Garbage as garbage:
        return found, str(garbage)
    finally:
        writer.join()
        os.close(out)
    return found, ""


@settings(max_examples=200)
@given(st.lists(st.binary(min_size=1, max_size=12).map(lambda b: b.replace(b"a", b"\n").replace(b"b", b"\r\n"))))
def test_lines_are_what_was_written_up_to_what_cannot_be_taken(pieces: list[bytes]) -> None:
    """A line feed ends a line, a carriage return before it is left out; what has none at the end is no line."""
    *whole, rest = b"".join(pieces).split(b"\n")
    too_long = next((index for index, line in enumerate(whole) if len(line) > LONGEST), len(whole))
    found, problem = read(pieces)
    assert found == [line.removesuffix(b"\r") for line in whole[:too_long]]
    if too_long < len(whole) or len(rest) > LONGEST:
        assert problem == "said a line of more than 20 bytes"
    else:
        assert problem == ("ended in the middle of a line" if rest else "")


@pytest.mark.parametrize("size", [LONGEST, LONGEST + 1])
def test_a_line_may_be_as_long_as_is_allowed(size: int) -> None:
    """And no byte longer, however it comes."""
    assert bool(read([b"x" * size + b"\n"])[0]) is (size == LONGEST)
    assert bool(read([b"x"] * size + [b"\n"])[0]) is (size == LONGEST)
