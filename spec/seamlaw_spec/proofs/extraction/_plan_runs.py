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
    """What a plan's loop is made of; knows whom to ask about its tool, and who went on from where."""

    scoped: bool
    functions: tuple[object, ...] = ()
    seam: _Seam = Factory(_Seam)
    gone: list[tuple[Any, ...]] = field(factory=list[tuple[Any, ...]])
    came: object = Factory(Opaque)
    called: object = Factory(Opaque)

    def tool(self, offered: tuple[object, ...]) -> object:
        return self.name(offered[0])

    def name(self, value: object) -> object:
        require(isinstance(value, Opaque), "name", "looks for the tool of something else")
        return self.called

    def prepared(self, tool: object, agent: object) -> tuple[tuple[object, ...], object]:
        require(tool is self.called and agent is None, "prepared", "looks up another tool or agent")
        return self.functions, Opaque()

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


class _Other(Opaque):
    """A value of another type than the seam's, as a subclass or what must be frozen first."""


def run_plan_of_one(make: Callable[..., Any]) -> int:
    """Run the loop for a value that stands alone; gives the number of runs."""
    return sum(_run_all("plan_of_one", make, value, (), scoped=False) for value in (Opaque(), _Other()))


def run_plan_of_any(make: Callable[..., Any]) -> int:
    """Run the loop for every seam, with something beside the value or not, and the scope; gives the number of runs."""
    stands: tuple[tuple[object, ...], ...] = ((), (Opaque(),))
    return sum(
        _run_all("plan_of_any", make, Opaque(), beside, scoped=scoped) for beside in stands for scoped in (False, True)
    )


def _run_all(name: str, make: Callable[..., Any], value: object, beside: tuple[object, ...], *, scoped: bool) -> int:
    check(name, make(_Made(scoped), ()), PLANS[name])
    count = 0
    for word in words(DEEDS):
        for is_ready in (False, True):
            _run(name, make, word, value, beside, scoped=scoped, is_ready=is_ready)
            count += 1
    stop = KeyboardInterrupt()
    leaves(name, stop, partial(make(_Made(scoped), (raiser(stop),)), value))
    return count


def _run(
    name: str,
    make: Callable[..., Any],
    word: tuple[str, ...],
    value: object,
    beside: tuple[object, ...],
    *,
    scoped: bool,
    is_ready: bool,
) -> None:
    shown, scope = list[object](), Scope()
    functions = tuple(_Function(letter, shown) for letter in word)
    made = _Made(scoped, functions)
    try:
        came = make(made, functions if is_ready else None)(value, *beside, scope=scope)
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
    given, begun, stood_beside, who, (function, answer, failed) = made.gone[0]
    handed = (given, begun, *stood_beside, who, function, answer, failed)
    right = (value, value, *beside, scope, functions[at], functions[at].answer, word[at] in RAISING)
    require(same(handed, right), name, f"goes on otherwise at {word}")
