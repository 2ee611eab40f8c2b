"""The pack: what it is configured with, and how it judges a call."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal, cast

from attrs import Factory, field, frozen

from seamlaw import Ask, Block, Globs, Interceptors, ToolCall, ask, block, gate
from seamlaw_packs._settings import flag, globs_at, target_at, text_at, texts_at
from seamlaw_packs.errors import InvalidPack

from ._bounds import kind
from ._dialects import DIALECTS, Dialect
from ._doubt import Doubt
from ._functions import ACTING, denied
from ._parser import ready
from ._readings import Statement, readings
from ._statements import CLASSES, Class, Judged, judged
from ._tables import SECRET, Lists, is_file

__all__ = ["Sql"]

TOOLS = ("sql", "query", "*_sql", "sql_query", "run_query", "execute_query", "read_query", "write_query")


def _dialect(given: str) -> str:
    name = text_at("dialect", given)
    if name not in DIALECTS:
        raise InvalidPack("dialect", f"must be one of {', '.join(sorted(DIALECTS))}")
    return name


def _classes(given: Iterable[str]) -> tuple[Class, ...]:
    names = texts_at("allow", given)
    for index, name in enumerate(names):
        if name not in CLASSES:
            raise InvalidPack(f"allow[{index}]", f"must be one of {', '.join(CLASSES)}")
    return cast("tuple[Class, ...]", names)


def _patterns(place: str, given: Iterable[str]) -> tuple[str, ...]:
    patterns = texts_at(place, given, empty=True)
    for index, pattern in enumerate(patterns):
        if not all(pattern.split(".")):
            raise InvalidPack(f"{place}[{index}]", "must be globs, with a dot between each two")
        for part in pattern.split("."):
            globs_at(f"{place}[{index}]", part)
    return patterns


def _tables(given: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if given is None else _patterns("tables", given)


def _deny_tables(given: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if given is None else _patterns("deny_tables", given)


def _functions(given: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if given is None else _patterns("functions", given)


def _deny_functions(given: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if given is None else _patterns("deny_functions", given)


def _many(given: bool) -> bool:
    return flag("many", given)


def _unbounded(given: bool) -> bool:
    return flag("unbounded", given)


def _files(given: bool) -> bool:
    return flag("files", given)


def _otherwise(given: Literal["block", "ask"]) -> Literal["block", "ask"]:
    if given not in ("block", "ask"):
        raise InvalidPack("otherwise", "must be 'block' or 'ask'")
    return given


def _globs(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("tools", given)


def _arguments(given: Iterable[str]) -> tuple[str, ...]:
    return texts_at("arguments", given)


def _read_as(it: "Sql") -> Dialect:
    return DIALECTS[it.dialect]


def _lists(it: "Sql") -> Lists:
    dialect = DIALECTS[it.dialect]
    return Lists.of(dialect, it.tables, SECRET.get(dialect.family, ()) if it.deny_tables is None else it.deny_tables)


def _denied_functions(it: "Sql") -> Globs:
    given = ACTING[DIALECTS[it.dialect].family] if it.deny_functions is None else it.deny_functions
    return Globs(tuple(pattern.lower() for pattern in given))


def _known_functions(it: "Sql") -> Globs | None:
    return None if it.functions is None else Globs(tuple(pattern.lower() for pattern in it.functions))


@frozen
class Found:
    """One thing that speaks against a call; `asks`: a person may allow it."""

    reason: str
    asks: bool = False


@frozen
class Sql:
    """Lets SQL through by what it would do; it is one gate.

    `dialect`: what the database speaks. `allow`: of 'read', 'write', 'ddl', 'administrative', those that may be.
    `many`: more than one statement in a text. `unbounded`: DELETE, UPDATE and MERGE without a condition that bounds
    them, TRUNCATE and INSERT OVERWRITE. `tables`, `deny_tables`: dotted globs of tables, of which each must match one,
    and none may. `functions`: globs of those that may be called and are no standard ones; without it, all that are not
    denied. `deny_functions`: unless told, those of `ACTING`. `files`: tables that are files. `otherwise`: 'block' or
    'ask', about what is understood and is not allowed by its class, or unbounded; `target`: whom to ask. `tools`,
    `arguments`: the tools, and where in their arguments SQL stands. Raises `InvalidPack`, and `MissingExtra` without
    the extra `sqlglot`.
    """

    name: ClassVar[str] = "sql"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Allows and denies SQL by what it would do."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    dialect: str = field(converter=_dialect)
    allow: tuple[Class, ...] = field(default=("read",), converter=_classes, kw_only=True)
    many: bool = field(default=False, converter=_many, kw_only=True)
    unbounded: bool = field(default=False, converter=_unbounded, kw_only=True)
    tables: tuple[str, ...] | None = field(default=None, converter=_tables, kw_only=True)
    deny_tables: tuple[str, ...] | None = field(default=None, converter=_deny_tables, kw_only=True)
    functions: tuple[str, ...] | None = field(default=None, converter=_functions, kw_only=True)
    deny_functions: tuple[str, ...] | None = field(default=None, converter=_deny_functions, kw_only=True)
    files: bool = field(default=False, converter=_files, kw_only=True)
    otherwise: Literal["block", "ask"] = field(default="block", converter=_otherwise, kw_only=True)
    target: str | None = field(default=None, converter=target_at, kw_only=True)
    tools: Globs = field(default=Globs(TOOLS), converter=_globs, kw_only=True)
    arguments: tuple[str, ...] = field(default=("sql", "query"), converter=_arguments, kw_only=True)
    _read_as: Dialect = field(init=False, eq=False, repr=False, default=Factory(_read_as, takes_self=True))
    _lists: Lists = field(init=False, eq=False, repr=False, default=Factory(_lists, takes_self=True))
    _denied: Globs = field(init=False, eq=False, repr=False, default=Factory(_denied_functions, takes_self=True))
    _known: Globs | None = field(init=False, eq=False, repr=False, default=Factory(_known_functions, takes_self=True))

    def __attrs_post_init__(self) -> None:
        ready(self.dialect)

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=self.tools.patterns)])

    def judge(self, call: ToolCall) -> Block | Ask | None:
        """Judge a call: nothing, where all of its SQL may run."""
        present = [place for place in self.arguments if place in call.arguments]
        if not present:
            return block(f"there is no SQL at {' or '.join(self.arguments)}")
        found = [one for place in present for one in self._text(call.arguments[place], place)]
        for one in found:
            if not one.asks:
                return block(one.reason)
        return ask(found[0].reason, target=self.target) if found else None

    def _text(self, given: object, place: str) -> Iterator[Found]:
        if not isinstance(given, str):
            yield Found(f"{place} is no text")
            return
        try:
            for reading in readings(given, self._read_as):
                yield from self._statements(reading)
        except Doubt as doubt:
            yield Found(str(doubt))
        except RecursionError:
            yield Found("a statement is nested too deep")

    def _statements(self, statements: tuple[Statement, ...]) -> Iterator[Found]:
        if not statements:
            yield Found("there is no statement")
        if len(statements) > 1 and not self.many:
            yield Found("there is more than one statement")
            return
        for statement in statements:
            if denied(statement, self._denied, packages=self._read_as.family == "oracle"):
                yield Found("a function is called that is denied")
            yield from self._judged(judged(statement, self._read_as))

    def _judged(self, statement: Judged) -> Iterator[Found]:
        for one in sorted(statement.classes - set(self.allow), key=CLASSES.index):
            yield Found(f"a statement is {_said(one)}, which is not allowed", self.otherwise == "ask")
        if statement.unbounded and not self.unbounded:
            yield Found("a statement changes all rows of a table, or may", self.otherwise == "ask")
        if statement.tree is None:
            return
        if "administrative" in statement.classes and (self.tables is not None or self.deny_tables is not None):
            yield Found("it cannot be known which tables a statement names")
        if self._lists.refuses(statement.tree):
            yield Found("a table is named that is not allowed")
        yield from self._named(statement)

    def _named(self, statement: Judged) -> Iterator[Found]:
        for node in statement.tree.walk() if statement.tree is not None else ():
            name = kind(node)
            if name in ("Table", "Summarize") and not self.files and is_file(node, self._read_as):
                yield Found("a table is a file")
            unknown = name.startswith(("Anonymous", "Combined", "Parameterized"))
            if unknown and self._known is not None and not self._known.admit(str(node.name).lower()):
                yield Found("a function is called that is not allowed")


def _said(one: Class) -> str:
    return {"read": "a query", "write": "a write", "ddl": "a change of definitions"}.get(one, "administrative")
