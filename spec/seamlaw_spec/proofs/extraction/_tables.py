"""What is finite, enumerated whole: levels and severities, `_outranks`, and the tables of the kernel.

`_outranks` is run on every pair of a level and a severity, on operands that have nothing else to be asked for.
"""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, TypeVar

from attrs import frozen

from seamlaw import Allow, Entry, Level, Result, Severity, Verdict

from ._opaque import Looked, NotExtracted
from ._shapes import Shape, entry_of, shapes

__all__ = [
    "Grade",
    "Rank",
    "join_table",
    "level_table",
    "negation_table",
    "outranks_table",
    "result_tables",
    "verdict_table",
]

K = TypeVar("K")
Rank = tuple[Level, Severity]


class Ranked:
    """Has a level and a severity, and nothing else."""

    __slots__ = ("level", "severity")

    def __init__(self, level: Level, severity: Severity) -> None:
        self.level, self.severity = level, severity


@frozen
class Grade:
    """What an entry of a shape ranks as: its level, and whether its severity is its own or the lowest."""

    level: Level
    own_severity: bool


def outranks_table(outranks: Callable[[Any, Any], bool]) -> frozenset[tuple[Rank, Rank]]:
    """The pairs of which the first outranks the second."""
    ranks = list(product(Level, Severity))
    answers = {(a, b): outranks(Ranked(*a), Ranked(*b)) for a, b in product(ranks, ranks)}
    again = {(a, b): outranks(Ranked(*a), Ranked(*b)) for a, b in product(ranks, ranks)}
    if answers != again or not all(type(answer) is bool for answer in answers.values()):
        raise NotExtracted("full enumeration", "_outranks", "is no relation")
    return frozenset(pair for pair, answer in answers.items() if answer)


def level_table(level: Callable[[Entry], Level], severity: Callable[[Entry], Severity]) -> dict[Shape, Grade]:
    """What entries rank as, by shape; an allow is never logged, and has no rank."""
    table = dict[Shape, Grade]()
    for shape, kind in shapes():
        if kind is Allow:
            continue
        entry = entry_of(shape, kind)
        try:
            found, grave = level(entry), severity(entry)
        except (Looked, Exception) as error:
            raise NotExtracted("shape table", "Entry.level", f"{type(error).__name__} at {shape}") from error
        own = grave is getattr(entry.answer, "severity", None)
        if type(found) is not Level or not (own or grave is Severity.LOW):
            raise NotExtracted("shape table", "Entry.level", f"is no level, or no severity, at {shape}")
        table[shape] = Grade(found, own)
    return table


def join_table(table: Mapping[Level, Mapping[Level, Level]]) -> dict[tuple[Level, Level], Level]:
    """`JOIN`, whole."""
    return _binary("JOIN", table, tuple(Level))


def verdict_table(table: Mapping[Level, Verdict]) -> dict[Level, Verdict]:
    """`VERDICTS`, whole."""
    return _whole("VERDICTS", table, tuple(Level))


def result_tables(
    tables: Mapping[str, Mapping[Result, Mapping[Result, Result]]],
) -> tuple[dict[tuple[Result, Result], Result], ...]:
    """`AND` and `OR`, whole."""
    if set(tables) != {"&", "|"}:
        raise NotExtracted("full enumeration", "TABLES", "has other operators than & and |")
    return _binary("AND", tables["&"], tuple(Result)), _binary("OR", tables["|"], tuple(Result))


def negation_table(negation: Mapping[Result, Result]) -> dict[Result, Result]:
    """`NOT`, whole."""
    return _whole("NOT", negation, tuple(Result))


def _binary(name: str, table: Mapping[K, Mapping[K, K]], every: tuple[K, ...]) -> dict[tuple[K, K], K]:
    rows = _whole(name, table, every)
    return {(a, b): found for a in every for b, found in _whole(name, rows[a], every).items()}


def _whole(name: str, table: Mapping[K, Any], every: tuple[K, ...]) -> dict[K, Any]:
    if set(table) != set(every):
        raise NotExtracted("full enumeration", name, "does not have just one cell for each")
    return {one: table[one] for one in every}
