"""Recipes for policies, part by part, for the law of the hash: what decides, and what is only dressing."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeAlias, cast

from attrs import asdict, field, frozen

from seamlaw import AgentScoped, Policy

from .policy_domains import Composable

__all__ = ["Dressing", "Edit", "Recipe", "compiled"]

Spelled: TypeAlias = (
    bool | int | float | str | bytes | tuple[Any, ...] | frozenset[Any] | None
)  # what a source can spell


@frozen
class Dressing:
    """What changes no decision."""

    name: str = "limits"
    comment: str = ""
    docstring: str = ""
    local: str = "found"
    blank_lines: int = 0
    spaces: int = 1
    file: str = "<policy>"


@frozen
class Recipe:
    """A policy of two requirements and an activation; whatever is no dressing can change a decision."""

    constant: Spelled = 10
    operator: str = "<"
    bound_by_closure: Any = 5
    bound_by_global: Any = 5
    bound_by_default: Any = 5
    bound_by_keyword: Any = 5
    bound_by_partial: Any = 5
    bound_to_object: Any = 5
    on_fail: Literal["block", "ask", "note"] = "ask"
    severity: Literal["low", "medium", "high"] = "medium"
    reason: str = "over the limit"
    target: str | None = "finance"
    timeout_s: float | None = 60.0
    hook: Literal["pre", "post"] = "pre"
    role: str | None = None
    junction: Literal["", "&", "|"] = ""
    swapped: bool = False
    negated: bool = False
    activated_by: str | None = None
    dressing: Dressing = field(default=Dressing())

    @property
    def decides_by(self) -> str:
        """Everything that can change a decision, written down so that 1, 1.0 and True differ."""
        told = {name: value for name, value in asdict(self, recurse=False).items() if name != "dressing"}
        if self.on_fail != "ask":
            told |= {"target": None, "timeout_s": None}
        return repr({name: _spelled(value) for name, value in told.items()})

    def build(self) -> Composable:
        """Make the policy: predicates compiled from source, made by closures, bound to objects and by `partial`."""
        asks = self.on_fail == "ask"
        requirements: list[Callable[[Policy], Policy]] = [
            lambda policy: policy.require(
                self._predicate(),
                on_fail=self.on_fail,
                severity=self.severity,
                reason=self.reason,
                target=self.target if asks else None,
                timeout_s=self.timeout_s if asks else None,
                hook=self.hook,
            ),
            lambda policy: policy.require(partial(_at_most, self.bound_by_partial), reason="by partial"),
            lambda policy: policy.require(Limits(self.bound_to_object).holds, reason="by object"),
        ]
        if self.swapped:
            requirements.reverse()
        made: Any = self._policy()
        for require in requirements:
            made = require(made)
        other = Policy("other").require(Limits(self.bound_to_object), reason="by call")
        if self.junction:
            one, another = (other, made) if self.swapped else (made, other)
            made = one & another if self.junction == "&" else one | another
        made = made if self.role is None else AgentScoped(made, (self.role, "auditor"))
        return cast(Composable, ~made if self.negated else made)

    def _policy(self) -> Policy:
        made = Policy(self.dressing.name)
        if self.activated_by is not None:
            made = made.active_when(compiled("a", f"def a(call): return call.name == {self.activated_by!r}"))
        return made

    def _predicate(self) -> Callable[..., bool]:
        worn = self.dressing
        gap = " " * worn.spaces
        source = (
            "\n" * worn.blank_lines
            + "def make(bound):\n"
            + f"    # {worn.comment}\n"
            + f"    def p(call, given=DEFAULT, *, strict=KEYWORD):\n        {worn.docstring!r}\n"
            + f"        {worn.local}{gap}={gap}call.arguments.get('n', 0)  # {worn.comment}\n"
            + f"        return {worn.local}{gap}{self.operator} {_spelled(self.constant)} and "
            + f"{worn.local} in (bound, LIMIT, given,{gap}strict)\n"
            + "    return p\n"
        )
        bound = {"DEFAULT": self.bound_by_default, "KEYWORD": self.bound_by_keyword, "LIMIT": self.bound_by_global}
        return cast("Callable[..., bool]", compiled("make", source, file=worn.file, **bound)(self.bound_by_closure))


def compiled(name: str, source: str, *, file: str = "<policy>", **bound: Any) -> Callable[..., Any]:
    """Compile a source, and give what it calls `name`."""
    space: dict[str, Any] = {"__name__": "a_policy_of_yours", **bound}
    exec(compile(source, file, "exec"), space)  # noqa: S102  # a policy is made of text, to be changed as text
    return cast("Callable[..., Any]", space[name])


def _at_most(bound: Any, call: Any) -> bool:
    return bool(call.arguments.get("n") == bound)


class Limits:
    """A policy's state, kept in an object."""

    def __init__(self, bound: Any) -> None:
        self.bound = bound

    def holds(self, call: Any) -> bool:
        """Whether the bound is kept."""
        return bool(call.arguments.get("n") == self.bound)

    __call__ = holds


def _spelled(value: Any) -> str:
    if isinstance(value, frozenset):
        items = sorted(_spelled(item) for item in cast("Iterable[Any]", value))
        return "{" + ", ".join(items) + "}" if items else "frozenset()"
    return repr(value)


@frozen
class Edit:
    """A recipe before and after it was edited."""

    before: Recipe
    after: Recipe
