"""SQL is judged by what it would do, as the database reads it, wherever in the text that stands."""

import contextlib
import logging
import sqlite3
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs.sql.tables import Line, Pack, blocked, lines, pack_for
from tests.packs.verified import broken

from seamlaw import TOOL_CALL, Ask, ToolCall, decide
from seamlaw_packs.errors import InvalidPack, MissingExtra
from seamlaw_packs.sql import ACTING, Sql, _bounds, _parser, _readings, _sql, _stacked, _statements, _tables
from seamlaw_packs.sql._dialects import DIALECTS
from seamlaw_packs.sql._readings import readings, written

HARMLESS = [*lines("harmless", "reading"), *lines("harmless", "writing")]
HOSTILE = [*lines("hostile", "anyone"), *lines("hostile", "writer")]
PACKS: tuple[Pack, ...] = ("all classes", "with writes", "as it is")
PIECES = [
    *"'\"`[](){};,.=*<>-#/\\$%@?:!\n\t ",
    *("--", "/*", "*/", "/*!", "$$", "$a$", "E'", "q'[", "'''", "\\'", "''", "select", "1", "x", "from", "delete"),
    *("where", "or", "drop", "table", "insert", "into", "with", "as", "update", "set", "explain", "show", "union"),
]


def verdict(pack: Sql, text: object, tool: str = "query") -> str:
    """Decide a call as a host does."""
    return decide(pack.interceptors(), TOOL_CALL, ToolCall("1", tool, {"sql": text})).verdict.value


def passes(dialect: str, text: str, **settings: Any) -> bool:
    """Whether a pack lets a text through."""
    return verdict(Sql(dialect, **settings), text) == "proceed"


# The corpora


def test_every_hostile_statement_is_stopped() -> None:
    """By the pack as it is, by one that may write, and the worst by one that may do anything."""
    anyone, writer, reader = (lines("hostile", group) for group in ("anyone", "writer", "reader"))
    everything = [*anyone, *writer, *reader]
    assert len(everything) >= 800
    assert blocked("as it is", everything) == everything
    assert blocked("with writes", [*anyone, *writer]) == [*anyone, *writer]
    assert blocked("all classes", anyone) == anyone


def test_no_harmless_statement_is_stopped() -> None:
    """A pack that stops real work gets turned off."""
    assert len(HARMLESS) >= 550
    assert blocked("as it is", lines("harmless", "reading")) == []
    assert blocked("with writes", HARMLESS) == []


def test_what_only_reads_may_not_write() -> None:
    """Every write of the harmless corpus is one to the pack as it is."""
    assert blocked("as it is", lines("harmless", "writing")) == lines("harmless", "writing")


def test_what_is_known_to_go_wrong_is_known() -> None:
    """Both kinds of mistake: a line that is mended is to be moved to its corpus."""
    assert blocked("as it is", lines("mistaken", "blocked")) == lines("mistaken", "blocked")
    assert blocked("as it is", lines("mistaken", "passed")) == []
    assert blocked("with writes", lines("mistaken", "passed_writing")) == []


def test_no_statement_is_in_a_corpus_twice() -> None:
    """Each counts once."""
    for found in (HARMLESS, HOSTILE):
        assert len(set(found)) == len(found)


def test_every_dialect_is_in_both_corpora() -> None:
    """None is covered by name alone."""
    for found in (HARMLESS, HOSTILE):
        assert {dialect for dialect, _ in found} == set(DIALECTS)


# The laws


@given(
    st.sampled_from(HOSTILE), st.sampled_from(["  ", "\n", "/* a */ ", "-- a\n"]), st.sampled_from(["", " ", "\n", " "])
)
def test_space_and_comments_around_do_not_help(hostile: Line, before: str, after: str) -> None:
    """What is stopped is stopped with a comment before it, and with space around."""
    dialect, text = hostile
    assert blocked("with writes", [(dialect, before + text + after)]) != []


