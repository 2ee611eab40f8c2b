"""What the laws of rules range over, and a naive account of what a rule says: an interceptor written by hand.

The account reads the plain document, not what `parse_rules` makes of it. Where an answer cannot be known it raises
`Doubt`, as an interceptor that stands for the rule would raise something.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from enum import Enum
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from attrs import frozen

from seamlaw import Ask, Block, Interceptor, Note, Replace, Scope, Severity, ToolCall, gate, rewriter, thaw

from .value_domains import is_array, is_object, same_json

__all__ = [
    "ABSENT",
    "Absent",
    "Doubt",
    "Filling",
    "Probe",
    "Rulebook",
    "all_of",
    "applies",
    "as_interceptor",
    "filled",
    "followed",
    "kind",
    "named",
    "tells",
]


class Absent(Enum):
    """Where nothing is."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Doubt(Exception):
    """What a rule says cannot be known."""


@frozen
class Probe:
    """An operator, its operand, and the value that it meets, which may be `ABSENT`."""

    operator: str
    operand: Any
    met: Any


@frozen
class Filling:
    """A default, and arguments that it may fill."""

    at: str
    value: Any
    arguments: Mapping[str, Any]


@frozen
class Rulebook:
    """Rules as documents, the call they judge, and who is calling."""

    rules: tuple[Mapping[str, Any], ...]
    tool: str
    arguments: Mapping[str, Any]
    agent: str | None = None

    @property
    def call(self) -> ToolCall:
        """The call."""
        return ToolCall("1", self.tool, self.arguments)

    @property
    def scope(self) -> Scope:
        """Who is calling."""
        return Scope(agent=self.agent)


_NUMBERS = {bool: "boolean", int: "number", float: "number"}
_KINDS: Mapping[type[Any], str] = {type(None): "null", str: "string", **_NUMBERS}


def kind(value: object) -> str:
    """The JSON type of a value."""
    return _KINDS.get(type(value)) or ("object" if isinstance(value, dict) else "array")


# Which types of value an operator answers for; of the others nothing is known.
TAKES: Mapping[str, Callable[[Any], Sequence[str]]] = {
    "equals": lambda operand: [kind(operand)],
    "one_of": lambda operand: [kind(item) for item in operand],
    "starts_with": lambda _: ["string"],
    "ends_with": lambda _: ["string"],
    "matches": lambda _: ["string"],
    "under": lambda _: ["string"],
    "contains": lambda operand: ["array", "string"] if kind(operand) == "string" else ["array"],
    "less": lambda _: ["number"],
    "greater": lambda _: ["number"],
    "length": lambda _: ["string", "array", "object"],
    "any": lambda _: ["array"],
    "exists": lambda _: ["null", "boolean", "number", "string", "array", "object"],
    "type_is": lambda _: ["null", "boolean", "number", "string", "array", "object"],
}


def tells(operator: str, operand: Any, met: Any) -> bool:
    """What an operator tells of a value, or of `ABSENT`; raises `Doubt`."""
    if operator == "not":
        ((inner, inner_operand),) = operand.items()
        return not tells(inner, inner_operand, met)
    if operator == "exists":
        return (met is not ABSENT) is operand
    if met is ABSENT:
        return False
    if kind(met) not in TAKES[operator](operand):
        raise Doubt
    return bool(_TELLS[operator](met, operand))


def _length(met: Any, operand: Any) -> bool:
    if not is_object(operand):
        return bool(len(met) == operand)
    ((inner, inner_operand),) = operand.items()
    return tells(inner, inner_operand, len(met))


def _any(met: Any, operand: Any) -> bool:
    ((inner, inner_operand),) = operand.items()
    doubts = 0
    for item in met:
        try:
            if tells(inner, inner_operand, item):
                return True
        except Doubt:
            doubts += 1
    if doubts:
        raise Doubt
    return False


def _contains(met: Any, operand: Any) -> bool:
    if isinstance(met, str):
        return any(met[at : at + len(operand)] == operand for at in range(len(met) - len(operand) + 1))
    return any(same_json(item, operand) for item in met)


_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")  # of a URL, or a drive


def _under(met: str, operand: str) -> bool:
    """Whether a path leads to a place inside a folder, walking it name by name."""
    odd = met == "" or met[:1] == "~" or "\0" in met or "\\" in met or met != met.strip() or _SCHEME.match(met)
    if odd or (met[:1] == "/") != (operand[:1] == "/"):
        raise Doubt
    walked, root = _walk(met), _walk(operand)
    return walked[: len(root)] == root and ".." not in walked[len(root) :]


