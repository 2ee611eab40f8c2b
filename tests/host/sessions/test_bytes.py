"""Whatever a line is made of, it costs itself and no other line; numbers stay those of an editor."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seamlaw_host.sessions import Event, Malformed, Recorded, UnknownShape, read_session
from seamlaw_host.sessions._lines import lines

Read = Callable[..., tuple[str, list[Event]]]

GOOD = b'{"tool": "ls", "arguments": {}}\n'


def call(arguments: str) -> bytes:
    """Write one of our own records with these arguments."""
    return f'{{"tool": "ls", "arguments": {arguments}}}\n'.encode()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{\n", "no JSON: Expecting property name enclosed in double quotes at"),
        (b'{"tool": "ls", "arguments": {"secret": "hunter2"\n', "no JSON: Expecting ',' delimiter at"),
        (b"not json hunter2\n", "no JSON: Expecting value at column 1"),
        (b'"hunter2"\n', "a record must be an object, not a string"),
        (b"7\n", "a record must be an object, not a number"),
        (b"true\n", "a record must be an object, not a boolean"),
        (b"null\n", "a record must be an object, not null"),
        (call('{"n": NaN}'), "NaN is no JSON"),
        (call('{"n": -Infinity}'), "-Infinity is no JSON"),
        (call('{"n": 1e999}'), "NaN and infinities are no JSON"),
        (call('{"n": "hunter2", "n": 2}'), "the key n is given twice in one object"),
        (call('{"hunter 2": 1, "hunter 2": 2}'), "the key (no plain name) is given twice in one object"),
        (call('{"a": {"b": "\\ud800hunter2"}}'), "/arguments/a/b: a lone surrogate is no text"),
        (call('{"a": "hunter2\xff"}').replace("ÿ".encode(), b"\xff"), "not UTF-8 at byte 43 of the line"),
        (call('{"n": ' + "9" * 5000 + "}"), "a number with too many digits"),
        (call('{"n": ' + "9" * 2000 + "}"), "an integer of more than 4096 bits"),
        (call('{"a": ' + "[" * 200 + "]" * 200 + "}"), "nested deeper than 100 levels"),
        (call('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"), "nested too deeply"),
        (b"\x00" + GOOD, "no JSON: Expecting value at column 1"),
    ],
)
def test_a_bad_line_is_reported_by_number_and_reading_goes_on(read: Read, line: bytes, problem: str) -> None:
    """The lines around it are read; the report never quotes a value."""
    shape, events = read(GOOD + line + b"\n" + GOOD)
    assert shape == "seamlaw"
    before, bad, after = events
    assert isinstance(bad, Malformed)
    assert (before.place, bad.place, after.place) == ("line 1", "line 2", "line 4")
    assert problem in bad.problem
    assert "hunter" not in bad.problem
    assert isinstance(before, Recorded)
    assert isinstance(after, Recorded)


@pytest.mark.parametrize("number", [2**53 + 1, -(2**63), 2**64, 10**300])
def test_integers_are_exact(read: Read, number: int) -> None:
    """An id past 2^53 is no other id."""
    _, (event,) = read([{"tool": "ls", "arguments": {"id": number}}])
    assert isinstance(event, Recorded)
    assert event.call.arguments["id"] == number
    assert type(event.call.arguments["id"]) is int


@pytest.mark.parametrize(
    "spelt",
    [
        b"\xef\xbb\xbf" + GOOD + GOOD,
        GOOD + b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n") * 2,
        GOOD + GOOD.rstrip(b"\n"),
        GOOD.replace(b" ", b"\t ") * 2,
    ],
    ids=["mark", "mark of a joined file", "CRLF", "no last line feed", "tabs"],
)
def test_spellings_of_the_same_lines_read_alike(read: Read, spelt: bytes) -> None:
    """A byte order mark, Windows line ends and a missing last line feed change nothing."""
    assert read(spelt) == read(GOOD * 2)


def test_blank_lines_count_but_say_nothing(read: Read) -> None:
    """Lines keep the numbers an editor shows."""
    _, events = read(b"\n \n" + GOOD + b"\r\n\t\n" + GOOD)
    assert [event.place for event in events] == ["line 3", "line 6"]


def test_a_long_line_is_read(read: Read) -> None:
    """Some megabytes on a line are nothing special."""
    _, (_, event) = read([{"tool": "ls", "arguments": {}}, {"tool": "ls", "arguments": {"text": "x" * 3_000_000}}])
    assert isinstance(event, Recorded)
    assert len(event.call.arguments["text"]) == 3_000_000


def test_a_line_past_the_limit_is_left_behind_unread() -> None:
    """It is malformed, the next one is read, and never more than the limit is asked for."""
    source = io.BytesIO(b"short\n" + b"x" * 95 + b"\n" + b"exactly 10" + b"\nlast")
    asked: list[int] = []

    def readline(size: int) -> bytes:
        asked.append(size)
        return source.readline(size)

    found = list(lines(readline, longest=20))
    assert [(line.number, line.raw) for line in found] == [
        (1, b"short\n"),
        (2, None),
        (3, b"exactly 10\n"),
        (4, b"last"),
    ]
    assert set(asked) == {20}


def test_a_document_with_a_line_past_the_limit_is_read_by_lines(monkeypatch: pytest.MonkeyPatch, read: Read) -> None:
    """Leaving out a line could give a document another meaning, so what is left is not put together."""
    monkeypatch.setattr("seamlaw_host.sessions._lines.lines.__kwdefaults__", {"longest": 60})
    document = b'[\n{"tool": "ls", "arguments":\n{"a": 1},\n"id": "' + b"x" * 60 + b'"}\n]\n'
    with pytest.raises(UnknownShape):
        read(document)


@pytest.mark.parametrize("text", ["", "\n", " \n\r\n", "\ufeff", "[]", "[]\n"])
def test_an_empty_session_is_refused_as_such(text: str) -> None:
    """Nothing at all is no session with nothing in it."""
    with pytest.raises(UnknownShape, match=r"^The session is empty\. These shapes can be read:"):
        read_session("-", stdin=io.StringIO(text))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(read: Read, encoding: str) -> None:
    """What some shells write is told by its mark, not as a heap of bad lines."""
    mark = "" if encoding == "utf-16" else "\ufeff"
    for text in (GOOD.decode(), GOOD.decode() * 20, json.dumps([1], indent=1)):
        with pytest.raises(UnknownShape, match=r"line 1 cannot be read \(written in UTF-16; save it as UTF-8\)"):
            read((mark + text).encode(encoding))


def test_text_streams_without_bytes_beneath_are_read() -> None:
    """An in-memory text stream is read as well, and its lone surrogates cost their line alone."""
    text = GOOD.decode() + '{"tool": "\ud800", "arguments": {}}\n' + GOOD.decode()
    session = read_session("-", stdin=io.StringIO(text))
    assert [type(event) for event in session.events] == [Recorded, Malformed, Recorded]


def test_standard_input_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """The path "-" reads sys.stdin."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOOD)))
    assert len(list(read_session("-").events)) == 1