@given(st.sampled_from(HOSTILE), st.data())
def test_harmless_company_does_not_help(hostile: Line, data: st.DataObject) -> None:
    """What is stopped is stopped behind a harmless statement, also where several are allowed."""
    dialect, text = hostile
    harmless = data.draw(st.sampled_from([one for of, one in HARMLESS if of == dialect and one.isascii()]))
    pack = Sql(dialect, allow=["read", "write"], many=True)
    together = f"{harmless.rstrip(';')}\n;{text}"
    alone = pack.judge(ToolCall("1", "query", {"sql": text}))
    if alone is not None and alone.reason != "there is no statement":  # nor is it hostile, where several are allowed
        assert verdict(pack, together) == "block"


@given(st.sampled_from(HARMLESS + HOSTILE))
def test_allowing_more_stops_no_more(line: Line) -> None:
    """What passes as it is passes with writes, and what passes so passes with every class."""
    stopped = [bool(blocked(pack, [line])) for pack in PACKS]
    assert stopped == sorted(stopped)


@given(st.sampled_from(HARMLESS))
def test_what_is_written_for_the_parser_is_read_alike(line: Line) -> None:
    """What the parser is given has the same words, names and signs, and neither comment nor backslash."""
    dialect = DIALECTS[line[0]]
    for statement in readings(line[1], dialect)[0]:
        text = written(statement, dialect)
        assert "\\" not in text
        again = readings(text, dialect)[0][0]
        assert [(one.kind, one.text) for one in again if one.kind != "text"] == [
            (one.kind, one.text) for one in statement if one.kind != "text"
        ]


@given(st.sampled_from(sorted(DIALECTS)), st.text(max_size=60))
def test_any_text_is_answered(dialect: str, text: str) -> None:
    """No text makes the pack fail."""
    for pack in PACKS:
        outcome = decide(pack_for(pack, dialect).interceptors(), TOOL_CALL, ToolCall("1", "query", {"sql": text}))
        assert "interceptor error" not in outcome.reason


@given(st.sampled_from(sorted(DIALECTS)), st.lists(st.sampled_from(PIECES), max_size=20))
def test_any_pieces_of_sql_are_answered(dialect: str, pieces: list[str]) -> None:
    """Nor do the signs and words of SQL in any order."""
    for text in ("".join(pieces), " ".join(pieces)):
        call = ToolCall("1", "query", {"sql": text})
        outcome = decide(pack_for("all classes", dialect).interceptors(), TOOL_CALL, call)
        assert "interceptor error" not in outcome.reason


@given(st.sampled_from(sorted(DIALECTS)), st.text("a';-\\\"` \n", max_size=20))
def test_a_value_in_a_text_stays_in_it(dialect: str, value: str) -> None:
    """However a value that is not escaped ends its text, no second statement and no write passes."""
    text = f"SELECT * FROM t WHERE a = '{value}' DROP TABLE b"
    assert verdict(pack_for("as it is", dialect), text) == "block" or "'" in value or "\\" in value
    text = f"SELECT * FROM t WHERE a = '{value}'; DROP TABLE b; -- '"
    plain = verdict(pack_for("as it is", dialect), text)
    if plain == "proceed":  # the text did not end, nor in any other way of reading it
        for reading in readings(text, DIALECTS[dialect]):
            assert not any(token.word == "drop" for statement in reading for token in statement)


# Against a database

SQLITE = [text for _, text in [*HARMLESS, *HOSTILE] if "\0" not in text]
ONLY_READ = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE)
TABLES = "CREATE TABLE t (a, b, x, id); CREATE TABLE u (a, b); CREATE TABLE users (id, name); CREATE TABLE x (a)"


def acts(text: str) -> list[tuple[object, ...]]:
    """What SQLite would do for a text but read; it is kept from doing it."""
    found = list[tuple[object, ...]]()

    def judge(action: int, *of: str | None) -> int:
        tells = action == sqlite3.SQLITE_PRAGMA and (of[1] is None or of[0] in _statements.PRAGMAS)
        declares = (action, of[0]) == (sqlite3.SQLITE_UPDATE, "sqlite_master")  # json_each, when it is first named
        computes = action == sqlite3.SQLITE_FUNCTION and of[1] not in ("load_extension", "writefile", "readfile")
        if action in ONLY_READ or tells or declares or computes:
            return sqlite3.SQLITE_OK
        found.append((action, *of))
        return sqlite3.SQLITE_DENY

    database = sqlite3.connect(":memory:", isolation_level=None)
    database.executescript(TABLES)
    database.set_authorizer(judge)
    database.set_progress_handler(lambda: 1, 10_000)
    with contextlib.suppress(sqlite3.Error, sqlite3.Warning, UnicodeError):
        database.executescript(text)
    database.close()
    return found


