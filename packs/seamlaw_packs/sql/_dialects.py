"""The dialects that are covered, and how the database behind each reads a text."""

from collections.abc import Mapping
from typing import Literal

from attrs import evolve, frozen

__all__ = ["DIALECTS", "Dialect"]


@frozen(kw_only=True)
class Dialect:
    """How one dialect is read. `family`: whose functions it has.

    `backslash`: it escapes in a text. `quotes`: what a name may stand in, and `'"'` is a text where it is not among
    them. `hash_comments`, `slash_comments`: `#` and `//` begin one. `dollar`: `$tag$` begins a text. `braces`: they
    have a meaning. `triple`: so do three quotes. `digits_first`: a name may begin with a digit. `folds`: what becomes
    of the case of a name without quotes, `exact` where nothing does and `none` where case counts nowhere. `truthy`:
    any number is a condition.
    """

    name: str
    family: str
    backslash: bool = False
    quotes: str = '"'
    hash_comments: bool = False
    slash_comments: bool = False
    dollar: bool = False
    braces: bool = False
    triple: bool = False
    digits_first: bool = False
    folds: Literal["lower", "upper", "exact", "none"] = "none"
    truthy: bool = False

    @property
    def quote(self) -> str:
        """The sign in which the parser takes a name."""
        return '"' if '"' in self.quotes else "`"


POSTGRES = Dialect(name="postgres", family="postgres", dollar=True, folds="lower")
MYSQL = Dialect(
    name="mysql",
    family="mysql",
    backslash=True,
    quotes="`",
    hash_comments=True,
    digits_first=True,
    folds="exact",
    truthy=True,
)
SQLITE = Dialect(name="sqlite", family="sqlite", quotes='"`[', truthy=True)
DUCKDB = Dialect(name="duckdb", family="duckdb", dollar=True, braces=True)
TSQL = Dialect(name="tsql", family="tsql", quotes='"[')
ORACLE = Dialect(name="oracle", family="oracle", folds="upper")
SNOWFLAKE = Dialect(
    name="snowflake",
    family="snowflake",
    backslash=True,
    slash_comments=True,
    dollar=True,
    braces=True,
    folds="upper",
)
BIGQUERY = Dialect(
    name="bigquery", family="bigquery", backslash=True, quotes="`", hash_comments=True, triple=True, folds="exact"
)
SPARK = Dialect(name="spark", family="spark", backslash=True, quotes="`", digits_first=True)
TRINO = Dialect(name="trino", family="trino")
CLICKHOUSE = Dialect(
    name="clickhouse",
    family="clickhouse",
    backslash=True,
    quotes='"`',
    hash_comments=True,
    dollar=True,
    braces=True,
    folds="exact",
    truthy=True,
)

_ALL = (
    POSTGRES,
    evolve(POSTGRES, name="redshift", backslash=True),
    evolve(POSTGRES, name="materialize"),
    evolve(POSTGRES, name="risingwave"),
    MYSQL,
    evolve(MYSQL, name="doris"),
    evolve(MYSQL, name="starrocks"),
    evolve(MYSQL, name="singlestore"),
    SQLITE,
    DUCKDB,
    TSQL,
    evolve(TSQL, name="fabric"),
    ORACLE,
    SNOWFLAKE,
    BIGQUERY,
    SPARK,
    evolve(SPARK, name="databricks"),
    evolve(SPARK, name="hive"),
    TRINO,
    evolve(TRINO, name="presto"),
    evolve(TRINO, name="athena"),
    CLICKHOUSE,
    Dialect(name="teradata", family="teradata"),
    Dialect(name="exasol", family="exasol", folds="upper"),
)
DIALECTS: Mapping[str, Dialect] = {one.name: one for one in _ALL}
