from fnmatch import fnmatchcase
from itertools import product
from random import Random

import pytest

from seamlaw import Interceptor, Interceptors, InvalidInterceptor, Scope, ToolCall, interceptor, plan
from seamlaw_spec.filter_domains import Flood, Listener, Name
from seamlaw_spec.laws import filters as laws

NAMES = ["bash", "bash_2", "Bash", "bash\n", ""]
FILTERS: list[tuple[str, ...]] = [(), ("bash",), ("bash*", "x"), ("*_2",), ("[!b]*",), ("b?sh",), ("bash", "Bash")]


def test_filters_are_exhausted() -> None:
    """Every pair of an interceptor that renames and one that looks, of either mode, under every filter."""
    seconds = [
        Listener(tools, agents, None, gate)
        for tools, agents in product(FILTERS, [(), ("a*",)])
        for gate in (True, False)
    ]
    firsts = [Listener(tools, (), Name(name)) for tools, name in product(FILTERS, NAMES)]
    for first, second in product(firsts, seconds):
        for agent in (None, Name("ab"), Name("b")):
            assert laws.consulted_iff_it_matches([first, second], Name("bash"), agent), (first, second, agent)


def test_thousands_of_globs_are_a_scan() -> None:
    """A plan with thousands of filters of every kind consults whom a scan would."""
    kinds = ["tool_{}", "tool_{}*", "*_{}", "t?ol_{}", "tool_[0-4]{}"]
    listeners = tuple(Listener((kind.format(number),)) for number in range(600) for kind in kinds)
    calls = tuple((f"tool_{number}", None) for number in (0, 1, 12, 42, 599, 600, 1000))
    assert laws.the_index_is_the_scan(Flood(listeners, calls))


@pytest.mark.slow
def test_ten_thousand_random_globs_are_a_scan_also_after_a_rename() -> None:
    """Globs of every shape, some of interceptors that rename; each name comes twice."""
    chosen = Random(7)
    pieces = ["a", "b", "_", "tool", "*", "*", "?", "[ab]", "[!a]", "[a-t]"]

    def listener(at: int) -> Listener:
        tools = ("".join(chosen.choices(pieces, k=chosen.randint(1, 7))),)
        return Listener(tools, (), Name(f"tool_{at}") if at % 1_000 == 5 else None, at % 2 == 0)

    listeners = tuple(map(listener, range(10_000)))
    assert any(one.renames for one in listeners)
    names = ["".join(chosen.choices(["a", "b", "_", "tool", "x"], k=chosen.randint(0, 6))) for _ in range(12)]
    assert laws.the_index_is_the_scan(Flood(listeners, tuple((name, None) for name in names * 2)))


def test_a_flood_of_names_changes_nothing_and_is_forgotten() -> None:
    """Names come from a model: thousands of them are each looked up rightly, and the memory stays bounded."""
    globs = [("tool_1*",), ("tool_2",), ("*9",), ()]
    seen = list[int]()

    def looking(at: int, tools: tuple[str, ...]) -> Interceptor:
        def look(_: ToolCall) -> None:
            seen.append(at)

        return interceptor(look, tools=tools)

    made = plan(Interceptors(tool_call=tuple(looking(at, tools) for at, tools in enumerate(globs))))
    assert made is not None
    for number in [*range(3000), *range(100), *range(2990, 3010)]:
        name = f"tool_{number}"
        seen.clear()
        made.tool_call(ToolCall("1", name))
        assert seen == [at for at, tools in enumerate(globs) if not tools or any(fnmatchcase(name, g) for g in tools)]


def test_an_agent_that_is_not_known_is_consulted_about() -> None:
    """Whoever does not say who they are slips past no filter of agents."""
    seen = list[str]()

    def look(call: ToolCall) -> None:
        seen.append(call.id)

    made = plan(Interceptors(tool_call=(interceptor(look, agents="auditor"),)))
    assert made is not None
    for at, agent in enumerate(["auditor", None, "clerk", "Auditor", "auditor\n"]):
        made.tool_call(ToolCall(str(at), "t"), scope=Scope(agent=agent))
    assert seen == ["0", "1"]


@pytest.mark.parametrize("glob", ["", "[", "[]", "a[", "[!]", "[!!a]", "a\0", "[a]]", "[b-a]"])
def test_what_is_no_glob_is_refused(glob: str) -> None:
    """A glob that `fnmatch` would read as plain text is refused, for its author meant something else."""
    with pytest.raises(InvalidInterceptor, match="glob 0"):
        interceptor(print, tools=glob)
