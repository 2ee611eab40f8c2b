"""The messages of protocol 1, each an object on a line of its own; docs/extension.schema.json is made of these.

What the host says has a `type`; the extension says one `manifest`, and then answers, each with the `id` of its request.
"""

import re
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from seamlaw_host.sessions._strict_json import Unreadable, parse

from .errors import Garbage

__all__ = [
    "FROM_EXTENSION",
    "FROM_HOST",
    "INTERCEPTORS_PER_SEAM",
    "IN_FLIGHT",
    "LONGEST_LINE",
    "PROTOCOL",
    "Answer",
    "Declared",
    "Manifest",
    "Mode",
    "read_answer",
    "read_manifest",
    "written",
]

PROTOCOL = 1
IN_FLIGHT = 16  # requests that wait for an answer of one process
INTERCEPTORS_PER_SEAM = 8
LONGEST_LINE = 16 * 2**20  # bytes, in both directions

# In Python `$` also stands before a line feed at the end; elsewhere what follows it says nothing.
Name: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$(?!\n)")]
Version: TypeAlias = Annotated[str, Meta(pattern=r"^[!-~]{1,64}$(?!\n)")]
Reason: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4096)]
Severity: TypeAlias = Literal["low", "medium", "high"]
SeamName: TypeAlias = Literal["context", "provider_request", "tool_call", "tool_result", "memory"]
Mode: TypeAlias = Literal["gate", "rewriter", "observer"]
Id: TypeAlias = Annotated[int, Meta(ge=1)]
Seconds: TypeAlias = Annotated[float, Meta(gt=0, le=1e8)]


class Caller(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is calling, as far as it is known."""

    session: str | None
    agent: str | None
    role: str | None
    trust: str | None
    chain: tuple[str, ...]
    domain: str | None


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first line that an extension reads; it answers with its manifest."""

    protocol: int
    host: str
    in_flight: int
    longest_line: int
    deadlines_s: dict[SeamName, float]


class Decide(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="decide"):
    """A request: what does this interceptor say to this value? `digest` names the value with what stands beside it."""

    id: Id
    interceptor: Name
    seam: SeamName
    value: Any
    beside: list[Any]
    scope: Caller
    digest: str
    deadline_s: float


class Observe(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="observe"):
    """What an observer is told after execution; there is no answer to it."""

    interceptor: Name
    seam: SeamName
    value: Any
    result: Any
    scope: Caller


class Declared(Struct, frozen=True, forbid_unknown_fields=True):
    """An interceptor: at which seam, of which mode, for which tools and agents (globs; none: all).

    `denies` is for rewriters: one with `false` says that it never blocks or asks, and is skipped where it fails on an
    open seam.
    """

    name: Name
    seam: SeamName
    mode: Mode
    tools: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    denies: bool = True


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="manifest"):
    """The first line that an extension writes: what it is, and what it intercepts.

    `rules` are rules of a policy file; they are applied without calling the extension. `exact_integers` says that it
    reads integers past 2^53 exactly.
    """

    protocol: Literal[1]
    name: Name
    version: Version
    description: Annotated[str, Meta(max_length=1000)] = ""
    interceptors: tuple[Declared, ...] = ()
    rules: tuple[dict[str, Any], ...] = ()
    exact_integers: bool = False


class Allow(Struct, frozen=True, forbid_unknown_fields=True, tag_field="decision", tag="allow"):
    """Nothing to say."""

    id: Id


class Note(Struct, frozen=True, forbid_unknown_fields=True, tag_field="decision", tag="note"):
    """Worth recording; changes nothing."""

    id: Id
    reason: Reason
    severity: Severity = "low"


class Replace(Struct, frozen=True, forbid_unknown_fields=True, tag_field="decision", tag="replace"):
    """Proceed with this value instead, written as the request writes it, with all of its fields."""

    id: Id
    value: Any


class Ask(Struct, frozen=True, forbid_unknown_fields=True, tag_field="decision", tag="ask"):
    """Proceed only if `target` grants it."""

    id: Id
    reason: Reason
    target: Annotated[str, Meta(min_length=1, max_length=1000)] | None = None
    timeout_s: Seconds | None = None
    severity: Severity = "medium"


class Block(Struct, frozen=True, forbid_unknown_fields=True, tag_field="decision", tag="block"):
    """Stop, for this reason."""

    id: Id
    reason: Reason
    severity: Severity = "high"


class Error(Struct, frozen=True, forbid_unknown_fields=True, tag_field="decision", tag="error"):
    """The interceptor failed: the same as no answer, but at once. What went wrong belongs on standard error."""

    id: Id


Answer: TypeAlias = Allow | Note | Replace | Ask | Block | Error
FROM_HOST = (Hello, Decide, Observe)
FROM_EXTENSION = (Manifest, Allow, Note, Replace, Ask, Block, Error)

M = TypeVar("M")
PLACE = re.compile(r" - at `\$([\w.\[\]]*)`$")


def read_answer(line: bytes) -> Answer:
    """Read one answer; raises `Garbage`."""
    found: Answer = _read(line, Answer, "an answer")
    return found


def read_manifest(line: bytes) -> tuple[Manifest, object]:
    """Read a manifest, also as it came; raises `Garbage`."""
    return _read(line, Manifest, "a manifest"), _json(line)


def _read(line: bytes, kind: Any, name: str) -> Any:
    try:
        return msgspec.convert(_json(line), kind)
    except msgspec.ValidationError as error:  # which may quote what came
        found = PLACE.search(str(error))
        place = f" ({found[1].lstrip('.')})" if found and found[1] else ""
        raise Garbage(f"said what is not {name}{place}") from None


def _json(line: bytes) -> object:
    try:
        found: object = parse(line.decode())
    except UnicodeDecodeError:
        raise Garbage("said what is not UTF-8") from None
    except Unreadable:
        raise Garbage("said what is not JSON") from None
    if not isinstance(found, dict):
        raise Garbage("said what is no object")
    return found  # pyright: ignore[reportUnknownVariableType]  # of text keys: it is JSON


def written(message: Struct) -> bytes:
    """Write a message that holds no value of a seam."""
    return msgspec.json.encode(message) + b"\n"
