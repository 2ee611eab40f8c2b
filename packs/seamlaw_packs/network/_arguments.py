"""Which arguments of which tools are URLs or hosts."""

from typing import cast

from attrs import frozen

from seamlaw import Globs, ToolCall
from seamlaw_packs._settings import arguments_by_tool_at

from ._doubt import Doubtful

__all__ = ["FETCH_TOOLS", "HOSTS", "UrlArguments", "url_arguments"]

FETCH_TOOLS = {
    "WebFetch": ("url",),
    "web_fetch": ("url",),
    "fetch": ("url",),
    "fetch_url": ("url",),
    "open_url": ("url",),
    "read_url": ("url",),
    "http_request": ("url",),
    "http_get": ("url",),
    "http_post": ("url",),
    "browser_navigate": ("url",),
    "mcp__*__fetch": ("url",),
    "mcp__*__browser_navigate": ("url",),
    "*": ("url?", "urls?", "uri?", "uris?", "href?", "base_url?", "webhook_url?", "endpoint?", "host?", "hostname?"),
}
HOSTS = ("host", "hosts", "hostname", "hostnames")


@frozen
class UrlArguments:
    """Which arguments of which tools are URLs; a name that ends in `?` is of one that may be absent."""

    listed: tuple[tuple[Globs, tuple[str, ...]], ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """The globs of all tools that are judged."""
        return tuple(pattern for globs, _ in self.listed for pattern in globs.patterns)

    def of(self, call: ToolCall) -> list[tuple[str, str]]:
        """Give the URLs of a call, each with the name of its argument; raises `Doubtful` for what is none."""
        given = dict[str, list[object]]()
        for key, value in call.arguments.items():
            given.setdefault(folded(key), []).extend(_listed(value))
        found = list[tuple[str, str]]()
        for name in dict.fromkeys(name for globs, names in self.listed if globs.admit(call.name) for name in names):
            bare = name.removesuffix("?")
            values = given.get(folded(bare), [])
            if not values and name == bare:
                raise Doubtful(f"({bare}) is missing")
            found += [(bare, _text(bare, value)) for value in values]
        return found


def folded(name: str) -> str:
    """Make one of the ways to write a name: `baseUrl`, `base-url`, `BASE_URL`."""
    return name.casefold().replace("_", "").replace("-", "")


def _listed(given: object) -> list[object]:
    """Take a list of URLs as it is, one URL as a list of it, and what is not set as none."""
    if given is None:
        return []
    return cast("list[object]", given) if isinstance(given, list) else [given]


def _text(name: str, given: object) -> str:
    if not isinstance(given, str):
        raise Doubtful(f"({name}) is no text")
    return given


def url_arguments(given: object) -> UrlArguments:
    """Read the setting `tools` of the pack."""
    if isinstance(given, UrlArguments):
        return given
    return UrlArguments(arguments_by_tool_at("tools", given))
