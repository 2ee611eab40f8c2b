"""The cases of conditions that are tried one and all: every operator, with odd operands, on values of every type."""

from typing import Any

from .rule_domains import ABSENT, Probe

__all__ = ["PROBES"]

VALUES: list[Any] = [
    *(ABSENT, None, True, False, 0, 1, 1.0, -0.0, 2**60, 2.0**60),
    *("", "a", "ab", "ba", "b\n", "a\nb", "/a", "/a/../b", "a/b", "~", "c:/a", " /a", "/a\\b"),
    *("aa", [], ["a"], [1, "a"], [1], [True], [1, 1], [[], {}], {}, {"a": 1}, {"a": True}, {"b": None}),
]
TESTS: list[tuple[str, Any]] = [
    *[("equals", value) for value in VALUES if value is not ABSENT],
    *(("one_of", ["a", 1]), ("one_of", [None, True]), ("one_of", [[], {}, [1]])),
    *(("starts_with", "a"), ("ends_with", "b"), ("contains", "a"), ("contains", 1), ("contains", None)),
    *(
        ("matches", "^a"),
        ("matches", "b$"),
        ("matches", "."),
        ("matches", "b"),
        ("under", "/"),
        ("under", "/a"),
        ("under", "a"),
        ("under", "."),
    ),
    *(("less", 1), ("less", 0.5), ("greater", 0), ("greater", -1), ("exists", True), ("exists", False)),
    *[("type_is", kind) for kind in ("null", "boolean", "number", "string", "array", "object")],
    *(("length", 1), ("length", 0), ("length", {"greater": 0}), ("length", {"not": {"less": 1}})),
    *(("any", {"equals": "a"}), ("any", {"type_is": "array"}), ("any", {"not": {"equals": "a"}}), ("any", {"less": 2})),
    *(
        ("not", {"equals": "a"}),
        ("not", {"not": {"less": 1}}),
        ("not", {"exists": True}),
        ("not", {"any": {"equals": 1}}),
    ),
]
PROBES: tuple[Probe, ...] = tuple(Probe(operator, operand, met) for operator, operand in TESTS for met in VALUES)
