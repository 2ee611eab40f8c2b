"""What an extension declares, made into interceptors; what cannot stand is refused, with its place."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from seamlaw import (
    SEAMS,
    Interceptor,
    Interceptors,
    InvalidInterceptor,
    InvalidRule,
    gate,
    observer,
    parse_rules,
    rewriter,
)
from seamlaw.policy import Default, Rule

from ._protocol import INTERCEPTORS_PER_SEAM, Declared, Manifest
from .errors import Garbage

__all__ = ["Introduced", "introduced"]

EVERY = "*"  # tool


@frozen(eq=False)
class Introduced:
    """A manifest that was taken: what it says, its digest, and the rules in it."""

    manifest: Manifest
    digest: str
    rules: tuple[Rule | Default, ...]

    @property
    def intercept(self) -> tuple[str, ...]:
        """What it may do, as a pack declares it: where it is asked, and where its rules stand; in order."""
        asked = [(one.seam, one.tools or (EVERY,)) for one in self.manifest.interceptors]
        ruled = [("tool_call", rule.as_interceptor().tools.patterns or (EVERY,)) for rule in self.rules]
        return tuple(sorted({_declared(seam, tool) for seam, tools in (*asked, *ruled) for tool in tools}))


def _declared(seam: str, tool: str) -> str:
    return seam if tool == EVERY else f"{seam}:{tool}"


def introduced(manifest: Manifest, digest: str, expected: str | None) -> Introduced:
    """Take a manifest; raises `Garbage` with the place of what cannot stand."""
    if expected is not None and manifest.name != expected:
        raise Garbage(f"calls itself {manifest.name}, and was to be {expected}")
    seams = Counter(one.seam for one in manifest.interceptors)
    for seam, count in seams.items():
        if count > INTERCEPTORS_PER_SEAM:
            raise Garbage(f"has {count} interceptors at {seam}, more than {INTERCEPTORS_PER_SEAM}")
    names = Counter(one.name for one in manifest.interceptors)
    for index, one in enumerate(manifest.interceptors):
        problem = "a name that another has, too" if names[one.name] > 1 else _problem(one, manifest.name)
        if problem:
            raise Garbage(f"has an interceptor with {problem} (interceptors[{index}])")
    return Introduced(manifest, digest, _rules(manifest))


def _problem(one: Declared, extension: str) -> str:
    if one.mode == "observer" and SEAMS[one.seam].call_at is None:
        return f"nothing to observe: at {one.seam} nothing is executed"
    if one.mode != "rewriter" and not one.denies:
        return "denies = false, which is for rewriters"
    try:
        made(one, extension, lambda *_: None)
    except InvalidInterceptor:
        return "a glob that is none, or with tools where no tool is known"
    return ""


def _rules(manifest: Manifest) -> tuple[Rule | Default, ...]:
    try:
        rules = parse_rules(list(manifest.rules))
    except InvalidRule as error:
        raise Garbage(f"has a rule that cannot be read ({error.place})") from None
    named = (f"{manifest.name}/{rule.name or rule.place}" for rule in rules)
    return tuple(evolve(rule, name=name) for rule, name in zip(rules, named, strict=True))


def made(declared: Declared, extension: str, function: Callable[..., Any]) -> Interceptor:
    """Make what stands in a bundle; raises `InvalidInterceptor`."""
    name = f"{extension}/{declared.name}"
    only: Any = {"name": name, "tools": declared.tools, "agents": declared.agents}
    if declared.mode == "observer":
        found = observer(function, **only)
    elif declared.mode == "gate":
        found = gate(function, **only)
    else:
        found = rewriter(function, **only, on_fault="close" if declared.denies else None)
    at: dict[str, Any] = {declared.seam: [found]}
    Interceptors(**at)  # which holds it to its seam
    return found
