"""Make a subject of whatever somebody calls a policy."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, cast

from seamlaw import TOOL_CALL, TOOL_RESULT, Interceptor, Interceptors, Rule, Seam, SeamlawError, interceptor, merge

from ._named import Named, find
from ._parts import Part, Subject, parts_of
from ._seam_of import seam_of
from .errors import NotAPolicy

__all__ = ["hooks", "part_of", "subject_of"]

TAKEN = (
    "a bundle, something with interceptors(), a Policy, an interceptor, a rule, a callable, a list of these, "
    "or a function of nothing that makes one"
)


def subject_of(policy: object, *, name: str = "") -> Subject:
    """Take a policy, or the text `module:name`, `file.py:name` or `policy.toml` that names one.

    A function of nothing, or a class, is a factory: each trace gets a fresh policy. Anything else is copied for each,
    where that makes a difference. Raises `NotAPolicy`.
    """
    if isinstance(policy, Subject):
        return policy
    named = find(policy) if isinstance(policy, str) else Named(policy, name or _name(policy), "policy")
    try:
        return _subject(named)
    except NotAPolicy:
        raise
    except SeamlawError as error:
        raise NotAPolicy(named.name, str(error)) from error
    except Exception as error:
        raise NotAPolicy(named.name, f"{type(error).__name__}: {error}") from error


def part_of(policy: object, seam: str = "", at: int = 0, *, secrets: Iterable[str] = (), budget_s: float = 0.1) -> Part:
    """One part of a policy: the `at`th consulted at a seam, or of all where no seam is named."""
    subject = subject_of(policy)
    found = [
        part
        for part in parts_of(subject, secrets=secrets, budget_s=budget_s)
        if part.seam.name == (seam or part.seam.name)
    ]
    if at >= len(found):
        raise NotAPolicy(subject.name, f"has {len(found)} parts {f'at {seam}' if seam else 'in all'}, and none at {at}")
    return found[at]


def _name(policy: object) -> str:
    for told in ("name", "label", "__name__"):
        found = getattr(policy, told, None)
        if isinstance(found, str) and found:
            return found
    return type(policy).__name__


def _subject(named: Named) -> Subject:
    found = named.found
    if _is_factory(found):
        make = cast("Callable[[], object]", found)
        bundle_of(make())  # so that what is wrong is told now
        return Subject(named.name, lambda: bundle_of(make()), named.code)
    bundle = bundle_of(found)
    return Subject(named.name, lambda: bundle, named.code, is_factory=False)


def _is_factory(found: object) -> bool:
    if isinstance(found, Interceptor | Interceptors | Rule) or not callable(found) or hasattr(found, "as_gate"):
        return isinstance(found, type)
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


def bundle_of(found: Any) -> Interceptors:
    """Make a bundle of a policy; raises `NotAPolicy`."""
    if isinstance(found, Interceptors):
        return found
    if isinstance(found, list | tuple):
        return merge(*map(bundle_of, cast("list[object]", found))) or Interceptors()
    if hasattr(found, "as_gate"):
        gate: Interceptor = found.as_gate()
        return merge(*(_at(seam, gate) for seam in hooks(found))) or Interceptors()
    if hasattr(found, "as_interceptor"):
        return Interceptors(rules=(found,))
    if callable(getattr(found, "interceptors", None)):
        return bundle_of(found.interceptors())
    if callable(found):
        made = found if isinstance(found, Interceptor) else interceptor(found)
        return _at(seam_of(made), made)
    raise NotAPolicy(type(found).__name__, f"is no policy; it can be {TAKEN}")


def _at(seam: Seam[Any], made: Interceptor) -> Interceptors:
    at: dict[str, Any] = {seam.name: (made,)}
    return Interceptors(**at)


def hooks(policy: Any) -> tuple[Seam[Any], ...]:
    """The seams at which a policy has something to say: that of its `pre` rules, that of its `post` rules."""
    said = set(_said(policy))
    return tuple(seam for hook, seam in (("pre", TOOL_CALL), ("post", TOOL_RESULT)) if hook in said) or (TOOL_CALL,)


def _said(policy: Any) -> list[str]:
    inner = [getattr(policy, name) for name in ("left", "right", "policy") if hasattr(policy, name)]
    own = [requirement.hook for requirement in getattr(policy, "requirements", ())]
    return own + [hook for part in inner for hook in _said(part)]
