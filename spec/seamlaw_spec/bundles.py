"""Bundles as data: a list of parts, each of which stands in one slot."""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from attrs import frozen

from seamlaw import Entry, Interceptor, Interceptors, Seam, parse_rules

from .domains import OPEN, listener
from .places import OWN_CLOSED, OWN_OPEN

__all__ = ["OWN_SEAMS", "Part", "Slot", "answering", "bundle", "held"]


class Slot(Enum):
    """Where a part of a bundle stands."""

    CONTEXT = "context"
    PROVIDER_REQUEST = "provider_request"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    MEMORY = "memory"
    HANDLERS = "handlers"
    FILLS = "rules that fill"
    JUDGES = "rules that judge"
    OWN_OPEN = "own_open"
    OWN_CLOSED = "own_closed"


@frozen
class Part:
    """One interceptor or rule: its slot, and whether it is a gate, which a rule and a handler do not choose."""

    slot: Slot
    is_gate: bool = False


OWN_SEAMS: dict[Slot, Seam[Any]] = {Slot.OWN_OPEN: OWN_OPEN, Slot.OWN_CLOSED: OWN_CLOSED}
RULES = {Slot.FILLS: "default", Slot.JUDGES: "refuse"}


def bundle(parts: Iterable[Part], source: str = "s") -> Interceptors:
    """Make the bundle of a source; each part is named by the source and its place."""
    given: dict[str, list[Interceptor]] = {}
    rules: list[dict[str, Any]] = []
    own: dict[Seam[Any], list[Interceptor]] = {}
    for at, part in enumerate(parts):
        name = f"{source}:{at}"
        if part.slot in RULES:
            rules.append(_rule(RULES[part.slot], name))
        elif part.slot in OWN_SEAMS:
            own.setdefault(OWN_SEAMS[part.slot], []).append(listener(name, part.is_gate))
        else:
            given.setdefault(part.slot.value, []).append(listener(name, part.is_gate))
    listed: dict[str, Any] = dict(given)
    return Interceptors(rules=parse_rules(rules), seams=own, **listed)


def _rule(verb: str, name: str) -> dict[str, Any]:
    said = {"tool": "*", "at": "/new", "value": 1} if verb == "default" else "no"
    return {verb: said, "name": name}


def held(given: Interceptors | None, slot: Slot) -> tuple[Any, ...]:
    """What a bundle holds in a slot, in order."""
    if given is None:
        return ()
    if slot in OWN_SEAMS:
        return given.at(OWN_SEAMS[slot])
    if slot in RULES:
        return tuple(rule for rule in given.rules if rule.as_interceptor().is_gate is (slot is Slot.JUDGES))
    listed: tuple[Any, ...] = getattr(given, slot.value)
    return listed


def answering(entries: Iterable[Entry]) -> Interceptors:
    """Make the bundle whose interceptors are those of the entries, at an open seam of numbers."""
    return Interceptors(seams={OPEN: tuple(listener(entry.interceptor, entry.is_gate) for entry in entries)})
