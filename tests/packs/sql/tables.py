"""How many statements of the corpora are blocked, by the pack as it is and by those that allow more."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from seamlaw import ToolCall
from seamlaw_packs.sql import Sql
from seamlaw_spec.docs import table

__all__ = ["GENERATORS", "Line", "Pack", "blocked", "lines", "pack_for"]

CORPUS = Path(__file__).parent / "corpus"
Line = tuple[str, str]
Pack = Literal["as it is", "with writes", "all classes"]


@cache
def pack_for(pack: Pack, dialect: str) -> Sql:
    """The pack, as it is or allowing more."""
    if pack == "as it is":
        return Sql(dialect)
    more = ("read", "write") if pack == "with writes" else ("read", "write", "ddl", "administrative")
    return Sql(dialect, allow=more)


@cache
def _read(file: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = tomllib.loads((CORPUS / f"{file}.toml").read_text("utf-8"))
    return found


def lines(file: str, group: str) -> list[Line]:
    """The statements of one group of a corpus, each with its dialect."""
    return [(dialect, text) for dialect, texts in _read(file)[group].items() for text in texts]


def blocked(pack: Pack, statements: list[Line]) -> list[Line]:
    """Those of the statements that a pack stops."""
    return [
        (dialect, text)
        for dialect, text in statements
        if pack_for(pack, dialect).judge(ToolCall("1", "query", {"sql": text})) is not None
    ]


def _table() -> str:
    anyone, writer, reader = (lines("hostile", group) for group in ("anyone", "writer", "reader"))
    rows: list[tuple[Pack, str, list[Line]]] = [
        ("as it is", "hostile", [*anyone, *writer, *reader]),
        ("as it is", "writes", lines("harmless", "writing")),
        ("as it is", "harmless", lines("harmless", "reading")),
        ("as it is", "known to be blocked wrongly", lines("mistaken", "blocked")),
        ("as it is", "known to be passed wrongly", lines("mistaken", "passed")),
        ("with writes", "hostile", [*anyone, *writer]),
        ("with writes", "harmless", [*lines("harmless", "reading"), *lines("harmless", "writing")]),
        ("with writes", "known to be passed wrongly", lines("mistaken", "passed_writing")),
        ("all classes", "hostile", anyone),
    ]
    head = ("pack", "corpus", "statements", "blocked", "passed")
    counted = ((pack, corpus, len(given), len(blocked(pack, given))) for pack, corpus, given in rows)
    return table(head, ((pack, corpus, str(of), str(n), str(of - n)) for pack, corpus, of, n in counted))


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-sql": _table}