def test_sqlite_tells_what_a_text_does() -> None:
    """So that the law below can fail."""
    assert acts("SELECT * FROM t; PRAGMA table_info(t)") == []
    for text in ("DELETE FROM t", "SELECT 1; DROP TABLE t", "PRAGMA writable_schema = 1", "ATTACH 'x' AS y"):
        assert acts(text) != []


@given(st.sampled_from(SQLITE), st.lists(st.tuples(st.integers(0, 80), st.sampled_from(PIECES)), max_size=4))
def test_sqlite_does_nothing_but_read_for_what_passes(text: str, changes: list[tuple[int, str]]) -> None:
    """Statements of every dialect, changed at random, are read by SQLite as the pack reads them, or stopped."""
    for at, piece in changes:
        text = f"{text[:at]}{piece}{text[at:]}"
    if verdict(pack_for("as it is", "sqlite"), text) == "proceed":
        assert acts(text) == []


# Reading


@pytest.mark.parametrize("space", ["\u3000", "\u00a0", "\u2003", "\u200b"])
def test_unicode_spaces_and_wide_letters_are_refused(space: str) -> None:
    """Databases differ on what they are, outside of quotes; within, they are text."""
    everything = Sql("postgres", allow=["read", "write", "ddl", "administrative"])
    assert verdict(everything, f"DROP{space}TABLE x") == "block"
    assert verdict(everything, "\uff24\uff32\uff2f\uff30 TABLE x") == "block"
    assert passes("postgres", f"SELECT 'a{space}b'")


def test_a_text_is_read_in_every_way_that_may_be() -> None:
    """With backslash as an escape and without, whatever the dialect says, since a setting of the server decides."""
    two = "SELECT 'a\\'; DROP TABLE x; SELECT '"
    assert not passes("mysql", two, many=True)
    assert not passes("postgres", two, many=True)
    assert passes("mysql", "SELECT 'it\\'s', 'that\\'s'")
    assert passes("postgres", "SELECT * FROM t WHERE a LIKE '10\\%' ESCAPE '\\' AND b = 'c'")


def test_statements_before_the_end_of_a_text_count() -> None:
    """Some databases run the first statement before they find that a later one is none."""
    assert not passes("mysql", "SELECT 'a\\' ; DROP TABLE x; SELECT 'b'", allow=["read"])


# The classes


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("SELECT 1", {"read"}),
        ("INSERT INTO a SELECT * FROM b", {"write"}),
        ("SELECT * FROM t FOR UPDATE", {"write"}),
        ("WITH x AS (DELETE FROM t WHERE a = 1 RETURNING *) SELECT * FROM x", {"write"}),
        ("CREATE TABLE a AS SELECT 1", {"ddl"}),
        ("SELECT * INTO a FROM b", {"ddl"}),
        ("CREATE TABLE a AS WITH x AS (DELETE FROM t WHERE a = 1 RETURNING *) SELECT * FROM x", {"ddl", "write"}),
        ("CREATE USER a", {"administrative"}),
        ("DROP DATABASE a", {"administrative"}),
        ("COPY t TO PROGRAM 'x'", {"administrative"}),
        ("SET ROLE a", {"administrative"}),
        ("EXPLAIN ANALYZE DELETE FROM t WHERE a = 1", {"write"}),
    ],
)
def test_each_class_that_a_statement_has_must_be_allowed(text: str, needs: set[str]) -> None:
    """Those, and no other."""
    assert passes("postgres", text, allow=sorted(needs))
    for one in needs:
        others = {"read", "write", "ddl", "administrative"} - {one}
        assert not passes("postgres", text, allow=sorted(others))


