"""The hash of a policy: it sees every bound value that can change a decision, and nothing else."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportPrivateUsage=false
import functools
import inspect
import json
import os
import re
import subprocess
import sys
import threading
import types
import weakref
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

import seamlaw
from seamlaw import AgentScoped, Policy
from seamlaw.policy._fingerprint import (
    _KERNEL,
    _STANDARD,
    TooMuch,
    _file,
    _global,
    _parts,
    _reduced,
    _standard,
    _unmangled,
    fingerprint,
)


def hash_of(predicate: Any, **options: Any) -> str:
    """Hash a policy of one requirement."""
    return Policy("p").require(predicate, **options).policy_hash


def test_a_value_bound_in_a_closure_counts() -> None:
    """The source is unchanged; `limit = 5` becomes 50."""

    def make(limit: object) -> Callable[[Any], bool]:
        return lambda call: call.arguments["n"] < limit

    bound: list[Any] = [5, 50, 5.0, "5", True, None, [5], (5,), {5}, {"a": 5}, {"a": [5]}, b"5", 5j]
    assert len({hash_of(make(limit)) for limit in bound}) == len(bound)
    assert hash_of(make([1, {"a": 2}])) == hash_of(make([1, {"a": 2}]))
    assert hash_of(make({1, 2, 3})) == hash_of(make({3, 2, 1}))


def test_a_bound_value_that_changes_later_changes_the_hash() -> None:
    """It is read anew each time."""
    allowed = ["ls"]
    policy = Policy("p").require(lambda call: call.name in allowed)
    before = policy.policy_hash
    allowed.append("rm")
    assert policy.policy_hash != before


class Limit:
    """A limit as an object."""

    def __init__(self, limit: object) -> None:
        self.limit = limit

    def __call__(self, call: Any) -> bool:
        """Compare."""
        return bool(call.arguments["n"] < self.limit)

    def method(self, call: Any) -> bool:
        """Compare."""
        return self(call)


class Slotted:
    """One that keeps its limit in a slot."""

    __slots__ = ("__limit", "again")

    def __init__(self, limit: object) -> None:
        self.__limit = limit

    def __call__(self, call: Any) -> bool:
        """Compare."""
        return bool(call.arguments["n"] < self.__limit)


@attrs.frozen
class Attrs:
    """One that is made by attrs."""

    limit: object

    def __call__(self, call: Any) -> bool:
        """Compare."""
        return bool(call.arguments["n"] < self.limit)


def compare(limit: object, call: Any, *, strict: bool = False) -> bool:
    """Compare."""
    return bool(call.arguments["n"] < limit)


MAKING: dict[str, Callable[[Any], Any]] = {
    "object": Limit,
    "method": lambda limit: Limit(limit).method,
    "slots": Slotted,
    "attrs": Attrs,
    "partial": lambda limit: functools.partial(compare, limit),
    "partial with a keyword": lambda limit: functools.partial(compare, 5, strict=limit),
    "wrapped": lambda limit: functools.wraps(compare)(lambda call: compare(limit, call)),
    "cached": lambda limit: functools.lru_cache(lambda call: compare(limit, call)),
    "namespace": lambda limit: functools.partial(compare, SimpleNamespace(limit=limit)),
    "pattern": lambda limit: lambda call, it=re.compile(str(limit)): it.match(call.name) is None,
    "builtin": lambda limit: str(limit).startswith,
}


@pytest.mark.parametrize("kind", MAKING)
def test_the_state_of_whatever_is_called_counts(kind: str) -> None:
    """Objects, methods, slots, partials, wrappers, patterns."""
    make = MAKING[kind]
    assert hash_of(make(5)) == hash_of(make(5))
    assert hash_of(make(5)) != hash_of(make(50))


class Text(str):
    """A text of a class of its own."""


class Whole(IntEnum):
    """Numbers with names."""

    ONE = 1
    UNO = 1
    TWO = 2


def test_a_leaf_of_a_class_of_its_own_counts_with_its_class() -> None:
    """What it holds, what it is, and what hangs on it."""
    marked = Text("a")
    marked.mark = 1  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    leaves: list[Any] = ["a", Text("a"), Text("b"), marked, 1, Whole.ONE, Whole.TWO, True, 1.0]
    assert len({hash_of(functools.partial(compare, leaf)) for leaf in leaves}) == len(leaves)
    assert hash_of(functools.partial(compare, Whole.ONE)) == hash_of(functools.partial(compare, Whole.UNO))


def test_a_function_that_is_built_in_counts_by_its_name() -> None:
    """There is no code of it to read."""
    assert hash_of(len) == hash_of(len) != hash_of(callable)
    assert hash_of(lambda call, f=len: f(call)) != hash_of(lambda call, f=callable: f(call))


def test_every_part_of_a_requirement_counts_and_no_name_does() -> None:
    """How it fails, why, how gravely, whom it asks and for how long, and at which hook."""

    def holds(call: object) -> bool:
        return True

    options: list[dict[str, Any]] = [
        {},
        {"on_fail": "ask"},
        {"on_fail": "note"},
        {"reason": "other"},
        {"severity": "high"},
        {"on_fail": "ask", "target": "t"},
        {"on_fail": "ask", "timeout_s": 5},
        {"hook": "post"},
    ]
    assert len({hash_of(holds, **option) for option in options}) == len(options)
    assert hash_of(holds, reason="r") == Policy("another name").require(holds, reason="r").policy_hash


def test_every_part_of_a_policy_counts() -> None:
    """Requirements, their number and order, activation, negation, combination, roles."""
    a = Policy("a").require(lambda call: True, reason="a")
    b = Policy("b").require(lambda call: False, reason="b")
    both = a.require(b.requirements[0].predicate, reason="b")
    turned = b.require(a.requirements[0].predicate, reason="a")
    doubled = a.require(a.requirements[0].predicate, reason="a")
    ab = a & b
    policies: list[Any] = [Policy("p"), a, b, both, turned, doubled, ~a, a.active_when(lambda call: True)]
    policies += [ab, a | b, b & a, ~ab & b, ab & a, a & (b & a)]
    policies += [AgentScoped(a, "r"), AgentScoped(a, "s"), AgentScoped(a, ("r", "s"))]
    assert len({policy.policy_hash for policy in policies}) == len(policies)
    assert (~~a).policy_hash == a.policy_hash
    assert (~(a & b)).policy_hash == (~a | ~b).policy_hash
    assert AgentScoped(a, ("r", "s")).policy_hash == AgentScoped(a, ["s", "r"]).policy_hash
    assert a.active_when(lambda call: True).policy_hash != a.active_when(lambda call: False).policy_hash


def test_what_refers_to_itself_is_followed_once() -> None:
    """Recursive functions, rings of objects, functions that call each other."""

    def even(n: int) -> bool:
        return n == 0 or odd(n - 1)

    def odd(n: int) -> bool:
        return n != 0 and even(n - 1)

    ring = list[Any]([1])
    ring.append(ring)
    assert hash_of(even) == hash_of(even)
    assert hash_of(lambda call: ring) == hash_of(lambda call: ring)


def test_what_cannot_be_read_counts_by_its_type() -> None:
    """A lock, or a variable that is not assigned yet."""
    lock, other = threading.Lock(), threading.RLock()
    assert hash_of(lambda call: lock) == hash_of(lambda call: lock)
    assert hash_of(lambda call: lock) != hash_of(lambda call: other)

    def early(call: object) -> bool:
        return late is None

    assert len(hash_of(early)) == 64
    late = None


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_hash_is_the_same_in_another_process(seed: str, tmp_path: Path) -> None:
    """With another hash seed: no address and no order of a set is in it."""
    code = """
