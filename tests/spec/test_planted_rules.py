"""A broken operator, pattern, default or index is rejected by a law that says in its name what is wrong."""

import re
from collections.abc import Callable, Iterable
from fnmatch import translate
from posixpath import normpath
from typing import Any, TypeAlias, cast

import pytest
from attrs import evolve

from seamlaw import Default, Mismatch, Pattern, Replace, Rule, Scope, State, ToolCall
from seamlaw import _plan as plans
from seamlaw import _step as steps
from seamlaw.policy import _conditions as conditions
from seamlaw.policy import _rules as rules
from seamlaw.values import _globs as globs
from seamlaw.values import _index as index
from seamlaw.values import _recent as recent
from seamlaw_spec.laws.rules import conditions_are_classical
from seamlaw_spec.rule_cases import PROBES
from seamlaw_spec.rule_domains import Probe
from seamlaw_spec.value_domains import is_object

pytestmark = pytest.mark.slow

Plant: TypeAlias = Callable[[Any, Any], None]
Catches: TypeAlias = Callable[[str], bool]
CLASSICAL, ITSELF = "conditions_are_classical", "a_rule_is_its_interceptor"
OPERATORS: list[tuple[str, Callable[[Any, Any], bool]]] = [  # an operator, and what it wrongly says
    ("under", lambda met, root: met.startswith(root)),
    ("under", lambda met, root: normpath(met).startswith(root)),
    ("equals", lambda met, operand: met == operand),
    ("equals", lambda met, operand: repr(met) == repr(operand)),
    ("one_of", lambda met, operand: met in operand),
    ("one_of", lambda met, operand: conditions.same(met, operand[0])),
    ("contains", lambda met, operand: operand in met),
    ("starts_with", lambda met, operand: operand.startswith(met)),
    ("ends_with", lambda met, operand: operand in met),
    ("matches", lambda met, operand: re.match(operand.text, met) is not None),
    ("matches", lambda met, operand: re.search(operand.text, met) is not None),
    ("less", lambda met, operand: met <= operand),
    ("greater", lambda met, operand: met >= operand),
    ("exists", lambda met, operand: met is not None),
    ("type_is", lambda met, operand: conditions.kind_of(met) <= operand),
    ("length", lambda met, operand: conditions.holds(operand, len(set(map(str, met))))),
    ("any", lambda met, operand: any(conditions.holds(operand, item) for item in met)),
    ("any", lambda met, operand: bool(met) and all(conditions.holds(operand, item) for item in met)),
]


