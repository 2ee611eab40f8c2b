"""Rules as data: policies that need no code, each equal to the interceptor it stands for.

`refuse`, `ask` and `note` are gates: they judge the call that is about to run. `default` fills an argument that is
absent, before the chain. A rule that meets a value of the wrong type faults, and a fault refuses.
"""

import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias, assert_never, cast

from attrs import field, frozen

from seamlaw._decisions import Ask, Block, Note, Replace
from seamlaw._interceptors import Interceptor, Takes
from seamlaw._precedence import Severity
from seamlaw.errors import InvalidRule, InvalidValue
from seamlaw.values._frozen import FrozenList, freeze, thaw
from seamlaw.values._globs import ALL, Globs, globs
from seamlaw.values._values import ToolCall

from ._conditions import MISSING, Condition, Mismatch, all_hold, locate, only_keys, pointer, tokens

__all__ = ["AnyRule", "Default", "Filter", "Rule", "parse_rules", "rules_data"]

Verb: TypeAlias = Literal["refuse", "ask", "note"]
VERBS: dict[Verb, Severity] = {"refuse": Severity.HIGH, "ask": Severity.MEDIUM, "note": Severity.LOW}
FILTERS = ("tools", "agents", "when", "unless", "name")
KEYS: dict[Verb | Literal["default"], tuple[str, ...]] = {  # what may be said of each
    "refuse": (*FILTERS, "severity"),
    "ask": (*FILTERS, "severity", "target", "timeout_s"),
    "note": (*FILTERS, "severity"),
    "default": ("agents", "when", "unless", "name"),
}
SEVERITIES = [severity.value for severity in Severity]
ALL_KEYS = (*KEYS, *dict.fromkeys(key for keys in KEYS.values() for key in keys))


@frozen
class Filter:
    """For which calls a rule is: globs of tools and agents, `when` all hold, `unless` any holds."""

    tools: Globs = field(default=ALL, converter=globs)
    agents: Globs = field(default=ALL, converter=globs)
    when: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()

    def holds(self, call: ToolCall) -> bool:
        """Whether the conditions are met; raises `Mismatch` where that cannot be known."""
        arguments = call.arguments
        claims = [partial(condition.holds, arguments) for condition in self.when]
        if self.unless:
            claims += [partial(_fails, condition, arguments) for condition in self.unless]
        return all_hold(claims)


def _fails(condition: Condition, arguments: object) -> bool:
    return not condition.holds(arguments)


@frozen
class Rule:
    """A rule that judges: refuse, ask or note, with its reason."""

    verb: Verb
    reason: str
    only: Filter = Filter()
    severity: Severity = Severity.HIGH
    target: str | None = None
    timeout_s: float | None = None
    name: str = ""
    place: str = field(default="", eq=False)

    def __call__(self, call: ToolCall) -> Block | Ask | Note | None:
        """What the rule says to a call of its tools."""
        if not self.only.holds(call):
            return None
        match self.verb:
            case "refuse":
                return Block(self.reason, self.severity)
            case "ask":
                return Ask(self.reason, self.target, self.timeout_s, self.severity)
            case "note":
                return Note(self.reason, self.severity)
            case _:
                assert_never(self.verb)

    def as_interceptor(self) -> Interceptor:
        """The gate it stands for (law `a_rule_is_its_interceptor`)."""
        name, only = self.name or self.place or f"{self.verb} rule", self.only
        return Interceptor(self, name, True, only.tools, only.agents, takes=Takes(1))

    def data(self) -> dict[str, Any]:
        """The rule as data, as `parse_rules` takes it."""
        said: dict[str, Any] = {self.verb: self.reason, "severity": self.severity.value}
        said |= {"target": self.target, "timeout_s": self.timeout_s, "name": self.name or None}
        return {key: value for key, value in said.items() if value is not None} | _filter_data(self.only)


@frozen
class Default:
    """A rule that fills the argument at a pointer, only where it is absent; `null` is not absent."""

    at: tuple[str, ...]
    value: Any
    only: Filter = Filter()
    name: str = ""
    place: str = field(default="", eq=False)

    def __call__(self, call: ToolCall) -> Replace | None:
        """The call with its argument filled, or nothing."""
        if not self.only.holds(call) or locate(call.arguments, self.at) is not MISSING:
            return None
        filled = freeze(_fill(call.arguments, self.at, self.value), objects=True)
        return Replace(ToolCall(call.id, call.name, filled))

    def as_interceptor(self) -> Interceptor:
        """The rewriter it stands for (law `a_rule_is_its_interceptor`)."""
        name, only = self.name or self.place or "default rule", self.only
        return Interceptor(self, name, False, only.tools, only.agents, takes=Takes(1))

    def data(self) -> dict[str, Any]:
        """The rule as data, as `parse_rules` takes it."""
        said = _filter_data(self.only)
        filled = {"tool": said.pop("tools", "*"), "at": pointer(self.at), "value": thaw(self.value)}
        return {"default": filled} | ({"name": self.name} if self.name else {}) | said


