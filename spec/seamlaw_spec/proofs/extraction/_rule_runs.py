"""`holds`, `locate`, `_fill` and `Default.__call__`, run on every case of theirs and on small objects."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from attrs import define, field

from seamlaw import Replace, ToolCall
from seamlaw.policy._conditions import MISSING, Mismatch, Operation, locate
from seamlaw.values._frozen import freeze

from ._opaque import NotExtracted, Opaque
from ._runs import require, same, words
from ._shipped import regrounded

__all__ = ["run_default", "run_fill", "run_holds", "run_locate"]

KEYS = ("a", "b")
LEAVES: tuple[object, ...] = (1, None, "text", [0])
NOWHERE = object()  # what a reading gives for a Mismatch


@define(eq=False)
class _Row:
    """A row of the table of operators: whether it is for the value, and what it says of it."""

    suits: bool
    says: bool | None
    asked: list[object] = field(factory=list[object])

    def kinds(self, _: object) -> tuple[str, ...]:
        return ("kind",) if self.suits else ()

    def holds(self, *given: object) -> bool:
        self.asked.extend(given)
        if self.says is None:
            raise Mismatch("itself")
        return self.says


def _kind(_: object) -> str:
    return "kind"


def run_holds(holds: Callable[..., Any]) -> int:
    """Every case: absent, of another type, of its type and true, false or a mismatch; each negated up to twice."""
    count = 0
    for depth, absent, suits, says in product(range(3), (False, True), (False, True), (True, False, None)):
        value, operand, row = MISSING if absent else Opaque(), Opaque(), _Row(suits, says)
        run: Any = regrounded(holds, OPERATORS={"operator": row}, kind_of=_kind)
        run.__globals__["holds"] = run
        test = Operation("operator", operand)
        for _ in range(depth):
            test = Operation("not", test)
        due = False if absent else says if suits else None
        due = due if due is None or depth % 2 == 0 else not due
        came = _truth(run, test, value)
        require(came is due, "holds", f"holds otherwise: absent {absent}, suits {suits}, says {says}, nots {depth}")
        shown = (value, operand) if suits and not absent else ()
        require(same(row.asked, shown), "holds", "tests otherwise")
        count += 1
    return count


def _truth(holds: Any, test: object, value: object) -> object:
    try:
        return holds(test, value)
    except Mismatch:
        return None


def objects() -> list[Any]:
    """Small JSON: leaves, and objects of up to two keys, of leaves and of objects."""
    flat = [*LEAVES, *_of_two(LEAVES)]
    return [*flat, *_of_two([LEAVES[0], None, *flat[len(LEAVES) :][:6]])]


def _of_two(held: Sequence[Any]) -> list[dict[str, Any]]:
    pairs = product((MISSING, *held), repeat=2)
    return [{key: one for key, one in zip(KEYS, pair, strict=True) if one is not MISSING} for pair in pairs]


def _found(inside: Any, keys: tuple[str, ...]) -> Any:
    """The axioms of `locate`, read; `NOWHERE` where they leave it to an oracle."""
    if not keys:
        return inside
    if inside is MISSING:
        return MISSING
    return _found(inside.get(keys[0], MISSING), keys[1:]) if _is_object(inside) else NOWHERE


def _filled(inside: Any, keys: tuple[str, ...], value: object) -> Any:
    """The axioms of `filled`, read; `NOWHERE` for a mismatch."""
    if not keys:
        return value
    if not _is_object(inside):
        return NOWHERE
    inner = _filled(inside.get(keys[0], {}), keys[1:], value)
    return inner if inner is NOWHERE else {**inside, keys[0]: inner}


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def run_locate(locate: Callable[..., Any]) -> int:
    """Locate every pointer of up to three keys in every small object; gives the number of runs."""
    count = 0
    for inside, keys in product(map(_frozen, objects()), words(KEYS, 3)):
        due = _found(inside, keys)
        if due is not NOWHERE:
            came = _or_nowhere(locate, inside, iter(keys))
            require(came is due, "locate", f"finds something else at {keys} in {inside}")
            count += 1
    return count


def run_fill(fill: Callable[..., Any]) -> int:
    """Fill every pointer of up to three keys in every small object; gives the number of runs."""
    count, value = 0, "the value"
    for inside, keys in product(map(_frozen, objects()), words(KEYS, 3)):
        came, due = _or_nowhere(fill, inside, keys, value), _filled(inside, keys, value)
        require((came is due) if due is NOWHERE else came == due, "fill", f"fills otherwise {keys} in {inside}")
        count += 1
    return count


@define(eq=False)
class _Rule:
    """A default, and whether its conditions hold."""

    at: tuple[str, ...]
    value: object
    met: bool

    @property
    def only(self) -> "_Rule":
        return self

    def holds(self, _: object) -> bool:
        return self.met


def run_default(default: Callable[..., Any]) -> int:
    """Call a default with its conditions met or not, on every small object; gives the number of runs."""
    count, value = 0, "the value"
    due: Any
    arguments = [inside for inside in objects() if _is_object(inside)]
    for inside, keys, met in product(arguments, [*words(KEYS, 2)][1:], (False, True)):
        call = ToolCall("id", "tool", freeze(inside))
        came = _or_nowhere(default, _Rule(keys, value, met), call)
        found = _or_nowhere(locate, call.arguments, keys)
        due = None
        if met and (found is MISSING or found is NOWHERE):
            due = _filled(inside, keys, value) if found is MISSING else NOWHERE
        if due is None or due is NOWHERE:
            right = came is due
        else:
            right = type(came) is Replace and came.value == ToolCall("id", "tool", due)
        require(right, "default", f"does otherwise at {keys} in {inside}, its conditions met: {met}")
        count += 1
    return count


def _frozen(value: Any) -> Any:
    return freeze(value)


def _or_nowhere(function: Callable[..., Any], *given: object) -> Any:
    try:
        return function(*given)
    except Mismatch:
        return NOWHERE
    except Exception as error:
        raise NotExtracted("token runs", function.__name__, f"raises {type(error).__name__}") from error
