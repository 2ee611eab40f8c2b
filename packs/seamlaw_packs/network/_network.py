"""The pack: what it is configured with, and how it judges a call."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from attrs import Factory, field, frozen

from seamlaw import Block, Globs, Interceptors, ToolCall, block, gate
from seamlaw_packs._settings import globs_at, texts_at
from seamlaw_packs._texts import as_read, leaves
from seamlaw_packs.errors import InvalidPack

from ._arguments import FETCH_TOOLS, HOSTS, UrlArguments, folded, url_arguments
from ._doubt import Doubtful
from ._entries import Entry, entry_at
from ._text import urls_in
from ._url import DEFAULT_PORTS, Target, read_host, read_url

__all__ = ["Network"]

NOT_ALLOWED = "leads to what is not on the list"


def _allow(given: Iterable[str]) -> tuple[str, ...]:
    return texts_at("allow", given)


def _tools(given: Mapping[str, Iterable[str]] | UrlArguments) -> UrlArguments:
    return url_arguments(given)


def _hosts(given: Iterable[str]) -> tuple[str, ...]:
    names = texts_at("hosts", given, empty=True)
    for index, name in enumerate(names):
        if name.endswith("?"):
            raise InvalidPack(f"hosts[{index}]", "must be a name as it is without ?")
    return names


def _searched(given: str | Iterable[str] | Globs | None) -> Globs | None:
    return None if given is None else globs_at("searched", given)


def _entries(it: "Network") -> tuple[Entry, ...]:
    return tuple(entry_at(f"allow[{index}]", text) for index, text in enumerate(it.allow))


def _host_names(it: "Network") -> frozenset[str]:
    return frozenset(map(folded, it.hosts))


@frozen
class Network:
    """Blocks a call with a URL that leads elsewhere than `allow` says, or of which that is not certain.

    `allow`: entries `[scheme://]host[:port]`, with `https` and the port of the scheme unless said; a host is a name,
    `*.name` for all names under it, an address, or `*` for all public names and addresses. `tools`: by glob of tools,
    the names of their arguments that are URLs, or lists of URLs; one that ends in `?` may be absent. `hosts`: those of
    the names that are hosts, with a port or without. `searched`: globs of tools in all of whose texts URLs are looked
    for, too. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "network"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks calls with URLs that lead elsewhere than a list allows."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    allow: tuple[str, ...] = field(converter=_allow)
    tools: UrlArguments = field(default=url_arguments(FETCH_TOOLS), converter=_tools, kw_only=True)
    hosts: tuple[str, ...] = field(default=HOSTS, converter=_hosts, kw_only=True)
    searched: Globs | None = field(default=None, converter=_searched, kw_only=True)
    _entries: tuple[Entry, ...] = field(init=False, eq=False, repr=False, default=Factory(_entries, takes_self=True))
    _hosts: frozenset[str] = field(init=False, eq=False, repr=False, default=Factory(_host_names, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        tools = self.tools.tools + (self.searched.patterns if self.searched else ())
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=tools)])

    def judge(self, call: ToolCall) -> Block | None:
        """Block a call with a URL that is not allowed, or of which that cannot be told."""
        argument = "a URL"
        try:
            for argument, text in self.tools.of(call):
                if not self._allows(argument, text):
                    return block(f"{argument} {NOT_ALLOWED}")
            if self.searched is not None and self.searched.admit(call.name):
                argument = "a text"
                texts = [form for text in leaves(call.arguments) for form in as_read(text)]
                if not all(self._admits(target) for text in texts for target in urls_in(text)):
                    return block(f"{argument} has a URL in it that {NOT_ALLOWED}")
        except Doubtful as doubt:
            return block(f"{argument} {doubt}")
        return None

    def _allows(self, argument: str, text: str) -> bool:
        """Whether a URL is allowed, or a host by one of the schemes: which it is for, only the tool knows."""
        if folded(argument) in self._hosts and "://" not in text:
            return any(self._admits(read_host(scheme, text)) for scheme in DEFAULT_PORTS)
        return self._admits(read_url(text))

    def _admits(self, target: Target) -> bool:
        return any(entry.admits(target) for entry in self._entries)