def test_several_statements_are_each_judged() -> None:
    """Where `many` lets them through at all."""
    assert not passes("postgres", "SELECT 1; SELECT 2")
    assert passes("postgres", "SELECT 1; SELECT 2;", many=True)
    assert not passes("postgres", "SELECT 1; DROP TABLE x", many=True)


def test_unbounded_changes_may_be_let_through() -> None:
    """By `unbounded`, and then with all rows."""
    for text in ("DELETE FROM t", "UPDATE t SET a = 1 WHERE 1=1"):
        assert not passes("postgres", text, allow=["write"])
        assert passes("postgres", text, allow=["write"], unbounded=True)
    assert not passes("postgres", "TRUNCATE t", allow=["ddl"])
    assert passes("postgres", "TRUNCATE t", allow=["ddl"], unbounded=True)


def test_a_person_may_be_asked() -> None:
    """About a class, or what is unbounded, and not about what is in doubt or denied."""
    pack = Sql("postgres", otherwise="ask", target="cli://")
    asked = pack.judge(ToolCall("1", "query", {"sql": "DELETE FROM t"}))
    assert isinstance(asked, Ask)
    assert asked.target == "cli://"
    assert verdict(pack, "DELETE FROM t") == "ask"
    assert verdict(pack, "DROP TABLE t") == "ask"
    for text in ("SELEC 1", "SELECT 1; SELECT 2", "DELETE FROM t WHERE pg_sleep(1)", "SELECT * FROM pg_shadow"):
        assert verdict(pack, text) == "block"


# Functions


def test_a_function_is_known_by_its_name_however_it_is_written() -> None:
    """Quoted, qualified, and with space or a comment before its parenthesis."""
    pack = Sql("postgres", deny_functions=["wipe", "ops.*"])
    for text in ("wipe(1)", "WIPE (1)", '"wipe"(1)', "a.wipe(1)", "wipe/* */\n(1)", "ops.run()", "(1).wipe"):
        assert verdict(pack, f"SELECT {text}") == "block"
    for text in ("wiped(1)", "wipe", "'wipe(1)'", "pg_sleep(1)", "run()"):
        assert verdict(pack, f"SELECT {text} FROM t") == "proceed"


def test_only_known_functions_may_be_called_where_they_are_listed() -> None:
    """Those of the standard need no mention."""
    pack = Sql("postgres", functions=["report_*"])
    assert verdict(pack, "SELECT upper(a), count(*), report_sales(1) FROM t") == "proceed"
    assert verdict(pack, "SELECT delete_all()") == "block"
    assert verdict(pack, "SELECT * FROM delete_all()") == "block"


def test_a_function_that_is_called_as_a_column() -> None:
    """A limit: of those that are not listed, only the denied ones are known from columns of what a function gives."""
    assert passes("postgres", "SELECT x.wipe FROM now() x", functions=["now"])
    assert not passes("postgres", "SELECT x.wipe FROM now() x", deny_functions=["wipe"])
    assert passes("postgres", "SELECT x.wipe FROM logs x, now() y", deny_functions=["wipe"])
    assert passes("mysql", "SELECT id FROM user")
    assert not passes("mysql", "SELECT id FROM mysql.user")
    assert not passes("mysql", "SELECT id FROM user", deny_tables=["mysql.user"])


def test_every_family_has_its_functions() -> None:
    """So that none is forgotten when a dialect is added."""
    assert set(ACTING) == {dialect.family for dialect in DIALECTS.values()}


# Tables


def test_tables_are_held_to_their_lists() -> None:
    """By their dotted names; one without its schema is another."""
    pack = Sql("postgres", allow=["read", "write"], tables=["users", "sales.*"])
    for text in ("SELECT * FROM users", "SELECT * FROM USERS u, sales.orders", "DELETE FROM sales.x WHERE a = 1"):
        assert verdict(pack, text) == "proceed"
    for text in (
        "SELECT * FROM secret",
        "SELECT * FROM hr.users",
        'SELECT * FROM "Users"',
        "SELECT (SELECT a FROM secret)",
        "SELECT * FROM users UNION SELECT * FROM secret",
        "INSERT INTO secret SELECT * FROM users",
        "SELECT * FROM users JOIN secret USING (id)",
        "TABLE secret",
        "SELECT * FROM made_by_a_function(1)",
    ):
        assert verdict(pack, text) == "block"


