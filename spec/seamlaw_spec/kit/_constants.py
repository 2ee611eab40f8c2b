"""What a policy is made of, as far as it can be seen: the constants in its code, in what it is bound to, in its rules.

The values that a policy is tried on are made around these, so that a prefix, a path or a pattern is met.
"""

import dis
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, cast

from attrs import Factory, define

from seamlaw import Condition, Default, Globs, Interceptor, Operation, Pattern, Rule

__all__ = ["Constants", "constants_of"]

MOST = 200  # of each kind: whoever lists more is not met by each
SHIPPED = tuple(
    {str(path) for path in (sys.prefix, sys.base_prefix, re.__file__.rpartition("/re/")[0]) if path} | {"<frozen "}
)
META = re.compile(r"[\\^$*+?{}\[\]|()]|\.(?=.)")
IDENTIFIER = re.compile(r"[A-Za-z_][\w.-]{0,40}")


@define
class Constants:
    """Constants by kind, each once, in the order in which they were met."""

    names: dict[str, None] = Factory(dict[str, None])  # of tools
    agents: dict[str, None] = Factory(dict[str, None])
    keys: dict[str, None] = Factory(dict[str, None])
    texts: dict[str, None] = Factory(dict[str, None])
    patterns: dict[str, None] = Factory(dict[str, None])
    numbers: dict[float, None] = Factory(dict[float, None])
    sequences: list[list[Any]] = Factory(list[list[Any]])
    rules: list[Rule | Default] = Factory(list["Rule | Default"])

    def text(self, text: str) -> None:
        """Take a text, for what it may be."""
        if len(text) > 500 or len(self.texts) >= MOST:
            return
        try:
            text.encode()
        except UnicodeEncodeError:  # no value can hold it
            return
        if META.search(text) and _is_pattern(text):
            self.patterns.setdefault(text)
        self.texts.setdefault(text)
        if IDENTIFIER.fullmatch(text):
            self.keys.setdefault(text)

    def sequence(self, items: Iterable[Any]) -> None:
        """Take a list of scalars, such as a tuple that an argument is compared with."""
        listed = [*items]
        scalar = all(item is None or isinstance(item, str | int | float | bool) for item in listed)
        if listed and scalar and listed not in self.sequences and len(self.sequences) < MOST:
            self.sequences.append(listed)


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def constants_of(asked: Interceptor) -> Constants:
    """Gather the constants of an interceptor."""
    found, seen = Constants(), dict[int, object]()
    for pattern in asked.tools.patterns:
        found.names.setdefault(pattern)
    for pattern in asked.agents.patterns:
        found.agents.setdefault(pattern)
    _gather(asked.function, found, seen, 0)
    return found


def _gather(thing: Any, found: Constants, seen: dict[int, object], depth: int) -> None:
    if id(thing) in seen or depth > 12 or len(seen) > 5_000:
        return
    if isinstance(thing, str):
        found.text(thing)
    elif isinstance(thing, int | float) and not isinstance(thing, bool):
        if abs(thing) < 2**64 and thing == thing:
            found.numbers.setdefault(thing)
    else:
        seen[id(thing)] = thing  # held, so that its id is not used again
        for inside in _inside(thing, found):
            _gather(inside, found, seen, depth + 1)


def _inside(thing: Any, found: Constants) -> Iterable[Any]:
    """What a thing holds or refers to, read by the first reader for its kind."""
    if thing is None or isinstance(thing, bool | bytes | ModuleType):
        return ()
    for kind, read in READERS.items():
        if isinstance(thing, kind):
            return read(thing, found)
    return () if _is_shipped(thing) else _state(thing)


def _code(code: CodeType, found: Constants, known: Mapping[str, Any] = MappingProxyType({})) -> Iterator[Any]:
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PRECALL", "PUSH_NULL")]
    for at, step in enumerate(steps):
        if step.argval == "name" and "ATTR" in step.opname:
            for near in steps[at + 1 : at + 4]:
                loaded = near.argval if near.opname == "LOAD_CONST" else known.get(str(near.argval))
                _name(loaded, found)
    yield from code.co_consts


def _name(constant: object, found: Constants) -> None:
    """Take what a call's name is compared with."""
    listed = (
        cast("tuple[object, ...]", constant) if isinstance(constant, tuple | frozenset | set | list) else (constant,)
    )
    for text in listed:
        if isinstance(text, str) and len(text) < 100:
            found.names.setdefault(text)


