"""Gives a tool one name, whatever a model calls it, so that rules about the name hold for every alias.

A call of an alias becomes a call of the tool itself, with the same id and arguments, in any letter case and with `-`
for `_`. A name that nobody can tell apart by looking is blocked: letters of several scripts in it, characters that
nobody sees, other forms of a letter, such as wide ones or small capitals, or signs that are none of ASCII's.

Rules and gates of every bundle are shown the tool itself; rewriters of bundles that come before this one are shown the
alias, so it belongs first. A name written in one foreign script throughout is not told from a plain one. Arguments
that an alias calls otherwise stay as they are. A host that dispatches by the name of the alias must know the tool.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from attrs import Factory, field, frozen

from seamlaw import Block, Globs, Interceptors, Replace, ToolCall, block, gate, replace, rewriter

from ._settings import are_pairs, globs_at, mapping_at
from ._texts import has_unseen, nfkc
from .errors import InvalidPack

__all__ = ["ToolAliases"]

Aliases = tuple[tuple[str, Globs], ...]
PARTS = re.compile(r"\[[^\]]*\]|[^\[]+")  # of a glob: its sets, and what stands between


def _aliases(given: Mapping[str, str | Iterable[str]] | Aliases) -> Aliases:
    if are_pairs(given, str, Globs):
        return cast("Aliases", given)
    read = mapping_at("aliases", cast("Mapping[str, object]", given))
    listed: list[tuple[str, Globs]] = []
    for tool, names in read.items():
        place = f"aliases[{tool!r}]"
        if _problem(tool):
            raise InvalidPack(f"a key of aliases, {tool!a}", _problem(tool))
        globs = globs_at(place, names)
        listed.append((tool, Globs(tuple(dict.fromkeys(map(_folded_glob, globs.patterns))))))
    _apart(listed)
    return tuple(listed)


def _apart(listed: list[tuple[str, Globs]]) -> None:
    """Refuse two tools of one name, and a tool that is an alias of another, for the order would decide."""
    for tool, _ in listed:
        for other, globs in listed:
            if tool != other and (_folded(tool) == _folded(other) or globs.admit(_folded(tool))):
                raise InvalidPack(f"aliases[{other!r}]", f"takes {tool!r}, which is a tool of its own")


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")


def _folded_glob(pattern: str) -> str:
    """Fold a glob as names are folded; in a set a `-` means a range, and one that means itself stands at an end."""
    return "".join(_folded_set(part) if part[0] == "[" else _folded(part) for part in PARTS.findall(pattern))


def _folded_set(given: str) -> str:
    letters = given[1:-1].removeprefix("!").casefold()
    plain = letters.strip("-")
    return f"[{'!' * given.startswith('[!')}{plain}{'_' * (plain != letters)}]"


def _problem(name: str) -> str:
    """Say why nobody can tell a name by looking, or nothing."""
    if name.isascii() and name.isprintable() and " " not in name:
        return ""
    if has_unseen(name):
        return "has a character that cannot be seen"
    if nfkc(name) != name or any(map(_is_odd_latin, name)):
        return "has another form of a letter"
    if any(not character.isascii() and unicodedata.category(character)[0] in "PS" for character in name):
        return "has a sign that may be taken for another"
    if len(set(map(_script, name)) - {""}) > 1:
        return "mixes scripts"
    return ""


# Letters of Latin alphabets that are no letter of ASCII with a mark. What else there is, of phonetics and of small
# capitals above all, looks like one of ASCII.
LATIN = frozenset("\xdf\xe6\xf0\xf8\xfe\u0111\u0127\u0142\u014b\u0153\u0167\u0254\u0259\u025b")

# Scripts that are one in use, as UTS 39 has them: Japanese and Korean are written in several. The last is of digits.
TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "BOPOMOFO": "CJK", "IDEOGRAPHIC": "CJK"}
TOGETHER["EXTENDED"] = "ARABIC"


def _is_odd_latin(character: str) -> bool:
    """Whether a letter is Latin by its name, and neither one of ASCII with marks nor of an alphabet in use."""
    if not unicodedata.name(character, "").startswith("LATIN "):
        return False
    return not unicodedata.normalize("NFD", character)[0].isascii() and character.lower() not in LATIN


def _script(character: str) -> str:
    """Tell the script of a letter or digit: Unicode names begin with it; signs and marks that go with any have none."""
    if unicodedata.category(character)[0] not in "LMN" or (character.isascii() and not character.isalpha()):
        return ""
    first = unicodedata.name(character, "UNKNOWN").split()[0].split("-")[0]
    return "" if first == "COMBINING" else TOGETHER.get(first, first)


def _by_folded_name(it: "ToolAliases") -> dict[str, str]:
    return {_folded(tool): tool for tool, _ in it.aliases}


@frozen
class ToolAliases:
    """Makes calls of `aliases` calls of the tool itself, and blocks names that mix scripts.

    `aliases`: by tool, one glob of its other names, or several. Raises `InvalidPack`, also for a tool that is an alias
    of another.
    """

    name: ClassVar[str] = "tool_aliases"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Gives a tool one name, whatever a model calls it."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    aliases: Aliases = field(converter=_aliases)
    _own: dict[str, str] = field(init=False, eq=False, repr=False, default=Factory(_by_folded_name, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the rewriter, and the gate that judges what it left."""
        return Interceptors(
            tool_call=[rewriter(self.rename, name=self.name), gate(self.judge, name=f"{self.name}.names")]
        )

    def rename(self, call: ToolCall) -> Replace | Block | None:
        """Make a call of an alias one of the tool itself."""
        if problem := _problem(call.name):  # before a letter is folded into a plain one
            return block(f"the name of the tool {problem}")
        found = self.tools(call.name)
        if len(found) > 1:
            return block(f"the name is an alias of {' and '.join(found)}")
        if not found or found[0] == call.name:
            return None
        return replace(ToolCall(call.id, found[0], call.arguments))

    def judge(self, call: ToolCall) -> Block | None:
        """Block a name that nobody can tell by looking, and one that is an alias still."""
        if problem := _problem(call.name):
            return block(f"the name of the tool {problem}")
        if self.tools(call.name) not in ((), (call.name,)):
            return block("the name of the tool is an alias, put there after aliases were read")
        return None

    def tools(self, name: str) -> tuple[str, ...]:
        """Give the tool that a name stands for, or each of several."""
        folded = _folded(name)
        if folded in self._own:
            return (self._own[folded],)
        return tuple(tool for tool, globs in self.aliases if globs.admit(folded))