def test_denied_tables_are_denied_in_any_schema_and_case() -> None:
    """One without its schema may be the one that is meant."""
    pack = Sql("postgres", deny_tables=["hr.salaries", "tokens"])
    for text in ("hr.salaries", "salaries", "SALARIES", '"hr"."Salaries"', "db.hr.salaries", "tokens", "a.tokens"):
        assert verdict(pack, f"SELECT * FROM {text}") == "block"
    for text in ("it.salaries", "hr.people", "tokens_2"):
        assert verdict(pack, f"SELECT * FROM {text}") == "proceed"
    whole = Sql("postgres", deny_tables=["hr.*"])
    assert verdict(whole, "SELECT * FROM hr.people") == "block"
    assert verdict(whole, "SELECT * FROM people") == "proceed"


def test_common_table_expressions_are_no_tables_where_they_are_known() -> None:
    """And a table elsewhere, or within themselves."""
    pack = Sql("postgres", tables=["users"])
    for text in (
        "WITH x AS (SELECT * FROM users) SELECT * FROM x",
        "WITH x AS (SELECT 1), y AS (SELECT * FROM x) SELECT * FROM y",
        "WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x) SELECT * FROM x",
        "WITH x AS (SELECT 1) SELECT (SELECT 1 FROM x)",
    ):
        assert verdict(pack, text) == "proceed"
    for text in (
        "WITH secret AS (SELECT * FROM secret) SELECT * FROM secret",
        "SELECT * FROM (WITH secret AS (SELECT 1) SELECT * FROM secret) x, secret",
        "WITH a AS (SELECT * FROM secret), secret AS (SELECT 1) SELECT * FROM a",
        "WITH secret AS (SELECT 1) SELECT * FROM public.secret",
    ):
        assert verdict(pack, text) == "block"
    writer = Sql("postgres", allow=["write"], tables=["users"])
    assert verdict(writer, "WITH secret AS (SELECT 1) DELETE FROM secret WHERE a = 1") == "block"


def test_the_case_of_a_name_counts_as_it_does_to_the_database() -> None:
    """Folded where there are no quotes, kept where there are, or not looked at."""
    for dialect, admitted in (("postgres", "users"), ("snowflake", "USERS"), ("tsql", "UsErS")):
        pack = Sql(dialect, tables=["users"])
        assert verdict(pack, f'SELECT * FROM "{admitted}"') == "proceed"
        assert verdict(pack, "SELECT * FROM uSERS") == "proceed"
    assert not passes("snowflake", 'SELECT * FROM "users"', tables=["users"])
    assert not passes("mysql", "SELECT * FROM Users", tables=["users"])
    assert passes("mysql", "SELECT * FROM users", tables=["users"])


def test_the_alias_of_a_target_is_no_table() -> None:
    """Where the dialect has them."""
    pack = Sql("tsql", allow=["write"], tables=["users"])
    assert verdict(pack, "UPDATE u SET a = 1 FROM users u WHERE u.id = 1") == "proceed"
    assert verdict(pack, "UPDATE u SET a = 1 FROM secret u WHERE u.id = 1") == "block"
    assert verdict(pack, "WITH d AS (SELECT * FROM users) DELETE FROM d WHERE id = 1") == "proceed"


def test_what_names_its_tables_in_secret_is_refused_where_they_count() -> None:
    """A name that is computed, several at once, and a statement that is opaque."""
    assert not passes("snowflake", "SELECT * FROM IDENTIFIER('a')", deny_tables=["x"])
    assert not passes("bigquery", "SELECT * FROM `d.x*`", deny_tables=["xy"])
    assert not passes("clickhouse", "SELECT 1 FROM t WHERE a IN secret", deny_tables=["secret"])
    assert not passes("postgres", "CALL f()", allow=["administrative"], deny_tables=["x"])
    assert passes("postgres", "CALL f()", allow=["administrative"])


def test_files_are_no_tables_unless_they_are_allowed() -> None:
    """In the dialects that read a file by its name."""
    for dialect, text in (("duckdb", "FROM 'a.csv'"), ("spark", "SELECT * FROM csv.`/a`")):
        assert not passes(dialect, text)
        assert passes(dialect, text, files=True)
    assert passes("postgres", 'SELECT * FROM "a.csv"')


