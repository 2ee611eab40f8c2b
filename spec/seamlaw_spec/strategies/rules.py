"""Rules as documents, the calls they meet, and texts made to be slow."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from hypothesis import strategies as st

from seamlaw_spec.counted_work import Hostile
from seamlaw_spec.rule_cases import PROBES
from seamlaw_spec.rule_domains import ABSENT, Filling, Probe, Rulebook

from ._lookup import register
from .values import JSON, NUMBERS, SCALARS

KINDS = ["null", "boolean", "number", "string", "array", "object"]
SOME_TEXT = st.text(st.sampled_from("ab/.-_ \n"), min_size=1, max_size=5) | st.sampled_from(["é", "ß", "~", "\0", "\\"])
PATHS = st.lists(
    st.sampled_from(["a", "b", "..", ".", "", "a-b", "~", "a\\b", "\0", "c:", " ", "a "]), min_size=1, max_size=5
).map("/".join)
ROOTS = st.sampled_from(["/", "/a", "/a/b", "a", "a/b", ".", "/a/../b", "//a", "a/./b", "/a/"])
CHARACTERS = [*"abA_0", " ", "\n", "é", "-"]


@st.composite
def _patterns(draw: st.DrawFn, depth: int = 3) -> str:
    """A pattern of the syntax that is shared with `re`."""
    if depth == 0:
        atoms = ["a", "b", "A", "_", "0", " ", r"\n", ".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", "[ab]", "[^a]"]
        return draw(
            st.sampled_from([*atoms, "[a-z]", r"[^\w]", r"[\d_]", r"[\s\S]", "é", r"\.", r"\$", r"\^", r"\x61"])
        )
    inner = _patterns(depth - 1)
    match draw(st.integers(0, 4)):
        case 0:
            return draw(inner)
        case 1 | 2:
            return draw(inner) + draw(inner)
        case 3:
            return f"(?:{draw(inner)}|{draw(inner)})"
        case _:
            times = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{0}"]
            return f"({draw(inner)})" + draw(st.sampled_from(times))


PATTERNS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "(?i)"]),
    st.sampled_from(["", "^"]),
    _patterns(),
    st.sampled_from(["", "$"]),
)
SIMPLE: dict[str, st.SearchStrategy[Any]] = {
    "equals": JSON,
    "one_of": st.lists(JSON, min_size=1, max_size=3),
    "starts_with": SOME_TEXT,
    "ends_with": SOME_TEXT,
    "contains": SOME_TEXT | SCALARS,
    "matches": PATTERNS,
    "under": ROOTS,
    "less": NUMBERS,
    "greater": NUMBERS,
    "exists": st.booleans(),
    "type_is": st.sampled_from(KINDS),
    "length": st.integers(0, 4),
}
Tests: TypeAlias = st.SearchStrategy[tuple[str, Any]]


def _some_of(operators: Mapping[str, st.SearchStrategy[Any]]) -> Tests:
    return st.sampled_from(sorted(operators)).flatmap(lambda name: st.tuples(st.just(name), operators[name]))


def _nested(names: list[str], inner: Tests) -> Tests:
    return st.tuples(st.sampled_from(names), inner.map(lambda test: dict([test])))


OF_NUMBERS = _some_of(
    {name: SIMPLE[name] for name in ("less", "greater")} | {"equals": NUMBERS, "one_of": st.lists(NUMBERS, min_size=1)}
)
OF_LENGTH = _nested(["length"], OF_NUMBERS | _nested(["not"], OF_NUMBERS))
TESTS: Tests = st.recursive(_some_of(SIMPLE) | OF_LENGTH, lambda inner: _nested(["any", "not"], inner), max_leaves=3)


def _met_by(test: tuple[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a test may hold for, and others."""
    name, operand = test
    if name in ("not", "any"):
        inner = _met_by(next(iter(operand.items())))
        return inner if name == "not" else st.lists(inner.filter(lambda met: met is not ABSENT), max_size=3) | inner
    fitting: dict[str, st.SearchStrategy[Any]] = {
        "equals": st.just(operand),
        "one_of": st.sampled_from(operand) if name == "one_of" else st.nothing(),
        "starts_with": SOME_TEXT.map(lambda text: f"{operand}{text}"),
        "ends_with": SOME_TEXT.map(lambda text: f"{text}{operand}"),
        "contains": SOME_TEXT.map(lambda text: f"{text}{operand}{text}") | st.just([operand]),
        "matches": st.text(st.sampled_from(CHARACTERS), max_size=6),
        "under": PATHS | ROOTS | st.builds("{}/{}".format, st.just(operand), PATHS),
        "less": NUMBERS | st.just(operand),
        "greater": NUMBERS | st.just(operand),
        "length": SOME_TEXT | st.lists(SCALARS, max_size=4),
    }
    return st.just(ABSENT) | fitting.get(name, st.nothing()) | SOME_TEXT | SCALARS | JSON


