"""A counterexample as code that can be pasted into a test."""

import math
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import attrs

from seamlaw_spec._law import Law

__all__ = ["as_test", "spelled"]

Imports = dict[str, set[str]]
WIDTH = 100


def as_test(law: Law, case: Mapping[str, Any], part: Callable[..., bool] | None = None) -> str:
    """Write the test that fails as long as the law, or the part of it that was checked, does not hold for this case."""
    holds = part or law.holds
    imports: Imports = {holds.__module__: {holds.__name__}}
    arguments = [f"{name}={spelled(value, imports)}" for name, value in case.items()]
    call = f"{holds.__name__}({', '.join(arguments)})"
    if len(call) > WIDTH:
        call = f"{holds.__name__}(\n" + "".join(f"        {argument},\n" for argument in arguments) + "    )"
    lines = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())]
    return "\n".join([*lines, "", "", f"def test_{law.name}() -> None:", f"    assert {call}", ""])


def spelled(value: Any, imports: Imports) -> str:
    """Write a value as an expression that makes it anew, and note what must be imported for it."""
    kind: type[Any] = value.__class__
    if isinstance(value, Enum):
        return f"{_imported(kind, imports)}.{value.name}"
    if kind is float and not math.isfinite(value):
        return f'float("{value}")'
    if attrs.has(kind):
        return f"{_imported(kind, imports)}({', '.join(_fields(value, imports))})"
    if kind in (list, tuple, set, frozenset, dict):
        return _container(value, imports)
    return repr(value)


def _fields(value: Any, imports: Imports) -> list[str]:
    """The arguments that make it: those that differ from the defaults, by name once one was left out."""
    told, by_name = list[str](), False
    for field in attrs.fields(value.__class__):
        given = getattr(value, field.name)
        if not field.init or (field.default is not attrs.NOTHING and field.default == given):
            by_name = True
            continue
        prefix = f"{field.alias}=" if by_name or field.kw_only else ""
        told.append(f"{prefix}{spelled(given, imports)}")
    return told


def _container(value: Any, imports: Imports) -> str:
    kind = value.__class__
    if kind is dict:
        return "{" + ", ".join(f"{spelled(key, imports)}: {spelled(value[key], imports)}" for key in value) + "}"
    items = [spelled(item, imports) for item in value]
    if kind is list:
        return f"[{', '.join(items)}]"
    if kind is tuple:
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    inside = f"{{{', '.join(sorted(items))}}}" if items else ""
    return f"frozenset({inside})" if kind is frozenset else inside or "set()"


def _imported(kind: type[Any], imports: Imports) -> str:
    name = kind.__qualname__
    imports.setdefault(kind.__module__, set()).add(name.partition(".")[0])
    return name
