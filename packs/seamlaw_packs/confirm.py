"""Asks a person before calls in whose arguments a pattern is found.

Patterns are looked for in the texts of the chosen fields, where a call has one of them, and else in the whole of its
arguments: in each text, each key, and the canonical JSON of all. Wide letters, odd spaces and characters that nobody
sees are read as plain ones, too. Arguments too long to search are asked about.

It does not know the language of a text: whoever chooses the words can write the same command in other words. What is
in a field that was not chosen is not looked at where a chosen one is there. It asks; what comes of that is the host's.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from attrs import field, frozen

from seamlaw import Ask, Globs, Interceptors, InvalidValue, Pattern, ToolCall, ask, canonical, gate

from ._settings import are_pairs, globs_at, mapping_at, pattern_at, target_at, texts_at, whole_number
from ._texts import as_read, leaves
from .errors import InvalidPack

__all__ = ["Confirm"]

LONGEST = 100_000  # characters
Patterns = tuple[tuple[str, Pattern], ...]


def _patterns(given: Mapping[str, str] | Iterable[str] | Patterns) -> Patterns:
    if are_pairs(given, str, Pattern):
        return cast("Patterns", given)
    if isinstance(given, Mapping):
        named = mapping_at("patterns", cast("Mapping[str, object]", given))
        return tuple((name, pattern_at(f"patterns[{name!r}]", text)) for name, text in named.items())
    texts = texts_at("patterns", given)
    return tuple((text, pattern_at(f"patterns[{index}]", text)) for index, text in enumerate(texts))


def _fields(given: Iterable[str]) -> tuple[str, ...]:
    return texts_at("fields", given, empty=True)


def _tools(given: str | Iterable[str] | Globs) -> Globs:
    return globs_at("tools", given)


def _timeout(given: float | None) -> float | None:
    try:
        return ask("", timeout_s=given).timeout_s
    except InvalidValue as error:
        raise InvalidPack("timeout_s", error.problem) from None


def _longest(given: int) -> int:
    return whole_number("longest", given, 1)


@frozen
class Confirm:
    """Asks about a call of `tools` where one of `patterns` is found; the reason of an ask names those that are.

    `patterns`: by what is said of them, or a list; in the syntax of the rules. `fields`: names of arguments to look at;
    where a call has none of them, or none are named, all is looked at. `target`, `timeout_s`: whom to ask, and how
    long. `longest`: more characters are not searched, but asked about. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "confirm"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Asks before calls in whose arguments a pattern is found."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    patterns: Patterns = field(converter=_patterns)
    fields: tuple[str, ...] = field(default=(), converter=_fields, kw_only=True)
    tools: Globs = field(default=Globs("*"), converter=_tools, kw_only=True)
    target: str | None = field(default=None, converter=target_at, kw_only=True)
    timeout_s: float | None = field(default=None, converter=_timeout, kw_only=True)
    longest: int = field(default=LONGEST, converter=_longest, kw_only=True)

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=self.tools.patterns)])

    def judge(self, call: ToolCall) -> Ask | None:
        """Ask about what is found."""
        texts = self._texts(call)
        if sum(map(len, texts)) <= self.longest:  # made plain they may be many times longer
            texts = list(dict.fromkeys(form for text in texts for form in as_read(text)))
        if sum(map(len, texts)) > self.longest:
            return self._ask("the arguments are too long to search")
        found = [name for name, pattern in self.patterns if any(map(pattern.search, texts))]
        return self._ask(", ".join(found)) if found else None

    def _texts(self, call: ToolCall) -> list[str]:
        chosen = [call.arguments[name] for name in self.fields if name in call.arguments]
        looked_at: list[object] = chosen or [call.arguments]
        texts = [text for value in looked_at for text in leaves(value)]
        whole = [canonical(value) or "" for value in looked_at if not isinstance(value, str)]
        return list(dict.fromkeys((*texts, *whole)))

    def _ask(self, found: str) -> Ask:
        return ask(f"Needs confirmation: {found}", target=self.target, timeout_s=self.timeout_s)
