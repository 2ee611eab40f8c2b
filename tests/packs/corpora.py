"""Corpora of JSON lines, each with its kind, and the table of what is said about them."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from seamlaw_spec.docs import table

__all__ = ["by_kind", "read"]


def read(file: Path) -> list[tuple[str, dict[str, str]]]:
    """Read the lines of a corpus, the kind of each apart."""
    lines: list[dict[str, str]] = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [(line.pop("kind"), line) for line in lines]


def by_kind(head: Sequence[str], corpora: Iterable[tuple[str, Sequence[Counter[str]]]]) -> str:
    """Make a table of counts by kind, the first of which is of all, with a sum for each corpus."""
    rows = list[tuple[str, ...]]()
    for name, counts in corpora:
        rows += [(name, kind, *(str(one[kind]) for one in counts)) for kind in counts[0]]
        rows.append((f"**{name}**", "**all**", *(f"**{one.total()}**" for one in counts)))
    return table(("corpus", "kind", *head), rows)
