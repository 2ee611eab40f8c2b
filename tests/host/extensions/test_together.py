"""Many threads, many tasks, one process: each gets the answer to its own question, and nobody waits for ever."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.host.extensions.made import LONG, OTHER, SHORT, call, declared, eventually, scripted, value_for, written

from seamlaw import CONTEXT, TOOL_CALL, Interceptors, Outcome, ToolCall, Verdict, decide, decide_async, merge, note
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked
from seamlaw_host.extensions import consult_async

THREADS, EACH = 24, 20


def test_each_of_many_threads_gets_its_own_answer(tmp_path: Path) -> None:
    """More of them than are in flight at once, while the process is killed under them: wrong answers there are none."""
    with scripted(written(tmp_path), failures=10_000) as extension:
        bundle, found = extension.interceptors(), list[tuple[str, Outcome[ToolCall]]]()

        def asks(thread: int) -> None:
            for number in range(EACH):
                mine = f"{thread}-{number}"
                dies = [("kill",)] if (thread, number) in ((3, 5), (7, 11)) else []
                found.append((mine, decide(bundle, TOOL_CALL, call(*dies, ("block", mine)))))

        threads = [threading.Thread(target=asks, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == THREADS * EACH
    died = [mine for mine, outcome in found if outcome.reason == "extension scripted ended (judge)"]
    assert {"3-5", "7-11"} <= set(died)
    assert len(died) <= 2 * 16
    for mine, outcome in found:
        assert outcome.verdict is Verdict.BLOCK
        assert mine in died or outcome.reason == mine


def test_no_more_than_sixteen_are_in_flight_and_what_waits_fails_in_time(tmp_path: Path) -> None:
    """A place is taken until its answer has come, however late; so an extension cannot be flooded."""
    path = written(tmp_path, declared("judge"), declared("free", "context"))
    with scripted(path, deadlines_s={"context": SHORT}, failures=100) as extension:
        bundle = extension.interceptors()
        threads = [threading.Thread(target=decide, args=(bundle, TOOL_CALL, call(("keep",)))) for _ in range(16)]
        for thread in threads:
            thread.start()
        eventually(lambda: len(extension._channel._in_flight) == 16, "all are sent")
        asked = tmp_path / "asked"
        outcome = decide(bundle, CONTEXT, *value_for(CONTEXT, ("shown", str(asked)), ("allow",)))
        assert outcome.reason == "extension scripted gave no answer within 0.2 s (free)"
        assert len(extension._channel._in_flight) == 16
        assert not extension._channel._queue
        extension.close()
        for thread in threads:
            thread.join()
        assert not asked.exists(), "what was given up while it waited is never sent"


def test_sixteen_that_are_never_answered_end_the_process(tmp_path: Path) -> None:
    """Their places are lost until then; afterwards it is asked as before."""
    with scripted(written(tmp_path), deadlines_s={"tool_call": 1.0}, failures=20, pause_s=SHORT) as extension:
        bundle = extension.interceptors()
        threads = [threading.Thread(target=decide, args=(bundle, TOOL_CALL, call(("keep",)))) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not decide(bundle, TOOL_CALL, call()).proceeds
        eventually(lambda: decide(bundle, TOOL_CALL, call()).proceeds, "it comes back")


def test_tasks_await_their_answers_side_by_side(tmp_path: Path) -> None:
    """The first question is answered by what the last one has done: none of them holds up the loop."""
    with scripted(written(tmp_path, declared("judge"), declared("one", "context"))) as extension:
        bundle = extension.interceptors()

        async def asks(seam: Any, *offered: Any) -> Outcome[Any]:
            return await decide_async(bundle, seam, *offered, ask=consult_async)

        async def together() -> list[Outcome[Any]]:
            keeping = [asyncio.create_task(asks(TOOL_CALL, call(("keep",)))) for _ in range(8)]
            while len(extension._channel._in_flight) < 8:
                await asyncio.sleep(0.001)
            return [await asks(CONTEXT, *value_for(CONTEXT, ("kept",), ("allow",))), *await asyncio.gather(*keeping)]

        assert [outcome.verdict for outcome in asyncio.run(together())] == [Verdict.PROCEED] * 9


def test_awaited_or_not_the_outcome_is_the_same(tmp_path: Path) -> None:
    """Of each decision, of no answer in time, and of an interceptor that is none of an extension's."""
    path = written(tmp_path, declared("judge"), declared("shape", mode="rewriter"))
    plain = {"id": "x", "name": "bash", "arguments": {"do": [["block", "changed"]]}}
    steps: list[Any] = [("allow",), ("block",), ("note",), ("ask",), ("error",), ("replace", plain)]
    for deadline, listed in ((LONG, steps), (SHORT, [("keep",)])):
        with scripted(path, deadlines_s={"tool_call": deadline}) as extension:
            noted = Interceptors(tool_call=[lambda call: note("here")])
            bundle = merge(noted, extension.interceptors())
            for step in listed:
                awaited = asyncio.run(decide_async(bundle, TOOL_CALL, call(step), ask=consult_async))
                assert awaited == decide(bundle, TOOL_CALL, call(step))
                assert awaited.log[0].reason == "here"


