"""On which line each part of a policy stands."""

import json
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamlaw_host.policies._document import Document
from seamlaw_host.policies._scan import json_places, toml_places

KEYS = st.text(max_size=6)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | KEYS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def inside(value: Any) -> list[tuple[Any, Any]]:
    """Give what a container holds, with its keys or indices."""
    pairs: dict[type, Callable[[Any], Any]] = {dict: lambda table: list(table.items()), list: lambda a: [*enumerate(a)]}
    found: list[tuple[Any, Any]] = pairs[type(value)](value) if type(value) in pairs else []
    return found


def lines_of(value: Any, place: str = "", line: int = 1) -> Iterator[tuple[str, int, int]]:
    """Give each place of what `json.dumps(indent=0)` writes, its line, and the line after its end."""
    yield place, line, line
    if type(value) in (dict, list) and value:
        for key, item in inside(value):
            line += 1
            here = f"{place}[{key}]" if isinstance(value, list) else f"{place}.{key}" if place else str(key)
            for found in lines_of(item, here, line):
                yield found
                line = max(line, found[2])
        yield place, -1, line + 1


@given(JSON)
def test_each_part_of_a_json_document_is_found_on_its_line(value: Any) -> None:
    """Whatever the keys and texts hold: quotes, braces, line feeds and marks as in a place."""
    found = json_places(json.dumps(value, indent=0))
    expected: dict[str, int] = {}
    for place, line, _ in lines_of(value):
        if line > 0:
            expected.setdefault(place, line)
    assert found == expected


TEXTS = ['"a # ] } = [[x]]"', "'it is \"raw\" \\'", '"""\nthree\n\\"""lines"""', "'''\n''two'''", '"""five"""""', '""']
SCALARS = [*TEXTS, "1.5", "-inf", "0x_1f".replace("_", ""), "1979-05-27 07:32:00Z", "07:32:00.5", "true", "1_000"]
SPACES = ["", " ", '  # ] a comment with "\n', "\n\n"]
DOTTED = ["a", "'q.u'", '"\\u0041 b"', "a-1.b", "a . 'c'"]


@st.composite
def toml_documents(draw: st.DrawFn) -> str:
    """Write TOML in all its styles; some of it means nothing, and is left to the parser to refuse."""

    def value(depth: int) -> str:
        kind = draw(st.sampled_from(["scalar", "scalar", "array", "table"])) if depth < 3 else "scalar"
        if kind == "array":
            gap = st.sampled_from(SPACES)
            return (
                f"[{''.join(draw(gap) + value(depth + 1) + draw(gap) + ',' for _ in range(draw(st.integers(0, 3))))}]"
            )
        if kind == "table":
            return "{" + ", ".join(f"{key}{n} = {value(depth + 1)}" for n, key in enumerate(draw(keys))) + "}"
        return draw(st.sampled_from(SCALARS))

    keys = st.lists(st.just("k"), max_size=3)
    parts: list[str] = []
    for number in range(draw(st.integers(1, 8))):
        if draw(st.booleans()):
            parts.append(
                draw(st.sampled_from(["[[rules]]", " [[ rules ]] # x", "[[rules.when]]", f"[t{number}.'x y']"]))
            )
        parts.append(f"{draw(st.sampled_from(DOTTED))}{number} = {value(0)}".replace("'0", "'").replace('"0', '"'))
        parts.append(draw(st.sampled_from(["", "# a comment [[rules]]"])))
    return "\n".join(parts) + "\n"


def places_of(value: Any, place: str = "") -> Iterator[str]:
    """Name each place of some data."""
    if place:
        yield place
    for key, item in inside(value):
        here = f"{place}[{key}]" if isinstance(value, list) else f"{place}.{key}" if place else str(key)
        yield from places_of(item, here)


@given(toml_documents())
def test_each_part_of_a_toml_document_is_found(text: str) -> None:
    """What the parser makes of any style of TOML, the scan has a line for, and for nothing else."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = toml_places(text)
    assert set(found) == set(places_of(data))
    assert all(1 <= line <= text.count("\n") + 1 for line in found.values())


def test_the_lines_of_a_toml_document() -> None:
    """Headers, dotted keys, inline tables and texts over several lines, each on the line it begins."""
    text = '''# [[rules]]
title.x = """
[[rules]]
"""
[[rules]]
refuse = "a"  # [[rules]]
when = [
  { at = "/x", equals = [1,
      2.5] },  # ]
  { at = "/y", "exists" = true },
]
  [rules.nested.'deep']
  z = 1
[[rules]]
[[rules.when]]
at = 1
[[rules.when]]
at = 2
'''
    found = toml_places(text)
    assert tomllib.loads(text)["title"]["x"] == "[[rules]]\n"
    assert {place: found[place] for place in ("title.x", "rules[0]", "rules[0].refuse", "rules[0].when")} == {
        "title.x": 2,
        "rules[0]": 5,
        "rules[0].refuse": 6,
        "rules[0].when": 7,
    }
    assert {place: line for place, line in found.items() if place.startswith("rules[0].when[")} == {
        "rules[0].when[0]": 8,
        "rules[0].when[0].at": 8,
        "rules[0].when[0].equals": 8,
        "rules[0].when[0].equals[0]": 8,
        "rules[0].when[0].equals[1]": 9,
        "rules[0].when[1]": 10,
        "rules[0].when[1].at": 10,
        "rules[0].when[1].exists": 10,
    }
    assert found["rules[0].nested.deep"] == 12
    assert found["rules[0].nested.deep.z"] == 13
    assert found["rules[1]"] == 14
    assert [found[f"rules[1].when[{n}].at"] for n in (0, 1)] == [16, 18]


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("rules[0].when[0].at", 3),
        ("rules[0].when[0].not.equals", 3),
        ("rules[0].when[7]", 2),
        ("rules[0]/x/y", 1),
        ("x", None),
    ],
)
def test_a_place_without_a_line_of_its_own_has_that_around_it(place: str, line: int | None) -> None:
    """What is missing, or lies deeper than is written down, is told by the nearest part around it."""
    lines = {"rules": 1, "rules[0]": 1, "rules[0].when": 2, "rules[0].when[0]": 3}
    assert Document(None, lines).line(place) == line
