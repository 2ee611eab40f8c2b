"""Find the seam that a bare callable is for: by its annotation, by how much it takes, by what it asks of a value."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import CodeType
from typing import Any, cast, get_args, get_type_hints

import attrs

from seamlaw import (
    CONTEXT,
    MEMORY,
    PROVIDER_REQUEST,
    SEAMS,
    TOOL_CALL,
    TOOL_RESULT,
    Interceptor,
    MemoryItem,
    Message,
    ProviderRequest,
    Seam,
    ToolCall,
    ToolResult,
)

__all__ = ["annotated_seam", "seam_of"]

BY_TYPE: Mapping[type[Any], Seam[Any]] = {
    ToolCall: TOOL_CALL,
    ToolResult: TOOL_RESULT,
    Message: CONTEXT,
    ProviderRequest: PROVIDER_REQUEST,
    MemoryItem: MEMORY,
}


def seam_of(function: object) -> Seam[Any]:
    """The seam, which is `tool_call` where nothing tells."""
    inner = _innermost(function)
    return _by_annotation(inner) or _by_count(inner) or _by_use(inner)


def annotated_seam(function: object) -> Seam[Any] | None:
    """The seam that the annotation of its first parameter names, if there is one."""
    return _by_annotation(_innermost(function))


def _innermost(function: object) -> Any:
    inner: Any = function
    while isinstance(inner, Interceptor | partial):
        wrapped = cast("Interceptor | partial[object]", inner)
        inner = wrapped.function if isinstance(wrapped, Interceptor) else wrapped.func
    if not inspect.isroutine(inner):
        inner = getattr(inner, "__call__", inner)  # noqa: B004 - its code is asked for, not whether it has any
    return inner


def _by_annotation(function: Any) -> Seam[Any] | None:
    try:
        hints = get_type_hints(function)
        first = next(name for name, p in inspect.signature(function).parameters.items() if p.kind is not p.KEYWORD_ONLY)
    except Exception:  # annotations may name what is not there at run time
        return None
    return next((BY_TYPE[kind] for kind in _kinds(hints.get(first)) if kind in BY_TYPE), None)


def _kinds(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in get_args(annotation):
        yield from _kinds(inner)


def _by_count(function: Callable[..., object]) -> Seam[Any] | None:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    required = [
        p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return TOOL_RESULT if len([p for p in required if p.name != "scope"]) > 1 else None


def _by_use(function: Any) -> Seam[Any]:
    code = getattr(function, "__code__", None)
    asked = set(_names(code)) if isinstance(code, CodeType) else set[str]()
    return max(SEAMS.values(), key=lambda seam: (len(asked & _telling(seam)), seam is TOOL_CALL))


def _telling(seam: Seam[Any]) -> set[str]:
    """The fields that only the value of this seam has."""
    elsewhere = {f.name for kind, other in BY_TYPE.items() if other is not seam for f in attrs.fields(kind)}
    own = {f.name for f in attrs.fields(seam.value_type)}
    return own - elsewhere | {"text"} if seam is CONTEXT else own - elsewhere


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