AnyRule: TypeAlias = Rule | Default


def _fill(inside: object, keys: tuple[str, ...], value: object) -> object:
    if not keys:
        return value
    if not isinstance(inside, dict):
        raise Mismatch(f"/{keys[0]} cannot be filled in, for what should hold it is no object")
    here = cast("dict[str, object]", inside)
    return {**here, keys[0]: _fill(here.get(keys[0], {}), keys[1:], value)}


def _filter_data(only: Filter) -> dict[str, Any]:
    said = {
        "tools": list(only.tools.patterns),
        "agents": list(only.agents.patterns),
        "when": [condition.data() for condition in only.when],
        "unless": [condition.data() for condition in only.unless],
    }
    return {key: value for key, value in said.items() if value}


def rules_data(rules: Iterable[AnyRule]) -> dict[str, Any]:
    """Rules back as data: `parse_rules(rules_data(rules)) == rules`."""
    return {"rules": [rule.data() for rule in rules]}


def parse_rules(data: object, *, place: str = "rules") -> tuple[AnyRule, ...]:
    """Read rules from plain data: a list of them, or a table whose only key is `rules`.

    Raises `InvalidRule`, naming the place, for an unknown key, a missing decision, a bad pointer, glob, pattern or
    number: never is a rule skipped, and never is it an allow.
    """
    if isinstance(data, Mapping):
        data = only_keys(cast(object, data), place, ("rules",), required=("rules",))["rules"]
    if not isinstance(data, list | tuple):
        raise InvalidRule(place, f"must be a list of rules, not {type(data).__name__}")
    return tuple(_read(item, f"{place}[{index}]") for index, item in enumerate(cast("list[object]", data)))


def _read(data: object, place: str) -> AnyRule:
    try:
        return _rule(data, place)
    except RecursionError:
        raise InvalidRule(place, "is nested too deeply") from None


def _rule(data: object, place: str) -> AnyRule:
    given = only_keys(data, place, ALL_KEYS)
    verbs: list[Verb | Literal["default"]] = [verb for verb in KEYS if verb in given]
    if len(verbs) != 1:
        raise InvalidRule(place, f"must have exactly one of {', '.join(KEYS)}")
    verb = verbs[0]
    only_keys(given, place, (verb, *KEYS[verb]))
    name = _text(given["name"], f"{place}.name") if "name" in given else ""
    if verb == "default":
        filled = only_keys(given["default"], f"{place}.default", ("tool", "at", "value"), ("tool", "at", "value"))
        at = tokens(filled["at"], f"{place}.default.at")
        if not at:
            raise InvalidRule(f"{place}.default.at", "must name an argument")
        value = _frozen(filled["value"], f"{place}.default.value")
        return Default(at, value, _filter(given | {"tools": filled["tool"]}, place), name, place)
    severity, timeout = given.get("severity", VERBS[verb].value), given.get("timeout_s")
    if severity not in SEVERITIES:
        raise InvalidRule(f"{place}.severity", "must be low, medium or high")
    if timeout is not None and not (type(timeout) in (int, float) and 0 < timeout < math.inf):
        raise InvalidRule(f"{place}.timeout_s", "must be a positive number of seconds")
    target = _text(given["target"], f"{place}.target") if "target" in given else None
    reason = _text(given[verb], f"{place}.{verb}")
    return Rule(verb, reason, _filter(given, place), Severity(severity), target, timeout, name, place)


def _filter(given: Mapping[str, Any], place: str) -> Filter:
    conditions: dict[str, tuple[Condition, ...]] = {}
    for key in ("when", "unless"):
        listed: Any = given.get(key, ())
        if type(listed) not in (list, tuple, FrozenList) or (key in given and not listed):
            raise InvalidRule(f"{place}.{key}", "must be a list of conditions that is not empty")
        conditions[key] = tuple(Condition.read(c, f"{place}.{key}[{index}]") for index, c in enumerate(listed))
    return Filter(_globs(given, "tools", place), _globs(given, "agents", place), **conditions)


def _globs(given: Mapping[str, Any], key: str, place: str) -> Globs:
    if key not in given:
        return ALL
    if not given[key]:
        raise InvalidRule(f"{place}.{key}", "must not be empty; leave it out for all")
    try:
        return Globs(given[key])
    except ValueError as error:
        raise InvalidRule(f"{place}.{key}", str(error)) from None


def _text(value: object, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidRule(place, "must be text that is not empty")
    return cast(str, _frozen(value, place))


def _frozen(value: object, place: str) -> Any:
    try:
        return freeze(value)
    except InvalidValue as error:
        raise InvalidRule(place + error.path, error.problem) from None
