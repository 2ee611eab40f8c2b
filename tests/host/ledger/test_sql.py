"""The SQL sink: each record once, in SQLite and in a real PostgreSQL."""

import os
import subprocess
import sys
import threading
import warnings
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from tests.host.ledger.made import Kept, call, decided, happened, ledger, severally

from seamlaw_host.errors import HostError, MissingExtra
from seamlaw_host.ledger import NoLedger, Record, SqlSink, Unread, read_ledger

ROOT = Path(__file__).resolve().parents[3]
TABLES = (f"records_{number}" for number in count())
Database = tuple[str, str]


@pytest.fixture(params=["sqlite", "postgresql"], name="database")
def _database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A database, and the name of a table that is not in it yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'audit.db'}", "seamlaw_records"
    return request.getfixturevalue("postgres"), next(TABLES)


def sink(database: Database) -> SqlSink:
    """A sink for it."""
    url, table = database
    return SqlSink(url, table=table)


def records(database: Database) -> list[Record]:
    """What is in it, in order."""
    from seamlaw_host.ledger._sql import read_sql

    url, table = database
    return [record for _, record in read_sql(url, table=table) if record is not None]


@pytest.mark.parametrize("durability", ["none", "batch", "each"])
def test_every_record_is_there_as_it_was(database: Database, durability: Any) -> None:
    """In order, and equal to the record of the ring, field by field."""
    with ledger(sink(database), durability=durability, batch=7) as made:
        made.append(happened(0, severally()))
        for number in range(1, 20):
            made.append(happened(number, error="odd \0 text \u2028 \U0001f40d" * 30, proposed=call(number, at=10**30)))
        made.flush()
        ring = made.records()
        assert (made.sink_errors, made.lost) == (0, 0)
    assert records(database) == ring
    assert len(ring) == 20


def test_a_record_that_comes_again_is_left_out(database: Database) -> None:
    """Whoever was interrupted may write again, the same and more."""
    kept = Kept()
    with ledger(kept) as made:
        for number in range(5):
            made.append(happened(number))
    table = sink(database)
    table.write(kept.records[:3], durable=True)
    table.write(kept.records[1:], durable=False)
    table.write([], durable=True)
    table.close()
    assert records(database) == kept.records


def test_names_longer_than_an_index_takes_are_cut_in_columns_alone(database: Database) -> None:
    """Tools are named by a model: hostile names lose no record."""
    from seamlaw import Scope, ToolCall

    name = "tool\0" * 5_000
    with ledger(sink(database)) as made:
        made.append(happened(proposed=ToolCall("1", name, {}), scope=Scope(session=name, agent=name)))
        made.flush()
        assert made.sink_errors == 0
    (record,) = records(database)
    assert (record.tool, record.session, record.agent) == (name, name, name)


def test_columns_can_be_searched(database: Database) -> None:
    """With plain SQL, by what is in the columns."""
    from seamlaw import block

    with ledger(sink(database)) as made:
        made.append(happened(1))
        made.append(happened(2, decided(call(2), block("no"))))
    url, table = database
    engine = create_engine(url)
    with engine.connect() as connection:
        query = text(f"SELECT tool, session, decided_by FROM {table} WHERE verdict = 'block'")
        assert connection.execute(query).all() == [("bash", "session-1", "gate-0")]
    engine.dispose()


def test_a_commit_waits_for_the_disk_only_if_asked(database: Database) -> None:
    """SQLite's `synchronous` and PostgreSQL's `synchronous_commit` are what `durable` says."""
    from seamlaw_host.ledger._sql import _synchronous

    table = sink(database)
    told: Any = {"sqlite": {True: 2, False: 1}, "postgresql": {True: "on", False: "off"}}
    asked = {"sqlite": "PRAGMA synchronous", "postgresql": "SHOW synchronous_commit"}[table._dialect]
    for durable in (True, False, True):
        with table._engine.connect() as connection:
            _synchronous(connection, table._dialect, durable)
            assert connection.exec_driver_sql(asked).scalar() == told[table._dialect][durable]
    table.close()