from seamlaw import AgentScoped, Policy
import re, functools
class C:
    x = {"a", "b", "c"}
    def __init__(self): self.y = {3, 1, 2}
    def __call__(self, call): return call.name in self.x
def q(call, p=re.compile("a")): return bool(p.match(call.name))
one, two = Policy("p").require(C()).require(q), Policy("z").require(functools.partial(max, 1))
print((AgentScoped(one, ["r", "s"]) | ~two).policy_hash)
"""
    (tmp_path / "it.py").write_text(code, "utf-8")
    printed = [printed_by(tmp_path / "it.py", given) for given in (seed, "7")]
    assert printed[0] == printed[1]
    assert re.fullmatch("[0-9a-f]{64}\n", printed[0])


def printed_by(script: Path, seed: str) -> str:
    """Run a script in a process with a hash seed of its own, and take what it prints."""
    given = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run([sys.executable, str(script)], env=given, capture_output=True, text=True, check=True).stdout


def test_what_reaches_more_than_was_to_be_followed_is_refused() -> None:
    """A bound on the things that are followed is kept, and changes no hash that stays within it."""
    things = [[number] for number in range(50)]
    assert fingerprint(things, most=200) == fingerprint(things)
    with pytest.raises(TooMuch):
        fingerprint(things, most=50)


@pytest.mark.parametrize("function", [json.dumps, inspect.signature, seamlaw.decide, seamlaw.thaw])
def test_code_of_the_library_and_of_the_kernel_counts_by_name(function: Any) -> None:
    """So that a hash says the same where another release has other code."""
    assert _parts(function)[0] == f"function {function.__module__}.{function.__qualname__}"
    assert _parts(json.JSONEncoder)[0] == "class json.encoder.JSONEncoder"
    assert _parts(test_code_of_the_library_and_of_the_kernel_counts_by_name)[0] == "function"


STANDARD: list[tuple[str, bool]] = [
    (f"{_STANDARD}json/__init__.py", True),
    (f"{_KERNEL}_step.py", True),
    (f"{_KERNEL}policy/_rules.py", True),
    ("<frozen os>", True),
    ("<attrs generated methods a.B>", True),
    (f"{_STANDARD}site-packages/json/__init__.py", False),
    (f"{_STANDARD}dist-packages/json/__init__.py", False),
    (f"/elsewhere{_STANDARD}json/__init__.py", False),
    ("/elsewhere/json.py", False),
    (_KERNEL.rstrip("/") + "_packs/rules.py", False),
    ("<string>", False),
    ("", False),
]


@pytest.mark.parametrize(("file", "by_name"), STANDARD)
def test_whose_code_it_is_is_told_by_its_file(file: str, by_name: bool) -> None:
    """What was installed beside the library is not the library's."""
    assert _standard(file) is by_name


