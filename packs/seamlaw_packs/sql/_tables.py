"""The tables that a statement names, held to lists."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from seamlaw import Globs

from ._bounds import kind
from ._dialects import Dialect

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

__all__ = ["SECRET", "Lists", "is_file", "may_be_file"]

SECRET: Mapping[str, tuple[str, ...]] = {
    "postgres": ("pg_authid", "pg_shadow", "pg_user_mapping", "pg_user_mappings", "pg_largeobject", "pg_subscription"),
    "mysql": ("mysql.user", "mysql.servers", "global_priv", "slave_master_info", "password_history"),
    "tsql": ("sql_logins", "syslogins", "sysxlogins"),
    "oracle": ("user$", "link$", "user_history$", "credential$", "scheduler$_credential"),
}
"""Tables of the system in which passwords stand; those with a schema are meant where it is named, alone."""
FILE_FAMILIES = ("duckdb", "spark", "snowflake")
FILE = re.compile(
    r"[/\\:*|]|\.(?:csv|tsv|txt|jsonl?|ndjson|parquet|xlsx?|arrow|avro|orc|db|duckdb|sqlite|gz|zst|geojson|shp|gpkg)$",
    re.IGNORECASE,
)
FORMATS = frozenset("csv json parquet orc avro text binaryfile delta iceberg hudi xml".split())
ROWS = frozenset(
    """unnest generate_series generate_subscripts json_each json_tree json_array_elements jsonb_array_elements
    json_array_elements_text jsonb_array_elements_text jsonb_each jsonb_each_text json_each_text json_object_keys
    jsonb_object_keys jsonb_to_recordset json_to_recordset json_populate_recordset jsonb_populate_recordset
    regexp_split_to_table regexp_matches string_to_table openjson string_split json_table explode posexplode flatten
    split_to_table range numbers generator sequence inline stack values""".split()
)
"""Functions that give rows of what they are given, and of no table."""
ITSELF = ("tsql", "fabric", "oracle", "sqlite")
"""Dialects in which a common table expression that names itself means itself, without RECURSIVE."""


def may_be_file(name: str, dialect: Dialect) -> bool:
    """Whether a quoted name is one of a file."""
    return dialect.family in FILE_FAMILIES and FILE.search(name) is not None


def is_file(table: Any, dialect: Dialect) -> bool:
    """Whether a table is a file, or a place where files are, and no table."""
    name = table.args.get("this")
    if kind(name) in ("Var", "Literal", "Parameter"):
        return dialect.family in FILE_FAMILIES
    if dialect.family == "duckdb":  # `data.csv` is a file there, without quotes and as a table of a schema, too
        return kind(table) == "Table" and may_be_file(".".join(part.name for part in table.parts), dialect)
    if kind(name) != "Identifier" or not name.args.get("quoted"):
        return False
    by_format = dialect.family == "spark" and table.text("db").lower() in FORMATS
    return by_format or may_be_file(name.name, dialect)


@frozen
class Lists:
    """Which tables may be named (`allowed`; all, if it is left out), and which may not."""

    dialect: Dialect
    allowed: tuple[tuple[Globs, ...], ...] | None
    denied: tuple[tuple[Globs, ...], ...]
    by_default: bool = False

    @classmethod
    def of(cls, dialect: Dialect, allowed: tuple[str, ...] | None, given: tuple[str, ...] | None) -> "Lists":
        """Make them of dotted globs; where case is folded, one stands for its small letters, too."""
        folds = dialect.folds != "exact"
        denied = SECRET.get(dialect.family, ()) if given is None else given
        return cls(
            dialect,
            None if allowed is None else (*map(_parts, allowed), *(map(_small_parts, allowed) if folds else ())),
            tuple(map(_small_parts, denied)),
            by_default=given is None,
        )

    def refuses(self, statement: "Expr") -> bool:
        """Whether a table is named that may not be; a source that cannot be known is one, where it counts."""
        if any(self._refuses(table) for table in _tables(statement, self.dialect)):
            return True
        counts = self.dialect.family == "clickhouse" and (self.allowed is not None or self.denied)
        # IN of ClickHouse takes the name of a table, without SELECT
        return bool(counts) and any(kind(node) == "In" and node.args.get("field") for node in statement.walk())

    def _refuses(self, table: Any) -> bool:
        parts = table.parts
        if any(kind(part) != "Identifier" for part in parts) or not parts:
            return self._refuses_source(table)
        small = [part.name.lower() for part in parts]
        if self.denied and any("*" in part for part in small):
            return True  # several tables, to BigQuery
        if any(_meet(pattern, small, whole=self.by_default) for pattern in self.denied):
            return True
        return self.allowed is not None and not any(self._admits(pattern, parts) for pattern in self.allowed)

    def _refuses_source(self, table: Any) -> bool:
        """A source that has no name: a function, a variable, or a name that is computed."""
        source = table.args.get("this")
        if _is_function(source) and _name_of(source) != "identifier":
            return self.allowed is not None and _name_of(source) not in ROWS
        if self.dialect.family == "tsql" and kind(source) == "Parameter":
            return False
        return self.allowed is not None or bool(self.denied)

    def _admits(self, pattern: tuple[Globs, ...], parts: Any) -> bool:
        return len(pattern) == len(parts) and all(
            glob.admit(self._folded(part)) for glob, part in zip(pattern, parts, strict=True)
        )

    def _folded(self, part: Any) -> str:
        """The name in small letters, where the case of it does not count, else as it stands."""
        name: str = part.name
        folds = self.dialect.folds
        if folds == "none" or (folds != "exact" and not part.args.get("quoted")):
            return name.lower()
        if folds == "lower" or folds == "exact":
            return name
        return name.lower() if name == name.upper() else f"\0{name}"


def _parts(pattern: str) -> tuple[Globs, ...]:
    return tuple(map(Globs, pattern.split(".")))


def _small_parts(pattern: str) -> tuple[Globs, ...]:
    return _parts(pattern.lower())


def _meet(pattern: tuple[Globs, ...], parts: list[str], *, whole: bool) -> bool:
    """Whether a pattern and a name end alike: the shorter of the two may be the longer one.

    But of a schema that is denied as a whole, `hr.*`, a name without a schema is not taken to be; nor, with `whole`, of
    any pattern that has one.
    """
    if len(parts) < len(pattern) and (whole or pattern[-1].patterns == ("*",)):
        return False
    return all(glob.admit(part) for glob, part in zip(pattern[::-1], parts[::-1], strict=False))


def _is_function(source: object) -> bool:
    return any(base.__name__ == "Func" for base in type(source).__mro__)


def _name_of(source: Any) -> str:
    if kind(source) == "DynamicIdentifier":
        return "identifier"
    return str(source.name if kind(source) == "Anonymous" else source.sql_name()).lower()


def _tables(statement: "Expr", dialect: Dialect) -> Iterator["Expr"]:
    from sqlglot.expressions import Table

    for table in statement.find_all(Table):
        if not _is_own(table, dialect):
            yield table


def _is_own(table: Any, dialect: Dialect) -> bool:
    """Whether a name means a common table expression, or what an alias stands for, in the place where it stands."""
    name = table.name.lower()
    if table.args.get("db") or not name:
        return False
    target = kind(table.parent) in ("Delete", "Update", "Insert", "Merge") and table.arg_key in ("this", "tables")
    if target and _is_alias(table, name, dialect):
        return True
    if target and dialect.family != "tsql":
        return False
    return any(name in names for names in _visible(table, dialect))


def _is_alias(table: Any, name: str, dialect: Dialect) -> bool:
    """Whether UPDATE and DELETE name their target by an alias, as T-SQL and MySQL let them."""
    if dialect.family not in ("tsql", "mysql") or kind(table.parent) not in ("Delete", "Update") or table.alias:
        return False
    others = (one for one in table.parent.find_all(type(table)) if one is not table)
    return any(one.alias.lower() == name for one in others)


def _visible(table: Any, dialect: Dialect) -> "Iterator[list[str]]":
    """The names of the common table expressions that are known where a table stands; within one, those before it."""
    within, node = None, table
    while node is not None:
        common = node.args.get("with_")
        if common is not None:
            names = [one.alias.lower() for one in common.expressions]
            at = next((at for at, one in enumerate(common.expressions) if one is within), None)
            if at is None or common.args.get("recursive"):
                yield names
            else:
                yield names[: at + (dialect.name in ITSELF)]
        within = node if kind(node) == "CTE" else within
        node = node.parent
