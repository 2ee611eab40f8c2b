"""Tools that are generators: each of their steps is inside of the call, and none passes unjudged."""

import asyncio
from collections.abc import AsyncGenerator, Generator

import pytest
from tests.host.engine.scripted import Kept, Tool

from seamlaw import Interceptors, block, gate
from seamlaw_host.engine import Engine, current_scope, session
from seamlaw_host.errors import Blocked, ToolFailed

NO_INNER = Interceptors(tool_call=[gate(lambda call: block("no"), name="no", tools="inner")])


@pytest.mark.parametrize("way", ["sync", "async"])
def test_an_agent_that_streams_sheds_no_policy(way: str) -> None:
    """A nested agent written as a generator ran when it was read, outside of the call: without the outer policies."""
    outer, inner, tool = Engine(NO_INNER), Engine(), Tool()

    def stream() -> Generator[object]:
        yield "first"
        yield inner.call("inner", tool)

    async def later() -> AsyncGenerator[object]:
        yield "first"
        yield await inner.acall("inner", tool.later)

    async def read() -> list[object]:
        return [item async for item in await outer.acall("agent", later)]

    with pytest.raises(Blocked, match="no"):
        asyncio.run(read()) if way == "async" else list(outer.call("agent", stream))
    assert tool.starts == []


def test_a_generator_is_one() -> None:
    """What is sent, thrown, returned and closed reaches it, and between its steps the caller is in no call."""
    told: list[object] = []

    def steps() -> Generator[object, object, str]:
        try:
            told.append((yield current_scope().session))
            try:
                yield "two"
            except KeyError:
                told.append("thrown")
            yield "three"
        finally:
            told.append("closed")
        return "end"

    def all_of() -> Generator[object, object, None]:
        told.append((yield from made))

    with session("s"):
        made = Engine().call("t", steps)
    assert next(made) == "s"
    assert current_scope().session is None
    assert made.send("sent") == "two"
    assert made.throw(KeyError()) == "three"
    assert list(all_of()) == []
    assert told == ["sent", "thrown", "closed", "end"]
    made = Engine().call("t", steps)
    next(made)
    made.close()
    assert told[-1] == "closed"


def test_an_async_generator_is_one() -> None:
    """The same, awaited."""
    told: list[object] = []

    async def steps() -> AsyncGenerator[object, object]:
        try:
            told.append((yield "one"))
            yield "two"
        finally:
            told.append("closed")

    async def main() -> None:
        made = await Engine().acall("t", steps)
        assert await anext(made) == "one"
        assert await made.asend("sent") == "two"
        await made.aclose()
        made = await Engine().acall("t", steps)
        assert [item async for item in made] == ["one", "two"]

    asyncio.run(main())
    assert told == ["sent", "closed", None, "closed"]


def test_what_a_generator_gives_is_not_passed_by_who_judges_results() -> None:
    """A gate on results was shown the generator, and what it gave later reached the caller unseen."""
    told: list[str] = []

    def stream() -> Generator[str]:
        told.append("ran")
        yield "secret"

    ledger = Kept()
    no_secret = gate(lambda result, call: block("no") if "secret" in str(result.output) else None, name="no secret")
    engine = Engine(Interceptors(tool_result=[no_secret]), ledger=ledger)
    with pytest.raises(ToolFailed, match="a generator"):
        engine.call("t", stream)
    assert told == []
    assert "generator" in ledger.happenings[-1].error


def test_what_cannot_be_shown_to_who_judges_results_does_not_go_on() -> None:
    """A result in a cycle was shown to a gate as an error, and passed on as it was."""

    def cycle() -> list[object]:
        found: list[object] = ["secret"]
        found.append(found)
        return found

    no_secret = gate(lambda result, call: block("no") if "secret" in str(result.output) else None, name="no secret")
    with pytest.raises(ToolFailed, match="no value"):
        Engine(Interceptors(tool_result=[no_secret])).call("t", cycle)
    assert Engine().call("t", cycle)[0] == "secret"
