"""The pack: what it is configured with, and how it judges a call."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, cast

from attrs import Attribute, Factory, define, field, frozen

from seamlaw import Ask, Block, Interceptors, ToolCall, ask, block, gate
from seamlaw_packs._settings import target_at
from seamlaw_packs._texts import nfkc
from seamlaw_packs.errors import InvalidPack

from ._doubt import Doubt
from ._lists import DESTRUCTIVE
from ._options import is_safe_setting, runs_unseen, special
from ._patterns import Allowed, Denied, words_of_pattern
from ._protected import OUTLETS, Protected
from ._script import EVALUATED, Command, read_script
from ._tree import LONGEST, ready
from ._variables import is_harmless
from ._words import ANYTHING, is_known, path_of
from ._wrappers import SHELLS, Inner, inner_of, program_of

__all__ = ["Shell"]

DEEPEST = 8  # scripts in scripts
MOST_RUNS = 100
MOST_TEXTS = 10
DATA = frozenset(  # what these are given is no command
    "echo printf grep egrep fgrep rg ag ack cat ls cd test [ [[ man which whereis type help git gh jq "
    "sed awk less head tail wc touch mkdir tee export declare local typeset readonly read set unset apropos info tldr "
    "apt apt-get brew pip pip3 curl wget diff sort tr cut rm cp mv ln chmod chown find alias xargs".split()
)
NOTHING = frozenset(("true", "false", ":", "test", "[", "[[", "exit", "return", "break", "continue", "shift", "wait"))
EITHER = {"schema": {"enum": ["block", "ask"]}}  # for the schema of the configuration
NAMES_VARIABLES = frozenset(("read", "mapfile", "readarray", "getopts", "printf"))
EVALUATES = frozenset("let test [ [[ declare typeset local export readonly read mapfile readarray printf unset".split())
DEFAULT_PROTECTED = (
    "/etc",
    "/boot",
    "/dev",
    "/proc",
    "/sys",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "~/.ssh",
    "~/.bashrc",
    "~/.bash_profile",
    "~/.profile",
    "~/.bash_history",
    "~/.config/fish",
    "~/.config/autostart",
    "~/.zshrc",
    "~/.gitconfig",
    ".git/hooks",
    ".git/config",
    ".ssh/authorized_keys",
)


def _patterns(given: Iterable[str] | None, place: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    if isinstance(given, str):
        raise InvalidPack(place, "a list of patterns, not one text")
    patterns = tuple(given)
    for at, pattern in enumerate(cast(tuple[object, ...], patterns)):
        if type(pattern) is not str or not pattern.split():
            raise InvalidPack(f"{place}[{at}]", "a pattern is the words of a command, such as 'git log *'")
        if place == "allow" and pattern.split()[0] == "*":
            raise InvalidPack(f"{place}[{at}]", "a pattern names its command; to allow all, leave the list out")
    return patterns


def _allow(given: Iterable[str] | None) -> tuple[str, ...] | None:
    return _patterns(given, "allow")


def _deny(given: Iterable[str]) -> tuple[str, ...]:
    return _patterns(given, "deny") or ()


def _texts(given: Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _writable(given: Iterable[str] | None) -> tuple[str, ...] | None:
    if isinstance(given, str):
        raise InvalidPack("writable", "a list of folders, not one text")
    folders = None if given is None else tuple(given)
    for at, folder in enumerate(cast(tuple[object, ...], folders or ())):
        if type(folder) is not str or not folder.startswith("/"):
            raise InvalidPack(f"writable[{at}]", "a folder is named from the root, such as '/srv/work'")
    return folders


def _are_texts(_: "Shell", attribute: "Attribute[tuple[str, ...]]", value: tuple[object, ...]) -> None:
    for at, one in enumerate(value):
        if type(one) is not str or not one:
            raise InvalidPack(f"{attribute.name}[{at}]", "a text that is not empty")
    if not value and attribute.name != "protected":
        raise InvalidPack(attribute.name, "names at least one")


def _one_of(_: "Shell", attribute: "Attribute[str]", value: str) -> None:
    if value not in ("block", "ask"):
        raise InvalidPack(attribute.name, "'block' or 'ask'")


@frozen
class Found:
    """What is wrong with a command, and whether it may be asked about."""

    reason: str
    blocks: bool


@frozen
class Run:
    """A command that is run, and whether it is judged by itself or only by what it runs in turn."""

    words: tuple[str, ...]
    counts: bool = True
    fed: bool = False
    input: str | None = None


@frozen(kw_only=True)
class Shell:
    """Judges every command that a call of a shell would run, wherever in it that stands.

    `allow`: patterns, of which every simple command must match one; `None` for all that is not denied. `deny`:
    patterns, of which none may match. `protected`: files that may not be written. `writable`: the folders into
    which output may be redirected, if it is not all. `tools`: globs of the names of the
    tools; `arguments`: where in their arguments a command stands. `otherwise`: what is done about a command that is
    not on the allow list, and `doubt` about one that cannot be read for certain: 'block' or 'ask'; `target`: whom
    to ask. Raises `InvalidPack`, and `MissingExtra` where the extra `shell` is not installed.
    """

    name: ClassVar[str] = "shell"
    version: ClassVar[str] = "1.0"
    description: ClassVar[str] = "Allows and denies shell commands by what they would run."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    allow: tuple[str, ...] | None = field(default=None, converter=_allow)
    deny: tuple[str, ...] = field(default=DESTRUCTIVE, converter=_deny)
    protected: tuple[str, ...] = field(default=DEFAULT_PROTECTED, converter=_texts, validator=_are_texts)
    writable: tuple[str, ...] | None = field(default=None, converter=_writable)
    tools: tuple[str, ...] = field(default=("bash", "Bash", "shell"), converter=_texts, validator=_are_texts)
    arguments: tuple[str, ...] = field(default=("command",), converter=_texts, validator=_are_texts)
    otherwise: str = field(default="block", validator=_one_of, metadata=EITHER)
    doubt: str = field(default="block", validator=_one_of, metadata=EITHER)
    target: str | None = field(default=None, converter=target_at)
    _allowed: Allowed | None = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(
            lambda it: None if it.allow is None else Allowed(tuple(map(words_of_pattern, it.allow))), takes_self=True
        ),
    )
    _denied: Denied = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda it: Denied(tuple(map(words_of_pattern, it.deny))), takes_self=True),
    )
    _kept: Protected = field(
        init=False, eq=False, repr=False, default=Factory(lambda it: Protected(it.protected), takes_self=True)
    )

    def __attrs_post_init__(self) -> None:
        ready()

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=self.tools)])

    def judge(self, call: ToolCall) -> Block | Ask | None:
        """Judge a call: nothing, where all that it runs may run."""
        found = [one for place in self.arguments for one in self._argument(call.arguments, place)]
        for one in found:
            if one.blocks:
                return block(one.reason)
        return ask(found[0].reason, target=self.target) if found else None

    def _argument(self, arguments: Any, place: str) -> list[Found]:
        given = arguments.get(place)
        if isinstance(given, str):
            return list(self._texts(given))
        if isinstance(given, list) and given and all(isinstance(word, str) for word in cast(list[object], given)):
            return list(self._words(tuple(cast(list[str], given))))
        return [Found(f"the argument {place} is no command", True)]

    def _texts(self, text: str) -> Iterator[Found]:
        """Judge a text as it stands and, where that is another, as it looks."""
        yield from self._script(text)
        looks = _folded(text)
        if looks != text:
            yield from (one for one in self._script(looks, looks=True))

    def _words(self, words: tuple[str, ...]) -> Iterator[Found]:
        if sum(map(len, words)) > LONGEST or len(words) > MOST_RUNS:
            yield Found("the command is longer than can be judged", True)
            return
        if any("\0" <= sign < "\t" or "\x0b" <= sign < " " for word in words for sign in word):
            yield Found("a control character stands in the command", True)
            return
        yield from self._all([Command(words)], [], [])
        looks = tuple(_folded(word) for word in words)
        if looks != words:
            yield from self._all([Command(looks)], [], [])

    def _script(self, text: str, *, looks: bool = False) -> Iterator[Found]:
        try:
            script = read_script(text)
        except Doubt as doubt:
            if not looks:
                yield self._in_doubt(doubt)
            return
        yield from self._all(script.commands, script.writes, script.sets)

    def _in_doubt(self, doubt: Doubt) -> Found:
        return Found(str(doubt), self.doubt == "block")

    def _all(self, commands: list[Command], writes: list[str], sets: list[tuple[str, str]]) -> Iterator[Found]:
        all_of, doubts = Gathered([], list(writes), list(sets)), list[Doubt]()
        runs, all_writes, all_sets = all_of.runs, all_of.writes, all_of.sets
        for command in commands:
            try:
                all_of.add(command)
            except Doubt as doubt:
                doubts.append(doubt)
        for name, value in all_sets:
            if not is_harmless(name, value, any_program=self._allowed is None):
                doubts.append(Doubt("a variable is set by which something else may run"))
        folders = [run.words[1] for run in runs if program_of(run.words[0]) in ("cd", "pushd") and len(run.words) > 1]
        yield from self._of_files(runs, all_writes, folders, [value for _, value in all_sets])
        for run in dict.fromkeys(runs):
            yield from self._of_run(run)
        yield from map(self._in_doubt, doubts)

    def _handed(self, words: tuple[str, ...]) -> str | None:
        """A denied command in the words of one that is not known to run others."""
        begins = [at for at, word in enumerate(words[:-1]) if word and is_known(word) and self._denied.names(word)]
        if len(begins) > MOST_TEXTS:
            return "what so many words say"
        return next((found for at in begins if (found := self._denied.found(words[at:])) is not None), None)

    def _in_text(self, run: Run) -> str | None:
        """A denied command in a text that a command is given, as a word or by a here-document."""
        texts = [text for text in (*run.words[1:], run.input or "") if " " in text and is_known(text)]
        texts = [text for text in texts if self._denied.may_stand_in(text)]
        if len(texts) > MOST_TEXTS:
            return "what so many texts say"
        for text in texts:
            try:
                script = read_script(_plain_text(text))
            except Doubt:
                continue
            for command in script.commands:
                if command.words:
                    found = self._denied.found(command.words) or self._handed(command.words[1:])
                    if found is not None:
                        return found
        return None

    def _of_files(self, runs: list[Run], writes: list[str], folders: list[str], values: list[str]) -> Iterator[Found]:
        if self.writable is not None and not all(self._may_go(one) for one in writes):
            yield Found("it redirects output to a file that is not writable", True)
        if not self.protected:
            return
        known = [folder for folder in folders if is_known(folder)]
        if any(self._kept.written(one, known) for one in writes):
            yield Found("it writes to a protected file, or may", True)
        elif any(self._kept.touched(run.words, known) for run in runs):
            yield Found("it names a protected file where it writes", True)
        elif any(self._kept.unknown(run.words) for run in runs):
            words = (word for run in runs for word in run.words[1:])
            if any(self._kept.named(word) for word in (*values, *words)):
                yield Found("it may write to a protected file", True)

    def _may_go(self, file: str) -> bool:
        path = path_of(file)
        return is_known(file) and (
            path in OUTLETS or any(path.startswith(path_of(folder).rstrip("/") + "/") for folder in self.writable or ())
        )

    def _of_run(self, run: Run) -> Iterator[Found]:
        if not is_known(run.words[0]):
            yield Found("which command runs is not known", self.doubt == "block")
            return
        denied = self._denied.found(run.words)
        if denied is None and program_of(run.words[0]) not in DATA:
            denied = self._handed(run.words[1:]) or self._in_text(run)
        if denied is not None:
            yield Found(f"{denied} is denied", True)
        if self._allowed is not None:
            if run.counts and run.words[0] not in NOTHING and not self._allowed.covers(run.words):
                yield Found("a command is not on the allow list", self.otherwise == "block")
        elif special(run.words, writes=False):
            yield Found("an option runs what cannot be read", self.doubt == "block")
        if runs_unseen(run.words, run.fed):
            yield Found("a program is run that cannot be read", self.doubt == "block")


def _plain_text(text: str) -> str:
    return text.lstrip("!\\.:+ \t\n")


@define
class Gathered:
    """All that a script runs, writes and sets, the scripts in it too."""

    runs: list[Run] = field(factory=list[Run])
    writes: list[str] = field(factory=list[str])
    sets: list[tuple[str, str]] = field(factory=list[tuple[str, str]])

    def add(self, command: Command, depth: int = 0) -> None:
        """Find what a command runs, and what that runs in turn; raises `Doubt`."""
        self.sets.extend(command.sets)
        words = command.words
        if not words:
            return
        if depth > DEEPEST or len(self.runs) > MOST_RUNS:
            raise Doubt("commands are nested too deep")
        if not words[0]:
            raise Doubt("a command has no name")
        if not is_known(words[0]):
            self.runs.append(Run(words))
            return
        words = _plain_git(words)
        _check_evaluated(words)
        self.sets.extend(_set_by(words))
        for inner in self._inner(command, words):
            self.sets.extend(inner.sets)
            if inner.script is not None:
                self._add_script(inner.script, depth + 1)
            elif inner.words:
                self.add(Command(inner.words, input=command.input, opaque_input=command.opaque_input), depth + 1)

    def _inner(self, command: Command, words: tuple[str, ...]) -> list[Inner]:
        inner = list(inner_of(words))
        texts = any(one.script is not None for one in inner)
        if program_of(words[0]) in SHELLS and command.input is not None and not texts:
            if command.opaque_input:
                raise Doubt("a shell is given a text that is not known")
            return [Inner(script=command.input, alone=True)]
        alone = any(one.alone and (one.words or one.script is not None) for one in inner)
        self.runs.append(Run(words, not alone, command.input is not None, command.input))
        return inner

    def _add_script(self, text: str, depth: int) -> None:
        script = read_script(text)
        self.writes.extend(script.writes)
        self.sets.extend(script.sets)
        for command in script.commands:
            self.add(command, depth)


def _plain_git(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of git without those before its command that change nothing about it."""
    if program_of(words[0]) != "git":
        return words
    at = 1
    while at < len(words):
        if words[at] in ("--no-pager", "--no-optional-locks", "--literal-pathspecs"):
            at += 1
        elif words[at] in ("-C", "-c") and _changes_nothing(words[at], "".join(words[at + 1 : at + 2])):
            at += 2
        else:
            break
    return (words[0], *words[at:])


def _changes_nothing(option: str, value: str) -> bool:
    return is_known(value) if option == "-C" else is_safe_setting(value)


def _check_evaluated(words: tuple[str, ...]) -> None:
    if program_of(words[0]) in EVALUATES and any(EVALUATED.search(word) for word in words[1:]):
        raise Doubt("a text is given to what evaluates it as arithmetic")


def _set_by(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """The variables that `read` and the like give a value, and those that `export` and the like name."""
    name = program_of(words[0])
    if name in NAMES_VARIABLES and (name != "printf" or "-v" in words):
        return [(word, ANYTHING) for word in words[1:] if word.replace("_", "").isalnum()]
    if name in ("declare", "typeset", "local", "export", "readonly"):
        pairs = [word.partition("=") for word in words[1:] if "=" in word]
        return [(key, value) for key, _, value in pairs]
    return []


def _folded(text: str) -> str:
    """The text as it looks: wide letters as narrow ones, every space as one, and nothing that nobody sees."""
    if text.isascii():
        return text
    wide = nfkc(text)
    seen = (" " if sign.isspace() and sign not in "\t\n" else sign for sign in wide)
    return "".join(sign for sign in seen if sign in "\t\n" or unicodedata.category(sign) not in ("Cf", "Cc"))
