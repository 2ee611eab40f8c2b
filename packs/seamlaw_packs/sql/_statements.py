"""What a statement is: of which classes all that it would do is, whether it is bounded, and what it names."""

import re
from typing import TYPE_CHECKING, Any, Literal

from attrs import field, frozen

from ._bounds import kind, unbounded
from ._dialects import Dialect
from ._doubt import Doubt
from ._functions import WRITING, calls
from ._parser import parsed
from ._readings import Statement
from ._stacked import acts_within, is_stacked
from ._tables import may_be_file

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

__all__ = ["CLASSES", "Class", "Judged", "judged"]

Class = Literal["read", "write", "ddl", "administrative"]
CLASSES: tuple[Class, ...] = ("read", "write", "ddl", "administrative")

READS = frozenset("Select Union Except Intersect Subquery Values Summarize Pivot".split())
WRITES = frozenset(
    """Insert MultitableInserts ConditionalInsert Update Delete Merge Transaction Commit Rollback Lock
    NextValueFor""".split()
)
DEFINES = frozenset("Create Drop Alter TruncateTable Comment Into".split())
DEFINED = frozenset(("TABLE", "VIEW", "INDEX", "SCHEMA", "SEQUENCE", "COLUMN", "MATERIALIZED VIEW"))
"""What may be created and dropped as a definition of data; all else is administrative."""
ADMINISTERS = frozenset(
    """Command Set Use Pragma Attach Detach Copy LoadData Kill Cache Uncache Refresh Analyze Grant Revoke Declare
    Execute ExecuteSql IfBlock WhileBlock LoopBlock RepeatBlock CaseStatement Block Export Install QueryTransform
    AlterSession StoredProcedure UserDefinedFunction MacroOverloads Put Get Undrop Clone Directory
    TriggerProperties""".split()
)
EXPLAINS = frozenset(("explain", "describe", "desc"))
OPTIONS = frozenset(
    """analyze analyse verbose extended formatted cost codegen logical distributed plan query for format type using json
    text tabular tree traditional xml yaml buffers costs settings generic_plan wal timing summary memory serialize true
    false on off none binary io validate ast syntax pipeline header actions indexes physical raw optimized partitions
    estimate table""".split()
)
"""Words between EXPLAIN and what it explains."""
LOCKS = frozenset("updlock xlock tablock tablockx".split())
VERBS = frozenset(
    """select with insert update delete merge replace create values table from call exec execute declare do alter drop
    truncate refresh set grant attach detach vacuum pragma copy export import install load reindex unload put remove
    optimize backup restore lock kill use""".split()
)
ACTING_WORDS = VERBS - set("table from with grant set values replace lock use load".split()) | {"analyze", "analyse"}
PRAGMAS = frozenset(
    """table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check
    integrity_check quick_check database_list collation_list function_list module_list pragma_list compile_options
    show_tables database_size version storage_info""".split()
)
SETTINGS = frozenset(
    """user_version schema_version application_id page_count page_size freelist_count encoding journal_mode
    foreign_keys cache_size synchronous""".split()
)
"""Pragmas that tell a value when they are given none, and set it when they are."""
XQUERY = re.compile(
    r"\b(?:doc|doc-available|collection|uri-collection|unparsed-text\S*|view)\s*(?:\(:.*?:\)\s*)*\(|oradb:"
)


@frozen
class Judged:
    """What is known of a statement; `tree` is there where it was parsed."""

    classes: frozenset[Class]
    unbounded: bool = False
    tree: "Expr | None" = field(default=None, eq=False)


READING = Judged(frozenset[Class](("read",)))
ADMINISTERING = Judged(frozenset[Class](("administrative",)))


