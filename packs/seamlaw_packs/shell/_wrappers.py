"""Commands that run another: where the other begins, and what it is."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping

from attrs import frozen

from seamlaw_packs._texts import nfkc

from ._doubt import Doubt
from ._words import ANYTHING, GLOB, SOME, is_known

__all__ = ["SHELLS", "Inner", "inner_of", "program_of"]


@frozen
class Inner:
    """What a command runs: words, or a script; `alone` where nothing but it is run, so that it alone is judged."""

    words: tuple[str, ...] = ()
    script: str | None = None
    sets: tuple[tuple[str, str], ...] = ()
    alone: bool = False


@frozen
class Wrapper:
    """How the options before the inner command are read: letters and names of those that take a value."""

    letters: str = ""
    names: frozenset[str] = frozenset()
    operands: int = 0  # before the command
    alone: bool = True
    assigns: bool = False  # takes NAME=value before the command
    joined: bool = False  # hands the words to a shell
    more: bool = False  # adds words of its own


def _wrapper(letters: str = "", names: str = "", operands: int = 0, **more: bool) -> Wrapper:
    return Wrapper(letters, frozenset(names.split()), operands, **more)


SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish", "csh", "tcsh"))
FOREIGN = frozenset(("pwsh", "powershell", "cmd", "wsl", "osascript"))
WRAPPERS: Mapping[str, Wrapper] = {
    "sudo": _wrapper(
        "CDghpRrTtUu",
        "user group host prompt chdir chroot role type close-from other-user command-timeout",
        alone=False,
        assigns=True,
    ),
    "doas": _wrapper("Cu", alone=False),
    "pkexec": _wrapper("", "user", alone=False),
    "env": _wrapper("uC", "unset chdir", assigns=True),
    "nice": _wrapper("n", "adjustment"),
    "ionice": _wrapper("cn", "class classdata"),
    "chrt": _wrapper("TPD", operands=1),
    "taskset": _wrapper(operands=1),
    "nohup": _wrapper(),
    "time": _wrapper("fo", "format output"),
    "timeout": _wrapper("ks", "kill-after signal", 1),
    "stdbuf": _wrapper("ioe", "input output error"),
    "unbuffer": _wrapper(),
    "setsid": _wrapper(),
    "catchsegv": _wrapper(),
    "command": _wrapper(),
    "builtin": _wrapper(),
    "exec": _wrapper("a"),
    "coproc": _wrapper(),
    "busybox": _wrapper(),
    "toybox": _wrapper(),
    "caffeinate": _wrapper("tw"),
    "arch": _wrapper(),
    "xargs": _wrapper(
        "adELnPs", "arg-file delimiter max-args max-procs max-chars process-slot-var max-lines", more=True
    ),
    "parallel": _wrapper("ajNSkI", "jobs arg-file delay timeout joblog", joined=True, more=True, alone=False),
    "watch": _wrapper("n", "interval", joined=True),
    "ssh": _wrapper("BbcDEeFIiJLlmOopQRSWw", operands=1, joined=True, alone=False),
    "chroot": _wrapper("", "userspec groups", 1, alone=False),
    "fakeroot": _wrapper("lsib", "lib faked"),
    "flock": _wrapper("wE", "timeout wait conflict-exit-code", 1, alone=False),
    "strace": _wrapper("eopsuSPEaIXO", "output trace", alone=False),
    "ltrace": _wrapper("eopsunaAlw", "output", alone=False),
    "systemd-run": _wrapper("pMu", "unit property slice", alone=False),
    "unshare": _wrapper("SGRw", alone=False),
    "nsenter": _wrapper("tSG", "target", alone=False),
    "entr": _wrapper(alone=False),
}
FLAGS: Mapping[str, str] = {  # options that are told from those that take a value; any other is a doubt
    "nsenter": "muinpCUFwr",
    "unshare": "muinpCUfr",
    "parallel": "kmXu0",
}
TELLS = {"command": "vV", "sudo": "lvkKV", "exec": ""}  # with one of these letters nothing is run
STARTS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
FD_STARTS = frozenset(("-x", "-X", "--exec", "--exec-batch"))


WILD = re.compile(r"\*|\?|\[[^\]]+\]")
COMMAND, GIVEN = re.compile("-[a-zA-Z]*c"), re.compile("-[a-zA-Z]*?c(.+)")
WORDY = re.compile(r"\w{2}")


def program_of(word: str) -> str:
    """The name of a program without its folder, in one case and width: `/bin/RM` and `rm.exe` are rm."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    return nfkc(name).casefold().removesuffix(".exe")


def inner_of(words: tuple[str, ...]) -> Iterator[Inner]:
    """Give what a command runs, if it is one that runs others; raises `Doubt` where that cannot be told."""
    name = program_of(words[0])
    if name in FOREIGN:
        raise Doubt(f"{name} is not covered")
    if name in SHELLS:
        yield from _of_shell(words)
    elif name in READERS:
        yield from READERS[name](words)
    elif name in WRAPPERS:
        yield from _wrapped(name, words)


