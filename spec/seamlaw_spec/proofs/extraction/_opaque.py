"""Values that nobody may look into: identity is all they have, and any look raises."""

from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["Looked", "NotExtracted", "Opaque", "Unmeasured", "bare"]


class NotExtracted(Exception):
    """A shipped function is not of the form that the model describes; `layer` names the check that says so."""

    def __init__(self, layer: str, function: str, problem: str) -> None:
        super().__init__(f"{layer}: {function}: {problem}")
        self.layer, self.function, self.problem = layer, function, problem


class Looked(BaseException):
    """Something looked into an opaque value; no `Exception`, so that nothing shipped swallows it."""


def _looks(name: str) -> Callable[..., Any]:
    def look(*_: object) -> Any:
        raise Looked(name)

    return look


_LOOKS = (
    "eq ne lt le gt ge hash bool len length_hint iter next reversed getitem setitem delitem contains call str repr "
    "format bytes index int float complex round add radd sub rsub mul rmul mod rmod truediv floordiv and or xor rand "
    "ror rxor neg pos abs invert enter exit getattribute setattr delattr getattr reduce reduce_ex sizeof dir"
)


class Opaque:
    """A payload: it can be passed on and compared by identity, and every other use raises `Looked`."""

    __slots__ = ()


for _name in _LOOKS.split():
    setattr(Opaque, f"__{_name}__", _looks(_name))


class Unmeasured:
    """A log of any length: it can be unpacked into another, and is too opaque to be counted or searched."""

    __slots__ = ("rest",)
    rest: Opaque

    def __init__(self) -> None:
        self.rest = Opaque()

    def __iter__(self) -> Iterator[Opaque]:
        yield self.rest


for _name in _LOOKS.replace("iter ", "").replace("getattribute setattr delattr ", "").split():
    if _name not in ("len", "length_hint"):  # unpacking asks for these, and takes their absence for an answer
        setattr(Unmeasured, f"__{_name}__", _looks(_name))


def bare(kind: type[Any], **fields: object) -> Any:
    """Make an instance without its constructor, so that no converter sees the payloads."""
    made: Any = object.__new__(kind)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made
