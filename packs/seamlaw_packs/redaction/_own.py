"""Patterns of the caller's own. They are of the kernel's kind, which a solver can read and no text can slow down.

The automaton is walked twice: forwards it tells which of its positions a character may stand at, backwards from which
of them an end can still be reached. A character stands in a match just where the two have a position in common. So
everything that is in any match is found, in linear time, whichever match a search from the left would have taken.
"""

from collections.abc import Iterator

from attrs import Factory, field, frozen

from seamlaw import Pattern

from ._placeholders import LABEL, WALL
from ._view import Found, View
from .errors import InvalidRedactor

__all__ = ["Own"]

REMEMBERED, LONGEST = 1_024, 100


def _read(it: "Own") -> Pattern:
    if type(it.label) is not str or not LABEL.fullmatch(it.label):
        raise InvalidRedactor("patterns", "a label is up to 64 lower-case letters, digits and hyphens")
    place = f"patterns[{it.label!r}]"
    if type(it.text) is not str:
        raise InvalidRedactor(place, "must be the text of a pattern")
    try:
        pattern = Pattern(it.text)
    except ValueError as error:
        raise InvalidRedactor(place, str(error)) from None
    if pattern.automaton.nullable:
        raise InvalidRedactor(place, "matches where nothing is: let it begin with what must be there")
    if not {"start", "end"}.isdisjoint(pattern.automaton.symbols):
        raise InvalidRedactor(place, "has ^ or $: a secret is one wherever it stands")
    return pattern


def _beginning(it: "Own") -> str:
    """Give the characters that every match begins with."""
    machine, literal = it.pattern.automaton, ""
    following = machine.first
    while following.bit_count() == 1:
        symbol = machine.symbols[following.bit_length() - 1]
        if isinstance(symbol, str) or symbol.negated or symbol.classes or len(symbol.ranges) != 1:
            break
        first, last = symbol.ranges[0]
        if first != last:
            break
        literal += first
        if following & machine.last or len(literal) == LONGEST:
            break
        following = machine.follow[following.bit_length() - 1]
    return literal


def _preceding(it: "Own") -> list[int]:
    """Give the positions that each position may follow."""
    follow = it.pattern.automaton.follow
    return [sum(1 << before for before, after in enumerate(follow) if after >> at & 1) for at in range(len(follow))]


@frozen
class Own:
    """A family of the caller's; raises `InvalidRedactor` for a pattern that is not regular, or matches nothing at all.

    It may not have `^` and `$`: a secret does not become one by where it stands.
    """

    label: str
    text: str
    pattern: Pattern = field(init=False, eq=False, repr=False, default=Factory(_read, takes_self=True))
    beginning: str = field(init=False, eq=False, repr=False, default=Factory(_beginning, takes_self=True))
    _preceding: list[int] = field(init=False, eq=False, repr=False, default=Factory(_preceding, takes_self=True))
    _known: dict[int, int] = field(init=False, eq=False, repr=False, default=Factory(dict[int, int]))

    @property
    def marks(self) -> tuple[str, ...]:
        """What every match begins with."""
        return (self.beginning.lower(),) if self.beginning.isascii() and self.beginning else ()

    def spans(self, view: View) -> Iterator[Found]:
        """Find whatever stands in a match."""
        text = view.text
        for start, reached in self._walks(text):
            taken, leading = self.pattern.automaton.taken, self.pattern.automaton.last
            end = None
            for at in range(start + len(reached) - 1, start - 1, -1):
                within = reached[at - start] & leading
                if within and end is None:
                    end = at + 1
                elif not within and end is not None:
                    yield at + 1, end, self.label
                    end = None
                leading = self.pattern.automaton.last | self._before(leading & taken(text[at]))
            if end is not None:
                yield start, end, self.label

    def held(self, text: str) -> Iterator[tuple[int, int]]:
        """Find where a match has begun, and may go on."""
        yield from ((start, start + len(reached)) for start, reached in self._walks(text))
        begun = next((n for n in range(len(self.beginning), 0, -1) if text.endswith(self.beginning[:n])), 0)
        yield len(text) - begun, len(text)

    def _walks(self, text: str) -> Iterator[tuple[int, list[int]]]:
        """Give each stretch in which a match may be, with the positions that each of its characters may stand at."""
        machine = self.pattern.automaton
        allowed, taken = machine.allowed, machine.taken
        at, now, reached = self._next(text, 0), 0, list[int]()
        while at >= 0:
            now = 0 if text[at] == WALL else allowed(now) & taken(text[at])
            if now:
                reached.append(now)
                at = at + 1 if at + 1 < len(text) else -1
            else:
                if reached:
                    yield at - len(reached), reached
                    reached = []
                at = self._next(text, at + 1)
        if reached:
            yield len(text) - len(reached), reached

    def _next(self, text: str, at: int) -> int:
        """Give the next place where a match may begin, or -1."""
        if self.beginning:
            return text.find(self.beginning, at)
        return at if at < len(text) else -1

    def _before(self, positions: int) -> int:
        """Give the positions that these may follow."""
        found = self._known.get(positions)
        if found is None:
            found, left = 0, positions
            while left:
                found |= self._preceding[left.bit_length() - 1]
                left ^= 1 << left.bit_length() - 1
            if len(self._known) >= REMEMBERED:  # hostile text reaches many sets of positions
                self._known.clear()
            self._known[positions] = found
        return found