UNTOLD: list[tuple[str, object, object]] = [
    ("__doc__", "one", "two"),
    ("__module__", "one", "two"),
    ("__annotations__", {"a": int}, {"b": str}),
    ("__slots__", ("a",), ["a"]),
    ("__firstlineno__", 1, 2),
    ("__static_attributes__", ("a",), ("b",)),
    ("__annotate_func__", len, abs),
    ("__annotations_cache__", {"a": 1}, {"a": 2}),
]


@pytest.mark.parametrize(("name", "one", "other"), UNTOLD, ids=[row[0] for row in UNTOLD])
def test_what_is_written_about_a_class_does_not_count(name: str, one: object, other: object) -> None:
    """Where it stands, how it is explained and annotated, by whatever Python."""
    hashes = {fingerprint(type("Kind", (), {"held": 1, name: said})) for said in (one, other)}
    assert len(hashes) == 1


def test_whoever_watches_an_object_does_not_change_it() -> None:
    """A weak reference is no state."""

    @attrs.define
    class Held:
        value: int = 1

    held = Held()
    before = fingerprint(held)
    watching = weakref.ref(held)
    assert watching() is held
    assert fingerprint(held) == before


def test_no_more_than_so_many_things_are_read() -> None:
    """The things themselves, each once, and all of them together."""
    for things, count in (((), 1), (("a",), 2), (("a", "b"), 3), ((["a", "b"], "a"), 4)):
        assert fingerprint(*things, most=count) == fingerprint(*things)
        with pytest.raises(TooMuch):
            fingerprint(*things, most=count - 1)


def test_what_holds_itself_is_known_by_where_it_does() -> None:
    """And not by what was read before: twice the same object is as good as two that are equal."""
    shared = ["a"]
    one: list[Any] = [shared, shared]
    other: list[Any] = [["a"], ["a"]]
    third: list[Any] = [["a"], ["a"], [None]]
    one.append(one)
    other.append(other)
    third[2][0] = third
    assert fingerprint(one) == fingerprint(other) != fingerprint(third)