@pytest.mark.parametrize(("operator", "wrong"), OPERATORS)
def test_a_wrong_operator_is_caught(
    operator: str, wrong: Callable[[Any, Any], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator that says something else than is documented is no longer classical as documented."""
    broken = evolve(conditions.OPERATORS[operator], holds=wrong)
    monkeypatch.setitem(conditions.OPERATORS, operator, broken)
    assert not all(map(_holds, PROBES))


def _holds(probe: Probe) -> bool:
    try:
        return conditions_are_classical(probe)
    except Exception:  # the wrong operator does not take it
        return False


@pytest.mark.parametrize("operator", sorted(set(conditions.OPERATORS) - {"not", "exists", "type_is"}))
def test_an_operator_for_every_type_is_caught(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator that is false of a value that it is not for, instead of faulting, lets a rule wave it through."""
    row = conditions.OPERATORS[operator]

    def says(met: Any, operand: Any) -> bool:
        return conditions.kind_of(met) in row.kinds(operand) and row.holds(met, operand)

    monkeypatch.setitem(conditions.OPERATORS, operator, evolve(row, kinds=every_type, holds=says))
    assert not all(map(_holds, PROBES))


holds, locate, all_hold, search = conditions.holds, conditions.locate, conditions.all_hold, Pattern.search


def absent_faults(test: Any, value: Any) -> bool:
    """What is absent is of the wrong type."""
    if value is conditions.MISSING and test.operator != "exists":
        raise Mismatch("absent")
    return holds(test, value)


def not_of_absent_is_false(test: Any, value: Any) -> bool:
    """Every operator is false of what is absent, `not` too."""
    return value is not conditions.MISSING and holds(test, value)


def absent_is_null(inside: object, keys: Iterable[str]) -> Any:
    """What is absent is found to be null."""
    found = locate(inside, keys)
    return None if found is conditions.MISSING else found


def null_is_absent(inside: object, keys: Iterable[str]) -> Any:
    """What is null is found to be absent."""
    found = locate(inside, keys)
    return conditions.MISSING if found is None else found


def doubt_holds(claims: Iterable[Callable[[], bool]]) -> bool:
    """What cannot be known is taken to hold."""
    try:
        return all_hold(claims)
    except Mismatch:
        return True


def doubt_does_not_hold(claims: Iterable[Callable[[], bool]]) -> bool:
    """A rule that cannot know does nothing."""
    try:
        return all_hold(claims)
    except Mismatch:
        return False


def first_doubt_faults(claims: Iterable[Callable[[], bool]]) -> bool:
    """A doubt hides that a later claim does not hold."""
    return all(claim() for claim in claims)


def unless_means_all(self: Any, call: ToolCall) -> bool:
    """A rule is off only where all of its `unless` hold."""
    off = bool(self.unless) and all(condition.holds(call.arguments) for condition in self.unless)
    return not off and all(condition.holds(call.arguments) for condition in self.when)


def fills_null(self: Default, call: ToolCall) -> Replace | None:
    """A default overwrites null."""
    found = locate(call.arguments, self.at) if self.only.holds(call) else call
    if found is conditions.MISSING or found is None:
        return Replace(ToolCall(call.id, call.name, cast(Any, rules._fill(call.arguments, self.at, self.value))))
    return None


def overwrites(inside: Any, keys: tuple[str, ...], value: object) -> object:
    """Filling in replaces what should hold the value."""
    if not keys:
        return value
    here: dict[str, Any] = inside if is_object(inside) else {}
    return {**here, keys[0]: overwrites(here.get(keys[0]), keys[1:], value)}


def forgets(inside: Any, keys: tuple[str, ...], value: object) -> object:
    """Filling in drops what stands beside the value."""
    return value if not keys else {keys[0]: forgets({}, keys[1:], value)}


def says_nothing(self: Rule, call: ToolCall) -> None:
    """A rule that says nothing."""


def every_type(operand: object) -> tuple[str, ...]:
    """An operator that takes whatever it meets."""
    return conditions.KINDS


def backtracking(self: Pattern, text: str) -> bool:
    """A search that tries every start, and counts again what it has counted."""
    return any(search(self, text[start:end]) for start in range(len(text)) for end in range(start, len(text) + 1))


def reading_twice(self: Pattern, text: str) -> bool:
    """A search that is quadratic."""
    found = [search(self, text[start:]) for start in range(len(text) + 1)]
    return any(found)


def admits_by_match(self: Any, name: str | None) -> bool:
    """A line feed at the end of a name is overlooked."""
    return not self.patterns or name is None or any(re.match(translate(p)[:-2] + "$", name) for p in self.patterns)


def admits_by_lower_case(self: Any, name: str | None) -> bool:
    """Case does not count."""
    return not self.patterns or name is None or any(re.match(translate(p), name, re.I) for p in self.patterns)


def unknown_is_left_out(self: Any, name: str | None) -> bool:
    """Who does not say who they are is not consulted about."""
    return not self.patterns or (name is not None and admit(self, name))


admit = globs.Globs.admit
admit = globs.Globs.admit
admitting = index.Index.admitting


def forgets_whole_names(self: index.Index, name: str | None) -> list[int]:
    """The index does not look for those who name this very tool."""
    return [place for place in admitting(self, name) if place not in self.whole.get(str(name), ())]


def forgets_beginnings(self: index.Index, name: str | None) -> list[int]:
    """The index looks only for the longest beginning there is."""
    kept, self.beginnings = self.beginnings, dict(sorted(self.beginnings.items())[-1:])
    found = admitting(self, name)
    self.beginnings = kept
    return found


def forgets_endings(self: index.Index, name: str | None) -> list[int]:
    """The index takes no ending for one that is the whole name."""
    ended = {place for listed in self.endings.values() for place in listed.get(str(name), ())}
    return [place for place in admitting(self, name) if place not in ended]


def as_they_are_found(self: index.Index, name: str | None) -> list[int]:
    """Those who name this very tool come before the others."""
    return sorted(admitting(self, name), key=lambda place: place not in self.whole.get(str(name), ()))


def remembers_tools_alone(self: Any, name: str | None, agent: str | None) -> Any:
    """What was found for one agent is taken for every other."""
    found: Any = self.generations[0].setdefault(name, None) or self.find(name, agent)
    self.generations[0][name] = found
    return found


after = cast(Callable[..., Any], cast(Any, plans._Seam).after)


def renames_open_nothing(self: Any, at: int, offered: tuple[Any, ...], scope: Scope) -> Any:
    """A plan goes on with those who matched what it was called at first."""
    self.first = offered if at == 0 else self.first
    return after(self, at, self.first, scope)


def asks_those_of_the_first_name(everyone: Any, seam: Any, state: State[Any], beside: Any, scope: Scope) -> Any:
    """A rename does not re-open the question."""
    tool = seam.tool((state.value, *beside))
    return asking([asked for asked in everyone if asked.matches(tool, scope.agent)], seam, state, beside, scope)


asking = steps.asking
FILTERS = "consulted_iff_it_matches"
PLANTED: list[tuple[Any, str, Callable[..., Any], str]] = [
    (Default, "__call__", fills_null, "default_fills_only_what_is_absent"),
    (rules, "_fill", overwrites, "default_fills_only_what_is_absent"),
    (rules, "_fill", forgets, "default_fills_only_what_is_absent"),
    (rules.Filter, "holds", unless_means_all, ITSELF),
    (Rule, "__call__", says_nothing, "a_refused_tool_stays_refused"),
    (Pattern, "search", backtracking, "rules_take_linear_time"),
    (Pattern, "search", reading_twice, "rules_take_linear_time"),
    (globs.Globs, "admit", admits_by_match, FILTERS),
    (globs.Globs, "admit", admits_by_lower_case, FILTERS),
    (globs.Globs, "admit", unknown_is_left_out, FILTERS),
    (globs.Globs, "admit", admits_by_match, "a_refused_tool_stays_refused"),
    (index.Index, "admitting", forgets_whole_names, "the_index_is_the_scan"),
    (index.Index, "admitting", forgets_beginnings, "the_index_is_the_scan"),
    (index.Index, "admitting", forgets_endings, "the_index_is_the_scan"),
    (index.Index, "admitting", as_they_are_found, "the_index_is_the_scan"),
    (recent.Recent, "get", remembers_tools_alone, "the_index_is_the_scan"),
    (plans._Seam, "after", renames_open_nothing, "the_index_is_the_scan"),
]
REPLACED: list[tuple[Any, Any, str]] = [
    (holds, absent_faults, CLASSICAL),
    (holds, not_of_absent_is_false, CLASSICAL),
    (locate, absent_is_null, CLASSICAL),
    (locate, null_is_absent, CLASSICAL),
    (all_hold, doubt_holds, ITSELF),
    (all_hold, doubt_does_not_hold, ITSELF),
    (all_hold, first_doubt_faults, ITSELF),
    (asking, asks_those_of_the_first_name, FILTERS),
    (asking, asks_those_of_the_first_name, "a_refused_tool_stays_refused"),
]


@pytest.mark.parametrize(("where", "what", "bug", "name"), PLANTED)
def test_a_bug_in_rules_is_caught(
    where: Any, what: str, bug: Callable[..., Any], name: str, monkeypatch: pytest.MonkeyPatch, catches: Catches
) -> None:
    """The law that says what is wrong notices it."""
    with monkeypatch.context() as broken:
        broken.setattr(where, what, bug)
        assert catches(name)


@pytest.mark.parametrize(("original", "bug", "name"), REPLACED)
def test_a_bug_in_what_rules_share_is_caught(
    original: Any, bug: Any, name: str, plant: Plant, catches: Catches
) -> None:
    """The law that says what is wrong notices it, wherever the function is used."""
    plant(original, bug)
    assert catches(name)
