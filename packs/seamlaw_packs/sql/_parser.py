"""The parser, sqlglot, held to what it can do in time, and kept from writing what it reads into a log."""

import logging
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from seamlaw_packs.errors import MissingExtra

from ._dialects import Dialect
from ._doubt import Doubt
from ._readings import Statement, Token, written

if TYPE_CHECKING:
    from sqlglot.dialects.dialect import Dialect as Grammar
    from sqlglot.expressions import Expr

__all__ = ["parsed", "ready"]

MOST_NODES = 20_000
MOST_WORK = 20_000  # tokens
DEEPEST = 30  # parentheses
MOST_PARTS = 300  # of values, `f(x).a` and `a[1][2]`: in a chain of them the parser copies all before each
_quiet: ContextVar[bool] = ContextVar("_quiet", default=False)


def _is_wanted(_: logging.LogRecord) -> bool:
    return not _quiet.get()


@cache
def _grammar(name: str) -> "Grammar":
    try:
        from sqlglot.dialects.dialect import Dialect as Grammar
    except ImportError as missing:
        raise MissingExtra("reading SQL needs sqlglot: pip install 'seamlaw[sqlglot]'") from missing
    logging.getLogger("sqlglot").addFilter(_is_wanted)
    return Grammar.get_or_raise(name)


def ready(dialect: str) -> None:
    """Raise `MissingExtra` now, and not at the first call."""
    _grammar(dialect)


@cache
def _types(dialect: str) -> frozenset[str]:
    """The words that the parser may take for a type; each parenthesis behind one it reads twice."""
    grammar = _grammar(dialect)
    keywords, types = grammar.tokenizer_class.KEYWORDS, grammar.parser_class.TYPE_TOKENS
    return frozenset(word.lower().split()[-1] for word, token in keywords.items() if token in types)


def _check_work(statement: Statement, types: frozenset[str]) -> None:
    """Raise `Doubt` for what would take the parser long: each token counts as often as it will be read."""
    opened, last, work, parts = list[tuple[str, bool]](), "", 0, 0
    for at, token in enumerate(statement):
        sign, is_type = token.text if token.kind == "sign" else "", last in types
        if sign in ("(", "[", "{") or (sign == "<" and is_type):
            opened.append((sign, is_type))
        elif sign in (")", "]", "}"):
            while opened and opened.pop()[0] == "<":
                pass
        elif sign == ">" and opened and opened[-1][0] == "<":
            opened.pop()
        work += 1 << sum(is_type for _, is_type in opened)
        parts += sign in (".", "[") and at > 0 and statement[at - 1].text in (")", "]")
        if len(opened) > DEEPEST or work > MOST_WORK or parts > MOST_PARTS:
            raise Doubt("a statement is nested too deep")
        last = token.word


def parsed(statement: Statement, dialect: Dialect) -> "Expr":
    """Parse one statement; raises `Doubt` for what the parser does not understand."""
    from sqlglot.errors import ErrorLevel

    if statement[0].word == "replace":
        statement = (Token("word", "INSERT"), *statement[1:])  # of MySQL and SQLite; to the parser it is opaque
    _check_work(statement, _types(dialect.name))
    grammar, text, token = _grammar(dialect.name), written(statement, dialect), _quiet.set(True)
    try:
        parser = grammar.parser(error_level=ErrorLevel.IMMEDIATE, max_nodes=MOST_NODES)
        found = parser.parse(grammar.tokenize(text), text)
    except Exception:  # a parser meets what it was not written for, or nests too deep
        raise Doubt("a statement cannot be parsed") from None
    finally:
        _quiet.reset(token)
    if len(found) != 1 or found[0] is None:
        raise Doubt("a statement cannot be parsed")
    return found[0]