KEYS = st.sampled_from(["a", "b", "a/b", "~", "", "0", "1", "10", "-", "01"])
ARGUMENTS = st.dictionaries(
    KEYS,
    st.recursive(SCALARS, lambda i: st.lists(i, max_size=2) | st.dictionaries(KEYS, i, max_size=3), max_leaves=6),
    max_size=3,
)
POINTERS = st.lists(KEYS, min_size=1, max_size=3).map(
    lambda keys: "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
)
NAMES = st.sampled_from(["bash", "bash_2", "read_file", "BASH", "bash\n"])
GLOBS = st.sampled_from(["bash", "bash*", "*file", "[!b]*", "*", "b??h", "read_file"])


@st.composite
def _rulebooks(draw: st.DrawFn) -> Rulebook:
    """Rules whose conditions look at what the call holds."""
    arguments, conditions = draw(ARGUMENTS), list[dict[str, Any]]()
    for _ in range(draw(st.integers(0, 5))):
        at, test = draw(POINTERS | st.just("")), draw(TESTS)
        if at.count("/") == 1 and draw(st.booleans()):
            met = draw(_met_by(test))
            arguments |= {} if met is ABSENT else {at[1:].replace("~1", "/").replace("~0", "~"): met}
        conditions.append({"at": at, **dict([test])})
    rules = [draw(_rule(f"rule {number}", conditions)) for number in range(draw(st.integers(1, 4)))]
    return Rulebook(tuple(rules), draw(NAMES), arguments, draw(st.none() | NAMES))


@st.composite
def _rule(draw: st.DrawFn, name: str, conditions: list[dict[str, Any]]) -> dict[str, Any]:
    rule: dict[str, Any] = {"name": name}
    for key in ("when", "unless"):
        if draw(st.booleans()) and conditions:
            rule[key] = draw(st.lists(st.sampled_from(conditions), min_size=1, max_size=2))
    if draw(st.booleans()):
        rule["agents"] = draw(st.lists(GLOBS, min_size=1, max_size=2))
    verb = draw(st.sampled_from(["refuse", "ask", "note", "default"]))
    if verb == "default":
        return {**rule, "default": {"tool": draw(GLOBS), "at": draw(POINTERS), "value": draw(JSON)}}
    if draw(st.booleans()):
        rule["tools"] = draw(GLOBS | st.lists(GLOBS, min_size=1, max_size=2))
    if draw(st.booleans()):
        rule["severity"] = draw(st.sampled_from(["low", "medium", "high"]))
    if verb == "ask" and draw(st.booleans()):
        rule |= {"target": "legal", "timeout_s": draw(st.sampled_from([1, 2.5]))}
    return {**rule, verb: draw(st.sampled_from(["no", "é", "{reason}"]))}


SLOW_PATTERNS = [  # each with how many characters of a pattern it spells out
    *(("(a+)+$", 2), ("(a|a)*b", 3), ("(a|aa)+$", 4), ("(.*)*x", 2), ("(x+x+)+y", 3), (".*.*=.*", 4), ("(a*)*b", 2)),
    *(("^(([a-z])+.)+[A-Z]([a-z])+$", 6), ("(?:a?){20}a{20}", 40), ("(a|b)*a(a|b){12}", 27), ("(?i)(a|A)*$", 3)),
]


def _repeated(seed: str, times: int, tail: str) -> str:
    return seed * times + tail


def _hostile_pattern(pattern: tuple[str, int], text: str) -> Hostile:
    return Hostile("matches", *pattern, text)


def _hostile_value(test: tuple[str, Any], value: Any) -> Hostile:
    return Hostile(*test, 4, value)


SLOW_TEXTS = st.builds(
    _repeated,
    st.sampled_from(["a", "ab", "aab", "abaabbabbb", "x", "=", "aA", "é", "/..", "../", "/", "~"]),
    st.integers(1, 60) | st.sampled_from([200, 400]),
    st.sampled_from(["", "!", "b", "\n"]),
)
SLOW_VALUES: st.SearchStrategy[Any] = st.integers(1, 300).map(lambda n: [["ab"]] * n)
SLOW_TESTS: list[tuple[str, Any]] = [
    *(("under", "/a/b"), ("under", "a"), ("starts_with", "aaaa"), ("ends_with", "aaab"), ("contains", "aab")),
    *(("equals", "a" * 50), ("one_of", ["a", "ab", "b"]), ("length", 3), ("type_is", "string")),
    *(("any", {"contains": "ab"}), ("any", {"any": {"equals": 1}}), ("any", {"length": {"greater": 3}})),
]
HOSTILE_PATTERNS = st.builds(_hostile_pattern, st.sampled_from(SLOW_PATTERNS), SLOW_TEXTS)
HOSTILE_VALUES = st.builds(
    _hostile_value, st.sampled_from(SLOW_TESTS), SLOW_TEXTS | st.lists(SLOW_TEXTS, max_size=6) | SLOW_VALUES
)

register(
    Probe,
    st.sampled_from(PROBES)
    | TESTS.flatmap(lambda test: st.builds(Probe, st.just(test[0]), st.just(test[1]), _met_by(test))),
)
register(Rulebook, _rulebooks())
register(Filling, st.builds(Filling, POINTERS, JSON, ARGUMENTS))
register(Hostile, HOSTILE_PATTERNS | HOSTILE_VALUES)