# Time


@pytest.mark.parametrize("unit", ["STRUCT(", "DATE(", "CAST(a AS DECIMAL(", "f(", "(", "[", "x(1).", "a[1][1]"])
def test_what_takes_the_parser_long_never_reaches_it(monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    """It reads a type in two ways, and each in it again in two; it copies a value before each of its parts."""

    def reached(_: str) -> None:
        raise AssertionError

    pack = pack_for("all classes", "bigquery")
    assert verdict(pack, "SELECT 1") == "proceed"
    monkeypatch.setattr(_parser, "_grammar", reached)
    outcome = decide(
        pack.interceptors(), TOOL_CALL, ToolCall("1", "query", {"sql": ("SELECT " + unit * 9_000)[:9_999]})
    )
    assert outcome.reason == "a statement is nested too deep"


def test_long_texts_are_refused() -> None:
    """And one that is just as long as may be is read."""
    most = _readings.LONGEST
    assert passes("postgres", "SELECT '" + "a" * (most - 9) + "'")
    assert not passes("postgres", "SELECT '" + "a" * (most - 8) + "'")


def test_types_in_types_are_counted_as_often_as_they_are_read() -> None:
    """A few may stand in each other."""
    assert passes("bigquery", "SELECT STRUCT(STRUCT(STRUCT(DATE('2024-01-01'))))")
    assert not passes("bigquery", "SELECT " + "STRUCT(" * 20 + "1" + ")" * 20)
    assert passes("postgres", "SELECT " + "f(" * 25 + "1" + ")" * 25)
    assert not passes("postgres", "SELECT " + "f(" * 35 + "1" + ")" * 35)


# Settings


@pytest.mark.parametrize("given", [None, 7, True, {}, [], ["SELECT 1"], ""])
def test_what_is_no_sql_blocks(given: object) -> None:
    """A missing argument does, too."""
    assert verdict(Sql("postgres"), given) == "block"
    assert decide(Sql("postgres").interceptors(), TOOL_CALL, ToolCall("1", "query", {})).verdict.value == "block"


def test_every_argument_that_is_named_is_judged() -> None:
    """One that is harmless does not speak for another."""
    call = ToolCall("1", "query", {"sql": "SELECT 1", "query": "DROP TABLE x"})
    assert decide(Sql("postgres").interceptors(), TOOL_CALL, call).verdict.value == "block"


@pytest.mark.parametrize(
    "tool", ["query", "Query", "SQL", "run_sql", "executeSql", "sql_db_query", "mcp__postgres__query", "query_database"]
)
def test_the_usual_tools_are_judged(tool: str) -> None:
    """Whatever a server or a framework calls them."""
    assert verdict(Sql("postgres"), "DROP TABLE t", tool) == "block"


def test_other_tools_are_not_judged() -> None:
    """Unless they are named."""
    assert verdict(Sql("postgres"), "DROP TABLE x", "note") == "proceed"
    assert verdict(Sql("postgres", tools="db_*"), "DROP TABLE x", "db_run") == "block"


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"dialect": "sybase"}, "dialect"),
        ({"dialect": "prql"}, "dialect"),
        ({"dialect": 7}, "dialect"),
        ({"allow": "read"}, "allow"),
        ({"allow": []}, "allow"),
        ({"allow": ["read", "admin"]}, "allow[1]"),
        ({"many": 1}, "many"),
        ({"unbounded": "no"}, "unbounded"),
        ({"files": None}, "files"),
        ({"tables": "users"}, "tables"),
        ({"tables": ["a.["]}, "tables[0]"),
        ({"deny_tables": ["a..b"]}, "deny_tables[0]"),
        ({"functions": [7]}, "functions[0]"),
        ({"deny_functions": [""]}, "deny_functions[0]"),
        ({"otherwise": "allow"}, "otherwise"),
        ({"tools": []}, "tools"),
        ({"arguments": [""]}, "arguments[0]"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(settings: dict[str, Any], place: str) -> None:
    """With the place of what is wrong."""
    together: dict[str, Any] = {"dialect": "postgres", **settings}
    with pytest.raises(InvalidPack) as refused:
        Sql(**together)
    assert refused.value.place == place


def test_without_the_parser_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the pack is made, and not at the first call."""
    _parser._grammar.cache_clear()
    monkeypatch.setitem(sys.modules, "sqlglot.dialects.dialect", None)
    with pytest.raises(MissingExtra, match=r"seamlaw\[sqlglot\]"):
        Sql("postgres")
    monkeypatch.undo()
    Sql("postgres")


def test_no_reason_and_no_log_quotes_the_text(caplog: pytest.LogCaptureFixture) -> None:
    """The parser would warn of what it does not know, and quote it."""
    caplog.set_level(logging.DEBUG)
    for text in ("VACUUM s3cret", "SELEC s3cret", "SELECT s3cret(", "DROP TABLE s3cret", "SELECT * FROM 's3cret"):
        call = ToolCall("1", "query", {"sql": text})
        outcome = decide(Sql("postgres").interceptors(), TOOL_CALL, call)
        assert outcome.verdict.value == "block"
        assert "s3cret" not in f"{outcome.log}{outcome.denial}"
    assert caplog.text == ""


def test_the_log_of_others_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Who uses the parser for something else is warned as before."""
    Sql("postgres")
    logging.getLogger("sqlglot").warning("theirs")
    assert "theirs" in caplog.text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # faults are injected, also into gc
@pytest.mark.parametrize(
    "pack",
    [Sql("postgres"), Sql("tsql", allow=["write"], many=True, otherwise="ask", tables=["a.*"])],
    ids=["reads", "asks"],
)
def test_the_kit_finds_nothing(pack: Sql) -> None:
    """`seamlaw verify` is green."""
    assert broken(pack, budget_s=0.5) == []


def test_it_is_one_gate() -> None:
    """Nothing that follows in a chain can undo what it says."""
    assert [(one.name, one.is_gate) for one in Sql("postgres").interceptors().tool_call] == [("sql", True)]


# Planted bugs


def no(*_: object, **__: object) -> bool:
    """A check that finds nothing."""
    return False


def only_reads(*_: object) -> _statements.Judged:
    """One that takes everything for a question."""
    return _statements.READING


def past_a_comment(text: str, at: int) -> int:
    """One that looks at no comment."""
    return (text + "*/").find("*/", at + 2) + 2


def in_one_way(*_: object) -> tuple[()]:
    """One that reads a text as the dialect says alone."""
    return ()


def passed_of(group: str) -> int:
    """How many hostile statements pass, with writes."""
    given = lines("hostile", group)
    return len(given) - len(blocked("with writes", given))


@pytest.mark.parametrize(
    ("module", "name", "instead", "group"),
    [
        (_sql, "denied", no, "anyone"),
        (_sql, "is_file", no, "anyone"),
        (_statements, "is_stacked", no, "anyone"),
        (_statements, "unbounded", no, "writer"),
        (_bounds, "_opposed", no, "writer"),
        (_statements, "_explained", only_reads, "writer"),
        (_statements, "_told", only_reads, "writer"),
        (_readings, "_block_comment", past_a_comment, "anyone"),
        (_readings, "CONTROL", _tables.FILE, "anyone"),
    ],
)
def test_a_pack_without_one_of_its_checks_is_found(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, instead: object, group: str
) -> None:
    """Planted: each check stops something that no other does."""
    monkeypatch.setattr(module, name, instead)
    assert passed_of(group) > 0


def test_a_pack_that_reads_in_one_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: with the backslash read as the dialect says alone, a text is taken for longer than it may be."""
    monkeypatch.setattr(_readings, "_other_ways", in_one_way)
    assert passes("mysql", "SELECT 'a\\'; DROP TABLE x; SELECT '")


def test_words_that_act_are_found_where_the_parser_sees_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: without the look at the words, the parser takes one for the name of a column."""
    assert not passes("postgres", "SELECT 1 AS delete")
    monkeypatch.setattr(_stacked, "ACTS", frozenset[str]())
    assert passes("postgres", "SELECT 1 AS delete")
