"""What a bundle and its plan keep in memory: bytes for each rule and each interceptor.

    python -m benchmarks.memory           # a table
    python -m benchmarks.memory --json    # the same, for a program

Counted by tracemalloc, which sees all that Python allocates; what the interceptors' own functions take is not in it.
"""

import argparse
import gc
import json
import sys
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

from seamlaw import Interceptor, Interceptors, Plan, ToolCall, gate, parse_rules, plan
from seamlaw.policy import Default, Rule

__all__ = ["KINDS", "main", "measured"]

T = TypeVar("T")
COUNT = 10_000


def _silent(number: int) -> Callable[[ToolCall], None]:
    return lambda call: None


FUNCTIONS = [_silent(number) for number in range(COUNT)]


def _rules(tools: str) -> Callable[[], tuple[Rule | Default, ...]]:
    condition = {"at": "/command", "contains": "rm"}
    data = [{"refuse": "no", "tools": tools.format(at), "when": [condition]} for at in range(COUNT)]
    return lambda: parse_rules(data)


def _plain() -> list[Callable[[ToolCall], object]]:
    return [*FUNCTIONS]


def _gates() -> list[Interceptor]:
    return [gate(function, name="gate", tools="bash") for function in FUNCTIONS]


def _of_rules(given: tuple[Rule | Default, ...]) -> Interceptors:
    return Interceptors(rules=given)


KINDS: dict[str, Callable[[], tuple[int, int, int]]] = {
    "interceptor": lambda: _kept(_plain, lambda given: Interceptors(tool_call=given)),
    "gate of one tool": lambda: _kept(_gates, lambda given: Interceptors(tool_call=given)),
    "rule, whole name": lambda: _kept(_rules("tool_{}"), _of_rules),
    "rule, beginning": lambda: _kept(_rules("tool_{}_*"), _of_rules),
    "rule, glob": lambda: _kept(_rules("t?ol_{}_*x"), _of_rules),
}


def _kept(make: Callable[[], T], bundled: Callable[[T], Interceptors]) -> tuple[int, int, int]:
    """Give the bytes that are kept for what is made, for the bundle around it, and for the plan of that."""
    tracemalloc.start()
    try:
        marks = [_now()]
        given = make()
        marks.append(_now())
        bundle = bundled(given)
        marks.append(_now())
        planned = plan(bundle)
        marks.append(_now())
        assert type(planned) is Plan
        assert given
    finally:
        tracemalloc.stop()
    made, bundle_size, plan_size = (after - before for before, after in pairwise(marks))
    return made, bundle_size, plan_size


def _now() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def measured() -> dict[str, dict[str, int]]:
    """Measure the bytes for each one of ten thousand: as it is given, in the bundle, and in the plan."""
    return {
        kind: {part: round(size / COUNT) for part, size in zip(("given", "bundle", "plan"), measure(), strict=True)}
        for kind, measure in KINDS.items()
    }


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Bytes for each rule and each interceptor.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    found = measured()
    if parser.parse_args().json:
        print(json.dumps({"python": sys.version.split()[0], "bytes": found}, indent=2))
        return 0
    print(f"Bytes for each of {COUNT:,}, on Python {sys.version.split()[0]}:")
    print(f"{'':20}{'given':>8}{'bundle':>8}{'plan':>8}")
    for kind, parts in found.items():
        print(f"{kind:20}" + "".join(f"{parts[part]:>8}" for part in ("given", "bundle", "plan")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
