"""Operators with operands and values of every type and absence, and rulebooks of few rules."""

from typing import Any

from seamlaw_spec.layers._sizes import Domain, built, flat, heavier, lists, tuples, union
from seamlaw_spec.rule_domains import ABSENT, Filling, Probe, Rulebook

from ._lookup import register

VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    1.0,
    -1,
    2,
    0.5,
    "",
    "a",
    "b",
    "ab",
    "a\n",
    [],
    [1],
    ["a"],
    {},
    {"a": 1},
)
PATHS = ("/a", "/a/b", "/a/../b", "/ab", "/", "a", "a/b", "../a", "~/a", "\0", "a\\b", "/a/./b", "//a")
METS: tuple[Any, ...] = (ABSENT, *VALUES, *PATHS, [[1]], ["a", 1], [None], [1, 2], {"a": None}, {"b": {"a": 1}}, "é")
KINDS = ("null", "boolean", "number", "string", "array", "object")
OPERANDS: dict[str, tuple[Any, ...]] = {
    "equals": VALUES,
    "one_of": ([1, "a"], [None], [[1], {}], [True]),
    "starts_with": ("a", "ab", "\n"),
    "ends_with": ("b", "ab", "\n"),
    "contains": ("a", "b\n", 1, None, [1]),
    "matches": ("a", "^a$", "a*b", "(a|b)+", ".", r"\s$", "(?i)A", "[^a]"),
    "under": ("/a", "/", "a", ".", "/a/b"),
    "less": (1, 0, 1.5),
    "greater": (1, 0, 0.5),
    "exists": (True, False),
    "type_is": KINDS,
    "length": (0, 1, 2),
}
SIMPLE = flat((name, operand) for name, operands in OPERANDS.items() for operand in operands)


def _inside(name: str, test: tuple[str, Any]) -> tuple[str, Any]:
    return name, dict([test])


def _deeper(name: str, tests: Domain) -> Domain:
    return heavier(built(_inside, flat([name]), tests))


_of_numbers = flat(
    (name, operand) for name in ("equals", "less", "greater", "one_of") for operand in ([1] if name == "one_of" else 1,)
)
_once = union(SIMPLE, _deeper("not", SIMPLE), _deeper("any", SIMPLE), _deeper("length", _of_numbers))
_twice = union(
    _once,
    _deeper("not", _deeper("any", SIMPLE)),
    _deeper("any", _deeper("not", SIMPLE)),
    _deeper("any", _deeper("any", SIMPLE)),
)


def _probe(test: tuple[str, Any], met: Any) -> Probe:
    return Probe(*test, met)


ARGUMENTS: tuple[dict[str, Any], ...] = ({}, {"a": 1}, {"a": "x"}, {"a": None}, {"a": {"b": 1}}, {"a": [1]}, {"b": 1})
CONDITIONS = tuple(
    {"at": at, **test}
    for at in ("/a", "/a/b")
    for test in ({"equals": 1}, {"exists": False}, {"starts_with": "x"}, {"not": {"less": 1}})
)
VERBS: tuple[dict[str, Any], ...] = (
    {"refuse": "no"},
    {"refuse": "no", "severity": "low", "tools": ["b*"]},
    {"ask": "may it?", "target": "legal", "timeout_s": 2.5},
    {"ask": "may it?", "severity": "high", "agents": ["a"]},
    {"note": "seen"},
    {"note": "seen", "severity": "high", "tools": ["b*", "c"]},
    *({"default": {"tool": tool, "at": at, "value": 1}} for tool in ("*", "c") for at in ("/a", "/a/b", "/b")),
)


def ruled(verb: dict[str, Any], when: list[Any], unless: list[Any]) -> dict[str, Any]:
    """A rule with its conditions."""
    return verb | ({"when": when} if when else {}) | ({"unless": unless} if unless else {})


def _rulebook(rules: list[dict[str, Any]], caller: tuple[str, dict[str, Any], str | None]) -> Rulebook:
    return Rulebook(tuple({"name": f"rule {at}", **rule} for at, rule in enumerate(rules)), *caller)


_conditions = lists(flat(CONDITIONS))
_rules = lists(built(ruled, flat(VERBS), _conditions, _conditions))
_callers = tuples(flat(["bash", "c"]), flat(ARGUMENTS), union(flat([None]), heavier(flat(["a", "b"]))))

register(Probe, built(_probe, _twice, flat(METS)))
register(Rulebook, built(_rulebook, _rules, _callers))
register(
    Filling, built(Filling, flat(["/a", "/b", "/a/b", "/b/a", "", "/a/0"]), flat([None, 1, "x", [1]]), flat(ARGUMENTS))
)
