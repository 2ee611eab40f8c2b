"""Keep a run of the benchmarks: what pytest-benchmark wrote becomes benchmarks/results.json, and the plots.

python -m benchmarks.record RAW.json
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from benchmarks import plots
from benchmarks.results import RESULTS

__all__ = ["main", "recorded"]

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


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in cast("dict[str, Any]", value).items()}
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def main(source: str) -> None:
    """Write the results and the plots; tell what is no longer measured."""
    before: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {"results": {}}
    now = recorded(json.loads(Path(source).read_text("utf-8")))
    for key in before["results"].keys() - now["results"].keys():
        print(f"no longer measured: {key}")
    RESULTS.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for path in plots.write(now):
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
