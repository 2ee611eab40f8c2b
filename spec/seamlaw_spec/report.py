"""What came of a run: a table law by mechanism, what failed with its counterexample, and the same as data."""

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import asdict

from ._law import MECHANISMS
from .evidence import statement_hash
from .laws import LAWS
from .layers import Evidence
from .verify import Report, versions

__all__ = ["as_data", "failures", "figures", "table"]

LAYERS = tuple(MECHANISMS.values())
WIDTHS = (40, 8, 12, 8, 13, 9)  # law, tested, confirmed, proved, exhausted, seconds


def table(report: Report) -> Iterator[str]:
    """The table, a law a line, and what its figures are."""
    found = {(one.law, one.mechanism): one for one in report.evidence}
    yield _line(("law", *LAYERS, "seconds"))
    for law in dict.fromkeys(law for law, _ in report.checks):
        cells = [_cell(report, found.get((law, layer)), (law, layer)) for layer in LAYERS]
        seconds = sum(one.seconds for (name, _), one in found.items() if name == law)
        yield _line((law, *cells, f"{seconds:.1f}"))
    yield ""
    yield from figures(report)


def _line(cells: Iterable[str]) -> str:
    law, *others = cells
    return law.ljust(WIDTHS[0]) + "".join(cell.rjust(width) for cell, width in zip(others, WIDTHS[1:], strict=True))


def _cell(report: Report, found: Evidence | None, check: tuple[str, str]) -> str:
    if found is None:
        waived = check in {(one.law, one.mechanism) for one in report.waived}
        return "waived" if waived else "LACKING" if check in report.checks else "-"
    return f"{found.count:,}{found.size and f' ≤{found.size}'}" if found.holds else "FAILED"


def figures(report: Report) -> Iterator[str]:
    """How much was checked, in words that claim no more."""
    by = {layer: [one for one in report.evidence if one.mechanism == layer and one.holds] for layer in LAYERS}
    told = {
        "tested": "examples",
        "confirmed": "paths of CrossHair, each standing for all values that take it, through cases up to the size (≤)",
        "proved": "queries refuted by z3: unbounded, over a model extracted from the shipped functions",
        "exhausted": "cases: every one up to the size (≤), which is how many items its lists have together",
    }
    for layer, evidence in by.items():
        if evidence:
            count = sum(one.count for one in evidence)
            yield f"{layer:9}  {_counted(len(evidence), 'law'):>7}: {count:,} {told[layer]}"
    if report.vectors:
        yield f"{'vectors':9}  {report.vectors:,} test vectors, made from the reference model, run by the kernel"
    laws, failed = len({law for law, _ in report.checks}), len(report.failed) + len(report.lacking)
    verdict = "all hold" if report.ok else f"{_counted(failed, 'check')} FAILED"
    yield f"{_counted(laws, 'law')}, {_counted(len(report.evidence), 'check')}, {report.seconds:.0f} s: {verdict}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def failures(report: Report) -> Iterator[str]:
    """What failed: the law's sentence, what is wrong, and a test to paste."""
    for one in report.failed:
        law = LAWS[one.law]
        yield f"\n{law.name}, {one.mechanism}: {one.problem}"
        yield f"  {law.statement}"
        yield from (f"    {line}".rstrip() for line in one.counterexample.splitlines())
    yield from report.lacking


def as_data(report: Report) -> dict[str, Any]:
    """The whole report, as data."""
    names = dict.fromkeys(law for law, _ in report.checks)
    return {
        "ok": report.ok,
        "deep": report.deep,
        "seconds": round(report.seconds, 3),
        "laws": [_law(report, name) for name in names],
        "lacking": list(report.lacking),
        "vectors": report.vectors,
        "waived": [asdict(one) for one in report.waived],
        "versions": versions(),
    }


def _law(report: Report, name: str) -> dict[str, Any]:
    law = LAWS[name]
    evidence = [asdict(one, filter=lambda field, _: field.name != "law") for one in report.evidence if one.law == name]
    return {
        "law": name,
        "group": law.group,
        "statement": law.statement,
        "statement_hash": statement_hash(law),
        "evidence": evidence,
    }
