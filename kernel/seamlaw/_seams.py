"""The seams: one literal table; every other account of them, in docs and tests, is made from it."""

from collections.abc import Iterable, Mapping
from itertools import repeat
from operator import is_
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar, cast

from attrs import evolve, field, frozen

from .errors import InvalidValue, UnknownSeam
from .values._frozen import FrozenDict, FrozenList, freeze
from .values._values import MemoryItem, Message, ProviderRequest, ToolCall, ToolResult

__all__ = ["CONTEXT", "MEMORY", "PROVIDER_REQUEST", "SEAMS", "TOOL_CALL", "TOOL_RESULT", "Seam", "seam"]

V = TypeVar("V")
JSON = (dict, list)  # what is frozen before anybody sees it


def _fault_policy(value: Literal["open", "closed"]) -> Literal["open", "closed"]:
    if value not in ("open", "closed"):
        raise InvalidValue("/on_fault", "must be 'open' or 'closed'")
    return value


def _types(given: Iterable[type[Any]]) -> tuple[type[Any], ...]:
    return tuple(given)


@frozen(repr=False)
class Seam(Generic[V]):
    """A point of a turn where a decision is taken; a host defines its own over any type of value."""

    name: str
    value_type: type[Any]
    on_fault: Literal["open", "closed"] = field(default="closed", converter=_fault_policy)
    blocked: str = "Blocked by interceptor: {reason}"  # how a block is told to the model
    many: bool = False  # the value is a tuple of `value_type`
    beside: tuple[type[Any], ...] = field(default=(), converter=_types)
    call_at: int | None = None  # which of the value (0) and what stands beside it (1, …) is the tool call
    kept: tuple[str, ...] = ()  # fields no replacement may change
    fires: str = ""
    block_means: str = ""

    def __attrs_post_init__(self) -> None:
        at = self.call_at
        if at is not None and (at < 0 or (self.value_type, *self.beside)[at : at + 1] != (ToolCall,)):
            raise InvalidValue("/call_at", "must be where a ToolCall stands: 0 for the value, 1 beside it")

    def __repr__(self) -> str:
        return f"<seam {self.name}>"

    def admit(self, value: object) -> V:
        """Give back `value` as this seam carries it, frozen where it is JSON; raises `InvalidValue`."""
        if not self.many:
            return cast(V, self._one(value))
        if not issubclass(type(value), (tuple, list)):
            raise InvalidValue("", f"{self.name} carries a list or tuple, not {type(value).__name__}")
        given = cast("tuple[object, ...]", value)
        just_these = type(given) is tuple and all(map(is_, map(type, given), repeat(self.value_type)))
        if just_these and not issubclass(self.value_type, JSON):
            return cast(V, given)
        items = tuple(map(self._one, given))
        return cast(V, given if type(given) is tuple and all(map(is_, items, given)) else items)

    def _one(self, value: object) -> object:
        kind = type(value)
        if issubclass(kind, JSON) and kind is not FrozenDict and kind is not FrozenList:
            return self._one(freeze(value))
        if not issubclass(kind, self.value_type):  # isinstance() would believe a forged __class__
            raise InvalidValue("", f"{self.name} carries {self.value_type.__name__}, not {kind.__name__}")
        return value

    def admit_beside(self, beside: tuple[Any, ...]) -> tuple[Any, ...]:
        """Give back what stands beside the value, frozen where it is JSON; raises `InvalidValue`."""
        if not beside and not self.beside:
            return beside
        frozen_beside = tuple([freeze(item) if issubclass(type(item), JSON) else item for item in beside])
        if len(beside) != len(self.beside) or not all(map(issubclass, map(type, frozen_beside), self.beside)):
            raise InvalidValue("", f"{self.name} needs beside its value: {[kind.__name__ for kind in self.beside]}")
        return frozen_beside

    def keep(self, before: V, after: V) -> V:
        """Give `after` the fields of `before` that this seam keeps (law `call_id_is_kept`)."""
        changed = {name: getattr(before, name) for name in self.kept}
        if all(getattr(after, name) == kept for name, kept in changed.items()):
            return after
        return cast(V, evolve(cast(Any, after), **changed))

    def tool(self, offered: tuple[Any, ...]) -> str | None:
        """The name of the tool this is about, from the value and what stands beside it."""
        return None if self.call_at is None else offered[self.call_at].name

    def surface(self, reason: str) -> str:
        """The text that stands where a blocked value would have stood."""
        return self.blocked.replace("{reason}", reason or "no reason given")


CONTEXT: Seam[tuple[Message, ...]] = Seam(
    "context",
    Message,
    many=True,
    on_fault="open",
    fires="before each provider call",
    block_means="no provider call; the run ends with the reason",
)
PROVIDER_REQUEST: Seam[ProviderRequest] = Seam(
    "provider_request",
    ProviderRequest,
    on_fault="open",
    fires="after `context`",
    block_means="no provider call; the run ends with the reason",
)
TOOL_CALL: Seam[ToolCall] = Seam(
    "tool_call",
    ToolCall,
    on_fault="closed",
    call_at=0,
    kept=("id",),
    fires="before a tool executes, before any permission check",
    block_means="the call is denied with the reason",
)
TOOL_RESULT: Seam[ToolResult] = Seam(
    "tool_result",
    ToolResult,
    on_fault="open",
    beside=(ToolCall,),
    call_at=1,
    blocked="[tool result withheld by interceptor: {reason}]",
    fires="after an executed (or handled) tool, before truncation, hooks, events",
    block_means="the output is withheld; a placeholder names the reason",
)
MEMORY: Seam[tuple[MemoryItem, ...]] = Seam(
    "memory",
    MemoryItem,
    many=True,
    on_fault="open",
    fires="after recall, before it joins the context",
    block_means="nothing is recalled",
)

_TABLE = (CONTEXT, PROVIDER_REQUEST, TOOL_CALL, TOOL_RESULT, MEMORY)
SEAMS: Mapping[str, Seam[Any]] = MappingProxyType({s.name: s for s in _TABLE})


def seam(name: str) -> Seam[Any]:
    """Look up a seam of the table; raises `UnknownSeam`, naming the known ones."""
    try:
        return SEAMS[name]
    except (KeyError, TypeError):
        raise UnknownSeam(f"no seam is called {name!r}; the seams are {', '.join(SEAMS)}") from None
