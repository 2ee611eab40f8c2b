"""Whether a DELETE or UPDATE is bounded: by a condition that may be false, as far as can be said without the rows."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

__all__ = ["bounds", "unbounded"]

PREDICATES = frozenset(
    """EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Like ILike LikeAny ILikeAny LikeAll ILikeAll SimilarTo RegexpLike
    RegexpILike RegexpFullMatch Glob Match In Between StartsWith EndsWith Contains ArrayContainsAll ArrayContainedBy
    ArrayContains ArrayOverlaps JSONBContains JSONArrayContains JSONBContainsAllTopKeys JSONBContainsAnyTopKeys Overlaps
    MatchAgainst Operator Adjacent ExtendsLeft ExtendsRight""".split()
)
LIKES = frozenset("Like ILike Glob SimilarTo RegexpLike RegexpILike".split())
WILD = "%*.^$?+"
"""What a pattern may be made of that fits every text."""
OPPOSITES = {"NEQ": "EQ", "LTE": "GT", "LT": "GTE", "NullSafeNEQ": "NullSafeEQ"}
CONNECTORS = frozenset(("And", "Or", "Xor", "Not"))
EITHER_WAY = frozenset(("Coalesce", "If", "Case", "Nvl2", "Nullif", "Xor", "Greatest", "Least"))
"""Functions that are true for every row, with the right arguments, and mention a column all the same."""


def kind(node: object) -> str:
    return type(node).__name__


def _plain(node: Any) -> Any:
    while kind(node) == "Paren":
        node = node.this
    return node


def _within(node: Any) -> "Iterator[Expr]":
    """Walk a condition, but not the queries in it."""
    left = [node]
    while left:
        now = left.pop()
        if kind(now) in ("Select", "Subquery", "Union", "Except", "Intersect"):
            continue
        yield now
        left.extend(now.iter_expressions())


def _columns(node: Any) -> frozenset[tuple[str, str]]:
    return frozenset(
        (one.text("table").lower(), one.name.lower()) for one in _within(node) if kind(one) in ("Column", "Dot")
    )


def _may_be_same(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> bool:
    """Whether two sides are made of the same columns; one that names no table may be of any."""
    if not one or {name for _, name in one} != {name for _, name in other}:
        return False
    return any(a == b and (not left or not right or left == right) for left, a in one for right, b in other)


def bounds(condition: Any, *, truthy: bool, negated: bool = False) -> bool:
    """Whether a condition leaves rows out, unless its columns happen to be so; a doubt is a no."""
    node = _plain(condition)
    name = kind(node)
    if name == "Not":
        return bounds(node.this, truthy=truthy, negated=not negated)
    if name in ("And", "Or"):
        sides = list(node.flatten())
        bounding = (bounds(one, truthy=truthy, negated=negated) for one in sides)
        return all(bounding) and not _opposed(sides) if (name == "Or") != negated else any(bounding)
    if name == "Exists":
        return _depends(node.this, truthy=truthy)
    if name == "Is":
        tested = _plain(node.this)
        return kind(tested) == "Column" or (_is_function(tested) and bool(_columns(tested)))
    if name in PREDICATES:
        return _compares(node)
    if truthy or name in EITHER_WAY:
        return False
    return name == "Column" or (_is_function(node) and bool(_columns(node)))


def _is_function(node: object) -> bool:
    return any(base.__name__ == "Func" for base in type(node).__mro__) and kind(node) not in EITHER_WAY


def _compares(node: Any) -> bool:
    sides = [_plain(one) for one in node.iter_expressions()]
    if kind(node) == "In":
        sides = [_plain(node.this), *map(_plain, node.expressions)]
        if not _columns(sides[0]):
            return False
    if any(kind(one) in PREDICATES | CONNECTORS | EITHER_WAY for side in sides for one in _within(side)):
        return False
    if kind(node) in LIKES and _fits_all(sides[1]):
        return False
    if kind(node) == "EQ" and _may_be_text(*sides):
        return False
    columns = [_columns(side) for side in sides]
    same = any(_may_be_same(columns[0], other) for other in columns[1:])
    return any(columns) and not same


def _may_be_text(one: Any, other: Any) -> bool:
    """Whether a quoted name stands beside the same text: to SQLite it is that text, where there is no such column."""
    one, other = (other, one) if kind(one) == "Literal" else (one, other)
    quoted = kind(one) == "Column" and not one.args.get("table") and one.this.args.get("quoted")
    return bool(quoted) and kind(other) == "Literal" and one.name == other.name


def _fits_all(pattern: Any) -> bool:
    """Whether a pattern is made of texts alone, and those of wildcards."""
    parts = list(_within(pattern))
    if any(kind(part) not in ("Literal", "Concat", "DPipe", "Paren") for part in parts):
        return False
    return not "".join(part.name for part in parts if kind(part) == "Literal").strip(WILD)


def _opposed(sides: list[Any]) -> bool:
    """Whether one side of OR, or of AND behind NOT, is true where another is not."""
    signed = {_signed(one) for one in sides}
    return any((key, not sign) in signed for key, sign in signed)


def _signed(node: Any) -> tuple[object, bool]:
    """A condition without its negations, and whether it is to hold."""
    sign, node = True, _plain(node)
    while kind(node) == "Not":
        sign, node = not sign, _plain(node.this)
    name = kind(node)
    if name not in PREDICATES and name != "Is":
        return node, sign
    turned = (name in OPPOSITES) != bool(node.args.get("negate"))
    return (OPPOSITES.get(name, name), *node.iter_expressions()), sign != turned


def _depends(query: Any, *, truthy: bool) -> bool:
    """Whether a query in EXISTS looks at the row outside: at a column of a table that is not its own."""
    query = query.this if kind(query) == "Subquery" else query
    where = query.args.get("where")
    if where is None:
        return False
    own = {one.alias_or_name.lower() for one in query.walk() if kind(one) == "Table"}
    outside = any(table and table not in own for table, _ in _columns(where.this))
    return outside and bounds(where.this, truthy=truthy)


def unbounded(node: Any, *, truthy: bool) -> bool:
    """Whether a part of a statement changes or removes all rows of a table, as far as is known."""
    name = kind(node)
    if name in ("Delete", "Update"):
        if kind(node.parent) in ("When", "OnConflict"):
            return False
        where = node.args.get("where")
        return where is None or not bounds(where.this, truthy=truthy)
    if name == "Insert":
        return bool(node.args.get("overwrite")) or bool(node.args.get("where"))
    if name == "Merge":
        return _merges_all(node, truthy=truthy)
    return name == "TruncateTable"


def _merges_all(node: Any, *, truthy: bool) -> bool:
    removing = [one for one in node.args["whens"].expressions if kind(one.args.get("then")) != "Insert"]
    if any(one.args.get("source") and not one.args.get("condition") for one in removing):
        return True
    on = node.args.get("on")
    return bool(removing) and on is not None and not bounds(on, truthy=truthy)
