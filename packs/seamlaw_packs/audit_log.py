"""Writes a line of JSON for each tool call that is about to be decided, and one for what each gave back.

Secrets are taken out as `redaction` does. No line, no call: where a line cannot be written the call is blocked. A line
is appended with one write, so that several processes may share a file, which only its owner can read; it is opened for
each line, so it may be moved away at any time.

It does not say what was decided: every gate judges, so a call that another one blocks has a line, too, and one that
was blocked in a chain has none; the ledger has decisions. Where the line about a result cannot be written, the result
stands. Nobody is kept from changing the file afterwards: nothing in it is chained or signed.
"""

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from time import time
from typing import ClassVar

from attrs import field, frozen

from seamlaw import Globs, Interceptors, InvalidValue, Scope, ToolCall, ToolResult, canonical, gate

from ._settings import globs_at, text_at, whole_number
from .errors import InvalidPack
from .redaction import Redactor

__all__ = ["AuditLog"]

Write = Callable[[str], object]


def _path(given: "str | os.PathLike[str] | None") -> str | None:
    if given is None:
        return None
    return text_at("path", os.fspath(given) if isinstance(given, os.PathLike) else given)


def _write(given: Write | None) -> Write | None:
    if given is not None and not callable(given):
        raise InvalidPack("write", "must be a function that takes a line")
    return given


def _tools(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("tools", given)


def _longest(given: int) -> int:
    return whole_number("longest", given, 0)


@frozen
class AuditLog:
    """Writes a line for each call of `tools`, and for its result, to the file `path`, or to the function `write`.

    `longest`: of a result or arguments of more characters only their number is written. `redactor` takes the secrets
    out. `clock` gives the seconds since 1970. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "audit_log"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Writes a line for each tool call, and for its result."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    path: str | None = field(default=None, converter=_path)
    write: Write | None = field(default=None, converter=_write, kw_only=True)
    tools: Globs = field(default=Globs("*"), converter=_tools, kw_only=True)
    longest: int = field(default=10_000, converter=_longest, kw_only=True)
    redactor: Redactor = field(factory=Redactor, kw_only=True)
    clock: Callable[[], float] = field(default=time, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if (self.path is None) is (self.write is None):
            raise InvalidPack("path", "must be given, or write, and not both")

    def interceptors(self) -> Interceptors:
        """Give the gate, which is the observer of what comes of a call, too."""
        return Interceptors(
            tool_call=[gate(self.called, name=self.name, tools=self.tools.patterns, observe=self.ended)]
        )

    def called(self, call: ToolCall, scope: Scope) -> None:
        """Write a line about a call; what goes wrong there is a fault, which blocks."""
        self._line("call", call, scope, arguments=self._shown(call.arguments))

    def ended(self, call: ToolCall, result: ToolResult, scope: Scope) -> None:
        """Write a line about what came of it."""
        failed = result.error is not None
        said = {"error": self._shown(result.error)} if failed else {"output": self._shown(result.output)}
        self._line("failed" if failed else "ok", call, scope, **said)

    def _line(self, event: str, call: ToolCall, scope: Scope, **more: object) -> None:
        who = {
            "id": call.id,
            "tool": call.name,
            "session": scope.session,
            "agent": scope.agent,
            "role": scope.role,
            "chain": list(scope.chain),
        }
        said = self.redactor.value({name: one for name, one in who.items() if one})
        at = datetime.fromtimestamp(self.clock(), UTC).isoformat(timespec="milliseconds")
        line = {**said, "at": at, "event": event, **more}
        text = canonical(line)
        if text is None:
            raise InvalidValue("", "is not JSON")
        if self.write is not None:
            self.write(text)
        elif self.path is not None:
            _append(self.path, text + "\n")

    def _shown(self, value: object) -> object:
        clean = self.redactor.value(value)
        try:
            text = canonical(clean)
        except InvalidValue:
            text = None
        if text is None:
            return f"[{type(value).__name__}]"
        return clean if len(text) <= self.longest else f"[{len(text)} characters]"


def _append(path: str, line: str) -> None:
    """Append a line with one write; half of one is an error."""
    raw = line.encode()
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if os.write(file, raw) != len(raw):
            raise OSError("a line was written in part")
    finally:
        os.close(file)