def _function(function: FunctionType, found: Constants) -> Iterator[Any]:
    code = function.__code__
    if code.co_filename.startswith(SHIPPED):
        return
    documented = function.__doc__
    yield from (
        inside
        for inside in _code(code, found, function.__globals__)
        if inside is not documented and inside != documented
    )
    yield from function.__defaults__ or ()
    yield from (cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell))
    yield from (function.__globals__[name] for name in _globals(code) if name in function.__globals__)


def _globals(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals(constant)


def _is_filled(cell: Any) -> bool:
    try:
        return (cell.cell_contents, True)[1]
    except ValueError:
        return False


def _sequence(items: Iterable[Any], found: Constants) -> Iterable[Any]:
    listed = [*(sorted(items, key=repr) if isinstance(items, set | frozenset) else items)][:MOST]
    if isinstance(items, list | tuple):
        found.sequence(listed)
    return listed


def _mapping(items: dict[Any, Any], _: Constants) -> Iterable[Any]:
    return [*items.keys(), *items.values()][: 2 * MOST]


def _pattern(pattern: "re.Pattern[Any]", found: Constants) -> Iterable[Any]:
    if isinstance(pattern.pattern, str):
        found.patterns.setdefault(pattern.pattern)
    return ()


def _rule(rule: Rule | Default, found: Constants) -> Iterable[Any]:
    found.rules.append(rule)
    for pattern in rule.only.tools.patterns:
        found.names.setdefault(pattern)
    for pattern in rule.only.agents.patterns:
        found.agents.setdefault(pattern)
    filled = (*rule.at, rule.value) if isinstance(rule, Default) else ()
    return (*rule.only.when, *rule.only.unless, *filled)


def _condition(condition: Condition, found: Constants) -> Iterable[Any]:
    for key in condition.at:
        found.keys.setdefault(key)
    return (condition.test,)


def _operation(test: Operation, found: Constants) -> Iterable[Any]:
    if isinstance(test.operand, Pattern):
        found.patterns.setdefault(test.operand.text)
        return ()
    return (test.operand,)


def _is_shipped(thing: Any) -> bool:
    kind = thing if isinstance(thing, type) else type(thing)
    module = sys.modules.get(kind.__module__)
    file = str(getattr(module, "__file__", None) or "<frozen ")
    return file.startswith(SHIPPED) or kind.__module__.partition(".")[0] == "seamlaw"


def _class(kind: type, _: Constants) -> Iterable[Any]:
    return () if _is_shipped(kind) else [value for name, value in vars(kind).items() if name != "__doc__"]


def _state(thing: Any) -> Iterable[Any]:
    slots = [name for base in type(thing).__mro__ for name in _listed(base.__dict__.get("__slots__", ()))]
    held = {name: getattr(thing, name, None) for name in slots if not name.startswith("__")}
    return [*{**held, **(getattr(thing, "__dict__", None) or {})}.values(), type(thing)]


def _listed(slots: Any) -> Iterable[str]:
    return (slots,) if isinstance(slots, str) else slots


def _of_policy(policy: Any) -> Iterable[Any]:
    """What a policy of the kernel is made of: predicates and roles."""
    own = [requirement.predicate for requirement in getattr(policy, "requirements", ())]
    own += [predicate for predicate, _ in getattr(policy, "activations", ())]
    return (*own, *(getattr(policy, name, None) for name in ("left", "right", "policy", "roles")))


def _method(method: MethodType, _: Constants) -> Iterable[Any]:
    bound: Any = method.__self__
    return _of_policy(bound) if hasattr(bound, "as_gate") else (method.__func__, bound)


READERS: dict[type[Any], Callable[[Any, Constants], Iterable[Any]]] = {
    CodeType: _code,
    FunctionType: _function,
    MethodType: _method,
    partial: lambda it, _: (it.func, *it.args, *it.keywords.values()),
    Interceptor: lambda it, _: (it.function,),
    Rule: _rule,
    Default: _rule,
    Condition: _condition,
    Operation: _operation,
    Globs: lambda it, _: it.patterns,
    re.Pattern: _pattern,
    staticmethod: lambda it, _: (it.__func__,),
    classmethod: lambda it, _: (it.__func__,),
    property: lambda it, _: (it.fget, it.fset),
    dict: _mapping,
    list: _sequence,
    tuple: _sequence,
    set: _sequence,
    frozenset: _sequence,
    type: _class,
}
