"""Blocks calls of tools that the role of the caller does not have: what is not given is not allowed.

It believes the scope, whose `role` the host says. A caller without a role, or with one that is not listed, has what
`everyone` has, and nothing else. Roles inherit nothing from each other. A glob allows a tool whatever its arguments.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from attrs import field, frozen

from seamlaw import Block, Globs, Interceptors, Scope, ToolCall, block, gate

from ._settings import are_pairs, globs_at, mapping_at

__all__ = ["Roles"]

May = tuple[tuple[str, Globs], ...]


def _may(given: Mapping[str, str | Iterable[str]] | May) -> May:
    if are_pairs(given, str, Globs):
        return cast("May", given)
    read = mapping_at("may", cast("Mapping[str, object]", given))
    return tuple((role, globs_at(f"may[{role!r}]", globs)) for role, globs in read.items())


def _everyone(given: Iterable[str] | Globs | None) -> Globs | None:
    if given is None or given == [] or given == ():
        return None
    return globs_at("everyone", given)


@frozen
class Roles:
    """Blocks a call that neither the role of the scope has, by the globs of `may`, nor `everyone`.

    Raises `InvalidPack`.
    """

    name: ClassVar[str] = "roles"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks calls that the role of the caller does not have."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    may: May = field(converter=_may)
    everyone: Globs | None = field(default=None, converter=_everyone, kw_only=True)

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name)])

    def judge(self, call: ToolCall, scope: Scope) -> Block | None:
        """Block a call that is not given to the role."""
        if self.everyone is not None and self.everyone.admit(call.name):
            return None
        if any(role == scope.role and globs.admit(call.name) for role, globs in self.may):
            return None
        known = scope.role is not None and any(role == scope.role for role, _ in self.may)
        return block("the role of the caller does not have this tool" if known else "the caller has no known role")
