"""How a call is enforced: the one place that runs a guarded tool.

    scope -> attempt -> rules that fill -> chain -> gates -> asks -> record -> handlers -> snapshot -> the tool
          -> `tool_result` seam -> undo if it is withheld -> observers -> record

Whatever goes wrong on the way to the tool ends in a block. A call leaves a happening when it is decided and, unless
it was blocked, one when it has finished: on every path, an interrupt and a cancellation included.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    Fault,
    InvalidValue,
    Outcome,
    ToolCall,
    ToolResult,
    Verdict,
    handle,
    observe,
    thaw,
)
from seamlaw_host.errors import ToolFailed
from seamlaw_host.state import Ending

from ._context import CallContext, here
from ._deciding import Decided, Rules, deciding
from ._drivers import Do, Pipeline
from ._generators import inside, is_generator
from ._told import text_of, told

if TYPE_CHECKING:
    from ._actions import ReversibleAction

__all__ = ["Prepare", "Ran", "enforcing"]

Prepare: TypeAlias = Callable[[ToolCall], Callable[[], object]]


@define
class Ran:
    """How a call ended; `output` is the tool's own object where nothing replaced it."""

    call: ToolCall
    decided: Decided[ToolCall] | None = None
    blocked: Outcome[Any] | None = None
    obtained: ToolResult | None = None  # what the tool or a handler gave
    result: ToolResult | None = None  # what goes on
    judged: Decided[ToolResult] | None = None
    output: object = None
    error: Exception | None = None
    tool_error: Exception | None = None  # what the tool itself raised, whatever was put in its place
    started: bool = False  # the decision let it go on
    executed: bool = False  # the tool was started
    left_by: BaseException | None = None
    undo: str = ""
    problem: str = ""  # what went wrong that is nobody's decision


def enforcing(
    running: CallContext,
    rules: Rules,
    prepare: Prepare,
    action: "ReversibleAction | None" = None,
) -> Pipeline[Ran]:
    """Decide a call, run its tool if it may, judge the result, and leave the records."""
    engine, begun = running.by, running.by.timer()
    ran, noted = Ran(running.proposed), False
    try:
        if engine.checksum is not None:
            running.checksum = engine.checksum()
        engine.attempted(running)
        ran.decided = yield from deciding(
            engine, rules, TOOL_CALL, running.proposed, scope=running.scope, running=running
        )
        noted = True
        engine.note_decided(running, rules, ran.decided, "")
        if ran.decided.blocked and engine.enforces:
            ran.blocked = ran.decided.outcome
        else:
            ran.started = True
            ran.call = ran.decided.value if engine.enforces else running.proposed
            running.call = ran.call
            # What undoes the tool that was proposed undoes no other.
            yield from _running(
                running, rules, prepare, action if ran.call.name == running.proposed.name else None, ran
            )
    except BaseException as error:
        ran.problem, ran.left_by = told(error), error
        raise
    finally:
        problems = running.meters.finished(Ending(ran.executed, ran.call, ran.obtained, ran.error or ran.left_by))
        ran.problem = ran.problem or "; ".join(f"a meter {told(problem)}" for problem in problems)
        if not noted:
            engine.note_decided(running, rules, ran.decided, ran.problem)
        elif ran.started or ran.problem:
            engine.note_finished(running, rules, ran, engine.timer() - begun)
    return ran


