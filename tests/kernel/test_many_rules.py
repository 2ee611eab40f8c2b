"""Ten thousand rules and filters cost a call what ten do: counted in lookups, filters tried and questions asked."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false

import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw import (
    TOOL_CALL,
    Globs,
    Interceptors,
    Outcome,
    Plan,
    Replace,
    Scope,
    ToolCall,
    block,
    decide,
    gate,
    interceptor,
    note,
    parse_rules,
    plan,
)
from seamlaw import _step as steps
from seamlaw.values._index import Index

Work = Callable[[Callable[[], object]], Counter[str]]
KINDS = ["tool_{}", "tool_{}*", "*_{}", "to{}_*s", "t{}[0-9]"]
MANY = 10_000


def many(count: int) -> tuple[Any, ...]:
    """Rules for other tools: whole names, beginnings, endings, and globs."""
    return parse_rules([{"refuse": "no", "tools": KINDS[at % 5].format(f"{at}x")} for at in range(count)])


def planned(**given: Any) -> Plan:
    """Make the plan, which is there."""
    made = plan(Interceptors(**given))
    assert made is not None
    return made


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Count what is looked up, tried and asked while something runs."""

    def of(run: Callable[[], object]) -> Counter[str]:
        done: Counter[str] = Counter()

        def counted(where: Any, name: str) -> None:
            what = getattr(where, name)

            def counting(*given: Any) -> object:
                done[name] += 1
                return what(*given)

            patched.setattr(where, name, counting)

        with monkeypatch.context() as patched:
            counted(Index, "admitting")
            counted(Globs, "admit")
            counted(steps, "read")
            run()
        return done

    return of


@pytest.mark.parametrize("count", [10, MANY])
def test_a_tool_that_was_seen_before_is_looked_up_nowhere(count: int, work: Work) -> None:
    """However many rules there are, if they are for others."""
    call = ToolCall("1", "bash")
    made = planned(rules=many(count), tool_call=[lambda call: None])
    made.tool_call(call)
    assert work(lambda: made.tool_call(call)) == Counter()


@pytest.mark.parametrize("count", [10, MANY])
def test_whoever_speaks_does_not_make_the_others_be_searched(count: int, work: Work) -> None:
    """After a note, a replacement or a block, those asked are found, and not sought among all."""
    call = ToolCall("1", "bash", {"n": 1})
    speak: list[Any] = [
        lambda call: note("n"),
        lambda call: Replace(ToolCall("1", "bash", {"n": 2})),
        gate(lambda call: block("b"), tools="bash"),
        gate(lambda call: note("n"), tools="b*"),
    ]
    made = planned(rules=many(count), tool_call=speak)
    made.tool_call(call)
    done = work(lambda: made.tool_call(call))
    assert done["read"] == 4
    assert done["admitting"] == 0
    assert done["admit"] == 2 * 3  # the readable pipeline asks those who follow, once more, whether they match


@pytest.mark.parametrize("count", [10, MANY])
def test_a_rename_is_looked_up_once(count: int, work: Work) -> None:
    """And not again for the next call that is renamed alike."""
    made = planned(rules=many(count), tool_call=[lambda call: Replace(ToolCall("1", "ls"))])
    made.tool_call(ToolCall("1", "bash"))
    assert work(lambda: made.tool_call(ToolCall("2", "cat")))["admitting"] == 1
    assert work(lambda: made.tool_call(ToolCall("3", "cat")))["admitting"] == 0


def test_a_new_name_is_tried_only_by_those_who_begin_or_end_so(work: Work) -> None:
    """Of ten thousand."""
    made = planned(rules=many(MANY))
    for name in ("bash", "tool_5x", "tool_6xyz", "a_7x", "to8x_files", "t9x7", "x" * 300_000):
        said = made.tool_call(ToolCall("1", name))
        assert (said is None) is (name in ("bash", "x" * 300_000))
    assert work(lambda: made.tool_call(ToolCall("1", "new")))["admit"] == 0


def test_a_hot_tool_is_not_slowed_by_a_flood(work: Work) -> None:
    """Between two calls of it come a hundred names that were never seen: it is not looked up again."""
    made = planned(rules=many(100), tool_call=[interceptor(lambda call: None, tools="hot")])
    made.tool_call(ToolCall("1", "hot"))

    def flood() -> None:
        for number in range(5_000):
            made.tool_call(ToolCall("1", "hot" if number % 100 == 0 else f"flood_{number}"))

    assert work(flood)["admitting"] == 5_000 - 50


def test_a_flood_of_megabytes_is_not_kept() -> None:
    """A name may be as long as the model likes; so may the name of an agent."""
    made = planned(rules=many(100), tool_call=[interceptor(lambda call: None, tools="hot", agents="a*")])
    tracemalloc.start()
    try:
        for number in range(100):
            made.tool_call(ToolCall("1", f"{number}" + "x" * 2**20))
            made.tool_call(ToolCall("1", f"{number}"), scope=Scope(agent=f"{number}" + "x" * 2**20))
        assert tracemalloc.get_traced_memory()[0] < 2**20
    finally:
        tracemalloc.stop()


def outcome_of(bundle: Interceptors, call: ToolCall) -> Outcome[ToolCall] | None:
    """What `decide` gives, which tries everyone in turn; `None` if nothing was said."""
    outcome = decide(bundle, TOOL_CALL, call)
    return outcome if outcome.log else None


def test_ten_thousand_rules_decide_as_if_each_were_tried() -> None:
    """Also with a rewriter in the chain that makes one tool another."""
    renames = interceptor(lambda call: Replace(ToolCall(call.id, call.name + "x")), tools=["tool_?", "a_7"])
    bundle = Interceptors(rules=many(MANY), tool_call=[renames])
    made = plan(bundle)
    assert made is not None
    for name in ("tool_5", "tool_5x", "tool_6xyz", "a_7", "a_7x", "to8x_files", "t9x7", "bash"):
        call = ToolCall("1", name)
        assert made.tool_call(call) == outcome_of(bundle, call)