def judged(statement: Statement, dialect: Dialect) -> Judged:
    """Tell what a statement is; raises `Doubt`."""
    first = statement[0].word if dialect.family != "tsql" else ""  # where these are names of procedures
    if first in EXPLAINS:
        return _explained(statement, dialect)
    if first == "show":
        return _told(statement[1:], dialect)
    if first == "pragma":
        return _told(statement[1:], dialect) if _only_tells(statement) else ADMINISTERING
    if dialect.family == "oracle" and _reads_elsewhere(statement):
        raise Doubt("an XQuery reads a document or a table")
    tree = parsed(statement, dialect)
    if kind(tree) not in READS | WRITES | DEFINES | ADMINISTERS:
        raise Doubt("it is no statement that is known")
    classes: set[Class] = {_class_of(node) for node in tree.walk()}
    if any(_writes(name, called=called) for name, called in calls(statement)):
        classes.add("write")
    if classes == {"read"} and acts_within(statement):
        raise Doubt("a word that acts stands in a statement that reads")
    if dialect.family == "tsql" and is_stacked(statement, reads=kind(tree) in READS):
        raise Doubt("a statement may begin within another")
    if len(classes) > 1:
        classes.discard("read")
    everything = any(unbounded(node, truthy=dialect.truthy) for node in tree.walk())
    return Judged(frozenset(classes), everything, tree)


def _writes(name: str, *, called: bool) -> bool:
    return (called and WRITING.admit(name)) or name.endswith(".nextval")


def _reads_elsewhere(statement: Statement) -> bool:
    """Whether a text may be an XQuery that reads more than it is passed: `fn:collection("oradb:/SYS/USER$")`."""
    takes = any(token.word.startswith("xml") or token.word == "existsnode" for token in statement)
    return takes and any(token.kind == "text" and XQUERY.search(token.text) for token in statement)


def _told(rest: Statement, dialect: Dialect) -> Judged:
    """What tells of names and settings; it is held to words and a few signs, for nothing of it is parsed."""
    for at, token in enumerate(rest):
        if token.word in ACTING_WORDS and not (at == 0 and token.word == "create"):
            return ADMINISTERING
        if token.kind == "sign" and token.text not in ".,()=*:@%":
            return ADMINISTERING
        if token.kind in ("name", "text") and may_be_file(token.text, dialect):
            return ADMINISTERING
    if dialect.family == "duckdb" and any("." in name and may_be_file(name, dialect) for name, _ in calls(rest)):
        return ADMINISTERING
    return READING


def _explained(statement: Statement, dialect: Dialect) -> Judged:
    """What is explained counts as if it were run, since some explanations run it."""
    at = 1
    if _opens(statement, at) and not _is_verb(statement, at + 1):
        while at < len(statement) and not statement[at].is_sign(")"):
            at += 1
    while at < len(statement) and not (_is_verb(statement, at) or _opens(statement, at)):
        at += 1
    rest = statement[at:]
    if not rest or (statement[0].word != "explain" and _names_table(rest)):
        return _told(statement[1:], dialect)
    options = OPTIONS if dialect.family != "sqlite" else OPTIONS - {"analyze"}  # which is a statement there
    if any(token.kind in ("word", "name") and token.word not in options for token in statement[1:at]):
        raise Doubt("it is not known what is explained")
    return judged(rest, dialect)


def _names_table(rest: Statement) -> bool:
    """Whether TABLE goes before a name, as in DESCRIBE TABLE, and nothing follows it."""
    return rest[0].word == "table" and all(token.kind in ("word", "name") or token.is_sign(".") for token in rest)


def _opens(statement: Statement, at: int) -> bool:
    return at < len(statement) and statement[at].is_sign("(")


def _is_verb(statement: Statement, at: int) -> bool:
    if at >= len(statement) or statement[at].word not in VERBS:
        return False
    return not statement[at - 1].is_sign(".") and not statement[at - 1].is_sign("=")


def _only_tells(statement: Statement) -> bool:
    words = [token for token in statement[1:] if not token.is_sign(".")]
    dotted = len(words) < len(statement) - 1
    name, rest = (words[1:2], words[2:]) if dotted and len(words) > 1 else (words[:1], words[1:])
    if not name or (dotted and not statement[2].is_sign(".")):
        return False
    if not rest:
        return name[0].word in PRAGMAS or name[0].word in SETTINGS
    plain = len(rest) == 3 and rest[0].is_sign("(") and rest[1].kind != "sign" and rest[2].is_sign(")")
    return plain and name[0].word in PRAGMAS


def _class_of(node: Any) -> Class:
    name = kind(node)
    if name in ("Create", "Drop", "Alter"):
        return "ddl" if str(node.args.get("kind")).upper() in DEFINED else "administrative"
    if name in WRITES:
        return "write"
    if name in DEFINES:
        return "ddl"
    if name == "WithTableHint" and any(str(one.name).lower() in LOCKS for one in node.expressions):
        return "write"
    return "administrative" if name in ADMINISTERS else "read"