def test_several_write_to_one_table_at_the_same_time(database: Database) -> None:
    """Two ledgers in threads, made at the same time, and a process: no record is lost."""
    ready = threading.Barrier(3)

    def writing(first: int) -> None:
        ready.wait(20)
        with ledger(sink(database), batch=3, interval_s=0.002) as made:
            for number in range(first, first + 50):
                made.append(happened(number))
        assert made.lost == 0

    threads = [threading.Thread(target=writing, args=(first,)) for first in (0, 50)]
    for thread in threads:
        thread.start()
    ready.wait(20)
    script = (
        "import sys; from seamlaw_host.ledger import SqlSink; from tests.host.ledger.made import happened, ledger\n"
        "with ledger(SqlSink(sys.argv[1], table=sys.argv[2])) as made:\n"
        "    for number in range(100, 150): made.append(happened(number))\n"
    )
    subprocess.run([sys.executable, "-c", script, *database], cwd=ROOT, check=True)
    for thread in threads:
        thread.join()
    assert sorted(record.attempt for record in records(database)) == sorted(f"attempt-{n}" for n in range(150))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_a_forked_child_writes_its_own_records_with_connections_of_its_own(database: Database) -> None:
    """Parent and child go on side by side; what waited at the fork is written once."""
    with ledger(sink(database), interval_s=60) as made:
        made.append(happened(1))
        made.flush()
        made.append(happened(2))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a fork with threads
            child = os.fork()
        if not child:
            code = 1
            try:
                made.append(happened(3))
                code = not made.flush()
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        made.append(happened(4))
    assert sorted(record.attempt for record in records(database)) == [f"attempt-{number}" for number in (1, 2, 3, 4)]


def test_a_database_that_is_gone_for_a_while_gets_everything_afterwards(tmp_path: Path) -> None:
    """The records wait, and a table that is gone is made again."""
    url = f"sqlite:///{tmp_path / 'audit.db'}"
    table = SqlSink(url)
    with ledger(table, durability="each") as made:
        table._engine.dispose()
        (tmp_path / "audit.db").unlink()
        (tmp_path / "audit.db").mkdir()
        made.append(happened(1))
        assert (made.sink_errors, made.lost) == (1, 0)
        (tmp_path / "audit.db").rmdir()
        assert made.flush()
    assert [one[1].attempt for one in read_ledger(url) if isinstance(one, tuple)] == ["attempt-1"]


def test_memory_is_a_database_too() -> None:
    """One for all threads of the sink."""
    table = SqlSink("sqlite://")
    with ledger(table, batch=1, interval_s=0.001) as made:
        for number in range(10):
            made.append(happened(number))
        made.flush()
        assert made.sink_errors == 0
        with table._engine.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM seamlaw_records")).scalar() == 10


def test_what_is_no_ledger_is_told(tmp_path: Path) -> None:
    """No file, no table, a row that is no record, another database, no URL: each says what it is, and makes nothing."""
    with pytest.raises(FileNotFoundError):
        list(read_ledger(f"sqlite:///{tmp_path / 'none.db'}"))
    assert list(tmp_path.iterdir()) == []
    engine = create_engine(f"sqlite:///{tmp_path / 'other.db'}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE other (a TEXT)"))
    engine.dispose()
    with pytest.raises(NoLedger, match="no table seamlaw_records"):
        list(read_ledger(f"sqlite:///{tmp_path / 'other.db'}"))
    with ledger(SqlSink(f"sqlite:///{tmp_path / 'audit.db'}")) as made:
        made.append(happened(1))
    engine = create_engine(f"sqlite:///{tmp_path / 'audit.db'}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE seamlaw_records SET record = '{}'"))
    engine.dispose()
    (unread,) = read_ledger(f"sqlite:///{tmp_path / 'audit.db'}")
    assert isinstance(unread, Unread)
    assert unread.place == "row 1"
    for url in ("mysql://u:hunter2@h/d", "hunter2", "nothing://hunter2", "postgresql+nothing://u:hunter2@h/d"):
        with pytest.raises(HostError) as told:
            SqlSink(url)
        assert "hunter2" not in str(told.value)


@pytest.mark.parametrize(("module", "url"), [("sqlalchemy", "sqlite://"), ("psycopg", "postgresql+psycopg://u@h/d")])
def test_what_is_not_installed_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, module: str, url: str) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'seamlaw\[(sql|postgres)\]'"):
        SqlSink(url)
