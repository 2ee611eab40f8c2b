"""How one seam decides. `step` is the semantics; everything faster is tested to agree with folding it.

    rules that fill  ->  chain  ->  gates  ->  asks  ->  handlers  ->  the host acts

`deciding` asks in that order, up to the gates, all that match the value as they would see it: in the chain each
sees what the one before left, and a block stops it; then every gate judges the value the chain left. `consult` is
the one place where user code is called, and makes whatever happens there into data.
"""

from collections.abc import Awaitable, Callable, Generator, Iterable
from types import TracebackType
from typing import Any, Generic, TypeAlias, TypeVar, assert_never, cast

from attrs import frozen

from ._bundle import Interceptors, checked
from ._decisions import Allow, Ask, Block, Note, Replace, Several, close_unawaited, text_of
from ._interceptors import Interceptor
from ._outcome import VERDICTS, Answer, Entry, Fault, Outcome, StandingAsk, Verdict
from ._precedence import Level, pick
from ._seams import Seam
from .errors import InvalidValue, Telling, UnknownSeam
from .values._digest import digest
from .values._values import Scope

__all__ = ["Consultation", "State", "asking", "conclude", "consult", "decide", "decide_async", "deciding", "drive"]
__all__ += ["raised", "read", "step"]

V = TypeVar("V")
R = TypeVar("R")
Asking: TypeAlias = "Callable[[Consultation[Any]], Iterable[Entry]]"
NOBODY = Scope()
_HERE = __file__.replace("\\", "/").rpartition("/")[0] + "/"


@frozen
class State(Generic[V]):
    """How far a seam has got: the value as it stands, what was said, and whether the chain was stopped."""

    value: V
    log: tuple[Entry, ...] = ()
    stopped: bool = False


def step(state: State[V], entry: Entry) -> State[V]:
    """Take one answer into the state."""
    if state.stopped:
        return state
    match entry.answer:
        case Allow():
            return state
        case Replace(value) if not entry.is_gate:
            return State(value, (*state.log, entry))
        case Note() | Ask() | Fault(closed=False):
            return State(state.value, (*state.log, entry))
        case Block() | Fault() | Replace():
            return State(state.value, (*state.log, entry), stopped=not entry.is_gate)
        case _:
            assert_never(entry.answer)


@frozen
class Consultation(Generic[V]):
    """A question to one interceptor: the seam's value, what stands beside it, and who is calling."""

    interceptor: Interceptor
    seam: Seam[V]
    value: V
    beside: tuple[Any, ...] = ()
    scope: Scope = NOBODY

    @property
    def offered(self) -> tuple[Any, ...]:
        """What the interceptor is shown, before the scope."""
        return (self.value, *self.beside)


def consult(question: Consultation[Any], ask: Callable[[], object] | None = None) -> tuple[Entry, ...]:
    """Call the interceptor (or `ask` for its answer), and make whatever happens into entries: none for an allow.

    An `Exception` becomes a fault; a `BaseException` that is none (an interrupt, an exit) leaves, and nothing runs.
    """
    try:
        return read(question, ask() if ask else question.interceptor.ask(question.offered, question.scope))
    except Exception as error:
        return raised(question, error)


def read(question: Consultation[Any], answer: Any) -> tuple[Entry, ...]:
    """Make what an interceptor answered into entries: none for an allow, a fault for what is no decision."""
    kind: object = type(answer)  # pyright: ignore[reportUnknownVariableType]  # not isinstance(), which would believe a forged __class__
    if answer is None or kind is Allow or (kind is Replace and answer.value is question.value):
        return ()
    if kind is Several and question.interceptor.is_gate:
        return tuple(entry for said in answer.decisions for entry in read(question, said))
    if kind is Note or kind is Ask or kind is Block:
        return _entry(question, answer)
    if kind is Replace:
        return _entry(question, _replacement(question, answer.value))
    close_unawaited(answer)
    return _entry(question, _fault(question, f"answered {text_of(type(answer).__name__)}, which is no decision here"))


def raised(question: Consultation[Any], error: Exception) -> tuple[Entry, ...]:
    """Make the exception that came instead of an answer into an entry."""
    return _entry(question, _fault(question, told(error)))


def _entry(question: Consultation[Any], answer: Answer) -> tuple[Entry, ...]:
    return (Entry(question.seam.name, question.interceptor.name, answer, question.interceptor.is_gate),)


def _replacement(question: Consultation[Any], value: object) -> Replace | Fault:
    close_unawaited(value)
    if question.interceptor.is_gate:
        return _fault(question, "answered a replacement, but a gate cannot rewrite")
    try:
        return Replace(question.seam.keep(question.value, question.seam.admit(value)))
    except Exception as error:
        return _fault(question, f"replaced it with what does not fit: {told(error)}")


def _fault(question: Consultation[Any], problem: str) -> Fault:
    asked = question.interceptor
    closed = question.seam.on_fault != "open" or asked.is_gate or asked.closes
    return Fault(f"interceptor error: {asked.name} {problem}", closed)


