"""What the readers of all shapes say of a record: here is a call, here is a result, here is nonsense."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from attrs import frozen

from seamlaw import InvalidValue, Scope, ToolCall, ToolResult, Verdict, freeze

from ._events import Event, Malformed, Recorded
from ._strict_json import Unreadable, is_object, kind, parse

__all__ = ["Call", "Key", "Result", "Step", "Steps", "answered", "key_of", "malformed", "name_of", "proposed"]

Key = tuple[Hashable, ...]


@frozen
class Call:
    """A call, or something unreadable in its place; its result will be found by `key`, `None` waits for none.

    `renews`: the same key in a later place is a new call, and the older one will have no result any more.
    """

    event: Event
    key: Key | None = None
    renews: bool = True


@frozen
class Result:
    """The result of the oldest open call with that key; `orphan` is what it tells if there is none.

    `executed` are the arguments that really ran, if recorded. A result that cannot be read is `None`: it ends the wait
    for it, and `trouble` tells why. `verdict` is what a ledger says was decided of it, `unreliable` what of it is not
    kept as it was.
    """

    place: str
    key: Key | None
    result: ToolResult | None
    orphan: Event | None = None
    executed: Any = None
    trouble: Malformed | None = None
    verdict: Verdict | None = None
    unreliable: tuple[str, ...] = ()


Step = Call | Result
Steps = Iterator[Step]


def malformed(place: str, problem: str, tool: object = None) -> Call:
    """Report what cannot be read."""
    return Call(Malformed(place, problem, name_of(tool)))


def name_of(tool: object) -> str | None:
    """Give a tool's name where it is text."""
    try:
        return freeze(tool) if isinstance(tool, str) else None
    except InvalidValue:
        return None


def key_of(*parts: object) -> Key | None:
    """Make a key of plain parts, 1 and "1" and `true` being different; anything else makes none."""
    if not all(part is None or isinstance(part, str | int | float) for part in parts):
        return None
    return tuple((type(part).__name__, part) for part in parts)


def proposed(
    place: str,
    *,
    name: object,
    arguments: object,
    id: object = None,
    scope: Mapping[str, Any] | None = None,
    key: Key | None = None,
    renews: bool = True,
    encoded: bool = False,
) -> Call:
    """Report a call; one that cannot be read is reported too, with its tool's name.

    `encoded` arguments are the text of a JSON object, empty where there are none.
    """
    try:
        values: Any = {"id": "" if id is None else id, "name": name}
        values["arguments"] = _decoded(arguments) if encoded else arguments
        event: Event = Recorded(place, ToolCall(**values), Scope(**(scope or {})))
    except InvalidValue as error:
        event = Malformed(place, f"a call that cannot be read, {error}", name_of(name))
    except Unreadable as error:
        event = Malformed(place, f"a call whose arguments cannot be read, {error.problem}", name_of(name))
    return Call(event, key, renews)


def _decoded(arguments: object) -> object:
    if arguments is None:
        return {}
    if isinstance(arguments, str):
        return parse(arguments) if arguments.strip() else {}
    if is_object(arguments):  # some servers that speak the same protocol do not encode them
        return arguments
    raise Unreadable(f"they must be the text of an object, not {kind(arguments)}")


def answered(
    place: str,
    key: Key | None,
    *,
    output: object = None,
    error: object = None,
    metadata: Mapping[str, object] | None = None,
) -> Result:
    """Report a result; that of no call is no nonsense, but is told."""
    try:
        values: Any = {
            "output": freeze(output),
            "error": error,
            "metadata": {} if metadata is None else freeze(metadata),
        }
        return Result(place, key, ToolResult(**values), Malformed(place, "a result that no call waits for"))
    except InvalidValue as problem:
        trouble = Malformed(place, f"a result that cannot be read, {problem}")
        return Result(place, key, None, orphan=trouble, trouble=trouble)