def _wrapped(name: str, words: tuple[str, ...]) -> Iterator[Inner]:
    read = _begin(name, words)
    if read is None:
        return
    rest, sets = words[read.at :], read.sets
    wrapper = WRAPPERS[name]
    _check_rest(name, wrapper, rest)
    if name == "sudo" and read.shell:
        if not rest:
            raise Doubt("a shell is begun that reads what it runs")
        yield Inner(script=_known_script(rest, name), sets=sets)
    elif not rest:
        if name in ("ssh", "parallel"):
            raise Doubt(f"{name} reads what it runs")
        yield Inner(sets=sets)
    elif name == "flock" and rest[0] in ("-c", "--command"):
        yield Inner(script=_known_script(rest[1:2], name), sets=sets, alone=wrapper.alone)
    elif wrapper.joined and not wrapper.more:
        yield Inner(script=_known_script(rest, name), sets=sets, alone=wrapper.alone)
    elif read.replaced:
        yield Inner(tuple(word.replace(read.replaced, ANYTHING) for word in rest), sets=sets, alone=wrapper.alone)
    else:
        yield Inner((*rest, SOME) if wrapper.more else rest, sets=sets, alone=wrapper.alone)


def _check_rest(name: str, wrapper: Wrapper, rest: tuple[str, ...]) -> None:
    if name == "ssh" and rest and rest[0].startswith("-"):
        raise Doubt("an option of ssh stands after its host")
    if wrapper.joined and wrapper.more and any(sign in word for word in rest for sign in " ;|&$`<>()"):
        raise Doubt(f"{name} hands a text to a shell")


@frozen
class Begin:
    """Where the command begins that a wrapper runs, and what was read before it."""

    at: int
    sets: tuple[tuple[str, str], ...]
    replaced: str  # what `xargs` puts its words in place of
    shell: bool  # whether `sudo` begins a shell


def _begin(name: str, words: tuple[str, ...]) -> Begin | None:
    """Read the options and variables before the command; nothing where one of them says that nothing is run."""
    wrapper = WRAPPERS[name]
    at, sets, replaced, shell = 1, list[tuple[str, str]](), "", False
    while at < len(words):
        word = words[at]
        if not is_known(word):
            raise Doubt(f"which command {name} runs is not known")
        if _sets(wrapper, word):
            sets.append(_pair(word))
            at += 1
        elif word == "--" or not word.startswith("-") or (word == "-" and name != "env"):
            at += word == "--"
            break
        elif _holds(word, TELLS.get(name, "")):
            return None
        else:
            shell = shell or _holds(word, "si") or word in ("--shell", "--login")
            taken, given = _option_of(name, wrapper, words, at)
            at, replaced = at + taken, given or replaced
    while wrapper.assigns and at < len(words) and _sets(wrapper, words[at]):
        sets.append(_pair(words[at]))
        at += 1
    return Begin(at + wrapper.operands, tuple(sets), replaced, shell)


def _sets(wrapper: Wrapper, word: str) -> bool:
    return wrapper.assigns and "=" in word and not word.startswith("-")