def test_a_file_is_read_by_path_or_name_and_closed(tmp_path: Path) -> None:
    """Both spellings work; a session that is dropped unread leaves no file open."""
    file = tmp_path / "session.jsonl"
    file.write_bytes(GOOD * 300)
    assert len(list(read_session(file).events)) == len(list(read_session(str(file)).events)) == 300
    read_session(file)  # an open file would be a ResourceWarning, which is an error here
    next(read_session(file).events)
    with pytest.raises(FileNotFoundError):
        read_session(tmp_path / "absent.jsonl")


class Counting(io.StringIO):
    """A text stream that counts the lines it gave."""

    given = 0

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override] # typeshed derives it from bytes, too
        """Give a line."""
        self.given += 1
        return super().readline(size)


def test_lines_are_streamed() -> None:
    """The first event is given long before the last line is read."""
    stdin = Counting(GOOD.decode() * 10_000)
    events = read_session("-", stdin=stdin).events
    next(events)
    assert stdin.given < 300
    assert sum(1 for _ in events) == 9_999


def messages(*calls: Any) -> list[Any]:
    """Write OpenAI messages with one call each."""
    return [
        {"role": "assistant", "tool_calls": [{"id": str(at), "function": {"name": "f", "arguments": arguments}}]}
        for at, arguments in enumerate(calls)
    ]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("wrap", [False, True])
def test_an_ambiguous_message_costs_a_document_that_message(read: Read, indent: int | None, wrap: bool) -> None:
    """The others are read, with their numbers, in a list and in a request."""
    listed = messages("{}", "{}", "{}")
    text = json.dumps({"model": "m", "messages": listed, "n": 1} if wrap else listed, indent=indent)
    text = text.replace('"id": "1"', '"id": "1", "id": "2"')
    _, events = read(text.encode())
    assert [(type(event), event.place) for event in events] == [
        (Recorded, "message 1"),
        (Malformed, "message 2"),
        (Recorded, "message 3"),
    ]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("wrap", [False, True])
def test_a_document_that_breaks_off_is_read_up_to_there(read: Read, indent: int | None, wrap: bool) -> None:
    """What a writer that died left behind is a session, and its end is reported."""
    listed = messages("{}", "{}", "{}")
    text = json.dumps({"model": "m", "messages": listed} if wrap else listed, indent=indent)
    for cut in range(text.index('"id": "2"'), text.rindex("arguments") + 13):
        _, events = read(text[:cut].encode())
        assert [type(event) for event in events] == [Recorded, Recorded, Malformed]
        assert isinstance(events[2], Malformed)
        assert events[2].problem.endswith("what follows in the document is lost")


def test_a_document_with_bad_bytes_loses_the_message_they_are_in(read: Read) -> None:
    """And none at all if no call or result has them."""
    text = json.dumps([{"role": "user", "content": "Grüße"}, *messages("{}", '{"a": "ü"}', "{}")], ensure_ascii=False)
    _, events = read(text.encode("latin-1"))
    assert [type(event) for event in events] == [Recorded, Malformed, Recorded]


def test_a_broken_first_line_does_not_make_lines_a_document(read: Read) -> None:
    """Also where only one good line follows."""
    for count in (1, 2, 30):
        _, events = read(b'{"tool": "ls", "argum\n' + GOOD * count)
        assert [type(event) for event in events] == [Malformed] + [Recorded] * count


def test_many_broken_lines_do_not_make_lines_a_document(read: Read) -> None:
    """As long as one of the first stands alone."""
    _, events = read(b'{"tool": "ls", "argum\n' * 9 + GOOD)
    assert [type(event) for event in events] == [Malformed] * 9 + [Recorded]


def test_a_list_on_a_line_is_read_element_by_element(read: Read) -> None:
    """Places tell the line and the element."""
    own: dict[str, Any] = {"tool": "ls", "arguments": {}}
    _, events = read([[own, own], [own, 5]])
    assert [event.place for event in events] == [f"line {line}, message {at}" for line in (1, 2) for at in (1, 2)]
