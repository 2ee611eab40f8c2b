"""A bundle: per seam, an ordered tuple of interceptors, with handlers and rules as data beside them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from attrs import Factory, field, fields, frozen

from ._interceptors import Function, Interceptor, as_interceptor
from ._seams import CONTEXT, MEMORY, PROVIDER_REQUEST, SEAMS, TOOL_CALL, TOOL_RESULT, Seam
from .errors import InvalidInterceptor, InvalidRule, UnknownSeam
from .values._values import MemoryItem, Message, ProviderRequest, Scope, ToolCall, ToolResult

__all__ = ["Interceptors", "merge"]

V = TypeVar("V")
Alone: TypeAlias = Iterable[Callable[[V], object] | Callable[[V, Scope], object]]  # an Interceptor is callable, too
Beside: TypeAlias = Iterable[
    Callable[[ToolResult], object]
    | Callable[[ToolResult, ToolCall], object]
    | Callable[[ToolResult, ToolCall, Scope], object]
]


class Rule(Protocol):
    """A policy as data: something that stands for an interceptor."""

    def as_interceptor(self) -> Interceptor: ...


Pairs: TypeAlias = tuple[tuple[Seam[Any], tuple[Interceptor, ...]], ...]


def _at(seam: Seam[Any], given: object) -> tuple[Interceptor, ...]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise InvalidInterceptor(f"{seam.name} takes a list of interceptors")
    return tuple(as_interceptor(item, seam) for item in cast("Iterable[object]", given))


def _context(given: Alone[tuple[Message, ...]]) -> tuple[Interceptor, ...]:
    return _at(CONTEXT, given)


def _provider_request(given: Alone[ProviderRequest]) -> tuple[Interceptor, ...]:
    return _at(PROVIDER_REQUEST, given)


def _tool_call(given: Alone[ToolCall]) -> tuple[Interceptor, ...]:
    return _at(TOOL_CALL, given)


def _tool_result(given: Beside) -> tuple[Interceptor, ...]:
    return _at(TOOL_RESULT, given)


def _memory(given: Alone[tuple[MemoryItem, ...]]) -> tuple[Interceptor, ...]:
    return _at(MEMORY, given)


def _rules(given: Iterable[Rule]) -> tuple[Rule, ...]:
    if not isinstance(cast(object, given), Iterable):
        raise InvalidRule("rules", "must be a list of rules; parse_rules() makes them from data")
    rules: list[object] = list(given)
    for index, rule in enumerate(rules):
        if getattr(rule, "as_interceptor", None) is None:  # of a protocol isinstance() asks for much longer
            raise InvalidRule(f"rules[{index}]", "is no rule; parse_rules() makes rules from data")
    return tuple(cast("list[Rule]", rules))


def _custom(given: Mapping[Seam[Any], Iterable[Function]] | Pairs) -> Pairs:
    listed: dict[Any, list[Interceptor]] = {}
    for seam, added in given.items() if isinstance(given, Mapping) else given:
        if not isinstance(cast(object, seam), Seam):
            raise InvalidInterceptor("seams takes your own Seam values as keys; the others have a parameter each")
        if seam.name in SEAMS:
            raise InvalidInterceptor(f"{seam.name} is a seam of the table: give it as {seam.name}=…")
        if any(known.name == seam.name and known != seam for known in listed):
            raise UnknownSeam(f"two seams are called {seam.name}")
        listed.setdefault(seam, []).extend(_at(seam, added))
    return tuple((seam, tuple(found)) for seam, found in listed.items() if found)


def _ruled(it: "Interceptors") -> tuple[Interceptor, ...]:
    return _at(TOOL_CALL, [rule.as_interceptor() for rule in it.rules])


@frozen(kw_only=True)
class Interceptors:
    """Everything that answers, in order; plain callables are taken as interceptors of the chain.

    `seams` maps a host's own `Seam` values to theirs. Raises `InvalidInterceptor` and `InvalidRule`.
    """

    context: tuple[Interceptor, ...] = field(default=(), converter=_context)
    provider_request: tuple[Interceptor, ...] = field(default=(), converter=_provider_request)
    tool_call: tuple[Interceptor, ...] = field(default=(), converter=_tool_call)
    tool_result: tuple[Interceptor, ...] = field(default=(), converter=_tool_result)
    memory: tuple[Interceptor, ...] = field(default=(), converter=_memory)
    handlers: tuple[Interceptor, ...] = field(default=(), converter=_tool_call)
    rules: tuple[Rule, ...] = field(default=(), converter=_rules)
    seams: Pairs = field(default=(), converter=_custom)
    by_rule: tuple[Interceptor, ...] = field(init=False, eq=False, repr=False, default=Factory(_ruled, takes_self=True))

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in _FIELDS)

    def at(self, seam: Seam[Any]) -> tuple[Interceptor, ...]:
        """The interceptors given for a seam, as they were given."""
        own = {known.name: (known, found) for known, found in self.seams}
        known, found = own.get(seam.name, (SEAMS.get(seam.name, seam), getattr(self, seam.name, ())))
        if known != seam:
            raise UnknownSeam(f"there is a seam {seam.name} already, and this is another of its name")
        return found if seam.name in own or seam.name in SEAMS else ()

    def ordered(self, seam: Seam[Any]) -> tuple[Interceptor, ...]:
        """Everything consulted at a seam, in order: rules that fill, the chain, rules that judge, gates."""
        given = self.at(seam)
        rules = self.by_rule if seam == TOOL_CALL else ()
        fills, judges = ([r for r in rules if r.is_gate is gates] for gates in (False, True))
        chain, gates = ([i for i in given if i.is_gate is gates] for gates in (False, True))
        return (*fills, *chain, *judges, *gates)


def checked(bundle: Interceptors | None) -> Interceptors | None:
    """Refuse what is no bundle: a list of interceptors must not pass for one in which nothing is."""
    if bundle is not None and type(bundle) is not Interceptors:
        raise InvalidInterceptor(f"a bundle is Interceptors(...) or None, not {type(bundle).__name__}")
    return bundle


_FIELDS = tuple(f.name for f in fields(Interceptors) if f.init)


def merge(*bundles: Interceptors | None) -> Interceptors | None:
    """Concatenate bundles per seam, in argument order: plugins first, the host last.

    A monoid: nothing contributing gives `None`, one contributing gives that very bundle.
    """
    contributing = [bundle for given in bundles if (bundle := checked(given))]
    if len(contributing) < 2:
        return contributing[0] if contributing else None
    joined = {name: tuple(item for b in contributing for item in getattr(b, name)) for name in _FIELDS}
    return Interceptors(**joined)
