"""No orphans: every law has the checks that the book marks, all evidence has a law, and no law has changed since."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from attrs import frozen

from ._law import MECHANISMS, Law
from .book import BOOK
from .evidence import read, statement_hash
from .laws import LAWS
from .waivers import WAIVERS, Waiver

__all__ = ["Shelf", "can_be_checked", "listed", "problems"]

Check = tuple[str, str]
LISTED = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
PART = re.compile(r"(?s)<!-- made by: laws -->(.*?)<!-- end -->")


def listed(page: str) -> tuple[str, ...]:
    """The laws that a page lists in its generated part."""
    found = PART.search(page)
    return tuple(LISTED.findall(found[1])) if found else ()


def can_be_checked() -> frozenset[Check]:
    """Every check that a layer is able to run: it knows what the law ranges over, or has claims that prove it."""
    return frozenset((law.name, layer) for law in LAWS.values() for layer, ready in READY.items() if ready(law))


def _tested(law: Law) -> bool:
    return _finds(lambda: import_module("seamlaw_spec.strategies").given_for(law))


def _exhausted(law: Law) -> bool:
    return _finds(lambda: import_module("seamlaw_spec.layers.enumerations").cases(law))


def _confirmed(law: Law) -> bool:
    return _finds(lambda: import_module("seamlaw_spec.layers.confirmed").subject(law))


def _proved(law: Law) -> bool:
    return law.name in import_module("seamlaw_spec.proofs._obligations").OBLIGATIONS


def _finds(look: Callable[[], object]) -> bool:
    try:
        look()
    except LookupError:
        return False
    return True


READY: Mapping[str, Callable[[Law], bool]] = {
    "tested": _tested,
    "confirmed": _confirmed,
    "proved": _proved,
    "exhausted": _exhausted,
}


@frozen
class Shelf:
    """All that must agree: the laws, the book, what can be checked, what was found, what is waived, what is listed."""

    laws: Mapping[str, Law]
    book: Mapping[str, Mapping[str, str]]
    checks: Collection[Check]
    evidence: Mapping[str, Any]
    waivers: tuple[Waiver, ...]
    listed: tuple[str, ...] | None = None  # nothing is said of a list where there is none, as in an installed package

    @classmethod
    def as_it_is(cls, page: str | None = None) -> "Shelf":
        """What there is, with the page that lists the laws."""
        named = None if page is None else listed(page)
        return cls(LAWS, BOOK, can_be_checked(), read(), WAIVERS, named)


def problems(shelf: Shelf) -> list[str]:
    """Say everything that does not agree."""
    return [problem for look in (_names, _checks, _waivers, _evidence) for problem in look(shelf)]


def _names(shelf: Shelf) -> Iterator[str]:
    booked = [law for laws in shelf.book.values() for law in laws]
    yield from (f"{law} is in the book, and is no function" for law in booked if law not in shelf.laws)
    yield from (f"{law} is a function, and is not in the book" for law in shelf.laws if law not in booked)
    if shelf.listed is not None:
        yield from (f"{law} is not in the list of README" for law in booked if law not in shelf.listed)
        yield from (f"README lists {law}, which is no law" for law in shelf.listed if law not in booked)


def _marked(shelf: Shelf) -> Iterable[Check]:
    return ((law, MECHANISMS[letter]) for laws in shelf.book.values() for law, by in laws.items() for letter in by)


def _checks(shelf: Shelf) -> Iterator[str]:
    waived = {(one.law, one.mechanism) for one in shelf.waivers}
    for law, mechanism in _marked(shelf):
        if (law, mechanism) in waived:
            continue
        if (law, mechanism) not in shelf.checks:
            yield f"{law} must be {mechanism}, and nothing can check it so"
        if mechanism not in _found(shelf, law):
            yield f"{law} must be {mechanism}, and no evidence is recorded"


def _waivers(shelf: Shelf) -> Iterator[str]:
    marked = set(_marked(shelf))
    for one in shelf.waivers:
        if (one.law, one.mechanism) not in marked:
            yield f"a waiver says that {one.law} is not {one.mechanism}, which nothing asks for"
        if not one.reason.strip():
            yield f"the waiver of {one.law} for {one.mechanism} gives no reason"
        if one.mechanism in _found(shelf, one.law):
            yield f"{one.law} is waived for {one.mechanism}, and there is evidence"


def _evidence(shelf: Shelf) -> Iterator[str]:
    marked = set(_marked(shelf))
    for law, recorded in shelf.evidence["laws"].items():
        if law not in shelf.laws:
            yield f"evidence is recorded for {law}, which is no law"
            continue
        if recorded["statement"] != statement_hash(shelf.laws[law]):
            yield f"{law} has changed since its evidence was recorded: run `seamlaw verify --record`"
        yield from (
            f"evidence says that {law} is {mechanism}, which the book does not mark"
            for mechanism in recorded["evidence"]
            if (law, mechanism) not in marked
        )


def _found(shelf: Shelf, law: str) -> Collection[str]:
    evidence: Collection[str] = shelf.evidence["laws"].get(law, {}).get("evidence", {})
    return evidence
