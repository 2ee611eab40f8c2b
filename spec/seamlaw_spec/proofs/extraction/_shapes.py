"""`step`, run on every shape: states, answers, gate or not, with payloads that nobody may look into."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, cast, get_args

from attrs import fields, frozen

from seamlaw import Allow, Entry, Replace, State
from seamlaw._outcome import Answer, Fault

from ._opaque import Looked, NotExtracted, Opaque, Unmeasured, bare
from ._runs import same

__all__ = ["ANSWERS", "Row", "Shape", "answer_of", "entry_of", "shapes", "step_table"]

ANSWERS: tuple[type[Any], ...] = get_args(Answer)  # all that an entry can hold; a new kind is a new shape


@frozen
class Shape:
    """What `step` may tell apart: the kind of the answer, whether its fault is closed, and who gave it."""

    kind: str
    closed: bool | None
    is_gate: bool


@frozen
class Row:
    """What `step` does with a shape: the value kept or replaced, the answer logged or not, stopped or not."""

    stopped: bool
    shape: Shape
    value: str
    logged: bool
    stops: bool


def shapes() -> Iterator[tuple[Shape, type[Any]]]:
    """Every shape of an answer."""
    for kind, is_gate in product(ANSWERS, (False, True)):
        for closed in (False, True) if kind is Fault else (None,):
            yield Shape(kind.__name__, closed, is_gate), kind


def answer_of(kind: type[Any], closed: bool | None) -> Any:
    """An answer of a shape, with payloads that nobody may look into."""
    payload: dict[str, object] = {one.name: Opaque() for one in fields(kind)}
    return bare(kind, **payload | ({} if closed is None else {"closed": closed}))


def entry_of(shape: Shape, kind: type[Any]) -> Entry:
    """An entry of a shape."""
    made: Entry = bare(
        Entry,
        seam=Opaque(),
        interceptor=Opaque(),
        answer=answer_of(kind, shape.closed),
        is_gate=shape.is_gate,
    )
    return made


def step_table(step: Callable[..., Any]) -> tuple[Row, ...]:
    """Tabulate what a `step` does; raises `NotExtracted` where that is none of the things it may do."""
    table = [_row(step, stopped, shape, kind) for stopped in (False, True) for shape, kind in shapes()]
    again = [_row(step, stopped, shape, kind) for stopped in (False, True) for shape, kind in shapes()]
    if table != again:
        raise NotExtracted("shape table", "step", "answers differently the second time")
    if any(row.logged and row.shape.kind == Allow.__name__ for row in table):
        raise NotExtracted("shape table", "step", "logs an allow")
    return tuple(table)


def _row(step: Callable[..., Any], stopped: bool, shape: Shape, kind: type[Any]) -> Row:
    value, log, entry = Opaque(), Unmeasured(), entry_of(shape, kind)
    state = bare(State, value=value, log=log, stopped=stopped)
    after: Any
    try:
        after = step(state, entry)
    except Looked as looked:
        raise NotExtracted("shape table", "step", f"looks into a payload ({looked}) at {shape}") from None
    except Exception as error:
        raise NotExtracted("shape table", "step", f"raises {type(error).__name__} at {shape}") from error
    if after is state:
        return Row(stopped, shape, "kept", logged=False, stops=stopped)
    if not _is_state(after):
        raise NotExtracted("shape table", "step", f"gives no state at {shape}")
    return Row(stopped, shape, _value(after, value, entry, shape), _logged(after, log, entry, shape), after.stopped)


def _is_state(after: Any) -> bool:
    return type(after) is State and type(after.stopped) is bool


def _value(after: State[Any], value: Opaque, entry: Entry, shape: Shape) -> str:
    if after.value is value:
        return "kept"
    if isinstance(entry.answer, Replace) and after.value is entry.answer.value:
        return "replaced"
    raise NotExtracted("shape table", "step", f"makes a value of its own at {shape}")


def _logged(after: State[Any], log: Unmeasured, entry: Entry, shape: Shape) -> bool:
    told = cast(object, after.log)
    if told is log:
        return False
    kind: object = type(told)  # and no isinstance(), which would look into a payload
    if kind is tuple and same(cast("tuple[object, ...]", told), (log.rest, entry)):
        return True
    raise NotExtracted("shape table", "step", f"neither keeps the log nor appends the entry at {shape}")
