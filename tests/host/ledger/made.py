"""Happenings and ledgers for the tests."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from seamlaw import (
    TOOL_CALL,
    TOOL_RESULT,
    Interceptors,
    Outcome,
    Scope,
    ToolCall,
    ToolResult,
    ask,
    block,
    decide,
    gate,
    note,
    replace,
)
from seamlaw_host.ledger import NO_REDACTION, Happening, JsonlSink, Ledger, Record

SCOPE = Scope(session="session-1", agent="writer", role="editor", chain=("lead", "writer"), domain="docs")


def call(number: int = 1, **arguments: object) -> ToolCall:
    """A call of a shell."""
    return ToolCall(f"call-{number}", "bash", {"command": f"ls {number}", **arguments})


def happened(number: int = 1, outcome: Outcome[Any] | None = None, **more: Any) -> Happening:
    """A call that was decided."""
    proposed: ToolCall | ToolResult = more.pop("proposed", call(number))
    given: dict[str, Any] = {
        "scope": SCOPE,
        "mode": "enforce",
        "attempt": f"attempt-{number}",
        "call": proposed if isinstance(proposed, ToolCall) else None,
        **more,
    }
    return Happening(1_700_000_000.0 + number, TOOL_CALL, proposed=proposed, outcome=outcome, **given)


def finished(number: int = 1, output: object = "README.md", **more: Any) -> Happening:
    """The same call, when its tool had run."""
    given: dict[str, Any] = {"scope": SCOPE, "mode": "enforce", "executed": True, "duration_s": 0.25, **more}
    ran: ToolCall = given.pop("call", call(number))
    at = 1_700_000_000.5 + number
    return Happening(at, TOOL_RESULT, attempt=f"attempt-{number}", proposed=ToolResult(output), call=ran, **given)


def decided(proposed: ToolCall, *gates: object) -> Outcome[ToolCall]:
    """Decide by gates that answer what is given; a replacement stands in the chain."""
    made: list[Any] = []
    for number, answer in enumerate(gates):
        if type(answer) is type(replace(0)):
            made.append(_named(answer, f"rewriter-{number}"))
        else:
            made.append(gate(_named(answer, f"gate-{number}"), name=f"gate-{number}"))
    outcome = decide(Interceptors(tool_call=made), TOOL_CALL, proposed)
    assert outcome is not None
    return outcome


def _named(answer: object, name: str) -> Any:
    def interceptor(value: object) -> object:
        return answer

    interceptor.__name__ = name
    return interceptor


def ledger(*sinks: Any, **options: Any) -> Ledger:
    """A ledger that redacts nothing, unless the test says otherwise."""
    given: dict[str, Any] = {"redactor": NO_REDACTION, "durability": "none", **options}
    return Ledger(sinks, **given)


def written(path: Path, count: int, **options: Any) -> list[bytes]:
    """Write a ledger of so many records, and give its lines."""
    with ledger(JsonlSink(path, checkpoint_every=4, **options), batch=3) as made:
        for number in range(count):
            made.append(happened(number))
    return path.read_bytes().splitlines(keepends=True)


def severally() -> Outcome[ToolCall]:
    """An outcome to which several have contributed."""
    return decided(call(), replace(call(also="this")), note("seen"), ask("may it?", target="slack://ops"), block("no"))


@define
class Kept:
    """A sink that keeps records in memory, and fails while it is told to."""

    records: list[Record] = field(factory=list[Record])
    fails: BaseException | None = None
    times: int = 1_000_000
    tried: int = 0
    durable: bool | None = None
    is_closed: bool = False

    def write(self, records: Sequence[Record], *, durable: bool) -> None:
        """Keep records."""
        self.tried += 1
        self.durable = durable
        if self.fails is not None and self.times:
            self.times -= 1
            raise self.fails
        self.records += records

    def close(self) -> None:
        """Remember it."""
        self.is_closed = True

    @property
    def attempts(self) -> list[str]:
        """The attempts that are in it, in order."""
        return [record.attempt for record in self.records]


class Times:
    """A redactor that counts, and replaces one text wherever it stands."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def value(self, value: object, /) -> object:
        """Replace it in JSON, in keys too."""
        return self._walked(value) if self.secret in repr(value) else value

    def text(self, text: str, /) -> str:
        """Replace it in a text."""
        return text.replace(self.secret, "[secret]")

    def _walked(self, value: object) -> object:
        written = json.dumps(value).replace(json.dumps(self.secret)[1:-1], "[secret]")
        return json.loads(written)


def everything_in(folder: Path) -> bytes:
    """All bytes of all files in a folder."""
    return b"".join(Path(at, name).read_bytes() for at, _, names in os.walk(folder) for name in names)
