"""Vectors of all that is data: merging, precedence, policies, conditions, globs, rules, digests and asks."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from seamlaw_spec.policy_domains import CALLER, HOOKS, LEAVES, Says, Token, Tree, read, reason
from seamlaw_spec.policy_meaning import failures, means
from seamlaw_spec.rule_cases import PROBES
from seamlaw_spec.rule_domains import ABSENT, Doubt, followed, named, tells

from ._accounts import canonical, digest, judged, merged, picked, settled
from ._decide import Draw
from ._files import Vector

__all__ = ["asks", "conditions", "digests", "globs", "merge", "policies", "precedence", "rules"]

LEVELS, SEVERITIES = ("allow", "note", "ask", "block"), ("low", "medium", "high")


def precedence() -> Iterator[Vector]:
    """All lists of findings up to two, and three of the levels that can decide."""
    kinds = [{"level": level, "severity": severity} for level, severity in product(LEVELS, SEVERITIES)]
    few = [kind for kind in kinds if kind["level"] in ("ask", "block")]
    for given in [(), *product(kinds), *product(kinds, repeat=2), *product(few, repeat=3)]:
        yield {"findings": list(given), "expect": picked(given)}


def merge() -> Iterator[Vector]:
    """Up to three bundles: none, an empty one, one of interceptors and rules, one of other seams."""

    def bundle(source: str, at: int) -> Vector | None:
        def named(name: str, mode: str) -> Vector:
            return {"name": f"{source}{at}:{name}", "mode": mode}

        fills = {"default": {"tool": "*", "at": "/new", "value": 1}, "name": f"{source}{at}:fills"}
        mixed = {
            "tool_call": [named("gate", "gate"), named("chain", "chain")],
            "rules": [{"refuse": "no", "name": f"{source}{at}:refuses"}, fills],
        }
        others = {slot: [named("chain", "chain")] for slot in ("context", "provider_request", "tool_result", "memory")}
        return {"none": None, "empty": {}, "mixed": mixed, "others": others | {"tool_call": mixed["tool_call"]}}[source]

    for count in range(4):
        for sources in product(("none", "empty", "mixed", "others"), repeat=count):
            given = [bundle(source, at) for at, source in enumerate(sources)]
            yield {"bundles": given, "expect": merged(given)}


TOLD = {Says.HOLDS: True, Says.FAILS: False, Says.RAISES: "raises", Says.BABBLES: "nonsense"}
PAIRED = (
    Token.EMPTY,
    Token.PASS,
    Token.FAIL,
    Token.CRASH,
    Token.INACTIVE,
    Token.ASK,
    Token.NOTE,
    Token.QUIET,
    Token.NONSENSE,
    Token.POST_FAIL,
    Token.TWO_FAIL,
)


def policies() -> Iterator[Vector]:
    """Every leaf and its negation, all pairs of eleven leaves under both operators, and larger ones, drawn."""
    shapes = [[leaf] for leaf in LEAVES] + [[leaf, Token.NOT] for leaf in LEAVES]
    shapes += [[one, other, both] for both in (Token.AND, Token.OR) for one in PAIRED for other in PAIRED]
    draw, tokens = Draw("policies"), tuple(Token)
    shapes += [[draw.one(tokens) for _ in range(3 + draw.below(6))] for _ in range(150)]
    for shape in shapes:
        tree = read(shape)
        expect = {
            hook: {"result": means(tree, hook).value, "failures_include": list(failures(tree, hook))} for hook in HOOKS
        }
        yield {"policy": _tree(tree), "role": CALLER.role, "expect": expect}


def _tree(tree: Tree) -> Vector:
    match tree.token:
        case Token.NOT:
            return {"not": _tree(tree.parts[0])}
        case Token.AND | Token.OR:
            return {"and" if tree.token is Token.AND else "or": list(map(_tree, tree.parts))}
        case Token.MINE | Token.OTHERS:
            roles = ["auditor", "clerk"] if tree.token is Token.MINE else ["auditor"]
            return {"for_roles": roles, "policy": _tree(tree.parts[0])}
        case leaf:
            requires = [
                {"predicate": TOLD[line.says], "on_fail": line.on_fail, "hook": line.hook, "reason": reason(leaf, at)}
                | {"severity": line.severity.value}
                for at, line in enumerate(LEAVES[leaf])
            ]
            return {"require": requires, "active": leaf is not Token.INACTIVE}


POINTERS = ("", "/a", "/a/b", "/a/0", "/a/01", "/a/-", "/a/9", "/", "/a~1b", "/m~0n", "/a/b/c", "/0")
SHAPES: tuple[Any, ...] = (
    {},
    {"a": None},
    {"a": {"b": 1}},
    {"a": [1, {"b": 2}]},
    {"a": 1},
    {"a": "text"},
    {"": 0},
    {"a/b": 1},
    {"m~n": 1},
    {"0": 1},
    {"a": {"b": None}},
    {"a": {"0": 1}},
    {"a": []},
)


def conditions() -> Iterator[Vector]:
    """Every operator with many operands on many values and on absence, and pointers into odd places."""
    for probe in PROBES:
        arguments = {} if probe.met is ABSENT else {"a": probe.met}
        yield _condition({"at": "/a", probe.operator: probe.operand}, arguments)
    for at, arguments in product(POINTERS, SHAPES):
        yield _condition({"at": at, "exists": True}, arguments)
        yield _condition({"at": at, "not": {"equals": 1}}, arguments)


def _condition(condition: Vector, arguments: Any) -> Vector:
    ((operator, operand),) = [(key, operand) for key, operand in condition.items() if key != "at"]
    expect: bool | str
    try:
        expect = tells(operator, operand, followed(condition["at"], arguments))
    except Doubt:
        expect = "fault"
    return {"condition": condition, "arguments": arguments, "expect": expect}


GLOBS = (
    "bash",
    "*",
    "b*",
    "*h",
    "b*h",
    "?ash",
    "[bc]ash",
    "[!b]ash",
    "[a-c]ash",
    "b.sh",
    "*a*s*",
    "B*",
    "a[*]b",
    "??*",
)
TOOL_NAMES = ("bash", "bas", "bashh", "cash", "dash", "Bash", "b", "", "bash\n", "a\nb", "b.sh", "bxsh", "a*b", "axb")


def globs() -> Iterator[Vector]:
    """Globs against names; none admits everything, and an unknown name is let through to be judged."""
    listed: list[list[str]] = [[], *([glob] for glob in GLOBS), ["bash", "c*"], ["*x", "a*"]]
    for patterns, name in product(listed, (*TOOL_NAMES, None)):
        yield {"globs": patterns, "name": name, "expect": named(patterns, name)}


_PATH = {"at": "/path", "under": "/srv"}
_FORCE = {"at": "/command", "matches": "push .*--force"}
SINGLE: tuple[Vector, ...] = (
    {"refuse": "all"},
    {"refuse": "outside", "tools": ["write_*"], "unless": [_PATH]},
    {"refuse": "inside", "when": [_PATH], "severity": "low"},
    {"ask": "force", "tools": ["bash"], "when": [_FORCE], "target": "lead", "timeout_s": 60},
    {"ask": "no path", "when": [{"at": "/path", "exists": False}]},
    {"note": "interns", "agents": ["intern-*"], "severity": "high"},
    {"note": "both", "when": [{"at": "/n", "greater": 1}, {"at": "/n", "less": 9}]},
    {"refuse": "neither", "unless": [{"at": "/n", "equals": 5}, {"at": "/path", "starts_with": "/srv"}]},
    {"refuse": "flags", "when": [{"at": "/argv", "any": {"starts_with": "-"}}]},
    {"default": {"tool": "bash", "at": "/timeout", "value": 60}},
    {"default": {"tool": "*", "at": "/deep/er/n", "value": 5}},
    {"default": {"tool": "*", "at": "/path/x", "value": 1}, "when": [{"at": "/n", "exists": True}]},
    {"default": {"tool": "*", "at": "/path", "value": "/srv/new"}, "agents": ["lead"]},
)
PAIRS: tuple[tuple[Vector, ...], ...] = (
    ({"refuse": "filled in", "when": [{"at": "/n", "equals": 5}]}, {"default": {"tool": "*", "at": "/n", "value": 5}}),
    ({"ask": "may it"}, {"refuse": "no", "severity": "low"}, {"refuse": "no, really"}),
    ({"note": "odd", "severity": "high"}, {"ask": "one"}, {"ask": "two", "severity": "high"}),
    ({"default": {"tool": "*", "at": "/n", "value": 1}}, {"default": {"tool": "*", "at": "/n", "value": 2}}),
    ({"default": {"tool": "*", "at": "/path/x", "value": 1}}, {"refuse": "not asked any more"}),
)
CALLS: tuple[tuple[str, Any], ...] = (
    ("bash", {}),
    ("bash", {"command": "git push --force", "n": 5}),
    ("bash", {"command": ["git", "push"], "timeout": None}),
    ("write_file", {"path": "/srv/a.txt", "n": 3}),
    ("write_file", {"path": "/srv/../etc/passwd"}),
    ("write_file", {"path": "~/x", "argv": ["-f"]}),
    ("write_file", {"path": 7, "n": "5"}),
    ("read", {"path": None, "argv": ["a", 1], "deep": {"er": {}}}),
    ("read", {"deep": {"er": 1}, "argv": []}),
)


def rules() -> Iterator[Vector]:
    """Rules, alone and together, on calls whose arguments are there, absent, `null` and of the wrong type."""
    together = [*((rule,) for rule in SINGLE), *PAIRS]
    for given, (tool, arguments), agent in product(together, CALLS, ("lead", "intern-7", None)):
        listed = [rule | {"name": f"r{at}"} for at, rule in enumerate(given)]
        call = {"id": "id-1", "name": tool, "arguments": arguments}
        yield {"rules": listed, "call": call, "agent": agent, "expect": judged(listed, call, agent)}


RFC_8785 = {  # the example of section 3.2.2
    "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
    "literals": [None, True, False],
}
SORTED = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}  # section 3.2.3
NUMBERS: tuple[Any, ...] = (
    0,
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    1.7976931348623157e308,
    9007199254740992,
    295147905179352830000,
    9.999999999999997e22,
    1e23,
    1.0000000000000001e23,
    999999999999999700000,
    1e21,
    1e-6,
    9.999999999999997e-7,
    1.5,
    333333333.3333332,
    333333333.33333325,
    -0.0000033333333333333333,
    1424953923781206.2,
    1,
    1.0,
    -1,
    10**15,
)
PAST: tuple[Any, ...] = (
    2**53 - 1,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**63 - 1,
    2**64,
    10**21,
    10**21 + 1,
    10**30,
    float(2**60),
    2**60,
    1152921504606847000,
    1152921504606847001,
)
TEXTS = ("", "a", "\x00", "\x1f", "\x7f", '"', "\\", "/", "\b\t\n\f\r", "\u2028", "é", "e\u0301", "\U0001f600", "<&>")
WHOLE: tuple[Any, ...] = (
    None,
    True,
    False,
    [],
    {},
    [[]],
    {"a": 1, "b": 2},
    {"b": 2, "a": 1},
    {"a": None},
    {"": {}},
    {"a": {"c": [1, {"e": 1, "d": 2}], "b": None}},
    [1, 2],
    [2, 1],
    [True],
    [1],
    ["1"],
    RFC_8785,
    SORTED,
)


def digests() -> Iterator[Vector]:
    """Values with their canonical text and its SHA-256: the examples of RFC 8785, and integers past 2^53."""
    for value in (*WHOLE, *NUMBERS, *PAST, *TEXTS):
        text = canonical(value)
        yield {"json": _json(value), "canonical": text, "digest": digest(text)}


def _json(value: Any) -> str:
    """The value as a text that is not canonical, for numbers must not pass through a reader that rounds them."""
    return json.dumps(value)


def asks() -> Iterator[Vector]:
    """Up to three asks, alike or not, with what comes back for them: grants, refusals, nonsense, nothing, too much."""
    replies: tuple[tuple[str, Any], ...] = (("grant", True), ("refusal", False), ("text", "yes"), ("one", 1))
    replies += (("null", None), ("none", ...), ("another target", True), ("another value", True), ("twice", True))
    for alike, count in ((False, 1), (False, 2), (True, 2)):
        for said in product(replies, repeat=count):
            yield _asking(alike, said)
    draw = Draw("asks")
    for _ in range(100):
        yield _asking(draw.below(2) == 1, tuple(draw.one(replies[:6]) for _ in range(3)))


def _asking(alike: bool, said: tuple[tuple[str, Any], ...]) -> Vector:
    asks = [_ask("g0" if alike else f"g{at}") for at in range(len(said))]
    answers = list[Vector]()
    for ask, (reply, granted) in zip(asks, said, strict=True):
        changed = {"another target": {"target": "another"}, "another value": {"digest": "another"}}.get(reply, {})
        times = {"none": 0, "twice": 2}.get(reply, 1)
        answers += [{"ask": ask | changed, "granted": granted}] * times
    return {"asks": asks, "answers": answers, "expect": settled(asks, answers)}


def _ask(who: str) -> Vector:
    fields = {"interceptor": who, "reason": f"{who} asks", "target": who, "timeout_s": None}
    return fields | {"severity": "medium", "digest": "the digest"}
