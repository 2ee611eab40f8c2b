"""What a policy expects of its host: that tools are covered, that asks reach somebody, that callers are known."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from seamlaw import SEAMS, TOOL_CALL, AgentScoped, Ask, Interceptor, Interceptors, Rule

if TYPE_CHECKING:
    from seamlaw_spec.kit import Subject
    from seamlaw_spec.lint import Finding

__all__ = ["about_host"]

EXAMPLES = 100


def about_host(
    subject: "Subject", *, tools: Iterable[str] = (), handlers: Iterable[str] = (), roles: Iterable[str] = ()
) -> "Iterator[Finding]":
    """Find what the host must have for a policy to do what it says, as far as tools, handlers and roles are named."""
    bundle, registered = subject.fresh(), frozenset(handlers)
    yield from _uncovered(bundle, tools)
    yield from _unreached(subject, registered) if registered else ()
    yield from _unidentified(bundle, frozenset(roles))


def _uncovered(bundle: Interceptors, tools: Iterable[str]) -> "Iterator[Finding]":
    """A tool that nobody is asked about before it runs."""
    from seamlaw_spec.lint import Finding, Level

    asked = [one for one in bundle.ordered(TOOL_CALL) if one.function is not None]
    for tool in tools if asked else ():
        if not any(one.tools.admit(tool) for one in asked):
            problem = "nobody is asked about it: it runs ungoverned, unless Engine(default='deny') blocks it"
            yield Finding(Level.WARNING, "uncovered tool", tool, problem)


def _unreached(subject: "Subject", registered: frozenset[str]) -> "Iterator[Finding]":
    """An ask that nobody who is registered can be asked."""
    from seamlaw_spec.lint import Finding, Level

    for about, target in dict.fromkeys(_asks(subject)):
        scheme, named, _ = (target or "").partition("://")
        if target is None:
            problem = "an ask names no target: it is refused, unless Approvals(default_target=…) names one"
            yield Finding(Level.WARNING, "no target", about, problem)
        elif not named or scheme.lower() not in registered:
            said = f"{scheme}://" if named else "its target, which is no URI"
            yield Finding(Level.ERROR, "missing handler", about, f"nobody is registered for {said}: it is refused")


def _asks(subject: "Subject") -> Iterator[tuple[str, str | None]]:
    """Give the targets of asks: of rules and policies as they are written, of code as far as it is found to ask."""
    from seamlaw_spec.kit._explore import explore
    from seamlaw_spec.kit._parts import parts_of

    for part in parts_of(subject):
        rule, policy = part.rule(), getattr(part.fresh().function, "__self__", None)
        written = list(_written(policy))
        if rule is not None:
            yield from [(part.label, rule.target)] if isinstance(rule, Rule) and rule.verb == "ask" else ()
        elif written:
            yield from ((part.label, target) for target in written)
        else:
            for shown in explore(part, examples=EXAMPLES).telling:
                for entry in part.after(())(shown).entries:
                    if isinstance(entry.answer, Ask):
                        yield part.label, entry.answer.target


def _written(policy: Any) -> Iterator[str | None]:
    for requirement in getattr(policy, "requirements", ()):
        if requirement.finding.level.value == "ask":
            yield requirement.finding.target
    for inner in _within(policy):
        yield from _written(inner)


def _within(policy: Any) -> Iterator[Any]:
    return (getattr(policy, name) for name in ("left", "right", "policy") if hasattr(policy, name))


def _unidentified(bundle: Interceptors, known: frozenset[str]) -> "Iterator[Finding]":
    """A policy for some callers, which judges those who are not known as well."""
    from seamlaw_spec.lint import Finding, Level

    for about, said, roles in dict.fromkeys(_limits(bundle)):
        unknown = sorted(set(roles) - known) if known else []
        if unknown:
            problem = f"nobody has the role {', '.join(unknown)}"
            yield Finding(Level.WARNING, "no such role", about, problem)
        problem = f"it is for {said} alone, and judges whoever is not known as well: say who is calling"
        yield Finding(Level.NOTE, "needs identity", about, f"{problem}, by Engine(agent=…, registry=…) or session(…)")


def _limits(bundle: Interceptors) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for seam in SEAMS.values():
        for one in bundle.ordered(seam):
            about = f"{seam.name}: {one.name}"
            if one.agents.patterns:
                yield about, f"the agents {', '.join(one.agents.patterns)}", ()
            for roles in _roles(one):
                yield about, f"the roles {', '.join(roles)}", roles


def _roles(one: Interceptor) -> Iterator[tuple[str, ...]]:
    left = [getattr(one.function, "__self__", None)]
    while left:
        policy = left.pop()
        if isinstance(policy, AgentScoped):
            yield policy.roles
        left += _within(policy)
