"""Blocks, or asks about, a tool call in whose arguments a secret stands.

It finds what `redaction` finds: tokens by their prefixes, private keys, passwords in URLs, and what stands under a
name such as `password`; with `pii`, also what tells of a person. What is too long to be searched is stopped, too. It
does not find what `redaction` does not: a secret without a mark, one that is encoded, or split over two arguments or
two calls. The reason names the kind and the place, and never the secret.
"""

import re
from collections.abc import Iterable
from typing import ClassVar, Literal, cast

from attrs import Factory, field, frozen

from seamlaw import Ask, Block, Globs, Interceptors, ToolCall, ask, block, gate

from ._secrets import Patterns, names_at, patterns_at, redactor_of
from ._settings import flag, globs_at, target_at
from .errors import InvalidPack
from .redaction import Redactor

__all__ = ["SecretsInArgs"]


def _tools(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("tools", given)


def _pii(given: bool) -> bool:
    return flag("pii", given)


def _then(given: Literal["block", "ask"]) -> Literal["block", "ask"]:
    if given not in ("block", "ask"):
        raise InvalidPack("then", "must be 'block' or 'ask'")
    return given


def _redactor(it: "SecretsInArgs") -> Redactor:
    return redactor_of(it.names, it.patterns, pii=it.pii)


@frozen
class SecretsInArgs:
    """Blocks a call of `tools` with a secret in its arguments, or with `then="ask"` asks about it.

    `pii`: also what tells of a person. `names`: more names whose values are secrets. `patterns`: more secrets, by
    label, in the syntax of the rules. `target`: whom to ask. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "secrets_in_args"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks calls in whose arguments a secret stands."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    tools: Globs = field(default=Globs("*"), converter=_tools)
    then: Literal["block", "ask"] = field(default="block", converter=_then, kw_only=True)
    pii: bool = field(default=False, converter=_pii, kw_only=True)
    names: tuple[str, ...] = field(default=(), converter=names_at, kw_only=True)
    patterns: Patterns = field(default=(), converter=patterns_at, kw_only=True)
    target: str | None = field(default=None, converter=target_at, kw_only=True)
    redactor: Redactor = field(init=False, eq=False, repr=False, default=Factory(_redactor, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=self.tools.patterns)])

    def judge(self, call: ToolCall) -> Block | Ask | None:
        """Stop a call with a secret."""
        clean = self.redactor.value(call.arguments)
        if clean is call.arguments:
            return None
        place, said = _difference(call.arguments, clean)
        reason = f"a secret stands at {place or 'the arguments'}: {said}"
        return ask(reason, target=self.target, severity="high") if self.then == "ask" else block(reason)


def _difference(before: object, after: object, place: str = "") -> tuple[str, str]:
    """Find the first place that was changed, by its keys as they are shown now, and what stands there now."""
    if isinstance(before, dict) and isinstance(after, dict):
        was, now = cast("dict[str, object]", before), cast("dict[str, object]", after)
        for old, new in zip(was, now, strict=True):
            if old != new:
                return f"{place}/{new}", "in its name"
            if was[old] is not now[new]:
                return _difference(was[old], now[new], f"{place}/{new}")
    if isinstance(before, list) and isinstance(after, list):
        items = zip(cast("list[object]", before), cast("list[object]", after), strict=True)
        for index, (one, other) in enumerate(items):
            if one is not other:
                return _difference(one, other, f"{place}/{index}")
    labels = LABELS.findall(after) if isinstance(after, str) else []
    return place, ", ".join(dict.fromkeys(labels)) or "in a part of it"


LABELS = re.compile(r"\[redacted:([a-z0-9-]+)\]")
