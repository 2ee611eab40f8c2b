"""Blocks a tool call whose arguments are larger than a number of bytes.

The size is that of the canonical JSON of the arguments in UTF-8 (RFC 8785), so that neither spaces nor the order of
keys count. It does not limit what a tool gives back, nor how many calls there are, nor what a small argument makes a
tool read or do.
"""

from collections.abc import Iterable
from typing import ClassVar

from attrs import field, frozen

from seamlaw import Block, Globs, Interceptors, ToolCall, block, canonical, gate

from ._settings import globs_at, whole_number

__all__ = ["InputLimit"]


def _limit(given: int) -> int:
    return whole_number("limit", given, 2)


def _tools(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("tools", given)


@frozen
class InputLimit:
    """Blocks a call of `tools` with more than `limit` bytes of arguments; `{}` is two. Raises `InvalidPack`."""

    name: ClassVar[str] = "input_limit"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks calls with too large arguments."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    limit: int = field(default=100_000, converter=_limit)
    tools: Globs = field(default=Globs("*"), converter=_tools, kw_only=True)

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=self.tools.patterns)])

    def judge(self, call: ToolCall) -> Block | None:
        """Block a call that is too large."""
        text = canonical(call.arguments)
        if text is None:
            return block("Input cannot be measured: it is not JSON")
        size = len(text.encode())
        if size > self.limit:
            return block(f"Input too large: {size} bytes exceed the limit of {self.limit} bytes")
        return None