def told(error: Exception) -> str:
    """Name the kind and the place of an exception, never its text: that may quote a secret."""
    try:
        place, kernel = "", False
        trace: TracebackType | None = _traceback(error)
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename.replace("\\", "/")
            kernel = file.startswith(_HERE)
            if not kernel:
                place = f" at {file.rpartition('/')[2]}:{trace.tb_lineno}"
            trace = trace.tb_next
        quoted = f" ({text_of(error)})" if kernel and issubclass(type(error), Telling) else ""
        return f"raised {text_of(type(error).__name__)}{place}{quoted}"
    except Exception:
        return "raised an exception that cannot be named"


_traceback: Any = BaseException.__dict__["__traceback__"].__get__  # a subclass may have put its own in the way


def conclude(
    seam: Seam[V], offered: V, beside: tuple[Any, ...], admitted: V, state: State[V], scope: Scope | None = None
) -> Outcome[V]:
    """Read the outcome off the last state."""
    worst = pick(state.log)
    verdict = VERDICTS[worst.level if worst else Level.ALLOW]
    value = offered if state.value is admitted else state.value
    if worst is None or verdict is Verdict.PROCEED:
        return Outcome(seam, verdict, value, log=state.log)
    asks: tuple[StandingAsk, ...] = ()
    if verdict is Verdict.ASK:
        name = digest((state.value, *beside) if beside else state.value)
        asks = tuple(
            StandingAsk(said.interceptor, a.reason, a.target, a.timeout_s, a.severity, name, seam.name, scope or NOBODY)
            for said in state.log
            if isinstance(a := said.answer, Ask)
        )
    return Outcome(seam, verdict, value, asks, worst.reason, worst.interceptor, state.log)


def deciding(
    bundle: Interceptors | None, seam: Seam[V], value: V, *beside: Any, scope: Scope | None = None
) -> Generator[Consultation[V], Iterable[Entry], Outcome[V]]:
    """Decide without calling anybody: yields each question, is sent its entries, returns the outcome.

    Whoever drives it may ask at once, await, or record. Raises `InvalidValue` for a value that the seam does not
    carry: the caller's mistake, and nothing has run.
    """
    if not isinstance(cast(object, seam), Seam):
        raise UnknownSeam("a seam is a Seam; seam('tool_call') looks one up by its name")
    begun, beside = seam.admit(value), seam.admit_beside(beside)
    everyone = bundle.ordered(seam) if checked(bundle) and bundle else ()
    who = scope_of(scope)
    state = yield from asking(everyone, seam, State(begun), beside, who)
    return conclude(seam, value, beside, begun, state, who)


def scope_of(scope: Scope | None) -> Scope:
    """Who is calling; nobody known if it is `None`."""
    if scope is not None and type(scope) is not Scope:
        raise InvalidValue("/scope", f"must be a Scope, not {type(scope).__name__}")
    return scope or NOBODY


def asking(
    everyone: Iterable[Interceptor], seam: Seam[V], state: State[V], beside: tuple[Any, ...], scope: Scope
) -> Generator[Consultation[V], Iterable[Entry], State[V]]:
    """Ask, in order, all that match the value as they would see it, until one stops the chain."""
    for asked in everyone:
        if state.stopped:
            break
        if asked.function is not None and asked.matches(seam.tool((state.value, *beside)), scope.agent):
            for entry in (yield Consultation(asked, seam, state.value, beside, scope)):
                state = step(state, entry)
    return state


def drive(pipeline: Generator[Consultation[Any], Iterable[Entry], R], ask: Asking) -> R:
    """Run a pipeline to its end, asking at once."""
    entries: Any = None
    while True:
        try:
            question = pipeline.send(entries)
        except StopIteration as end:
            return cast(R, end.value)
        entries = ask(question)


def decide(
    bundle: Interceptors | None, seam: Seam[V], value: V, *beside: Any, scope: Scope | None = None
) -> Outcome[V]:
    """Decide at one seam; nothing that an interceptor raises leaves, unless it is no `Exception`.

    >>> from seamlaw import TOOL_CALL, Interceptors, ToolCall, block, decide
    >>> no_rm = Interceptors(tool_call=[lambda call: block("no") if call.name == "rm" else None])
    >>> decide(no_rm, TOOL_CALL, ToolCall("1", "rm", {"path": "/"})).denial
    'Blocked by interceptor: no'
    """
    return drive(deciding(bundle, seam, value, *beside, scope=scope), consult)


async def decide_async(
    bundle: Interceptors | None,
    seam: Seam[V],
    value: V,
    *beside: Any,
    ask: Callable[[Consultation[Any]], Awaitable[Iterable[Entry]]],
    scope: Scope | None = None,
) -> Outcome[V]:
    """Decide at one seam, awaiting each answer from `ask`: the same pipeline, for interceptors that live elsewhere."""
    pipeline = deciding(bundle, seam, value, *beside, scope=scope)
    entries: Any = None
    while True:
        try:
            question = pipeline.send(entries)
        except StopIteration as end:
            return cast("Outcome[V]", end.value)
        entries = await ask(question)