def _walk(path: str) -> list[str]:
    walked = list[str]()
    for name in path.split("/"):
        if name == ".." and walked and walked[-1] != "..":
            walked.pop()
        elif name == ".." and path[:1] == "/":
            continue  # above the root is the root
        elif name not in ("", "."):
            walked.append(name)
    return walked


def searched(pattern: str, text: str) -> bool:
    r"""What `re` finds, where `.` is any character and `$` the very end: `\Z`."""
    strict = re.sub(r"(\\.)|\$", lambda found: found[1] or r"\Z", pattern)
    return re.search(strict, text, re.DOTALL) is not None


_TELLS: Mapping[str, Callable[[Any, Any], object]] = {
    "equals": same_json,
    "one_of": lambda met, operand: any(same_json(met, item) for item in operand),
    "starts_with": lambda met, operand: met[: len(operand)] == operand,
    "ends_with": lambda met, operand: met[max(0, len(met) - len(operand)) :] == operand,
    "contains": _contains,
    "matches": lambda met, operand: searched(operand, met),
    "under": _under,
    "less": lambda met, operand: met < operand,
    "greater": lambda met, operand: met > operand,
    "type_is": lambda met, operand: kind(met) == operand,
    "length": _length,
    "any": _any,
}


def keys_of(pointer: str) -> list[str]:
    """The keys of a JSON pointer (RFC 6901)."""
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")][1:]


def followed(pointer: str, arguments: Any) -> Any:
    """What stands at a JSON pointer, or `ABSENT`; raises `Doubt` where it leads through what holds nothing."""
    found = arguments
    for key in keys_of(pointer):
        if found is None or found is ABSENT:
            return ABSENT
        if is_object(found):
            found = found.get(key, ABSENT)
        elif is_array(found) and key in map(str, range(len(found))):
            found = found[int(key)]
        elif is_array(found) and (key == "0" or re.fullmatch("[1-9][0-9]*", key)):
            found = ABSENT
        else:
            raise Doubt
    return found


def all_of(claims: Sequence[Callable[[], bool]]) -> bool:
    """Whether all claims hold: not if one does not, whatever else is in doubt."""
    doubts = 0
    for claim in claims:
        try:
            if not claim():
                return False
        except Doubt:
            doubts += 1
    if doubts:
        raise Doubt
    return True


def applies(rule: Mapping[str, Any], arguments: Any) -> bool:
    """Whether the conditions of a rule are met; raises `Doubt`."""
    return all_of(
        [partial(_holds, condition, arguments, True) for condition in rule.get("when", ())]
        + [partial(_holds, condition, arguments, False) for condition in rule.get("unless", ())]
    )


def _holds(condition: Mapping[str, Any], arguments: Any, wanted: bool) -> bool:
    ((operator, operand),) = [(key, operand) for key, operand in condition.items() if key != "at"]
    return tells(operator, operand, followed(condition["at"], arguments)) is wanted


def named(globs: str | Sequence[str], name: str | None) -> bool:
    """Whether one of the globs matches a name; none, and an unknown name, let it through."""
    listed = [globs] if isinstance(globs, str) else globs
    return not listed or name is None or any(fnmatchcase(name, glob) for glob in listed)


def as_interceptor(rule: Mapping[str, Any], scope: Scope) -> Interceptor:
    """The interceptor, written by hand, that a rule stands for; it looks at tool and agent by itself."""
    tools = rule["default"]["tool"] if "default" in rule else rule.get("tools", ())

    def answer(call: ToolCall) -> Block | Ask | Note | Replace | None:
        if not (named(tools, call.name) and named(rule.get("agents", ()), scope.agent)):
            return None
        arguments = thaw(call.arguments)
        if not applies(rule, arguments):
            return None
        if "default" in rule:
            made = filled(rule["default"]["at"], rule["default"]["value"], arguments)
            return None if made is None else Replace(ToolCall(call.id, call.name, made))
        if "refuse" in rule:
            return Block(rule["refuse"], Severity(rule.get("severity", "high")))
        if "note" in rule:
            return Note(rule["note"], Severity(rule.get("severity", "low")))
        return Ask(rule["ask"], rule.get("target"), rule.get("timeout_s"), Severity(rule.get("severity", "medium")))

    return (rewriter if "default" in rule else gate)(answer, name=rule["name"])


def filled(at: str, value: Any, arguments: Any) -> Any:
    """The arguments with a value put where nothing is, or `None` where something is; raises `Doubt`."""
    if followed(at, arguments) is not ABSENT:
        return None
    *way, last = keys_of(at)
    made = deepcopy(arguments)
    inside = made
    for key in way:
        inside = _object(inside).setdefault(key, {})
    _object(inside)[last] = value
    return made


def _object(value: Any) -> Any:
    if not is_object(value):
        raise Doubt
    return value
