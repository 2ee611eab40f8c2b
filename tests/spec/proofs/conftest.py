"""Copies of shipped functions with something planted in them."""

import inspect
import linecache
from collections.abc import Callable
from textwrap import dedent, indent
from types import FunctionType
from typing import Any

import pytest

from seamlaw_spec.proofs.extraction import SHIPPED


def _planted(name: str, old: str, new: str) -> FunctionType:
    shipped = SHIPPED.functions[name]
    source = dedent(inspect.getsource(shipped))
    assert source.count(old) == 1, f"{name} does not say {old!r} once"
    line = source[: source.index(old)].rpartition("\n")[2]
    margin = " " * (len(line) - len(line.lstrip()))
    spoiled = source.replace(old, indent(new, margin).lstrip())
    file, ground = f"<planted {name} {hash(spoiled)}>", dict[str, Any](shipped.__globals__)
    linecache.cache[file] = (len(spoiled), None, spoiled.splitlines(keepends=True), file)
    exec(compile(spoiled, file, "exec"), ground)
    made: FunctionType = ground[shipped.__name__]
    return made


@pytest.fixture(scope="session")
def planted() -> Callable[[str, str, str], FunctionType]:
    """Copy the shipped function of a name with a piece of its source replaced; in globals of its own."""
    return _planted
