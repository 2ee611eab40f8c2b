"""`asking` and `drive`, run on tokens.

The readings beside them, a few lines each, are what the axioms of `run` and `hear` say; they are written by hand.
"""

from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Any, cast

from attrs import Factory, define, field

from seamlaw import Consultation

from ._opaque import Looked, NotExtracted, Opaque
from ._runs import OneShot, leaves, raiser, require, same, words
from ._shipped import regrounded

__all__ = ["run_asking", "run_drive"]

SAYS: dict[str, tuple[str, ...]] = {  # what an interceptor that is asked says: entries that go on, or stop
    "silent": (),
    "goes on": ("goes on",),
    "stops": ("stops",),
    "says two": ("goes on", "goes on"),
    "stops at once": ("stops", "goes on"),
}


class _State:
    """A state that has a value and may be stopped; nothing else can be asked of it."""

    __slots__ = ("stopped", "value")

    def __init__(self, *, stopped: bool = False) -> None:
        self.value, self.stopped = Opaque(), stopped


@define(eq=False)
class _Said:
    letter: str


@define(eq=False)
class _Asked:
    """An interceptor by its letter: `mute` has no function, `unfit` does not match."""

    letter: str
    told: list[object]
    function: object = field(init=False)
    entries: tuple[_Said, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.function = None if self.letter == "mute" else Opaque()
        self.entries = tuple(map(_Said, SAYS.get(self.letter, ())))

    def matches(self, tool: tuple[object, ...], agent: object) -> bool:
        self.told += [self, *tool, agent]
        return self.letter != "unfit"


@define(eq=False)
class _Setting:
    """What is handed through: a seam whose tool is whatever it was shown, what stands beside, who is calling."""

    beside: tuple[object, ...] = Factory(lambda: (Opaque(), Opaque()))
    agent: object = Factory(Opaque)

    def tool(self, offered: tuple[object, ...]) -> tuple[object, ...]:
        return offered


@define(eq=False)
class _Steps:
    """A `step` that gives a new state for each entry, and the same one for the same."""

    came: dict[tuple[int, int], _State] = field(factory=dict[tuple[int, int], _State])
    kept: list[object] = field(factory=list[object])

    def __call__(self, state: _State, entry: _Said) -> _State:
        self.kept += [state, entry]
        made = _State(stopped=state.stopped or entry.letter == "stops")
        return self.came.setdefault((id(state), id(entry)), made)


def run_asking(asking: Callable[..., Any]) -> int:
    """Run `asking` on every word; gives the number of runs."""
    count = 0
    for word in words(("mute", "unfit", *SAYS)):
        for begun in (False, True) if len(word) < 2 else (False,):
            _ask_all(asking, word, _State(stopped=begun))
            count += 1
    for thrown in (KeyboardInterrupt(), ValueError(), GeneratorExit()):
        leaves("asking", thrown, partial(_throw, asking, thrown))
    return count


def _ask_all(asking: Callable[..., Any], word: tuple[str, ...], state: _State) -> None:
    steps, told, setting, consulted = _Steps(), list[object](), _Setting(), list[object]()
    everyone = [_Asked(letter, told) for letter in word]

    def ask(question: Any) -> Iterable[object]:
        handed = (question.seam, question.beside, question.scope)
        is_it = same(handed, (setting, setting.beside, setting))
        require(is_it and isinstance(cast(object, question), Consultation), "asking", f"asks something else at {word}")
        consulted.extend((question.interceptor, question.value))
        entries: tuple[_Said, ...] = question.interceptor.entries
        return entries

    run = regrounded(asking, step=steps)
    try:
        ended = _driven(run(OneShot(everyone), setting, state, setting.beside, setting), ask)
    except (Looked, Exception) as error:
        raise NotExtracted("token runs", "asking", f"{type(error).__name__} {error} at {word}") from error
    due, matched, left = _reading(everyone, steps, state, setting)
    require(same(consulted, due), "asking", f"consults others, or on another value, at {word}")
    require(same(told, matched), "asking", f"matches otherwise at {word}")
    require(ended is left, "asking", f"ends in another state at {word}")


def _reading(
    everyone: list[_Asked], steps: _Steps, state: _State, setting: _Setting
) -> tuple[list[object], list[object], _State]:
    """The axioms, read: who is consulted on which value, who is matched on which, and the state that is left."""
    consulted, matched = list[object](), list[object]()
    for one in everyone:
        if state.stopped:
            break
        if one.letter != "mute":
            matched += [one, state.value, *setting.beside, setting.agent]
        if one.letter in SAYS:
            consulted += [one, state.value]
            for entry in one.entries:
                state = steps(state, entry)
    return consulted, matched, state


def _throw(asking: Callable[..., Any], thrown: BaseException) -> None:
    everyone, setting = [_Asked("goes on", []), _Asked("goes on", [])], _Setting()
    pipeline = regrounded(asking, step=_Steps())(OneShot(everyone), setting, _State(), setting.beside, setting)
    next(pipeline)
    pipeline.throw(thrown)


def _driven(pipeline: Generator[Any, Any, object], ask: Callable[[Any], object]) -> object:
    """The reading of `drive`."""
    try:
        question = next(pipeline)
        while True:
            question = pipeline.send(ask(question))
    except StopIteration as end:
        return end.value


@define(eq=False)
class _Dialogue:
    """A pipeline of some questions, and what was asked and sent."""

    questions: list[Opaque]
    answers: list[Opaque]
    ended: Opaque = Factory(Opaque)
    asked: list[object] = field(factory=list[object])
    sent: list[object] = field(factory=list[object])

    def pipeline(self) -> Generator[object, object, object]:
        for question in self.questions:
            self.sent.append((yield question))
        return self.ended

    def ask(self, question: object) -> object:
        self.asked.append(question)
        return self.answers[len(self.asked) - 1]


def run_drive(drive: Callable[..., Any]) -> int:
    """Run `drive` on pipelines of up to four questions; gives the number of runs."""
    for length in range(5):
        talk = _Dialogue([Opaque() for _ in range(length)], [Opaque() for _ in range(length)])
        came = drive(talk.pipeline(), talk.ask)
        require(came is talk.ended, "drive", f"gives something else after {length} questions")
        require(same(talk.asked, talk.questions), "drive", f"asks otherwise among {length}")
        require(same(talk.sent, talk.answers), "drive", f"sends otherwise among {length}")
    for thrown in (KeyboardInterrupt(), ValueError(), StopIteration("a false end")):
        leaves("drive", thrown, partial(drive, _Dialogue([Opaque()], []).pipeline(), raiser(thrown)))
    return 8