def _pair(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value


def _option_of(name: str, wrapper: Wrapper, words: tuple[str, ...], at: int) -> tuple[int, str]:
    """How many words an option takes, and what it has replaced."""
    word = words[at]
    if name == "env" and (word.startswith("--split-string") or _holds(word, "S")):
        raise Doubt("env splits a text into a command")
    if name == "xargs" and word.startswith(("-I", "--replace", "-i")):
        if word == "-I":
            return 2, "".join(words[at + 1 : at + 2]) or "{}"
        return 1, (word[2:] if word[:2] in ("-I", "-i") else word.partition("=")[2]) or "{}"
    return 1 + _has_value(name, wrapper, word), ""


def _holds(word: str, letters: str) -> bool:
    return not word.startswith("--") and any(letter in word[1:] for letter in letters)


def _has_value(name: str, wrapper: Wrapper, word: str) -> bool:
    """Whether the value of an option is the next word."""
    if word.startswith("--"):
        option, equals, _ = word[2:].partition("=")
        if equals:
            return False
        return any(known.startswith(option) for known in wrapper.names)
    for place, letter in enumerate(word[1:], 1):
        if letter in wrapper.letters:
            return place == len(word) - 1
        if name in FLAGS and letter not in FLAGS[name]:
            raise Doubt(f"an option of {name} is not known")
    return False


def _known_script(words: tuple[str, ...], name: str) -> str:
    script = " ".join(words)
    if not is_known(script):
        raise Doubt(f"the text that {name} runs is not known")
    return script


def _of_shell(words: tuple[str, ...]) -> Iterator[Inner]:
    at, runs_text = 1, False
    while at < len(words) and words[at][:1] in ("-", "+", ANYTHING, SOME):
        word = words[at]
        if not is_known(word):
            raise Doubt("what a shell is started with is not known")
        at += 1
        if word in ("-", "--"):
            break
        if word.startswith("--"):
            at += word in ("--rcfile", "--init-file")
            if word.startswith(("--rcfile", "--init-file")):
                raise Doubt("a shell is started with a file of its own")
            if word.startswith("--command"):
                runs_text = True
            continue
        runs_text = runs_text or "c" in word
        at += "o" in word or "O" in word
    if runs_text:
        yield Inner(script=_known_script(words[at : at + 1], "the shell"), alone=True)


def _of_find(words: tuple[str, ...]) -> Iterator[Inner]:
    at = 1
    while at < len(words):
        if words[at] in STARTS:
            end = next((i for i in range(at + 1, len(words)) if words[i] in (";", "+")), len(words))
            yield from (
                Inner(tuple(word.replace("{}", found) for word in words[at + 1 : end])) for found in _found_by(words)
            )
            at = end
        at += 1


def _found_by(words: tuple[str, ...]) -> tuple[str, ...]:
    """What `find` puts in place of `{}`: where a name is asked for, files of that name in the folders it begins at."""
    rest = words[1:]
    begins = tuple(itertools.takewhile(lambda word: not word.startswith(("-", "(", "!")), rest)) or (".",)
    names = [rest[at + 1] for at, word in enumerate(rest[:-1]) if word in ("-name", "-iname")]
    either = any(word in ("-o", "-or", ",", "!", "-not") for word in rest)
    if len(names) != 1 or either or not all(map(is_known, (*begins, *names))) or not WORDY.search(names[0]):
        return (ANYTHING,)
    name = WILD.sub(GLOB, names[0])
    return tuple(f"{begin}/{GLOB}/{name}" for begin in begins)


def _of_fd(words: tuple[str, ...]) -> Iterator[Inner]:
    for at, word in enumerate(words):
        if word in FD_STARTS:
            rest = tuple(one.replace("{}", ANYTHING) for one in words[at + 1 :])
            yield Inner((*rest, ANYTHING))
            return


def _of_su(words: tuple[str, ...]) -> Iterator[Inner]:
    found = False
    for at, word in enumerate(words[1:], 1):
        if not is_known(word):
            raise Doubt("what is run as another user is not known")
        name, _, text = word.partition("=")
        if name == "--command" and text:
            yield Inner(script=text)
        elif name == "--command" or COMMAND.fullmatch(word):
            yield Inner(script=_known_script(words[at + 1 : at + 2], words[0]))
        elif given := GIVEN.fullmatch(word):
            yield Inner(script=given[1])
        elif word == "--":
            yield Inner(words[at + 1 :])
        else:
            continue
        found = True
    if not found:
        raise Doubt("a shell is begun that reads what it runs")


def _of_eval(words: tuple[str, ...]) -> Iterator[Inner]:
    yield Inner(script=_known_script(words[1:], "eval"), alone=True)


def _of_trap(words: tuple[str, ...]) -> Iterator[Inner]:
    rest = tuple(word for word in words[1:] if word != "--")
    if len(rest) > 1 and not rest[0].startswith("-"):
        yield Inner(script=_known_script(rest[:1], "trap"), alone=True)
    elif rest and not is_known(rest[0]):
        raise Doubt("the text that trap runs is not known")


def _of_alias(words: tuple[str, ...]) -> Iterator[Inner]:
    for word in words[1:]:
        if not is_known(word):
            raise Doubt("the text of an alias is not known")
        if "=" in word:
            yield Inner(script=word.partition("=")[2])


def _of_git(words: tuple[str, ...]) -> Iterator[Inner]:
    rest = words[1:]
    for at, word in enumerate(rest):
        if word == "run" and "bisect" in rest[:at]:
            yield Inner(rest[at + 1 :])
            return
        if word == "foreach" and "submodule" in rest[:at]:
            inner = tuple(one for one in rest[at + 1 :] if one not in ("--recursive", "--quiet"))
            yield Inner(script=_known_script(inner, "git submodule foreach"))
            return
        if "rebase" in rest[:at] and word in ("-x", "--exec"):
            yield Inner(script=_known_script(rest[at + 1 : at + 2], "git rebase"))
        if "rebase" in rest[:at] and word.startswith("--exec="):
            yield Inner(script=_known_script((word[7:],), "git rebase"))


READERS: Mapping[str, Callable[[tuple[str, ...]], Iterator[Inner]]] = {
    "find": _of_find,
    "gfind": _of_find,
    "fd": _of_fd,
    "fdfind": _of_fd,
    "su": _of_su,
    "script": _of_su,
    "runuser": _of_su,
    "eval": _of_eval,
    "trap": _of_trap,
    "alias": _of_alias,
    "git": _of_git,
}
