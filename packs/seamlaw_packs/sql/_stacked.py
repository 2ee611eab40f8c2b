"""Words that begin a statement, where none may begin: the parser takes some for the name of a column."""

from ._readings import Statement

__all__ = ["acts_within", "is_stacked"]

ACTS = frozenset("insert update delete drop alter create truncate grant revoke outfile dumpfile".split())
BEGINS = frozenset(
    """insert update delete merge drop alter create truncate grant revoke deny exec execute shutdown kill backup restore
    dbcc bulk use waitfor reconfigure checkpoint commit rollback save set declare if while goto return print raiserror
    open close deallocate revert readtext writetext updatetext setuser begin go enable disable break continue""".split()
)
"""What begins a statement of T-SQL, where nothing need stand between two; most of them may name nothing else."""
ALTERED = ("column", "constraint", "index", "primary")


def acts_within(statement: Statement) -> bool:
    """Whether a word that acts stands in what was read as a question; a function may be called so."""
    return any(token.word in ACTS and not _is_part(statement, at) for at, token in enumerate(statement))


def _is_part(statement: Statement, at: int) -> bool:
    """Whether a word belongs to a dotted name, or is called."""
    before, after = statement[max(at - 1, 0) : at], statement[at + 1 : at + 2]
    return any(one.is_sign(".") for one in (*before, *after)) or any(one.is_sign("(") for one in after)


def is_stacked(statement: Statement, *, reads: bool) -> bool:
    """Whether a statement of T-SQL is several, with no semicolon between them; a doubt is a yes.

    One that reads begins with none of the words, and another with one.
    """
    found = [token.word for at, token in enumerate(statement) if _begins(statement, at)]
    if "update" in found and "set" in found:
        found.remove("set")
    return len(found) > (0 if reads else 1)


def _begins(statement: Statement, at: int) -> bool:
    word = statement[at].word
    dotted = at > 1 and statement[at - 1].is_sign(".") and statement[at - 2].kind in ("word", "name")
    if word not in BEGINS or dotted:
        return False
    before = statement[at - 1].word if at else ""
    after = statement[at + 1].word if at + 1 < len(statement) else ""
    if word in ("insert", "update", "delete"):
        return before not in ("then", "on")
    if word == "set":
        return before != "update" and after not in ("null", "default")
    if word in ("alter", "drop"):
        return not (at and statement[0].word == "alter" and after in ALTERED)
    return (word, after) not in (("merge", "join"), ("if", "exists")) and (
        word not in ("enable", "disable") or after == "trigger"
    )
