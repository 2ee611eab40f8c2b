"""Policies: named rules that compose with `&`, `|` and `~`.

A policy's result is one of four. A fault is an unknown (Kleene's strong logic): it decides only where whatever the
crashed part could have been gives the same result, and an unknown result blocks. What is not applicable is neutral.
`AND` is the whole theory; `|` follows from it by De Morgan, and `~` is pushed down to the named policies.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Literal, TypeAlias, cast

from attrs import evolve, field, frozen

from seamlaw._bundle import Interceptors
from seamlaw._decisions import Ask, Block, Note, Several, ask, close_unawaited, text_of
from seamlaw._interceptors import Interceptor, Takes, interceptor, takes
from seamlaw._precedence import Finding, Level, Severity, pick
from seamlaw._step import NOBODY, told
from seamlaw.errors import InvalidInterceptor
from seamlaw.values._values import Scope, ToolResult

from ._fingerprint import fingerprint

__all__ = ["AND", "NOT", "OR", "AgentScoped", "Evaluation", "Policy", "Result"]

Hook: TypeAlias = Literal["pre", "post"]
Predicate: TypeAlias = Callable[[Any], bool] | Callable[[Any, Any], bool] | Callable[[Any, Any, Any], bool]


class Result(Enum):
    """What a policy says to one call."""

    NOT_APPLICABLE = "not applicable"
    PASSED = "passed"
    FAILED = "failed"
    FAULTED = "faulted"

    __hash__ = object.__hash__  # the tables are looked up at each call, and Enum's own is Python


_N, _P, _F, _X = Result
AND: dict[Result, dict[Result, Result]] = {
    # and     not app.  passed  failed  faulted
    _N: {_N: _N, _P: _P, _F: _F, _X: _X},
    _P: {_N: _P, _P: _P, _F: _F, _X: _X},
    _F: {_N: _F, _P: _F, _F: _F, _X: _F},
    _X: {_N: _X, _P: _X, _F: _F, _X: _X},
}
NOT: dict[Result, Result] = {_N: _N, _P: _F, _F: _P, _X: _X}
OR: dict[Result, dict[Result, Result]] = {a: {b: NOT[AND[NOT[a]][NOT[b]]] for b in Result} for a in Result}
Findings: TypeAlias = Iterable[Finding]
LEVELS: dict[str, Level] = {"block": Level.BLOCK, "ask": Level.ASK, "note": Level.NOTE}


@frozen
class Evaluation:
    """A result with the failures and faults that make it, and notes, which never count."""

    result: Result
    failures: tuple[Finding, ...] = ()
    faults: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()

    def __bool__(self) -> bool:
        raise TypeError("an evaluation is neither true nor false: ask for its .result")

    def decisions(self) -> tuple[Note | Ask | Block, ...]:
        """What a gate answers: every failure, every fault (which blocks), every note."""
        return tuple(map(_decision, (*self.failures, *self.faults, *self.notes)))


_CLEAN: dict[Result, Evaluation] = {result: Evaluation(result) for result in Result}


def _evaluation(result: Result, failures: Findings, faults: Findings, notes: Findings) -> Evaluation:
    """Where the whole does not fail, no part of it does: what failed inside is nothing, a fault there is a note."""
    if result is _F or result is _X:
        return Evaluation(result, (*failures,), (*faults,), (*notes,))
    return Evaluation(result, notes=(*notes, *[evolve(fault, level=Level.NOTE) for fault in faults]))


def _decision(finding: Finding) -> Note | Ask | Block:
    match finding.level:
        case Level.BLOCK:
            return Block(finding.reason, finding.severity)
        case Level.ASK:
            return Ask(finding.reason, finding.target, finding.timeout_s, finding.severity)
        case _:
            return Note(finding.reason, finding.severity)


@frozen
class Requirement:
    """A predicate that must answer `True`, and what it means when it does not."""

    predicate: Predicate
    finding: Finding
    hook: Hook
    takes: Takes = field(eq=False, repr=False)

    def check(self, offered: tuple[Any, ...], scope: Scope) -> tuple[Result, Finding]:
        """Ask the predicate: only `True` passes and only `False` fails, all else is a fault."""
        try:
            answer = self.takes.call(self.predicate, offered, scope)
            if answer is True or answer is False:
                return (_P if answer else _F), self.finding
            close_unawaited(answer)
            problem = f"answered {text_of(type(answer).__name__)} where True or False is due"
        except Exception as error:
            problem = told(error)
        return _X, evolve(
            self.finding,
            level=Level.BLOCK,
            severity=Severity.HIGH,
            reason=f"policy error: {self.finding.source} {problem}",
        )


class Composable(ABC):
    """What every policy can do."""

    __slots__ = ()

    @property
    @abstractmethod
    def label(self) -> str:
        """What a log calls it."""

    @property
    @abstractmethod
    def requires(self) -> bool:
        """Whether anything is required at all."""

    @abstractmethod
    def evaluate(self, hook: Hook, *offered: Any, scope: Scope | None = None) -> Evaluation:
        """Judge a call before it runs (`pre`: the call), or its result (`post`: the result, the call)."""

    @abstractmethod
    def __invert__(self) -> "Composable": ...

    @abstractmethod
    def structure(self) -> object:
        """Everything that can change a decision, and nothing else."""

    def __and__(self, other: "Composable") -> "Combined":
        return Combined("&", self, other)

    def __or__(self, other: "Composable") -> "Combined":
        return Combined("|", self, other)

    def __bool__(self) -> bool:
        raise TypeError("a policy is neither true nor false: combine policies with &, | and ~, not and, or, not")

    @property
    def policy_hash(self) -> str:
        """A SHA-256 over all that can change a decision; read anew each time, for bound values may change."""
        return fingerprint(self.structure())

    def as_gate(self, *, tools: str | Iterable[str] = (), agents: str | Iterable[str] = ()) -> Interceptor:
        """Make it a gate: its `pre` rules judge at `tool_call`, its `post` rules at `tool_result`.

        Raises `InvalidInterceptor` for a policy that requires nothing: `require` gives back a new one.
        """
        if not self.requires:
            raise InvalidInterceptor(f"{self.label} requires nothing; require() gives back a new policy")
        return interceptor(cast(Any, self._judge), name=self.label, mode="gate", tools=tools, agents=agents)

    def interceptors(self) -> Interceptors:
        """A bundle in which it judges both seams."""
        return Interceptors(tool_call=[self.as_gate()], tool_result=[self.as_gate()])

    def _judge(self, *offered: Any, scope: Scope) -> Several | None:
        hook: Hook = "post" if isinstance(offered[0], ToolResult) else "pre"
        found = self.evaluate(hook, *offered, scope=scope).decisions()
        return Several(found) if found else None


@frozen
class Policy(Composable):
    """Named requirements, all of which must hold while the policy is active; immutable, built by `require`."""

    name: str
    requirements: tuple[Requirement, ...] = ()
    activations: tuple[tuple[Predicate, Takes], ...] = ()
    negated: bool = False

    def require(
        self,
        predicate: Predicate,
        *,
        on_fail: Literal["block", "ask", "note"] = "block",
        reason: str | None = None,
        severity: Severity | str = Severity.MEDIUM,
        target: str | None = None,
        timeout_s: float | None = None,
        hook: Hook = "pre",
    ) -> "Policy":
        """Give back this policy with one requirement more; the predicate takes what an interceptor would.

        Raises `InvalidInterceptor` for a predicate that cannot answer at once and for options that do not fit each
        other, `InvalidValue` for a severity or a time-out that is none.
        """
        told_name = getattr(predicate, "__name__", type(predicate).__name__)
        wanted = takes(predicate, f"the predicate {told_name} of {self.name}", 2 if hook == "post" else 1)
        if on_fail not in LEVELS or hook not in ("pre", "post"):
            raise InvalidInterceptor(f"{self.name}: on_fail is block, ask or note, and hook is pre or post")
        if on_fail != "ask" and not (target is None and timeout_s is None):
            raise InvalidInterceptor(f"{self.name}: target and timeout_s go with on_fail='ask'")
        if self.negated:
            raise InvalidInterceptor(f"{self.name} is negated: require first, then ~")
        said = ask(
            f"{told_name} must hold" if reason is None else reason,
            target=target,
            timeout_s=timeout_s,
            severity=severity,
        )
        finding = Finding(LEVELS[on_fail], said.reason, self.name, said.severity, target, timeout_s)
        return evolve(self, requirements=(*self.requirements, Requirement(predicate, finding, hook, wanted)))

    def active_when(self, predicate: Predicate) -> "Policy":
        """Give back this policy, applying only where the predicate, shown the call, does not answer `False`.

        One that crashes, or answers anything else, applies (law `a_crashing_activation_is_active`).
        """
        wanted = takes(predicate, f"the activation of {self.name}", 1)
        return evolve(self, activations=(*self.activations, (predicate, wanted)))

    def evaluate(self, hook: Hook, *offered: Any, scope: Scope | None = None) -> Evaluation:
        """Judge by all requirements of a hook; those that only note never change the result."""
        scope = scope or NOBODY
        if hook not in ("pre", "post"):
            raise InvalidInterceptor("hook is 'pre' or 'post'")
        asked = self.activations
        if asked and not all(_active(predicate, wanted, _call(offered), scope) for predicate, wanted in asked):
            return _CLEAN[_N]
        result, mine = _N, [requirement for requirement in self.requirements if requirement.hook == hook]
        failures: list[Finding] = []
        faults: list[Finding] = []
        notes: list[Finding] = []
        for requirement in mine:
            said, finding = requirement.check(offered, scope)
            if requirement.finding.level is Level.NOTE and said is not _X:
                notes += [finding] if said is _F else []
                continue
            result = AND[result][said]
            failures += [finding] if said is _F else []
            faults += [finding] if said is _X else []
        if self.negated:
            result = NOT[result]
            failures = [_must_not_hold([r.finding for r in mine])] if result is _F else []
        return _evaluation(result, failures, faults, notes) if failures or faults or notes else _CLEAN[result]

    @property
    def requires(self) -> bool:
        """Whether it has a requirement."""
        return bool(self.requirements)

    @property
    def label(self) -> str:
        """Its name, with a `~` if it is negated."""
        return f"~{self.name}" if self.negated else self.name

    def __invert__(self) -> "Policy":
        return evolve(self, negated=not self.negated)

    def structure(self) -> object:
        """Everything that can change a decision: not the name."""
        rules = [(r.predicate, r.takes.scope, *_told(r.finding), r.hook) for r in self.requirements]
        return "policy", self.negated, rules, [(predicate, wanted.scope) for predicate, wanted in self.activations]


def _call(offered: tuple[Any, ...]) -> tuple[Any, ...]:
    """The call, which stands beside a result and is else the value itself."""
    return offered[1:2] if isinstance(offered[0], ToolResult) and len(offered) > 1 else offered[:1]


def _active(predicate: Predicate, wanted: Takes, offered: tuple[Any, ...], scope: Scope) -> bool:
    try:
        answer = wanted.call(predicate, offered, scope)
        close_unawaited(answer)
        return answer is not False
    except Exception:
        return True


def _must_not_hold(findings: list[Finding]) -> Finding:
    enforced = [finding for finding in findings if finding.level is not Level.NOTE]
    worst = pick(enforced) or findings[0]
    return evolve(worst, reason="must not hold: " + "; ".join(finding.reason for finding in enforced))


def _told(finding: Finding) -> tuple[object, ...]:
    return finding.level.value, finding.reason, finding.severity.value, finding.target, finding.timeout_s


TABLES: dict[str, dict[Result, dict[Result, Result]]] = {"&": AND, "|": OR}


def _operand(given: Composable) -> Composable:
    if not isinstance(cast(object, given), Composable):
        raise TypeError(f"& and | combine policies, not {type(given).__name__}")
    return given


@frozen
class Combined(Composable):
    """Two policies under `&` or `|`."""

    operator: Literal["&", "|"]
    left: Composable = field(converter=_operand)
    right: Composable = field(converter=_operand)

    @property
    def requires(self) -> bool:
        """Whether one of them has a requirement."""
        return self.left.requires or self.right.requires

    @property
    def label(self) -> str:
        """The labels of both, with the operator between."""
        return f"({self.left.label} {self.operator} {self.right.label})"

    def evaluate(self, hook: Hook, *offered: Any, scope: Scope | None = None) -> Evaluation:
        """Ask both, always, so that every failure is reported."""
        a, b = (
            self.left.evaluate(hook, *offered, scope=scope),
            self.right.evaluate(hook, *offered, scope=scope),
        )
        result = TABLES[self.operator][a.result][b.result]
        return _evaluation(result, a.failures + b.failures, a.faults + b.faults, a.notes + b.notes)

    def __invert__(self) -> "Combined":
        return Combined("|" if self.operator == "&" else "&", ~self.left, ~self.right)

    def structure(self) -> object:
        """The operator and both structures."""
        return self.operator, self.left.structure(), self.right.structure()


def _roles(given: str | Iterable[str]) -> tuple[str, ...]:
    roles = (given,) if isinstance(given, str) else tuple(given)
    if not roles or not all(isinstance(cast(object, role), str) for role in roles):
        raise InvalidInterceptor("roles are one name, or a list of names that is not empty")
    return roles


@frozen
class AgentScoped(Composable):
    """A policy for callers of certain roles; a caller without a role is not known, so it applies to them too."""

    policy: Composable = field(converter=_operand)
    roles: tuple[str, ...] = field(converter=_roles)

    @property
    def requires(self) -> bool:
        """Whether the policy has a requirement."""
        return self.policy.requires

    @property
    def label(self) -> str:
        """The policy's label."""
        return self.policy.label

    def evaluate(self, hook: Hook, *offered: Any, scope: Scope | None = None) -> Evaluation:
        """Judge by the policy, if the caller's role is one of these, or unknown."""
        role = scope.role if scope else None
        applies = role is None or role in self.roles
        return self.policy.evaluate(hook, *offered, scope=scope) if applies else Evaluation(_N)

    def __invert__(self) -> "AgentScoped":
        return AgentScoped(~self.policy, self.roles)

    def structure(self) -> object:
        """The roles, in any order, and the policy's structure."""
        return "roles", frozenset(self.roles), self.policy.structure()
