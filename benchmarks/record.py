"""Keep a run of the benchmarks: what pytest-benchmark wrote becomes benchmarks/results.json, and the plots.

python -m benchmarks.record RAW.json            # of all
python -m benchmarks.record RAW.json --add      # of some, beside what was recorded on the same day and machine
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from benchmarks import plots
from benchmarks.results import RESULTS

__all__ = ["added", "main", "recorded"]

ALIKE = ("Python", "seamlaw", "attrs")  # the versions that all rows share
DIGITS = 4  # significant ones: more would only be noise in a diff


def recorded(raw: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a run: nothing that names a machine, a folder or a person."""
    rows = [bench["extra_info"] for bench in raw["benchmarks"] if "key" in bench["extra_info"]]
    return {
        "schema": "seamlaw.benchmarks/1",
        "date": raw["datetime"][:10],
        "machine": {name: raw["machine_info"][name] for name in ("processor", "cores", "architecture", "system")},
        "versions": raw["versions"],
        "absent": raw["absent"],
        "peers": raw["peers"],
        "figures": _rounded(raw["figures"]),
        "results": {row["key"]: _rounded({name: row[name] for name in row if name != "key"}) for row in rows},
    }


def added(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded run with the rows of another in it; raises `ValueError` where they cannot stand beside one another."""
    apart = [name for name in ("date", "machine") if before[name] != now[name]]
    apart += [name for name in ALIKE if before["versions"].get(name) != now["versions"].get(name)]
    if apart:
        raise ValueError(f"measured under other conditions: {', '.join(apart)}; measure all anew")
    joined = {part: {**before[part], **now[part]} for part in ("figures", "results")}
    return {**before, **joined}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in cast("dict[str, Any]", value).items()}
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def main(source: str, how: str = "") -> None:
    """Write the results and the plots; tell what is no longer measured."""
    before: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {"results": {}}
    now = recorded(json.loads(Path(source).read_text("utf-8")))
    now = added(before, now) if how == "--add" else now
    for key in before["results"].keys() - now["results"].keys():
        print(f"no longer measured: {key}")
    RESULTS.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for path in plots.write(now):
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
