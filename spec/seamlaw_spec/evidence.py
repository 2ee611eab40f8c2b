"""The evidence as it was recorded: for each law the hash of what it states, and what each mechanism found.

`seamlaw verify --record` writes the file; it is committed, so that a law which changed since is noticed.
"""

import ast
import hashlib
import inspect
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any, cast

from ._law import Law
from .layers import Evidence

__all__ = ["FILE", "SCHEMA", "read", "recorded_seconds", "statement_hash", "write"]

FILE = Path(__file__).with_name("evidence.json")
SCHEMA = "seamlaw.evidence/1"


def statement_hash(law: Law) -> str:
    """The hash of all that a law states: its name, its words and its function, not how the function is laid out.

    It is the same on every Python: neither how a version writes a tree back as text nor a field that only a newer
    one knows goes into it.
    """
    shape = _shape(ast.parse(dedent(inspect.getsource(law.holds))))
    return hashlib.sha256(f"{law.name}\n{law.statement}\n{shape}".encode()).hexdigest()[:16]


def _shape(node: object) -> str:
    """A syntax tree as text: each node by its name and those of its fields that say something."""
    match node:
        case ast.AST():
            fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
            return f"{type(node).__name__}({','.join(f'{name}={_shape(value)}' for name, value in fields)})"
        case list():
            return f"[{','.join(map(_shape, cast('list[object]', node)))}]"
        case _:
            return repr(node)


@cache
def read() -> Mapping[str, Any]:
    """Read what is recorded; nothing where the file is missing."""
    if not FILE.exists():
        return {"schema": SCHEMA, "versions": {}, "seconds": 0.0, "laws": {}}
    found: Mapping[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def write(laws: Iterable[Law], found: Iterable[Evidence], *, seconds: float, versions: Mapping[str, str]) -> None:
    """Record what was found of each law."""
    listed = list(found)
    told = {law.name: _law(law, [one for one in listed if one.law == law.name]) for law in laws}
    data = {
        "schema": SCHEMA,
        "versions": dict(versions),
        "seconds": round(seconds, 1),
        "trusted": next((one.trusted for one in listed if one.trusted), ""),
        "laws": told,
    }
    FILE.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    read.cache_clear()


def _law(law: Law, found: list[Evidence]) -> dict[str, Any]:
    return {
        "statement": statement_hash(law),
        "evidence": {
            one.mechanism: {
                "count": one.count,
                "unit": one.unit,
                "bound": one.bound,
                "seconds": round(one.seconds, 2),
                **({"unsaid": one.unsaid} if one.unsaid else {}),
            }
            for one in found
        },
    }


def recorded_seconds(law: str, mechanism: str) -> float:
    """How long a check took when it was recorded; a check that was not is taken to be long."""
    found = read()["laws"].get(law, {}).get("evidence", {}).get(mechanism, {})
    return float(found.get("seconds", 1e6))