def test_a_name_that_cannot_be_encoded_is_a_name() -> None:
    """Somebody may have set it."""
    hashes = set[str]()
    for name in ("\ud800", "\ud801", "?"):
        kind = type("Kind", (), {})
        kind.__qualname__ = name
        hashes.add(fingerprint(kind))
    assert len(hashes) == 3


def test_what_a_list_of_a_class_of_its_own_holds_besides_counts() -> None:
    """Also where it cannot be pickled."""

    class Listed(list[int]):
        def __reduce_ex__(self, protocol: object) -> Any:
            raise TypeError(protocol)

    one, other = Listed([1]), Listed([1])
    assert fingerprint(one) == fingerprint(other)
    vars(one)["limit"], vars(other)["limit"] = 1, 2
    assert fingerprint(one) != fingerprint(other)


def module(name: str, **held: object) -> types.ModuleType:
    """A module made at run time."""
    made = types.ModuleType(name)
    vars(made).update(held)
    return made


def test_where_a_module_comes_from_is_its_file() -> None:
    """One without is built in, by its name and by that of its package, or somebody made it."""
    assert [_file(module(name)) for name in ("sys", "xml.dom", "mine", "mine.sys")] == ["<frozen ", "<frozen ", "", ""]
    assert _file(json) == json.__file__
    assert _file(module("mine", __file__="/a.py")) == "/a.py"


def test_of_a_module_that_is_used_only_the_names_that_are_asked_for_count() -> None:
    """Four modules deep, and nothing of the library's."""
    inside: object = "deep"
    for depth in reversed(range(6)):
        inside = module(f"m{depth}", inside=inside, other=depth)
    expected: object = vars(vars(vars(vars(inside)["inside"])["inside"])["inside"])["inside"]
    for depth in reversed(range(4)):
        expected = (f"m{depth}", {"inside": expected})
    assert _global(inside, {"inside"}) == expected
    assert _global(json, {"dumps"}) is json
    assert _global("value", {"inside"}) == "value"


def code_of(text: str) -> Any:
    """The function that a text defines."""
    names: dict[str, Any] = {}
    exec(text, names)
    return names["f"]


def test_a_docstring_never_counts_however_much_there_is() -> None:
    """Nor how long the numbers of what follows it become."""
    many = "".join(f"    x = {number}\n" for number in range(1_000, 1_400))
    with_it, without = code_of(f"def f(call):\n    'why'\n{many}"), code_of(f"def f(call):\n{many}")
    assert fingerprint(with_it.__code__) == fingerprint(without.__code__)