def test_a_task_that_is_cancelled_leaves_the_rest_alone(tmp_path: Path) -> None:
    """Its answer is nobody's when it comes, and it is no failure of the extension."""
    with scripted(written(tmp_path), failures=1) as extension:
        bundle = extension.interceptors()

        async def cancelled() -> None:
            task = asyncio.create_task(decide_async(bundle, TOOL_CALL, call(("keep",)), ask=consult_async))
            while not extension._channel._in_flight:
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(cancelled())
        assert decide(bundle, TOOL_CALL, call(("kept",), ("block", "mine"))).reason == "mine"


def test_an_engine_waits_for_it_beside_the_event_loop(tmp_path: Path) -> None:
    """Two calls through `acall`: the first is answered by what the second does."""
    with scripted(written(tmp_path)) as extension:
        engine = Engine(extension.interceptors())

        async def together() -> list[str]:
            first = asyncio.create_task(engine.acall("bash", ran, dict(call(("keep",)).arguments)))
            while not extension._channel._in_flight:
                await asyncio.sleep(0.001)
            second = await engine.acall("bash", ran, dict(call(("kept",), ("allow",)).arguments))
            return [await first, second]

        async def ran(do: object) -> str:
            return "ran"

        assert asyncio.run(together()) == ["ran", "ran"]


def test_an_engine_denies_what_it_denies(tmp_path: Path) -> None:
    """The tool does not run, also where the extension dies; sync and async alike."""
    with scripted(written(tmp_path)) as extension:
        engine, started = Engine(extension.interceptors()), list[str]()

        def tool(do: object) -> None:
            started.append("ran")

        for steps in ([("block",)], [("kill",)]):
            arguments = dict(call(*steps).arguments)
            with pytest.raises(Blocked):
                engine.call("bash", tool, arguments)
            with pytest.raises(Blocked):
                asyncio.run(engine.acall("bash", tool, arguments))
        assert started == []
        engine.call("bash", tool, dict(call(("allow",)).arguments))
        assert started == ["ran"]


def test_an_interrupt_leaves_and_the_process_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for an answer can be stopped; the answer is nobody's then."""
    with scripted(written(tmp_path), failures=1) as extension:
        bundle = extension.interceptors()
        channel = extension._channel
        submit = channel.submit

        def interrupted(pending: Any) -> None:
            submit(pending)
            monkeypatch.setattr(channel, "submit", submit)
            raise KeyboardInterrupt

        monkeypatch.setattr(channel, "submit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            decide(bundle, TOOL_CALL, call(("keep",)))
        assert decide(bundle, TOOL_CALL, OTHER).proceeds
