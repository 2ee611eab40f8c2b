"""The recorded run, and what a time in it is."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["RESULTS", "Run", "nanoseconds", "read"]

RESULTS = Path(__file__).with_name("results.json")
SHARED = ("peer", "governed")  # the groups that are measured against one floor
Run: TypeAlias = Mapping[str, Any]


def read() -> Run:
    """Read it."""
    found: Run = json.loads(RESULTS.read_text("utf-8"))
    return found


def nanoseconds(run: Run, key: str) -> float:
    """What one time takes where nothing disturbs it: the least sample.

    What is compared with one another shares a floor: it is the ratio to that, times the least that the floor took at
    all. So nobody has the luck of a better moment.
    """
    results, group = run["results"], key.partition("/")[0]
    found: Mapping[str, Any] = results[key]
    if group not in SHARED:
        return float(found["least_ns"])
    beside = (row for other, row in results.items() if other.partition("/")[0] == group)
    floors = (row["floor_least_ns"] for row in beside if (row["over"], row["size"]) == (found["over"], found["size"]))
    return float(found["ratio"] * min(floors))