def _running(
    running: CallContext,
    rules: Rules,
    prepare: Prepare,
    action: "ReversibleAction | None",
    ran: Ran,
) -> Pipeline[None]:
    """Obtain the result, from a handler or else from the tool, and judge it."""
    engine, call = running.by, ran.call
    said = handle(rules.bundle, call, running.scope) if engine.enforces and rules.handles else None
    if isinstance(said, Fault):
        ran.blocked = _blocked(call, said.reason)
        return
    if said is not None:
        ran.obtained, ran.output = said, thaw(said.output)
        ran.error = ToolFailed(said.error) if said.error is not None else None
    else:
        try:
            start = prepare(call)
        except Exception as error:
            ran.problem = f"what starts the tool {told(error)}"
            ran.blocked = _blocked(call, ran.problem)
            return
        if action is not None and action.snapshot is not None:
            try:
                running.snapshot = yield Do(partial(action.snapshot, running))
            except Exception as error:
                ran.problem = f"the snapshot {told(error)}"
                if engine.enforces:
                    ran.blocked = _blocked(call, ran.problem)
                    return
        ran.executed = True
        try:
            ran.output = yield Do(start)
        except Exception as error:
            ran.error = ran.tool_error = error
        ran.obtained = _result(ran, lambda: engine.enforces and rules.judge(call, running.scope))
    undo = _undoable(running, action, ran)
    running.result = ran.result = ran.obtained
    ran.judged = yield from deciding(
        engine, rules, TOOL_RESULT, ran.obtained, call, scope=running.scope, running=running
    )
    if engine.enforces:
        yield from _enforcing_result(ran.judged, undo, ran)
    if rules.observed:
        faults = observe(rules.bundle, TOOL_CALL, call, ran.obtained, scope=running.scope)
        faults += observe(rules.bundle, TOOL_RESULT, ran.obtained, ran.judged.value, call, scope=running.scope)
        ran.problem = ran.problem or "; ".join(fault.reason for fault in faults)


def _result(ran: Ran, judged: Callable[[], bool]) -> ToolResult:
    """The result as data; what no seam can carry (nested too deep, a cycle) is not shown to anybody.

    Where somebody judges the results of this tool, it does not go on either, nor does a generator: they saw nothing.
    """
    if ran.error is not None:
        return ToolResult(error=text_of(ran.error))
    try:
        if not is_generator(ran.output):
            return ToolResult(ran.output)
        ran.output = inside(ran.output)
        if not judged():
            return ToolResult(ran.output)
        ran.problem = "the output is a generator: what it gives can be judged by nobody"
    except InvalidValue as error:
        ran.problem = f"the output is no value: {error}"
    if judged():
        ran.output, ran.error = None, ToolFailed(ran.problem)
    return ToolResult(error=ran.problem)


def _undoable(running: CallContext, action: "ReversibleAction | None", ran: Ran) -> Callable[[], object] | None:
    """What undoes the tool that ran; known to the chain around it before anything else can go wrong."""
    if action is None or action.undo is None or not ran.executed or not running.by.enforces:
        return None
    undo, chain = partial(action.undo, running), here().actions
    if ran.tool_error is None and chain is not None:
        chain.append(undo)
    return undo


def _rolled_back(undo: Callable[[], object], ran: Ran) -> bool:
    """Take the undo out of the chain around it, and say whether that was rolled back already."""
    chain = here().actions
    if chain is None or ran.tool_error is not None:
        return False
    try:
        chain.remove(undo)
    except ValueError:
        return True
    return False


def _enforcing_result(judged: Decided[ToolResult], undo: Callable[[], object] | None, ran: Ran) -> Pipeline[None]:
    if judged.blocked:
        ran.blocked = judged.outcome
        if undo is not None:
            try:
                if not _rolled_back(undo, ran):
                    yield Do(undo, alone=True)
                ran.undo = "undone"
            except Exception as error:
                ran.undo = f"the undo {told(error)}"
        return
    if judged.value is not ran.obtained:
        ran.result = judged.value
        ran.output = thaw(judged.value.output)
        if judged.value.error is None:
            ran.error = None
        elif ran.error is None or judged.value.error != text_of(ran.error):
            ran.error = ToolFailed(judged.value.error)


def _blocked(call: ToolCall, reason: str) -> Outcome[ToolCall]:
    return Outcome(TOOL_CALL, Verdict.BLOCK, call, reason=reason, interceptor="engine")
