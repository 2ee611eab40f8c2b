"""A report as text, as code that can be pasted into a test, and as data."""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ._check import Checked, Report
from ._fields import fields_of, items_of
from ._parts import Part

__all__ = ["as_data", "as_lines", "as_test", "in_code"]

MARKS = {"law": "BROKEN", "hint": "hint", "report": "note"}


def in_code(value: Any) -> str:
    """Write a value as the code that makes it, without what is as it would be anyway."""
    if fields := fields_of(value):
        given, skipped = list[str](), False
        for one in fields:
            held = getattr(value, one.name)
            if one.init and held != one.default:
                given.append(f"{one.name}={in_code(held)}" if skipped else in_code(held))
            skipped = skipped or held == one.default
        return f"{type(value).__name__}({', '.join(given)})"
    if type(value) is tuple:
        return "(" + "".join(f"{in_code(item)}, " for item in items_of(value)).rstrip(" ") + ")"
    return repr(value)


def as_test(checked: Checked) -> str:
    """Write a broken law as a test that fails as long as it is broken."""
    pair = checked.other is not None
    shown = [in_code(one) for one in checked.trace]
    kinds = sorted({name for one in checked.trace for name in _kinds(one)} - {"Shown"})
    parts = "part, other, " if pair else "part, "
    given = shown[0] if pair else f"[{', '.join(shown)}]"
    lines = [
        f"from seamlaw import {', '.join(kinds)}" if kinds else "",
        checked.part.subject.imports,
        f"from seamlaw_spec.kit import Shown, part_of, {checked.law}",
        "",
        "",
        f"def test_{checked.law}() -> None:",
        f'    """{checked.statement}"""',
        f"    part = {_part(checked.part)}",
        f"    other = {_part(checked.other)}" if checked.other else "",
        f"    assert {checked.law}({parts}{given})",
    ]
    return "\n".join(line for at, line in enumerate(lines) if line or at in (3, 4))


def _part(part: Part) -> str:
    more = f", secrets={list(part.secrets)!r}" if part.secrets else ""
    more += f", budget_s={part.budget_s:g}" if part.budget_s != attrs.fields(Part).budget_s.default else ""
    return f'part_of({part.subject.code}, "{part.seam.name}", {_at(part)}{more})'


def _at(part: Part) -> int:
    """Its place among the parts that are consulted at its seam."""
    before = part.subject.fresh().ordered(part.seam)[: part.at]
    return len([asked for asked in before if asked.function is not None])


def _kinds(value: Any) -> Iterator[str]:
    if fields := fields_of(value):
        yield type(value).__name__
        for one in fields:
            if getattr(value, one.name) != one.default:
                yield from _kinds(getattr(value, one.name))
    elif type(value) is tuple:
        for item in items_of(value):
            yield from _kinds(item)


def as_lines(report: Report, *, full: bool = False) -> Iterator[str]:
    """Tell what came of it: each part with each law, and the counterexamples after."""
    for part in report.said:
        counts = report.said[part]
        said = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
        yield f"{part.label}  ({'gate' if part.is_gate else 'chain'}; answered {said})"
        for one in report.checks:
            if one.part is part and (full or not one.holds or one.level == "law"):
                yield _line(one)
    for name in report.silent:
        yield f"  hint     {name} never said anything: give it strategies, or secrets to look for"
    for one in _told(report):
        yield ""
        yield f"{MARKS[one.level]}: {one.law} ({one.part.label}{f' and {one.other.name}' if one.other else ''})"
        yield f"  {one.statement}"
        yield f"  {one.remark}"
        if full or one.level == "law":
            yield ""
            yield from (f"    {line}".rstrip() for line in as_test(one).split("\n"))
        else:
            yield f"  shown {', '.join(in_code(shown.value) for shown in one.trace)}"


def _told(report: Report) -> Iterable[Checked]:
    return sorted(report.broken(*MARKS), key=lambda one: [*MARKS].index(one.level))


def _line(one: Checked) -> str:
    if one.holds:
        return f"  holds    {one.law} ({one.examples} examples)"
    return f"  {MARKS[one.level]:<8} {one.law}{f' with {one.other.name}' if one.other else ''}: {one.remark}"


def as_data(report: Report) -> dict[str, Any]:
    """The report as data, for `--json`."""
    return {
        "policy": report.subject.name,
        "holds": not report.broken("law"),
        "seconds": round(report.seconds, 3),
        "parts": [{"part": part.label, "answered": dict(counts)} for part, counts in report.said.items()],
        "checks": [_checked(one) for one in report.checks],
    }


def _checked(one: Checked) -> dict[str, Any]:
    told: dict[str, Any] = {
        "law": one.law,
        "statement": one.statement,
        "level": one.level,
        "part": one.part.label,
        "holds": one.holds,
        "examples": one.examples,
        "seconds": round(one.seconds, 4),
    }
    if not one.holds:
        told |= {"remark": one.remark, "shown": [in_code(shown) for shown in one.trace], "test": as_test(one)}
    return told | ({"with": one.other.label} if one.other else {})
