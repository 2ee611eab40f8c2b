"""`merge` and `Interceptors.ordered`, run on bundles and lists of tokens."""

from collections.abc import Callable
from itertools import product
from typing import Any

from attrs import define, fields

from seamlaw import MEMORY, TOOL_CALL, Interceptor, Interceptors, Seam

from ._opaque import Looked, NotExtracted
from ._runs import require, same, words

__all__ = ["run_merge", "run_ordered"]

OWN: tuple[Seam[Any], ...] = (Seam("first_of_a_host", int), Seam("second_of_a_host", int))
FIELDS = tuple(one.name for one in fields(Interceptors) if one.init and one.name != "seams")


@define(eq=False)
class _Rule:
    """A rule that is told from others by identity."""

    made: Interceptor

    def as_interceptor(self) -> Interceptor:
        return self.made


def _says_nothing(_: object) -> None:
    """Never asked."""


def _listener(name: str) -> Interceptor:
    return Interceptor(_says_nothing, name)


def _bundle(*held: str) -> Interceptors:
    """A bundle with two of its own in each of these fields, and for each seam of a host."""
    given: dict[str, Any] = {name: [_listener(f"{name} {at}") for at in range(2)] for name in held if name in FIELDS}
    if "rules" in held:
        given["rules"] = [_Rule(_listener("rule"))]
    own = {seam: [_listener(seam.name)] for seam in OWN if seam.name in held}
    return Interceptors(**given, seams=own)


KINDS: dict[str, Callable[[], Interceptors | None]] = {
    "None": lambda: None,
    "empty": _bundle,
    "one seam": lambda: _bundle("tool_call"),
    "others": lambda: _bundle("tool_call", "memory", "rules", OWN[0].name),
    "all": lambda: _bundle(*FIELDS, OWN[0].name, OWN[1].name),
}


def run_merge(merge: Callable[..., Any]) -> int:
    """Merge every sequence of up to three bundles, and of four that are small; gives the number of runs."""
    count = 0
    for word in (*words(KINDS, 3), *product(("None", "empty", "one seam"), repeat=4)):
        given = [KINDS[kind]() for kind in word]
        before = [_parts(bundle) for bundle in given]
        try:
            came = merge(*given)
        except (Looked, Exception) as error:
            raise NotExtracted("token runs", "merge", f"{type(error).__name__} {error} at {word}") from error
        contributing = [bundle for bundle, kind in zip(given, word, strict=True) if kind not in ("None", "empty")]
        if len(contributing) < 2:
            require(came is (contributing[0] if contributing else None), "merge", f"is not that one at {word}")
        else:
            due = {key: [x for one in contributing for x in _parts(one)[key]] for key in _parts(None)}
            require(type(came) is Interceptors and _same(_parts(came), due), "merge", f"joins otherwise at {word}")
        unchanged = all(_same(_parts(bundle), parts) for bundle, parts in zip(given, before, strict=True))
        require(unchanged, "merge", f"changes what it is given at {word}")
        count += 1
    return count


def _parts(bundle: Interceptors | None) -> dict[str, list[object]]:
    """What a bundle holds, field by field, and for each seam of a host."""
    own = {seam.name: [] if bundle is None else list[object](bundle.at(seam)) for seam in OWN}
    return {name: [] if bundle is None else list[object](getattr(bundle, name)) for name in FIELDS} | own


def _same(a: dict[str, list[object]], b: dict[str, list[object]]) -> bool:
    return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)


@define(eq=False)
class _One:
    is_gate: bool


@define(eq=False)
class _Listed:
    """A bundle that knows what was given for any seam, and its rules."""

    given: tuple[_One, ...]
    by_rule: tuple[_One, ...]

    def at(self, seam: object) -> tuple[_One, ...]:
        del seam
        return self.given


def run_ordered(ordered: Callable[..., Any]) -> int:
    """Order every sequence of up to four of the chain and gates, beside up to three rules; gives the number."""
    count = 0
    for mine, rules in product(words((False, True)), words((False, True), 3)):
        listed = _Listed(tuple(map(_One, mine)), tuple(map(_One, rules)))
        for seam in (TOOL_CALL, MEMORY):
            kinds = (listed.by_rule if seam is TOOL_CALL else (), listed.given)
            due = [one for gates in (False, True) for kind in kinds for one in kind if one.is_gate is gates]
            came = ordered(listed, seam)
            require(same(came, due), "ordered", f"orders otherwise at {mine} with the rules {rules}")
            count += 1
    return count
