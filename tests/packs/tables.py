"""The parts of docs/packs/ that are made by running the corpora: `GENERATORS` of each `tests/packs/*/tables.py`."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path

from seamlaw_spec.docs import table

__all__ = ["GENERATORS", "shares"]


def shares(rows: Iterable[tuple[str, str, int, int]]) -> str:
    """Make a table of which pack, on which corpus, blocked how many of how many."""
    head = ("pack", "corpus", "inputs", "blocked", "allowed")
    return table(head, ((pack, name, str(of), str(n), str(of - n)) for pack, name, n, of in rows))


def _generators() -> Mapping[str, Callable[[], str]]:
    found: dict[str, Callable[[], str]] = {}
    for made in sorted(Path(__file__).parent.glob("*/tables.py")):
        found |= import_module(f"tests.packs.{made.parent.name}.tables").GENERATORS
    return found


GENERATORS: Mapping[str, Callable[[], str]] = _generators()
