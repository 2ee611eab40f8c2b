"""What is found about a bundle without a solver: who can never be consulted, and who can be slipped past."""

from collections.abc import Iterable, Iterator
from typing import Any

from seamlaw import SEAMS, TOOL_CALL, TOOL_RESULT, Interceptor, Interceptors, Seam
from seamlaw_spec.kit._explore import explore
from seamlaw_spec.kit._parts import Subject, parts_of
from seamlaw_spec.kit._seam_of import seam_of

from ._finding import Finding, Level

__all__ = ["about_bundle", "about_policies", "about_tools"]


def about_bundle(subject: Subject, examples: int) -> Iterator[Finding]:
    """Everything that is found about whom a bundle consults where."""
    bundle = subject.fresh()
    if not bundle:
        yield Finding(Level.ERROR, "empty", subject.name, "it consults nobody: everything passes")
        return
    for seam in SEAMS.values():
        for asked in bundle.at(seam):
            yield from _misplaced(asked, seam)
    yield from _slipped_past(subject, examples)


def _misplaced(asked: Interceptor, seam: Seam[Any]) -> Iterator[Finding]:
    """One that asks for what the values of its seam do not have."""
    if asked.function is None or hasattr(getattr(asked.function, "__self__", None), "as_gate"):
        return
    meant = seam_of(asked)
    if meant is not seam and meant is not TOOL_CALL:
        problem = f"it looks made for {meant.name}, and stands at {seam.name}"
        yield Finding(Level.WARNING, "misplaced", f"{seam.name}: {asked.name}", problem)


def _slipped_past(subject: Subject, examples: int) -> Iterator[Finding]:
    """One of the chain that only blocks, with a rewriter after it: what it would block may be made there."""
    parts = [part for part in parts_of(subject) if not part.is_gate]
    said = {part: explore(part, examples=examples).counts for part in parts}
    for part in parts:
        only_stops = "replace" not in said[part] and bool({"block", "ask"} & set(said[part]))
        after = [other for other in parts if other.seam == part.seam and other.at > part.at]
        rewriter = next((other for other in after if "replace" in said[other]), None)
        if only_stops and rewriter is not None:
            problem = f"it only blocks, but {rewriter.name} rewrites after it: make it a gate, which sees what runs"
            yield Finding(Level.WARNING, "slipped past", part.label, problem)


def about_policies(bundle: Interceptors) -> Iterator[Finding]:
    """A policy whose rules for results are installed nowhere, or whose gate stands where it has nothing to say."""
    for seam, hook in ((TOOL_CALL, "pre"), (TOOL_RESULT, "post")):
        for asked in bundle.at(seam):
            policy = getattr(asked.function, "__self__", None)
            hooks = _hooks(policy)
            if hooks and hook not in hooks:
                problem = f"it has no {hook} rules, so that here it never says anything"
                yield Finding(Level.WARNING, "no rules here", f"{seam.name}: {asked.name}", problem)
            other = TOOL_RESULT if seam is TOOL_CALL else TOOL_CALL
            missing = {"pre": "post", "post": "pre"}[hook]
            if missing in hooks and asked.name not in [one.name for one in bundle.at(other)]:
                problem = f"its {missing} rules are installed nowhere: give its gate at {other.name} too"
                yield Finding(Level.ERROR, "not installed", f"{seam.name}: {asked.name}", problem)


def _hooks(policy: Any) -> set[str]:
    inner = [getattr(policy, name) for name in ("left", "right", "policy") if hasattr(policy, name)]
    own = {requirement.hook for requirement in getattr(policy, "requirements", ())}
    return own.union(*map(_hooks, inner))


def about_tools(bundle: Interceptors, tools: Iterable[str]) -> Iterator[Finding]:
    """A glob that lets no tool through that there is."""
    known = list(tools)
    for seam in SEAMS.values():
        for asked in bundle.ordered(seam):
            for glob in asked.tools.patterns:
                alone = type(asked.tools)((glob,))
                if not any(map(alone.admit, known)):
                    yield Finding(
                        Level.WARNING, "no such tool", f"{seam.name}: {asked.name}", f"no tool is called {glob}"
                    )
