"""What a pack may intercept: the seams, and the tools, that its manifest declares.

A grant is the name of a seam, or `handlers`, and perhaps a glob of tools: `tool_call`, `tool_call:bash`. It covers an
interceptor that is for no other tools: one of the same name, one that the glob matches, or a glob that can match
nothing beyond it. Where that cannot be told, it is not covered.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import cast

from attrs import frozen

from seamlaw import SEAMS, Globs, Interceptor

from .errors import PluginError

__all__ = ["Grants", "grants_at"]

ANY = "*"
KNOWN = (*SEAMS, "handlers")
WILD = frozenset("*?[")


@frozen
class Grants:
    """What is declared: pairs of a seam and a glob of tools."""

    given: tuple[tuple[str, str], ...]

    @property
    def listed(self) -> list[str]:
        """What is declared, as a manifest says it."""
        return [seam if tools == ANY else f"{seam}:{tools}" for seam, tools in self.given]

    def lacking(self, seam: str, one: Interceptor) -> str | None:
        """What would have to be declared for an interceptor at a seam; `None` if it is."""
        globs = [tools for declared, tools in self.given if declared == seam]
        wanted = one.tools.patterns or (ANY,)
        missing = [tools for tools in wanted if not any(_covers(glob, tools) for glob in globs)]
        if not missing:
            return None
        return ", ".join(f'"{seam}"' if tools == ANY else f'"{seam}:{tools}"' for tools in missing)


def grants_at(place: str, given: object) -> Grants:
    """Read `intercept`; raises `PluginError` with the place."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise PluginError(f'{place}: must be a list such as ["tool_call:bash"]')
    return Grants(tuple(_grant(f"{place}[{at}]", one) for at, one in enumerate(cast("Iterable[object]", given))))


def _grant(place: str, given: object) -> tuple[str, str]:
    seam, colon, tools = given.partition(":") if isinstance(given, str) else ("", "", "")
    if not seam or (colon and not tools):
        raise PluginError(f"{place}: must be a seam, or a seam and a glob of tools, such as tool_call:bash")
    close = [] if seam in KNOWN else get_close_matches(seam, KNOWN, n=1)
    if close:  # another name may be that of a host's own seam; this one would be granted, and nothing registered
        raise PluginError(f"{place}: no seam is called {seam}; did you mean {close[0]}?")
    return seam, tools or ANY


def _covers(glob: str, wanted: str) -> bool:
    """Whether all that one glob matches is matched by the other; in doubt it is not."""
    if glob in (ANY, wanted):
        return True
    if not WILD & set(wanted):
        return Globs(glob).admit(wanted)
    start = glob.removesuffix(ANY)
    return glob.endswith(ANY) and not WILD & set(start) and wanted.startswith(start)
