"""`pick` and `all_hold`, run on tokens, with truth values that take every path; and `Seam.keep`."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from attrs import define, evolve

from seamlaw.policy._conditions import Mismatch

from ._forks import Fork, Forks, paths
from ._opaque import Looked, NotExtracted, Opaque
from ._runs import LONGEST, OneShot, leaves, raiser, require, same, words
from ._shipped import regrounded

__all__ = ["run_all_hold", "run_keep", "run_pick"]


def run_pick(pick: Callable[..., Any]) -> int:
    """Run `pick` on up to four findings, `_outranks` answering both ways; gives the number of paths."""
    count = 0
    for length in range(LONGEST + 1):
        findings = [Opaque() for _ in range(length)]
        for bits, (came, compared) in paths(partial(_pick, pick, findings)):
            due, pairs = _picked(findings, bits)
            right = came is due and same(compared, pairs)
            require(right, "pick", f"picks otherwise of {length}, outranking by {bits}")
            count += 1
    return count


def _pick(pick: Callable[..., Any], findings: Sequence[object], forks: Forks) -> tuple[object, list[object]]:
    compared = list[object]()

    def outranks(a: object, b: object) -> Fork:
        compared.extend((a, b))
        return Fork(forks)

    try:
        return regrounded(pick, _outranks=outranks)(OneShot(findings)), compared
    except (Looked, Exception) as error:
        raise NotExtracted("token runs", "pick", f"{type(error).__name__} {error}") from error


def _picked(findings: Sequence[object], bits: tuple[bool, ...]) -> tuple[object, list[object]]:
    """The axioms of `worst`, read."""
    worst, told, compared = None, iter(bits), list[object]()
    for finding in findings:
        if worst is None:
            worst = finding
        else:
            compared += [finding, worst]
            worst = finding if next(told) else worst
    return worst, compared


def run_all_hold(all_hold: Callable[..., Any]) -> int:
    """Run `all_hold` on up to four claims, each true or false or a mismatch; gives the number of runs."""
    count = 0
    for word in words((True, False, None)):
        mismatches = [Mismatch(str(at)) for at, _ in enumerate(word)]
        met = [claim for claim, said in zip(mismatches, word, strict=True) if said is None]
        made, asked = list[Callable[[], bool]](), list[int]()
        for at, said in enumerate(word):
            made.append(_claim(said, mismatches[at], asked, at))
        due: object = False if False in word else met[0] if met else True
        try:
            came: object = all_hold(OneShot(made))
        except Mismatch as mismatch:
            came = mismatch
        until = word.index(False) + 1 if False in word else len(word)
        require(came is due and asked == [*range(until)], "all_hold", f"holds otherwise at {word}")
        count += 1
    for thrown in (KeyboardInterrupt(), ValueError()):
        leaves("all_hold", thrown, partial(all_hold, [raiser(thrown)]))
    return count


def _claim(said: bool | None, mismatch: Mismatch, asked: list[int], at: int) -> Callable[[], bool]:
    def claim() -> bool:
        asked.append(at)
        if said is None:
            raise mismatch
        return said

    return claim


class _Field:
    """A field of a value, that equals another or not, as a fork says."""

    def __init__(self, forks: Forks) -> None:
        self.forks = forks

    def __eq__(self, _: object) -> Any:
        return Fork(self.forks)

    __hash__ = None  # type: ignore[assignment]


@define(frozen=True, eq=False)
class _Value:
    one: object
    two: object
    other: object


@define(eq=False)
class _Keeping:
    kept: tuple[str, ...]


def run_keep(keep: Callable[..., Any]) -> int:
    """Run `Seam.keep` on every path for up to two fields; gives the number of paths."""
    count = 0
    for kept in ((), ("one",), ("one", "two")):
        for bits, (before, after, came) in paths(partial(_keep, keep, kept)):
            equal = all(bits)
            fits = came is after if equal else type(came) is _Value and came.other is after.other
            held = equal or all(getattr(came, name) is getattr(before, name) for name in kept)
            require(fits and held, "keep", f"does not keep {kept} where they compare as {bits}")
            require(bits or not kept, "keep", f"does not compare {kept}")
            count += 1
    return count


def _keep(keep: Callable[..., Any], kept: tuple[str, ...], forks: Forks) -> tuple[_Value, _Value, Any]:
    before, after = (_Value(_Field(forks), _Field(forks), Opaque()) for _ in range(2))
    return before, after, regrounded(keep, evolve=evolve)(_Keeping(kept), before, after)
