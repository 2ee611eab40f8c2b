"""The SQL sink: one table, a row a record, through SQLAlchemy Core; SQLite and PostgreSQL.

The record itself stands in the column `record`, as JSON; the other columns are for searching, cut to a length that
can be indexed. There is no hash chain here: whoever may write to the database can change it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from seamlaw_host.errors import HostError, MissingExtra

from ._errors import NoLedger
from ._fork import tell_when_forked
from ._record import Record

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Table
    from sqlalchemy.engine import URL

__all__ = ["SqlSink", "read_sql"]

TABLE = "seamlaw_records"
LONGEST = 200  # characters of a column that is searched: an index has a limit
AT_ONCE = 1_000  # rows


class SqlSink:
    """A table of records, made if it is not there; each batch is one transaction.

    `url` is one that SQLAlchemy knows, `sqlite:///audit.db` unless given. A record that comes again is told by its id
    and left out. Several processes may write to one table. Raises `MissingExtra` where SQLAlchemy or the driver is not
    installed, and `HostError` for other databases.
    """

    def __init__(self, url: str = "sqlite:///audit.db", *, table: str = TABLE) -> None:
        self._engine = _engine(url)
        self._table = _table(table)
        self._dialect = self._engine.dialect.name
        _make(self._engine, self._table)
        self._doubted = False  # whether the table may be gone
        tell_when_forked(self)

    def write(self, records: Sequence[Record], *, durable: bool) -> None:
        """Insert records, all or none; those that are there already are left out."""
        rows = [_row(record) for record in records]
        if not rows:
            return
        if self._doubted:
            _make(self._engine, self._table)
        self._doubted = True
        with self._engine.connect() as connection:
            _synchronous(connection, self._dialect, durable)
            connection.execute(_insert(self._dialect, self._table), rows)
            connection.commit()
        self._doubted = False

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def forked(self) -> None:
        """Leave the connections to the parent, and make others."""
        self._engine.dispose(close=False)


def read_sql(url: str, *, table: str = TABLE) -> Iterator[tuple[str, Record | None]]:
    """Give every record with the number of its row, in the order of insertion; `None` for what is no record.

    Raises `NoLedger` if there is no such table, and `OSError` for no such file.
    """
    from sqlalchemy import inspect, select

    engine, of = _engine(url, must_exist=True), _table(table)
    try:
        if not inspect(engine).has_table(table):
            raise NoLedger(f"the database has no table {table}")
        query = select(of.c.position, of.c.record).order_by(of.c.position)
        with engine.connect() as connection:
            for position, text in connection.execution_options(yield_per=AT_ONCE).execute(query):
                yield f"row {position}", _record(text)
    finally:
        engine.dispose()


def _record(text: str) -> Record | None:
    try:
        return msgspec.json.decode(text, type=Record)
    except (ValueError, RecursionError):
        return None


def _engine(url: str, *, must_exist: bool = False) -> "Engine":
    try:
        from sqlalchemy import create_engine, event, make_url
        from sqlalchemy.exc import ArgumentError, NoSuchModuleError
        from sqlalchemy.pool import StaticPool
    except ImportError as missing:
        raise MissingExtra("a ledger in a database needs SQLAlchemy: pip install 'seamlaw[sql]'") from missing
    try:
        made = make_url(url)
        if made.get_backend_name() not in ("sqlite", "postgresql"):
            raise HostError("a ledger can be kept in SQLite and in PostgreSQL")
        memory = _is_memory(made)
        if must_exist and made.get_backend_name() == "sqlite" and not memory:
            Path(str(made.database)).stat()
        more: dict[str, Any] = {"poolclass": StaticPool} if memory else {"pool_pre_ping": True}
        engine = create_engine(made, **more)
    except (ArgumentError, NoSuchModuleError) as error:
        raise HostError("this is no URL of a database that SQLAlchemy knows") from error
    except ImportError as missing:
        raise MissingExtra("a ledger in PostgreSQL needs psycopg: pip install 'seamlaw[postgres]'") from missing
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _write_ahead)
    return engine


def _is_memory(url: "URL") -> bool:
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _write_ahead(connection: Any, _: object) -> None:
    """Let readers read while a batch is written, and let writers wait for each other."""
    for pragma in ("journal_mode=WAL", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}").close()


def _synchronous(connection: "Connection", dialect: str, durable: bool) -> None:
    """Say whether a commit waits for the disk."""
    if dialect == "sqlite":
        connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
    else:
        connection.exec_driver_sql(f"SET LOCAL synchronous_commit = {'on' if durable else 'off'}")


def _table(name: str) -> "Table":
    from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, MetaData, String, Table, Text

    def text(of: str) -> "Column[str]":
        return Column(of, String(LONGEST), nullable=True, index=of in ("session", "attempt"))

    return Table(
        name,
        MetaData(),
        Column("position", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
        Column("id", String(LONGEST), nullable=False, unique=True),
        Column("time", Double, nullable=False, index=True),
        *(text(of) for of in ("seam", "verdict", "session", "agent", "tool", "attempt", "decided_by")),
        Column("governed", Boolean, nullable=False),
        Column("executed", Boolean, nullable=False),
        Column("record", Text, nullable=False),
    )


def _make(engine: "Engine", table: "Table") -> None:
    """Make the table, unless it is there or somebody makes it at the same time."""
    from sqlalchemy import inspect
    from sqlalchemy.exc import SQLAlchemyError

    try:
        table.metadata.create_all(engine)
    except SQLAlchemyError:
        if not inspect(engine).has_table(table.name):
            raise


def _insert(dialect: str, table: "Table") -> Any:
    from sqlalchemy.dialects import postgresql, sqlite

    if dialect == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing(index_elements=["id"])
    return postgresql.insert(table).on_conflict_do_nothing(index_elements=["id"])


def _row(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "time": record.time,
        "seam": _cut(record.seam),
        "verdict": record.verdict,
        "session": _cut(record.session),
        "agent": _cut(record.agent),
        "tool": _cut(record.tool),
        "attempt": _cut(record.attempt),
        "decided_by": _cut(record.decided_by),
        "governed": record.governed,
        "executed": record.executed,
        "record": msgspec.json.encode(record).decode(),
    }


def _cut(text: str | None) -> str | None:
    """Cut to what an index takes; no database text holds a null character."""
    return None if text is None else text[:LONGEST].replace("\0", "\N{REPLACEMENT CHARACTER}")
