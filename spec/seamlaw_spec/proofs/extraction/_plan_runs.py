"""The two loops of a plan, run on bare functions that answer tokens: they pass over what allows, and no more."""

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import Factory, define, field

from seamlaw import ALLOW, Allow, Scope

from ._code import check
from ._forms import PLANS
from ._opaque import Looked, NotExtracted, Opaque
from ._runs import leaves, raiser, require, same, words

__all__ = ["run_plan_of_any", "run_plan_of_one"]

DEEDS: dict[str, Callable[[], object]] = {
    "silent": lambda: None,
    "allows": lambda: ALLOW,
    "allows anew": Allow,
    "says": Opaque,
    "raises": ValueError,
    "ends": StopIteration,
}
PASSED_OVER = ("silent", "allows")
RAISING = ("raises", "ends")


@define(eq=False)
class _Seam:
    """A seam of values that are not looked into."""

    value_type: object = Opaque
    many: bool = False
    beside: tuple[object, ...] = ()

    def admit(self, value: object) -> object:
        return value

    def admit_beside(self, beside: object) -> object:
        return beside


@define(eq=False)
class _Made:
    """What a plan's loop is made of; knows who went on from where."""

    scoped: bool
    seam: _Seam = Factory(_Seam)
    gone: list[tuple[Any, ...]] = field(factory=list[tuple[Any, ...]])
    came: object = Factory(Opaque)

    def go_on(self, *given: Any) -> object:
        self.gone.append(given)
        return self.came


@define(eq=False)
class _Function:
    """A bare function by its letter."""

    letter: str
    shown: list[object]
    answer: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.answer = DEEDS[self.letter]()

    def __call__(self, *offered: object) -> object:
        self.shown += [self, *offered]
        if self.letter in RAISING:
            raise self.answer
        return self.answer


def run_plan_of_one(make: Callable[..., Any]) -> int:
    """Run the loop for a value that stands alone; gives the number of runs."""
    return _run_all("plan_of_one", make, (), scoped=False)


def run_plan_of_any(make: Callable[..., Any]) -> int:
    """Run the loop for every seam, with something beside the value or not, and the scope; gives the number of runs."""
    beside = (Opaque(),)
    return sum(
        _run_all("plan_of_any", make, given, scoped=scoped) for given in ((), beside) for scoped in (False, True)
    )


def _run_all(name: str, make: Callable[..., Any], beside: tuple[object, ...], *, scoped: bool) -> int:
    check(name, make(_Made(scoped), ((), ())), PLANS[name])
    count = 0
    for word in words(DEEDS):
        _run(name, make, word, beside, scoped=scoped)
        count += 1
    stop = KeyboardInterrupt()
    leaves(name, stop, partial(make(_Made(scoped), ((raiser(stop),), (0,))), Opaque()))
    return count


def _run(
    name: str, make: Callable[..., Any], word: tuple[str, ...], beside: tuple[object, ...], *, scoped: bool
) -> None:
    made, shown, places = _Made(scoped), list[object](), tuple(Opaque() for _ in word)
    functions, value, scope = [_Function(letter, shown) for letter in word], Opaque(), Scope()
    try:
        came = make(made, (tuple(functions), places))(value, *beside, scope=scope)
    except (Looked, Exception) as error:
        raise NotExtracted("token runs", name, f"{type(error).__name__} {error} at {word}") from error
    offered = (value, *beside, scope) if scoped else (value, *beside)
    at = next((at for at, letter in enumerate(word) if letter not in PASSED_OVER), None)
    asked = functions if at is None else functions[: at + 1]
    due = [one for function in asked for one in (function, *offered)]
    require(same(shown, due), name, f"asks otherwise at {word}")
    if at is None:
        require(came is None and not made.gone, name, f"makes something of nothing at {word}")
        return
    require(came is made.came and len(made.gone) == 1, name, f"does not go on at {word}")
    given, begun, stood_beside, who, (place, answer, failed) = made.gone[0]
    handed = (given, begun, *stood_beside, who, place, answer, failed)
    right = (value, value, *beside, scope, places[at], functions[at].answer, word[at] in RAISING)
    require(same(handed, right), name, f"goes on otherwise at {word}")
