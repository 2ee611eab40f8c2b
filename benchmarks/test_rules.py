"""What rules as data cost: by their number, looked up and not, merged, made ready, and in memory."""

import json
import tracemalloc
from collections.abc import Callable
from fnmatch import fnmatchcase

import pytest

from benchmarks.cases import (
    ARGUMENTS,
    CALL,
    Case,
    built,
    floor_of,
    mixed_rules,
    rules_for_others,
    rules_memoised,
    rules_missed,
    silent,
)
from benchmarks.conftest import Measure
from benchmarks.memory import measured
from seamlaw import Interceptors, ToolCall, merge, parse_rules, plan
from seamlaw_host.bench import calling

NUMBERS = (10, 100, 1_000, 10_000)


@pytest.mark.parametrize("count", NUMBERS)
def test_memoised(measure: Measure, count: int) -> None:
    measure(rules_memoised(count))


@pytest.mark.parametrize("count", NUMBERS)
def test_exact_miss(measure: Measure, count: int) -> None:
    measure(rules_missed("exact miss", rules_for_others, count))


@pytest.mark.parametrize("count", NUMBERS)
def test_glob_miss(measure: Measure, count: int) -> None:
    measure(rules_missed("glob miss", mixed_rules, count))


@pytest.mark.parametrize("count", NUMBERS)
def test_scan(measure: Measure, count: int) -> None:
    """What a plan spares: a scan of all filters with `fnmatch`."""
    filters = [pattern for rule in mixed_rules(count).by_rule for pattern in rule.tools.patterns]

    def scan(call: ToolCall) -> list[str]:
        return [pattern for pattern in filters if fnmatchcase(call.name, pattern)]

    run = built(mixed_rules(count)).tool_call
    measure(Case(f"rules/scan/{count}", calling(scan, CALL), calling(run, CALL), "the plan", count), pairs=15)


CONDITIONS: dict[str, dict[str, object]] = {
    "none": {},
    "equals": {"at": "/command", "equals": "rm"},
    "starts_with": {"at": "/command", "starts_with": "rm"},
    "contains": {"at": "/command", "contains": "forbidden"},
    "matches": {"at": "/command", "matches": "push .*--force"},
    "under": {"at": "/cwd", "under": "/etc"},
    "greater": {"at": "/timeout", "greater": 600},
}


@pytest.mark.parametrize("operator", CONDITIONS)
def test_conditions(measure: Measure, operator: str) -> None:
    """One rule with one condition, which does not hold; without any, a rule that notes."""
    given = CONDITIONS[operator]
    rule: dict[str, object] = {"refuse": "no", "tools": "bash", "when": [given]} if given else {"note": "a shell"}
    run = built(Interceptors(rules=parse_rules([rule]))).tool_call
    measure(Case(f"condition/{operator}", calling(run, CALL), floor_of(silent(1)), "a bare loop of one"))


@pytest.mark.parametrize("count", NUMBERS)
def test_parse(measure: Measure, count: int) -> None:
    """Rules read from data, beside the parsing of their JSON."""
    data = [{"refuse": "no", "tools": f"other_{at}"} for at in range(count)]
    text = json.dumps(data)
    measure(
        Case(f"parse/{count}", calling(parse_rules, data), calling(json.loads, text), "json.loads of them", count),
        pairs=9,
    )


@pytest.mark.parametrize("count", NUMBERS)
def test_plan_of_rules(measure: Measure, count: int) -> None:
    """A plan made of a bundle, beside the parsing of the same rules as JSON."""
    bundle = mixed_rules(count)
    text = json.dumps([{"refuse": "no", "tools": rule.tools.patterns} for rule in bundle.by_rule])
    measure(
        Case(f"plan/rules/{count}", calling(plan, bundle), calling(json.loads, text), "json.loads of them", count),
        pairs=9,
    )


@pytest.mark.parametrize("count", [1, 16, 256, 4_096])
def test_plan_of_interceptors(measure: Measure, count: int) -> None:
    """A bundle and its plan made of plain functions, beside a bare loop over them."""
    functions = silent(count)

    def make() -> object:
        return plan(Interceptors(tool_call=functions))

    measure(Case(f"plan/interceptors/{count}", calling(make), floor_of(functions), "a bare loop", count), pairs=9)


@pytest.mark.parametrize("count", NUMBERS)
def test_merge(measure: Measure, count: int) -> None:
    """Two bundles of rules, beside the concatenation of two tuples."""
    one, two = rules_for_others(count), rules_for_others(count)

    def concatenate() -> object:
        return (*one.rules, *two.rules)

    measure(
        Case(
            f"merge/{count}",
            lambda n: [merge(one, two) for _ in range(n)],
            calling(concatenate),
            "a tuple of both",
            count,
        ),
        pairs=9,
    )


def test_memory(figure: Callable[..., None]) -> None:
    """What one more keeps in memory: as it is given, in the bundle, and in its plan."""
    for kind, parts in measured().items():
        figure(f"memory/{kind}", sum(parts.values()), "bytes", **parts)


def test_memory_of_a_flood(figure: Callable[..., None]) -> None:
    """What ten thousand names more, that nobody has seen, add to a plan that has seen ten thousand."""
    made = built(mixed_rules(100))

    def flood(begin: int) -> int:
        for at in range(begin, begin + 10_000):
            made.tool_call(ToolCall("call-1", f"flood_{at}", ARGUMENTS))
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    before = flood(0)
    added = flood(10_000) - before
    tracemalloc.stop()
    figure("memory/10,000 names", added, "bytes")
