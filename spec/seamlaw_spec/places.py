"""The seams that scripts are played at, and the values that pass there: each made of a number."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from seamlaw import SEAMS, MemoryItem, Message, ProviderRequest, Seam, ToolCall, ToolResult

from .scripts import TOOLS, Place

__all__ = ["CALL", "OWN_CLOSED", "OWN_OPEN", "Labelled", "beside", "number_of", "seam_of", "value"]

CALL = ToolCall("id-1", TOOLS[0], {"deep": [{"in": [1, 2]}]})


@frozen
class Labelled:
    """What a host's own seams carry here: a label that is kept, and a number."""

    label: int
    number: int


OWN_OPEN: Seam[Labelled] = Seam("own_open", Labelled, on_fault="open", kept=("label",))
OWN_CLOSED: Seam[Labelled] = Seam("own_closed", Labelled, on_fault="closed", kept=("label",))
_OWN: Mapping[Place, Seam[Any]] = {Place.OWN_OPEN: OWN_OPEN, Place.OWN_CLOSED: OWN_CLOSED}


def seam_of(place: Place) -> Seam[Any]:
    """The seam itself."""
    return _OWN[place] if place in _OWN else SEAMS[place.value]


def _call(number: int, filled: bool, forged: bool) -> ToolCall:
    arguments = {"number": number, "deep": [{"in": [number]}], **({"filled": True} if filled else {})}
    return ToolCall("forged" if forged else "id-1", TOOLS[number % len(TOOLS)], arguments)


_MADE: Mapping[Place, Callable[[int], object]] = {
    Place.CONTEXT: lambda number: (Message("user", str(number), extra={"number": number}),),
    Place.PROVIDER_REQUEST: lambda number: ProviderRequest("m", kwargs={"number": number}),
    Place.TOOL_RESULT: lambda number: ToolResult({"number": number}),
    Place.MEMORY: lambda number: (MemoryItem({"number": number}),),
}


def value(place: Place, number: int, *, filled: bool = False, forged: bool = False) -> Any:
    """Make a value that a seam carries; `forged` gives it another id, or label, where a seam keeps one."""
    if place in _OWN:
        return Labelled(int(forged), number)
    return _call(number, filled, forged) if place is Place.TOOL_CALL else _MADE[place](number)


def number_of(place: Place, value: Any) -> int:
    """Read back the number that a value was made of."""
    match place:
        case Place.CONTEXT:
            return int(value[0].extra["number"])
        case Place.PROVIDER_REQUEST:
            return int(value.kwargs["number"])
        case Place.TOOL_CALL:
            return int(value.arguments["number"])
        case Place.TOOL_RESULT:
            return int(value.output["number"])
        case Place.MEMORY:
            return int(value[0].content["number"])
        case Place.OWN_OPEN | Place.OWN_CLOSED:
            return int(value.number)


def beside(place: Place) -> tuple[Any, ...]:
    """What stands beside a value."""
    return (CALL,) if place is Place.TOOL_RESULT else ()
