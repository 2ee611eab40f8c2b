"""`consult`, run on everything an interceptor may do: each kind of answer, and each way of giving none.

Each from one of the chain and from a gate, at an open and at a closed seam.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from types import CoroutineType
from typing import Any

from attrs import Factory, frozen

from seamlaw import ALLOW, Allow, Ask, Block, Consultation, Entry, Interceptor, Note, Replace, Scope, Severity
from seamlaw._decisions import Several
from seamlaw._interceptors import Takes
from seamlaw._outcome import Fault
from seamlaw.errors import InvalidValue

from ._opaque import Looked, NotExtracted, Opaque
from ._shapes import answer_of

__all__ = ["DEEDS", "Consult", "Setting", "Table", "consult_table"]

Consult = Callable[..., tuple[Entry, ...]]


@frozen
class Setting:
    """What decides how a fault counts."""

    is_gate: bool
    is_closed_seam: bool
    closes: bool


@frozen
class Table:
    """What `consult` makes of each deed, of one of the chain and of a gate; and in which settings a fault is closed."""

    heard: dict[tuple[str, bool], str]
    closed: dict[Setting, bool]


@frozen
class _Seam:
    """A seam whose admission and keeping are given."""

    on_fault: str
    fits: bool = True
    name: Any = Factory(Opaque)
    kept: Any = Factory(Opaque)

    def admit(self, value: object) -> object:
        if not self.fits:
            raise InvalidValue("", "does not fit")
        return value

    def keep(self, before: object, after: object) -> object:
        del before, after
        return self.kept


async def _unawaited() -> None:
    """A coroutine that nobody awaits."""


def _replaces_by_the_same(value: object) -> object:
    return Replace(value)


DEEDS: dict[str, tuple[Callable[[Any], object], ...]] = {  # from the value that is shown to what is answered
    "Silent": (lambda _: None,),
    "Allows": (lambda _: ALLOW, lambda _: Allow()),
    "Same": (_replaces_by_the_same,),
    "Fits": (lambda _: Replace(Opaque()),),
    "Misfits": (lambda _: Replace(Opaque()),),
    "Notes": (lambda _: answer_of(Note, None),),
    "Asks": (lambda _: answer_of(Ask, None),),
    "Blocks": (lambda _: answer_of(Block, None),),
    "Other": (
        lambda _: Opaque(),
        lambda value: value,
        lambda _: True,
        lambda _: "allow",
        lambda _: Fault("its own", closed=False),
        lambda _: Block,
        lambda _: _unawaited(),
    ),
}


def consult_table(consult: Consult) -> Table:
    """Tabulate what `consult` makes of each deed; raises `NotExtracted` where it is none of what it may be."""
    settings = [Setting(*bits) for bits in product((False, True), repeat=3)]
    heard, closed = dict[tuple[str, bool], str](), dict[Setting, bool]()
    for setting, (name, deeds) in product(settings, DEEDS.items()):
        for deed in deeds:
            told = _told(consult, setting, name, deed)
            _same(heard, (name, setting.is_gate), told.partition(" ")[0], name)
            if told.startswith("fault"):
                _same(closed, setting, told.endswith("closed"), name)
    for setting in settings:
        _same(heard, ("Raises", setting.is_gate), "fault", "Raises")
        _same(closed, setting, _raised(consult, setting), "Raises")
        gathered = _gathered(consult, setting)
        _same(heard, ("Gathers", setting.is_gate), gathered.partition(" ")[0], "Gathers")
    return Table(heard, closed)


def _same(table: dict[Any, Any], key: object, told: object, deed: str) -> None:
    if table.setdefault(key, told) != told:
        raise NotExtracted("shape table", "consult", f"takes {deed} in two ways: {table[key]} and {told} at {key}")


def _question(setting: Setting, *, fits: bool = True) -> Consultation[Any]:
    asked = Interceptor(_never, "somebody", setting.is_gate, closes=setting.closes, takes=Takes(1))
    seam: Any = _Seam("closed" if setting.is_closed_seam else "open", fits)
    return Consultation(asked, seam, Opaque(), (), Scope())


def _never(_: object) -> None:
    raise AssertionError("its answer is given instead")


def _told(consult: Consult, setting: Setting, name: str, deed: Callable[[Any], object]) -> str:
    question = _question(setting, fits=name != "Misfits")
    answer = deed(question.value)
    entries = _run(consult, question, lambda: answer, name)
    _closed_unawaited(answer)
    if not entries:
        return "silence"
    if len(entries) != 1:
        raise NotExtracted("shape table", "consult", f"makes {len(entries)} entries of {name}")
    return _answer(question, entries[0], answer, name)


def _answer(question: Consultation[Any], entry: Entry, answer: object, name: str) -> str:
    asked, seam = question.interceptor, question.seam
    if entry.seam is not seam.name or entry.interceptor is not asked.name or entry.is_gate is not asked.is_gate:
        raise NotExtracted("shape table", "consult", f"signs {name} as another")
    match entry.answer:
        case said if said is answer and name != "Other":
            return "said"
        case Replace(value) if value is getattr(seam, "kept", None):
            return "kept"
        case Fault(reason, bool(closed), Severity.HIGH) if asked.name in reason:
            return "fault closed" if closed else "fault open"
        case _:
            raise NotExtracted("shape table", "consult", f"makes something else of {name}")


def _run(consult: Consult, question: Consultation[Any], ask: Callable[[], object], name: str) -> tuple[Entry, ...]:
    try:
        entries = consult(question, ask)
    except Looked as looked:
        raise NotExtracted("shape table", "consult", f"looks into a payload ({looked}) at {name}") from None
    except Exception as error:
        raise NotExtracted("shape table", "consult", f"raises {type(error).__name__} at {name}") from error
    if type(entries) is not tuple or not all(type(entry) is Entry for entry in entries):
        raise NotExtracted("shape table", "consult", f"gives no entries for {name}")
    return entries


def _raised(consult: Consult, setting: Setting) -> bool:
    """Whether the fault is closed; an exception that is no `Exception` must leave."""
    told = set[str]()
    for error in (Exception(), ValueError(), RecursionError(), InvalidValue("", ""), StopIteration()):
        question = _question(setting)
        entries = _run(consult, question, _raises(error), "Raises")
        if len(entries) != 1:
            raise NotExtracted("shape table", "consult", "makes no entry of an exception")
        told.add(_answer(question, entries[0], None, "Other"))
    for leaves in (KeyboardInterrupt(), SystemExit(), GeneratorExit(), Looked()):
        try:
            consult(_question(setting), _raises(leaves))
        except BaseException as caught:
            if caught is leaves:
                continue
        raise NotExtracted("shape table", "consult", f"lets no {type(leaves).__name__} leave")
    if len(told) != 1:
        raise NotExtracted("shape table", "consult", "takes exceptions in several ways")
    return told == {"fault closed"}


def _raises(error: BaseException) -> Callable[[], object]:
    def ask() -> object:
        raise error

    return ask


def _gathered(consult: Consult, setting: Setting) -> str:
    """What several answers of one come to: from a gate those of each, in order; from others a fault."""
    for names in product(DEEDS, repeat=2):
        question = _question(setting, fits="Misfits" not in names)
        answers = [DEEDS[name][0](question.value) for name in names]
        whole = _run(consult, question, partial(_several, answers), "Gathers")
        if not setting.is_gate:
            return _answer(question, whole[0], None, "Other").partition(" ")[0]
        apart = [entry for said in answers for entry in _run(consult, question, partial(_itself, said), "Gathers")]
        if [_sign(entry) for entry in whole] != [_sign(entry) for entry in apart]:
            raise NotExtracted("shape table", "consult", f"gathers {names} otherwise than one by one")
    return "gathered"


def _several(answers: list[Any]) -> Several:
    return Several(tuple(answers))


def _itself(answer: object) -> object:
    return answer


def _sign(entry: Entry) -> tuple[object, ...]:
    answer = entry.answer
    told = (answer.reason, answer.closed, answer.severity) if isinstance(answer, Fault) else id(answer)
    return entry.interceptor, entry.is_gate, told


def _closed_unawaited(answer: object) -> None:
    if type(answer) is CoroutineType and answer.cr_frame is not None:
        raise NotExtracted("shape table", "consult", "leaves a coroutine open")
