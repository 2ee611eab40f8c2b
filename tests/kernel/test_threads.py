"""One plan, many threads: it keeps nothing of one call that another could see."""

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

from seamlaw import (
    TOOL_CALL,
    Ask,
    Block,
    Consultation,
    Entry,
    Interceptors,
    Note,
    Outcome,
    Plan,
    Policy,
    Replace,
    Scope,
    ToolCall,
    consult,
    decide,
    decide_async,
    gate,
    interceptor,
    parse_rules,
    plan,
)
from seamlaw._plan import _Seam
from seamlaw.values._recent import REMEMBERED

Ask1 = Callable[[Any], object]
SEAM_OF_A_PLAN: Any = _Seam
NAMES = ["bash", "read_file", "edit_file", "git_push", *(f"flood_{number}" for number in range(700))]


def rename(call: ToolCall) -> Replace | None:
    """Turn every seventh flooding call into one of another name."""
    return Replace(ToolCall(call.id, "git_push", call.arguments)) if call.name.endswith("7") else None


def note_agent(call: ToolCall, scope: Scope) -> Note:
    """Tell who is calling."""
    return Note(f"{call.name} by {scope.agent}")


def judge(call: ToolCall) -> Block | Ask | None:
    """Block some, ask about others."""
    if call.arguments.get("n", 0) % 5 == 0:
        return Block("five")
    return Ask("three?") if call.arguments.get("n", 0) % 3 == 0 else None


def fails(call: ToolCall) -> object:
    """Raise for some."""
    return call.arguments["missing"] if call.arguments.get("n", 0) % 11 == 0 else None


def even(call: ToolCall) -> bool:
    """Whether the number is even."""
    return bool(call.arguments["n"] % 2 == 0)


GIVEN: dict[str, Any] = {
    "tool_call": [
        interceptor(rename, tools="flood_*"),
        interceptor(note_agent, tools=["bash", "git_*"], agents="a*"),
        gate(judge, tools="git_push"),
        gate(fails, tools=["read_file", "flood_1?", "*[05]"]),
        Policy("even").require(even, on_fail="ask").as_gate(),
    ],
    "rules": parse_rules(
        [
            {"refuse": "no edits", "tools": "edit_*", "when": [{"at": "/n", "greater": 3}]},
            {"note": "seen", "agents": "b*"},
            {"default": {"tool": "bash", "at": "/timeout", "value": 5}},
        ]
    ),
}
BUNDLE = Interceptors(**GIVEN)


def planned(bundle: Interceptors) -> Plan:
    """Make the plan, which is there."""
    made = plan(bundle)
    assert made is not None
    return made


def work(thread: int) -> list[tuple[ToolCall, Scope]]:
    """The calls of one thread: each starts elsewhere in the flood."""
    shuffled = NAMES[thread * 97 :] + NAMES[: thread * 97]
    return [
        (ToolCall(f"{thread}-{n}", name, {"n": n % 13}), Scope(agent=f"{'abc'[n % 3]}{thread % 2}"))
        for n, name in enumerate(shuffled)
    ]


def in_threads(run: Callable[[int], None]) -> None:
    """Run eight threads that start together, and raise what one of them raised."""
    start, raised = threading.Barrier(8), list[BaseException]()

    def body(number: int) -> None:
        try:
            start.wait()
            run(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(8)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # between as many steps as can be
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert raised == []


def test_eight_threads_on_one_plan_decide_as_one_alone() -> None:
    """A flood of tool names over filters: every outcome is the one that `decide` gives to that call."""
    made, answered = planned(BUNDLE), dict[int, list[Outcome[ToolCall] | None]]()

    def run(thread: int) -> None:
        answered[thread] = [made.tool_call(call, scope=scope) for call, scope in work(thread)]

    in_threads(run)
    for thread in range(8):
        alone = [decide(BUNDLE, TOOL_CALL, call, scope=scope) for call, scope in work(thread)]
        assert answered[thread] == [outcome if outcome.log else None for outcome in alone]


def test_eight_threads_that_await_decide_as_one_alone() -> None:
    """Each with a loop of its own, over the same bundle, and while others use its plan."""
    made, answered = planned(BUNDLE), dict[int, list[Outcome[ToolCall]]]()

    async def ask(question: Consultation[Any]) -> tuple[Entry, ...]:
        await asyncio.sleep(0)
        return consult(question)

    async def all_of(thread: int) -> list[Outcome[ToolCall]]:
        decided = [decide_async(BUNDLE, TOOL_CALL, call, ask=ask, scope=scope) for call, scope in work(thread)[:200]]
        return list(await asyncio.gather(*decided))

    def run(thread: int) -> None:
        if thread % 2:
            answered[thread] = asyncio.run(all_of(thread))
        else:
            for call, scope in work(thread):
                made.tool_call(call, scope=scope)

    in_threads(run)
    for thread in (1, 3, 5, 7):
        assert answered[thread] == [decide(BUNDLE, TOOL_CALL, call, scope=scope) for call, scope in work(thread)[:200]]


def test_a_plan_may_be_used_by_its_own_interceptor() -> None:
    """Deciding about another call while deciding about one disturbs neither."""
    inner: list[Outcome[ToolCall] | None] = []

    def reenters(call: ToolCall) -> Block | None:
        if call.name == "outer":
            inner.append(made.tool_call(ToolCall("2", "inner")))
            inner.append(made.tool_call(ToolCall("3", "quiet")))
        return Block("inner only") if call.name == "inner" else None

    asked: Any = (interceptor(reenters, tools=["outer", "inner"]),)
    made = planned(Interceptors(tool_call=asked))
    assert made.tool_call(ToolCall("1", "outer")) is None
    assert [None if outcome is None else outcome.reason for outcome in inner] == ["inner only", None]


def test_a_flood_of_tool_names_is_not_remembered_for_ever() -> None:
    """Names come from a model: what is kept of them is bounded, and who is known stays right."""
    ran: list[str] = []

    def sees(call: ToolCall) -> None:
        ran.append(call.name)

    asked: Any = (gate(sees, tools="known_*"),)
    made = planned(Interceptors(tool_call=asked))
    run: Any = made.tool_call
    held: list[Any] = [cell.cell_contents for cell in run.__closure__]
    (memory,) = (one.prepared.__self__ for one in held if type(one) is SEAM_OF_A_PLAN)
    for number in range(5 * REMEMBERED):
        made.tool_call(ToolCall("1", f"flood_{number}"))
        assert sum(map(len, memory.generations)) <= 2 * REMEMBERED
    made.tool_call(ToolCall("1", "known_1"))
    assert ran == ["known_1"]
