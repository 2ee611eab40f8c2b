"""What rules ask of arguments: which keys and places, and how many elements of a list it takes to tell."""

import re
from collections.abc import Iterable
from typing import Any, cast

from attrs import Factory, define

from seamlaw import Condition, Default, Operation, Pattern, Rule
from seamlaw_spec.kit._fields import items_of

from ._alphabet import Alphabet, alphabet
from ._texts import Texts, characters_of_globs, characters_of_pattern, path_characters

__all__ = ["Demand", "Unsupported", "demand_of", "texts_of"]

INDEX = re.compile("0|[1-9][0-9]{0,8}")
LARGEST_INDEX = 200


class Unsupported(ValueError):
    """A rule that is not translated; a question about it is answered by `unknown`."""


@define
class Demand:
    """What is asked of a value: of its fields, its items, its elements in general, and how many of these matter."""

    fields: "dict[str, Demand]" = Factory(dict[str, "Demand"])
    items: "dict[int, Demand]" = Factory(dict[int, "Demand"])
    element: "Demand | None" = None
    witnesses: int = 0

    def field(self, key: str) -> "Demand":
        """What is asked of a field."""
        return self.fields.setdefault(key, Demand())

    def item(self, index: int) -> "Demand":
        """What is asked of an item; whatever is asked of any element is asked of it too."""
        if index > LARGEST_INDEX:
            raise Unsupported(f"an index past {LARGEST_INDEX}")
        return self.items.setdefault(index, Demand())

    def any_element(self) -> "Demand":
        """What is asked of elements in general; each question needs one more of them, to tell it apart."""
        self.witnesses += 1
        self.element = self.element or Demand()
        return self.element

    def settle(self) -> None:
        """Let what is asked of elements be asked of each item."""
        for item in self.items.values():
            if self.element is not None:
                item.add(self.element)
        for inner in (*self.fields.values(), *self.items.values(), *([self.element] if self.element else [])):
            inner.settle()

    def add(self, other: "Demand") -> None:
        """Ask what another asks too."""
        for key, inner in other.fields.items():
            self.field(key).add(inner)
        for index, inner in other.items.items():
            self.item(index).add(inner)
        if other.element is not None:
            self.element = self.element or Demand()
            self.element.add(other.element)
            self.witnesses += other.witnesses


def demand_of(rules: Iterable[Rule | Default]) -> Demand:
    """What these rules ask of arguments."""
    demand = Demand()
    for rule in rules:
        for condition in (*rule.only.when, *rule.only.unless):
            for place in _places(demand, condition.at):
                _ask(place, condition.test)
        if isinstance(rule, Default):
            _places(demand, rule.at)
    demand.settle()
    return demand


def _places(demand: Demand, keys: tuple[str, ...]) -> list[Demand]:
    """All that a pointer may lead to: a field by its key, and an item if the key is an index."""
    reached = [demand]
    for key in keys:
        nexts = [place.field(key) for place in reached]
        nexts += [place.item(int(key)) for place in reached] if INDEX.fullmatch(key) else []
        reached = nexts
    return reached


def _ask(demand: Demand, test: Operation) -> None:
    operand = test.operand
    match test.operator:
        case "not":
            _ask(demand, operand)
        case "any":
            _ask(demand.any_element(), operand)
        case "contains":
            _compare(demand.any_element(), operand)
        case "equals":
            _compare(demand, operand)
        case "one_of":
            for one in operand:
                _compare(demand, one)
        case _:
            return


def _compare(demand: Demand, constant: Any) -> None:
    if isinstance(constant, dict):
        for key, inner in cast("dict[str, Any]", constant).items():
            _compare(demand.field(key), inner)
    elif isinstance(constant, list):
        for index, inner in enumerate(items_of(constant)):
            _compare(demand.item(index), inner)


def texts_of(rules: Iterable[Rule | Default]) -> Texts:
    """The alphabet that these rules tell apart, and the texts that they name."""
    constants, sets, literals, paths = set[str](), set[Any](), set[str](), False
    for rule in rules:
        for globs in (rule.only.tools, rule.only.agents):
            named, held = characters_of_globs(globs)
            literals, sets = literals | named, sets | held
        for test in _tests((*rule.only.when, *rule.only.unless)):
            paths = paths or test.operator == "under"
            if isinstance(test.operand, Pattern):
                sets |= set(characters_of_pattern(test.operand))
            else:
                constants |= set(_texts_in(test.operand))
        constants |= set(_texts_in(rule.value)) if isinstance(rule, Default) else set()
    if paths:
        special, held_too = path_characters()
        literals, sets = literals | set(special), sets | set(held_too)
    return Texts(_alphabet(constants, literals, sets), constants)


def _alphabet(constants: set[str], literals: set[str], sets: set[Any]) -> Alphabet:
    return alphabet(literals | {c for constant in constants for c in constant}, sorted(sets, key=repr))


def _tests(conditions: Iterable[Condition]) -> list[Operation]:
    found = [condition.test for condition in conditions]
    for test in found:
        found += [test.operand] if isinstance(test.operand, Operation) else []
    return found


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner: list[Any] = []
    if isinstance(value, dict):
        inner += cast("dict[str, Any]", value).values()
    elif isinstance(value, list):
        inner += items_of(value)
    return [found for item in inner for found in _texts_in(item)]
