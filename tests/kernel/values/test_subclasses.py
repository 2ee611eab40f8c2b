"""Of a subclass only what it holds is taken; nothing overridden is believed or called."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from collections import OrderedDict, defaultdict
from enum import IntEnum
from typing import Any

import pytest

from seamlaw import FrozenDict, freeze, thaw


def kinds(value: Any) -> Any:
    """The types of a value, all the way down."""
    if isinstance(value, dict):
        return type(value), [(type(key), kinds(item)) for key, item in value.items()]
    return (type(value), list(map(kinds, value))) if isinstance(value, list) else type(value)


class Number(IntEnum):
    """An integer."""

    ONE = 1


class Text(str):
    """A text whose methods lie."""

    def __str__(self) -> str:
        return "lie"

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 7

    def encode(self, *given: Any, **named: Any) -> bytes:
        """Raise."""
        raise RuntimeError

    def replace(self, *given: Any, **named: Any) -> str:
        """Raise."""
        raise RuntimeError


class LyingDict(dict[str, Any]):
    """A dict whose methods lie."""

    def items(self) -> Any:
        """Give nothing."""
        return ()

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0

    def copy(self) -> Any:
        """Give another."""
        return {}


class LyingList(list[Any]):
    """A list whose methods lie."""

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0

    def copy(self) -> Any:
        """Give another."""
        return []


class LyingInt(int):
    """A number whose methods lie."""

    def __int__(self) -> int:
        return 8

    def bit_length(self) -> int:
        """Say less."""
        return 1


class LyingFloat(float):
    """A number whose methods lie."""

    def __float__(self) -> float:
        return float("nan")


SUBCLASSED: list[tuple[Any, Any]] = [
    (Number.ONE, 1),
    (Text("held"), "held"),
    (LyingInt(7), 7),
    (LyingFloat(7.5), 7.5),
    (LyingDict(a=1), {"a": 1}),
    (LyingList([1, 2]), [1, 2]),
    (OrderedDict(a=1), {"a": 1}),
    (defaultdict(list, a=[1]), {"a": [1]}),
    ({Text("key"): [LyingDict(a=Text("x"))]}, {"key": [{"a": "x"}]}),
]


@pytest.mark.parametrize(("value", "held"), SUBCLASSED, ids=lambda it: type(it).__name__)
def test_of_a_subclass_only_what_it_holds_is_taken(value: Any, held: Any) -> None:
    """As the plain type, so that nobody's methods are called later."""
    frozen = freeze(value)
    assert (thaw(frozen), kinds(thaw(frozen))) == (held, kinds(held))


def test_of_a_derived_class_only_what_it_holds_is_taken() -> None:
    """A class of somebody's own that derives from a frozen one is read like any dict."""
    derived: Any = type("Derived", (FrozenDict,), {"__init__": dict.__init__, "__getitem__": lambda self, key: "lie"})
    assert (type(freeze(derived(a=1))), freeze(derived(a=1))) == (FrozenDict, {"a": 1})
