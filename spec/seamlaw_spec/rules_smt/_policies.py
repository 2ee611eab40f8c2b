"""A policy of rules as formulas over one call: what each rule says, what is filled in, and the verdict."""

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from seamlaw import Default, Filter, Rule

from ._demands import INDEX, Demand
from ._json import Json, choose, constant, unknown
from ._texts import Texts
from ._truths import Truth, all_hold, condition_truth, if_then
from ._z3 import all_of, any_of, negation, z3

__all__ = ["Asked", "Judged", "Said", "asked_of", "judge"]


@frozen(eq=False)
class Asked:
    """A call, known or not: its tool, its arguments, and the agent who calls, if that is known."""

    tool: Any
    arguments: Json
    agent: Any
    agent_known: Any
    claims: tuple[Any, ...] = ()  # what holds of every call


def asked_of(demand: Demand, texts: Texts) -> Asked:
    """Any call."""
    claims: list[Any] = []
    arguments = unknown("arguments", demand, texts, claims)
    tool, agent = z3.String("tool"), z3.String("agent")
    claims += [arguments.is_a("object"), z3.InRe(tool, texts.anything), z3.InRe(agent, texts.anything)]
    return Asked(tool, arguments, agent, z3.Bool("agent known"), tuple(claims))


@frozen(eq=False)
class Said:
    """What one rule says: that it is for this call, that its conditions hold, that they cannot be told."""

    rule: Rule | Default
    concerns: Any
    truth: Truth
    impossible: Any = False  # of a default: where it should fill, nothing can be put

    @property
    def acts(self) -> Any:
        """It does what it says."""
        return all_of((self.concerns, self.truth.yes, negation(self.impossible)))

    @property
    def faults(self) -> Any:
        """It cannot tell, or cannot do it, which blocks."""
        broken = any_of((self.truth.unknown, all_of((self.truth.yes, self.impossible))))
        return all_of((self.concerns, broken))

    @property
    def blocks(self) -> Any:
        """It blocks the call."""
        refuses = isinstance(self.rule, Rule) and self.rule.verb == "refuse"
        return any_of((self.faults, self.acts if refuses else False))

    @property
    def asks(self) -> Any:
        """It wants somebody to be asked."""
        return self.acts if isinstance(self.rule, Rule) and self.rule.verb == "ask" else False


@frozen(eq=False)
class Judged:
    """A call under a policy: what each rule says, and what comes of it."""

    said: tuple[Said, ...]
    filled: Json

    @property
    def blocks(self) -> Any:
        """Whether the call is blocked."""
        return any_of(one.blocks for one in self.said)

    @property
    def asks(self) -> Any:
        """Whether somebody is asked, and nothing blocks."""
        return all_of((negation(self.blocks), any_of(one.asks for one in self.said)))

    @property
    def strict(self) -> Any:
        """Whether the call may not simply proceed."""
        return any_of((self.blocks, *(one.asks for one in self.said)))


def judge(rules: Iterable[Rule | Default], asked: Asked, texts: Texts, demand: Demand) -> Judged:
    """Judge a call: defaults fill in, one after the other, and then all rules judge what is there."""
    listed = list(rules)
    arguments, said = asked.arguments, dict[int, Said]()
    for at, rule in enumerate(listed):
        if isinstance(rule, Default):
            arguments, said[at] = _fill(rule, asked, arguments, texts, demand)
    for at, rule in enumerate(listed):
        if isinstance(rule, Rule):
            said[at] = Said(rule, _concerns(rule.only, asked, texts), _truth(rule.only, arguments, texts))
    return Judged(tuple(said[at] for at in range(len(listed))), arguments)


def _concerns(only: Filter, asked: Asked, texts: Texts) -> Any:
    of_agent = any_of((negation(asked.agent_known), texts.admits(only.agents, asked.agent)))
    return all_of((texts.admits(only.tools, asked.tool), of_agent))


def _truth(only: Filter, arguments: Json, texts: Texts) -> Truth:
    denied = (condition_truth(condition, arguments, texts).opposite() for condition in only.unless)
    return all_hold((*(condition_truth(condition, arguments, texts) for condition in only.when), *denied))


def _fill(rule: Default, asked: Asked, arguments: Json, texts: Texts, demand: Demand) -> tuple[Json, Said]:
    lacks, fits, strays = _lacks(arguments, rule.at)
    truth, concerns = _truth(rule.only, arguments, texts), _concerns(rule.only, asked, texts)
    wanted = any_of((lacks, strays))
    applies = Truth(all_of((truth.yes, wanted)), truth.unknown)
    said = Said(rule, concerns, applies, any_of((strays, all_of((lacks, negation(fits))))))
    inner = demand
    for key in rule.at:
        inner = inner.field(key)
    return _put(arguments, rule.at, constant(rule.value, inner, texts), said.acts), said


def _lacks(value: Json, keys: tuple[str, ...]) -> tuple[Any, Any, Any]:
    """Whether nothing stands at a pointer, whether something can be put there, whether the pointer leads astray."""
    if not keys:
        return value.is_a("absent"), True, False
    key, rest = keys[0], keys[1:]
    there, fits, astray = _lacks(value.field(key), rest)
    in_object = Truth(there, astray)
    in_array = _in_array(value, keys)
    nowhere = if_then(value.is_a("null", "absent"), Truth(True), Truth(False, True))
    found = if_then(value.is_a("object"), in_object, if_then(value.is_a("array"), in_array, nowhere))
    can = any_of((value.is_a("absent"), all_of((value.is_a("object"), fits))))
    return found.yes, can, found.unknown


def _in_array(value: Json, keys: tuple[str, ...]) -> Truth:
    if not INDEX.fullmatch(keys[0]) or value.is_a("array") is False:
        return Truth(False, True)
    there, _, astray = _lacks(value.item(int(keys[0])), keys[1:])
    return Truth(there, astray)


def _put(value: Json, keys: tuple[str, ...], new: Json, condition: Any) -> Json:
    """A value with another put in at a pointer, if a condition holds."""
    if not keys:
        return choose(condition, new, value)
    key, field = keys[0], value.field(keys[0])
    grows = field.is_a("absent")
    was = _if(value.is_a("object"), value.size, 0)
    size = was + _if(grows, 1, 0)
    fields = {**value.fields, key: _put(field, keys[1:], new, condition)}
    return Json(
        _if(condition, 6, value.kind),
        value.boolean,
        value.number,
        value.text,
        _if(condition, size, value.size),
        fields,
        value.items,
        value.others,
    )


def _if(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, bool):
        return a if condition else b
    return z3.If(condition, a, b)
