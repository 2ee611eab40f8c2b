"""Regular expressions that take linear time on any text, and that a solver can reason about.

The syntax is the part of Python's `re` that is regular: no look-around, back-references or boundaries. `.` is any
character and `$` the very end, line feeds or not; `(?i)` may stand in front. Matching is a search that walks all
states of the automaton of Glushkov (1961) at once: one step a character, whatever the text.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeVar

from attrs import Factory, field, frozen

__all__ = ["END", "START", "CharSet", "Node", "Pattern", "tree"]

K = TypeVar("K")
_re: Any = re
_EXTRA_CASES: dict[int, tuple[int, ...]] = _re._casefix._EXTRA_CASES
op, _parser = _re._constants, _re._parser  # the parser of `re` itself: what it accepts is `re`

MAX_POSITIONS = 1_000
REMEMBERED = 1_024
START, END = "start", "end"  # two symbols around the text, longer than any character
CLASSES: dict[str, Callable[[str], bool]] = {
    "digit": str.isdecimal,
    "word": lambda c: c.isalnum() or c == "_",
    "space": str.isspace,
}


def forms(symbol: str) -> list[str]:
    """The characters that are this one in another case."""
    cases = {
        symbol,
        symbol.lower()[:1],
        symbol.lower()[:1].upper(),
        symbol.upper(),
        symbol.casefold(),
        symbol.lower().upper(),
    }
    cases |= {chr(code) for case in cases if len(case) == 1 for code in _EXTRA_CASES.get(ord(case), ())}
    return [case for case in cases if len(case) == 1]


@frozen
class CharSet:
    """A set of characters by ranges and classes (`digit`, `not_word`, …), or all but these."""

    ranges: tuple[tuple[str, str], ...] = ()
    classes: tuple[str, ...] = ()
    negated: bool = False
    ignore_case: bool = False

    def holds(self, symbol: str) -> bool:
        """Whether it holds this one character."""
        if len(symbol) != 1:
            return False
        cases = forms(symbol) if self.ignore_case else symbol
        listed = any(low <= case <= high for low, high in self.ranges for case in cases)
        return (listed or any(map(partial(_is_of, symbol), self.classes))) != self.negated


def _is_of(symbol: str, name: str) -> bool:
    return CLASSES[name.removeprefix("not_")](symbol) != name.startswith("not_")


Node: TypeAlias = "tuple[str, Any] | CharSet | str"  # ("cat" | "alt", nodes), ("opt" | "plus", node), START, END


def tree(text: str) -> Node:
    """Read a pattern; raises `ValueError` for what `re` refuses and for what is not regular."""
    for escape_or_set in re.findall(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?", text, re.DOTALL):
        if re.search(r"\[|--|&&|~~|\|\|", re.sub(r"\\.", "", escape_or_set[1:], flags=re.DOTALL)):
            raise ValueError("in a set, [ and doubled - & ~ | are written with a backslash")
    try:
        parsed = _parser.parse(text)
        flags = parsed.state.flags & ~(re.UNICODE | re.DOTALL)
        if flags & ~re.IGNORECASE:
            raise ValueError("of the flags only (?i) can be set")
        return _sequence(parsed, bool(flags))
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"no regular expression: {error}") from None


def _sequence(items: Any, ignore_case: bool) -> Node:
    return "cat", tuple(_node(code, argument, ignore_case) for code, argument in items)


def _node(code: Any, argument: Any, ignore_case: bool) -> Node:
    if code is op.LITERAL or code is op.NOT_LITERAL:
        return CharSet(_one(chr(argument), ignore_case), (), code is op.NOT_LITERAL, ignore_case)
    if code is op.ANY:
        return CharSet(negated=True)
    if code is op.IN:
        return _set(argument, ignore_case)
    if code is op.BRANCH:
        return "alt", tuple(_sequence(branch, ignore_case) for branch in argument[1])
    if code is op.SUBPATTERN and not (argument[1] or argument[2]):
        return _sequence(argument[3], ignore_case)
    if code is op.MAX_REPEAT or code is op.MIN_REPEAT:
        return _repeat(int(argument[0]), argument[1], _sequence(argument[2], ignore_case))
    if code is op.AT and argument in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
        return START
    if code is op.AT and argument in (op.AT_END, op.AT_END_STRING):
        return END
    raise ValueError(f"not regular: {str(argument if code is op.AT else code).lower()}")


def _one(symbol: str, ignore_case: bool) -> tuple[tuple[str, str], ...]:
    return tuple((form, form) for form in (sorted(forms(symbol)) if ignore_case else symbol))


def _set(items: Any, ignore_case: bool) -> CharSet:
    ranges: list[tuple[str, str]] = []
    for code, argument in items:
        if code is op.RANGE:
            ranges.append((chr(argument[0]), chr(argument[1])))
        elif code is op.LITERAL:
            ranges.extend(_one(chr(argument), ignore_case))
    classes = [str(argument).lower().removeprefix("category_") for code, argument in items if code is op.CATEGORY]
    return CharSet(tuple(ranges), tuple(classes), items[0][0] is op.NEGATE, ignore_case)


def _repeat(least: int, most: Any, node: Node) -> Node:
    if max(least, 0 if most is op.MAXREPEAT else int(most)) > MAX_POSITIONS:
        raise ValueError(f"repeated more than {MAX_POSITIONS} times")
    if most is op.MAXREPEAT:
        plus: Node = ("plus", node)
        return "cat", (node,) * (least - 1) + (plus,) if least else (("opt", plus),)
    return "cat", (node,) * least + (("opt", node),) * (int(most) - least)


class Automaton:
    """Glushkov's positions: what symbol each takes, and a bit mask of those that may follow it."""

    def __init__(self, node: Node) -> None:
        self.symbols: list[CharSet | str] = []
        self.follow: list[int] = []
        self.takes: dict[str, int] = {}
        self.follows: dict[int, int] = {}
        self.size = 0
        self.nullable, self.first, self.last = self.add(node)
        self.taking: dict[CharSet | str, int] = {}
        for at, symbol in enumerate(self.symbols):
            self.taking[symbol] = self.taking.get(symbol, 0) | 1 << at
            follows_any = any(mask >> at & 1 for mask in self.follow)
            if (symbol == START and follows_any) or (symbol == END and self.follow[at]):
                raise ValueError("^ and $ can match only at the ends of the text")

    def add(self, node: Node) -> tuple[bool, int, int]:
        """Number the positions of a node: whether it may be empty, and its first and last positions."""
        self.size += 1
        if self.size > 20 * MAX_POSITIONS or len(self.symbols) == MAX_POSITIONS:
            raise ValueError(f"longer than {MAX_POSITIONS} positions")
        if not isinstance(node, tuple):
            self.symbols.append(node)
            self.follow.append(0)
            bit = 1 << len(self.symbols) - 1
            return False, bit, bit
        kind, inner = node
        if kind in ("opt", "plus"):
            nullable, first, last = self.add(inner)
            if kind == "plus":
                self.link(last, first)
            return nullable or kind == "opt", first, last
        parts = [self.add(child) for child in inner]
        if kind == "alt":
            return any(p[0] for p in parts), sum({p[1] for p in parts}), sum({p[2] for p in parts})
        nullable, first, last = True, 0, 0
        for empty, begins, ends in parts:
            self.link(last, begins)
            first |= begins if nullable else 0
            last = ends | (last if empty else 0)
            nullable = nullable and empty
        return nullable, first, last

    def link(self, last: int, first: int) -> None:
        """Let the positions `first` follow the positions `last`."""
        for at in range(last.bit_length()):
            if last >> at & 1:
                self.follow[at] |= first

    def allowed(self, reached: int) -> int:
        """The positions that may come next: what follows those reached, and the first, for a match starts anywhere."""
        found = self.follows.get(reached)
        if found is None:
            found = self.first
            for at, follow in enumerate(self.follow):
                if reached >> at & 1:
                    found |= follow
            self.remember(self.follows, reached, found)
        return found

    def taken(self, symbol: str) -> int:
        """The positions that take a symbol."""
        found = self.takes.get(symbol)
        if found is None:
            found = 0
            for known, positions in self.taking.items():
                if known.holds(symbol) if isinstance(known, CharSet) else known == symbol:
                    found |= positions
            self.remember(self.takes, symbol, found)
        return found

    def remember(self, memo: dict[K, int], key: K, found: int) -> None:
        """Keep what was worked out, within bounds: hostile text has many symbols."""
        if len(memo) >= REMEMBERED:
            memo.clear()
        memo[key] = found


def _automaton(it: "Pattern") -> Automaton:
    return Automaton(tree(it.text))


@frozen
class Pattern:
    """A pattern, ready to search; raises `ValueError` for one that cannot be read."""

    text: str
    automaton: Automaton = field(init=False, eq=False, repr=False, default=Factory(_automaton, takes_self=True))

    def search(self, text: str) -> bool:
        """Whether the pattern occurs in the text, in time linear in its length."""
        machine, reached = self.automaton, 0
        allowed, taken, last = machine.allowed, machine.taken, machine.last
        for symbol in (START, *text, END):
            reached = allowed(reached) & taken(symbol)
            if reached & last:
                return True
        return machine.nullable
