"""Keeps the files that tools touch inside of some folders; every path that leads elsewhere blocks the call.

It stops `..`, siblings that share a prefix, links that lead out (also those that dangle), absolute paths, `~`,
variables, URLs of files, percent-encoding, network shares, drives, look-alikes of `/` and `.`, and whatever `/proc`
shows of a process; a path that is missing, no text, or cannot be looked up blocks, too. A new file is where its
parent is.

It does not stop: tools that are not listed, and arguments that are not (a shell command, a glob, a patch, a path
inside of an object); a link that is put there between this decision and the tool's own look, which only a sandbox of
the operating system can hold; a hard link to what lies outside; braces and globs that a tool expands. It must see the
same file system, and run with the same home and variables, as the tool. POSIX only.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from attrs import field, frozen

from seamlaw import Block, Interceptors, ToolCall, block, gate

from ._paths import FILE_TOOLS as FILE_TOOLS
from ._paths import Doubtful, Look, PathArguments, folder, folders, lies_in, path_arguments, places

__all__ = ["FILE_TOOLS", "PathSandbox"]


def _roots(given: Iterable[str]) -> tuple[str, ...]:
    return folders("roots", given)


def _base(given: str | None) -> str | None:
    return None if given is None else folder("base", given)


def _tools(given: Mapping[str, Iterable[str]] | PathArguments) -> PathArguments:
    return path_arguments(given)


@frozen
class PathSandbox:
    """Blocks a call with a path outside of `roots`.

    `base`: the working folder of the tools, from which relative paths go; without it they are refused. `tools`: by
    glob of tools, the names of their arguments that are paths, or lists of paths; one that ends in `?` may be absent,
    and then means the base. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "path_sandbox"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Keeps the files that tools touch inside of some folders."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    roots: tuple[str, ...] = field(converter=_roots)
    base: str | None = field(default=None, converter=_base, kw_only=True)
    tools: PathArguments = field(default=path_arguments(FILE_TOOLS), converter=_tools, kw_only=True)

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=self.tools.tools)])

    def judge(self, call: ToolCall) -> Block | None:
        """Block a call with a path that leads out, or of which that cannot be told."""
        argument, look = "a path", Look()
        try:
            tops = [look.followed(root) for root in self.roots]
            for argument, text in self.tools.of(call):
                if not all(_is_inside(place, tops, look) for place in places(text, self.base, look)):
                    return block(f"{argument} leads outside of {' and '.join(self.roots)}")
        except Doubtful as doubt:
            return block(f"{argument} {doubt}")
        return None


def _is_inside(place: str, tops: list[str], look: Look) -> bool:
    """Whether a place lies in one of these, by the names or, where case does not count, by what they are."""
    return any(lies_in(place, top) for top in tops) or look.is_within(place, look.identities(tops))