READS = "def f(call):\n    class A:\n        x = LIMIT\n    return A"
DIFFERENT: list[tuple[str, str]] = [
    ("def f(call, *rest): return True", "def f(call, **rest): return True"),
    ("def f(call, /): return True", "def f(call): return True"),
    ("def f(call, *, by=1): return True", "def f(call, by=1): return True"),
    (
        "LIMIT = 1\ndef f(call):\n class A: x = LIMIT\n return A",
        "LIMIT = 2\ndef f(call):\n class A: x = LIMIT\n return A",
    ),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_how_it_is_called_and_what_it_reads_counts(one: str, other: str) -> None:
    """Also what only a class inside of it reads."""
    assert fingerprint(code_of(one)) != fingerprint(code_of(other))


@pytest.mark.parametrize("code", [json.dumps.__code__, code_of("def f(call): return True").__code__])
def test_what_is_bound_to_a_function_counts_by_where_it_is_bound(code: types.CodeType) -> None:
    """A default is no attribute."""
    one, other = types.FunctionType(code, {}), types.FunctionType(code, {})
    one.__kwdefaults__, other.__kwdefaults__ = {"a": 1}, {"b": 2}
    vars(one)["b"], vars(other)["a"] = 2, 1
    assert fingerprint(one) != fingerprint(other)


def test_parts_are_told_apart_by_what_they_are() -> None:
    """By these words."""
    function = code_of("def f(call): return True")
    assert (_parts(function)[0], _parts(function.__code__)[0], _parts(object())[0]) == ("function", "code", "object")


def test_slots_count_also_of_what_cannot_be_pickled() -> None:
    """As they are read."""

    class Slotted:
        __slots__ = ("limit",)

        def __init__(self, limit: int) -> None:
            self.limit = limit

        def __reduce_ex__(self, protocol: object) -> Any:
            raise TypeError(protocol)

    assert fingerprint(Slotted(1)) == fingerprint(Slotted(1)) != fingerprint(Slotted(2))


def test_a_private_slot_is_found_by_the_name_that_it_has() -> None:
    """As Python mangles it, by the class that names it."""

    class _Under:
        __slots__ = ()

    mangled = {"__x": "__x", "__x__": "__x__", "_x": "_x", "x": "x", "x__": "x__", "__": "__"}
    for name in mangled:
        for kind, prefix in ((Path, "_Path"), (_Under, "_Under")):
            private = name.startswith("__") and not name.endswith("__")
            assert _unmangled(kind, name) == (prefix + name if private else name)


def listening(reduced: Any, asked: list[object]) -> Any:
    """An object without a state that can be seen, which is pickled as is said here."""

    class Hidden:
        __slots__ = ()

        def __reduce_ex__(self, protocol: object) -> Any:
            asked.append(protocol)
            return reduced

    return Hidden()


REDUCED: list[tuple[Any, Any]] = [
    ("by name", "by name"),
    ((print, (1,)), [(1,)]),
    ((print, (1,), {"s": 1}), [(1,), {"s": 1}]),
    ((print, (1,), None, None, None), [(1,), None, [], []]),
    ((print, (1,), {"s": 1}, [1, 2], [("a", 3)]), [(1,), {"s": 1}, [1, 2], [("a", 3)]]),
    ((print, (1,), {"s": 1}, [1, 2], [("a", 3)], setattr), [(1,), {"s": 1}, [1, 2], [("a", 3)]]),
]


@pytest.mark.parametrize(("reduced", "told"), REDUCED, ids=range(len(REDUCED)))
def test_what_pickling_would_keep_is_read_where_nothing_else_is(reduced: Any, told: Any) -> None:
    """What it is made from, its state, its items and its pairs; not who makes it."""
    asked: list[object] = []
    hidden = listening(reduced, asked)
    assert _reduced(hidden) == told
    assert asked == [2]
    assert _parts(hidden) == ("object", (type(hidden), ({}, told) if isinstance(told, str) else told), True)


def test_a_state_that_can_be_seen_is_all_there_is() -> None:
    """But of what the library keeps, whose slots may be caches."""
    seen = type("Seen", (), {"__reduce_ex__": lambda self, protocol: "never"})()
    nowhere = type("Seen", (), {"__module__": "nowhere", "__reduce_ex__": lambda self, protocol: "never"})()
    for thing in (seen, nowhere):
        vars(thing)["limit"] = 1
        assert _parts(thing) == ("object", (type(thing), {"limit": 1}), True)
    _, (_, told), _ = _parts(SimpleNamespace(a=1))
    assert told == [(), {"a": 1}]


def test_what_a_class_does_counts_and_where_it_was_made_does_not() -> None:
    """Unless it is the library's, or the kernel's: these count by their names."""

    def kind(answer: object, **more: object) -> type:
        return type("Kind", (), {"answer": answer, **more})

    assert fingerprint(kind(1)) == fingerprint(kind(1, __module__="elsewhere")) != fingerprint(kind(2))
    library = [kind(answer, __module__="json.encoder") for answer in (1, 2)]
    assert fingerprint(library[0]) == fingerprint(library[1])


def test_what_is_called_is_read_by_its_parts() -> None:
    """What a method is bound to, what a partial holds, what a property calls."""
    function = code_of("def f(call): return True")
    held = SimpleNamespace()
    parts: list[tuple[Any, Any]] = [
        (types.MethodType(function, held), ("method", (function, held), True)),
        (functools.partial(function, 1, a=2), ("partial", (function, (1,), {"a": 2}), True)),
        (staticmethod(function), ("staticmethod", (function,), True)),
        (classmethod(function), ("classmethod", (function,), True)),
        (types.MappingProxyType({"a": 1}), ("mappingproxy", (("a", 1),), True)),
        (property(function), ("property", (function,), True)),
        (json, ("module json", (), True)),
    ]
    for thing, told in parts:
        assert _parts(thing) == told
