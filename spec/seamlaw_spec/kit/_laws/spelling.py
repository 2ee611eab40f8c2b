"""What real gates overlook: another spelling of what they stop. These are hints, no laws."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from attrs import evolve

from seamlaw import ToolCall
from seamlaw_spec.kit._law import law
from seamlaw_spec.kit._parts import Part, Shown, Trace
from seamlaw_spec.kit._twins import asked_keys, map_texts

__all__ = [
    "sees_through_case",
    "sees_through_line_feeds",
    "sees_through_lookalikes",
    "sees_through_paths",
    "sees_through_spaces",
    "stops_what_it_cannot_read",
    "takes_null_for_nothing",
]


def _stops(part: Part, trace: Trace) -> int:
    """How strict the answer to the end of a trace is, where it is one that stops the value; else 0."""
    heard = part.play(trace)[-1]
    return heard.strictness if heard.strictness > 1 and heard.error is None else 0


def _loosened(part: Part, trace: Trace, others: Iterator[Shown]) -> bool:
    """Whether one of these passes although the trace's end is stopped; it is remarked."""
    *before, _ = trace
    stopped = _stops(part, trace)
    if not stopped:
        return False
    for other in others:
        heard = part.after(before)(other)
        if heard.strictness < stopped:
            part.remark(f"it stops this, and answers {heard.answer!r} to {other.value!r}")
            return True
    return False


def _respelled(shown: Shown, spell: Callable[[str], Iterator[str]], *, names: bool = False) -> Iterator[Shown]:
    """What is shown with one text spelled otherwise, for each text and each spelling."""
    places: list[tuple[str, str]] = []

    def note(text: str, at: str) -> str:
        places.append((text, at))
        return text

    map_texts(shown, note)
    for text, place in places:
        for spelled in spell(text[:200]) if names or place != "/name" else ():
            yield map_texts(shown, partial(_put, place, spelled))


def _put(place: str, new: str, old: str, at: str) -> str:
    return new if at == place else old


@law(level="hint", compares=True, of_rules=True)
def sees_through_line_feeds(part: Part, trace: Trace) -> bool:
    """Nothing passes for a line feed in it, which `.` of `re` does not match, and which may follow `$`."""
    stopped = _stops(part, trace)
    *before, last = trace
    if not stopped:
        return True
    controls = [[*_respelled(last, _with(c), names=True)] for c in ("\t", "\r", "\x0b")]
    for at, other in enumerate(_respelled(last, _with("\n"), names=True)):
        if part.after(before)(other).strictness < stopped and all(
            part.after(before)(control[at]).strictness >= stopped for control in controls
        ):
            return part.remark(f"it stops this, but not {other.value!r}")
    return True


def _with(character: str) -> Callable[[str], Iterator[str]]:
    def spell(text: str) -> Iterator[str]:
        for at in {0, len(text) // 2, max(len(text) - 1, 0)}:
            yield text[:at] + character + text[at + 1 :]
        yield text + character
        yield character + text

    return spell


@law(level="hint", compares=True)
def sees_through_case(part: Part, trace: Trace) -> bool:
    """What it stops it stops in capitals too, and in small letters."""
    return not _loosened(part, trace, _respelled(trace[-1], lambda text: iter((text.upper(), text.lower()))))


@law(level="hint", compares=True, of_rules=True)
def sees_through_spaces(part: Part, trace: Trace) -> bool:
    """What it stops it stops too where a space is two, a tab, or a space of another kind."""

    def spell(text: str) -> Iterator[str]:
        if " " in text.strip():
            yield from (re.sub(r"(?<=\S) (?=\S)", space, text) for space in ("  ", "\t", "\u00a0"))

    return not _loosened(part, trace, _respelled(trace[-1], spell))


@law(level="hint", compares=True, of_rules=True)
def sees_through_lookalikes(part: Part, trace: Trace) -> bool:
    """What it stops it stops too in the wide letters that Unicode holds to be the same (NFKC)."""

    def spell(text: str) -> Iterator[str]:
        wide = "".join(chr(ord(c) + 0xFEE0) if "a" <= c.lower() <= "z" else c for c in text)
        if unicodedata.normalize("NFKC", wide) != wide:
            yield wide

    return not _loosened(part, trace, _respelled(trace[-1], spell))


@law(level="hint", compares=True, of_rules=True)
def sees_through_paths(part: Part, trace: Trace) -> bool:
    """What it stops it stops too where the path takes a detour: `//`, `/./`, `/x/../`."""

    def spell(text: str) -> Iterator[str]:
        if "/" in text.rstrip("/") and " " not in text:
            yield from (text.replace("/", detour, 1) for detour in ("//", "/./", "/x/../"))

    return not _loosened(part, trace, _respelled(trace[-1], spell))


def _arguments(shown: Shown) -> dict[str, Any]:
    return cast("dict[str, Any]", shown.value.arguments) if isinstance(shown.value, ToolCall) else {}


def _with_arguments(shown: Shown, arguments: dict[str, Any]) -> Shown:
    return evolve(shown, value=evolve(shown.value, arguments=arguments))


@law(level="hint", compares=True, of_rules=True)
def stops_what_it_cannot_read(part: Part, trace: Trace) -> bool:
    """What it stops as text does not pass as a list of it, as an object of it, or as a number."""
    last = trace[-1]
    given = _arguments(last)
    others = (
        _with_arguments(last, {**given, key: wrong})
        for key, value in given.items()
        if isinstance(value, str)
        for wrong in ([value], {"": value}, 0)
    )
    return not _loosened(part, trace, others)


@law(level="hint", compares=True, of_rules=True)
def takes_null_for_nothing(part: Part, trace: Trace) -> bool:
    """What it stops for want of an argument it stops too where the argument is `null`, and the other way round."""
    last = trace[-1]
    if not isinstance(last.value, ToolCall):
        return True
    given = _arguments(last)
    asked = asked_keys(part, last) - set(given)
    absent = ({key: value for key, value in given.items() if key != left} for left in given if given[left] is None)
    null = ({**given, key: None} for key in sorted(asked))
    return not _loosened(part, trace, (_with_arguments(last, other) for some in (absent, null) for other in some))
