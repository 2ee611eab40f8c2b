"""Options by which a command that seems to read runs something else, or writes: no `*` of an allow list covers them."""

import re
from collections.abc import Callable, Mapping

from attrs import frozen

from ._words import MARKS, clustered, is_known
from ._wrappers import SHELLS, program_of

__all__ = ["is_safe_setting", "runs_unseen", "special"]


@frozen
class Special:
    """Options that run what cannot be read, and options that write; letters and names."""

    runs: str = ""  # words: letters after one dash are single ones, `--names` may be abbreviated
    writes: str = ""


SPECIAL: Mapping[str, Special] = {
    "git": Special("--exec-path --upload-pack --receive-pack --config-env --ext-diff --extcmd --exec", "--output"),
    "git grep": Special("-O --open-files-in-pager", ""),
    "git clone": Special("-c --config -u --template", ""),
    "git difftool": Special("-x", ""),
    "git config": Special("", "--global --system --add --replace-all --unset --edit -e"),
    "find": Special("", "-delete -fprint -fprint0 -fprintf -fls"),
    "sort": Special("--compress-program", "-o --output"),
    "tree": Special("", "-o --output"),
    "tar": Special(
        "--to-command --checkpoint-action -I --use-compress-program -F --info-script --new-volume-script "
        "--rmt-command --rsh-command"
    ),
    "rsync": Special("-e --rsh --rsync-path"),
    "scp": Special("-S -o"),
    "sftp": Special("-S -o"),
    "ssh": Special("-o -F"),
    "rg": Special("--pre --hostname-bin"),
    "ag": Special("--pager"),
    "bat": Special("--pager --diff"),
    "man": Special("-P -H --pager --html"),
    "date": Special("", "-s --set"),
    "hostname": Special("", "-F -b"),
    "file": Special("", "-C --compile"),
    "yq": Special("", "-i --inplace --in-place"),
    "python": Special("-c"),
    "pypy": Special("-c"),
    "perl": Special("-e -E"),
    "ruby": Special("-e"),
    "node": Special("-e -p --eval --print"),
    "deno": Special(),
    "php": Special("-r -B -R -E"),
    "lua": Special("-e"),
    "osascript": Special("-e"),
    "vim": Special("-c --cmd -S -s"),
    "nvim": Special("-c --cmd -S -s"),
    "vi": Special("-c --cmd -S -s"),
    "ex": Special("-c --cmd -S -s"),
    "emacs": Special("--eval --execute -f --funcall -l --load"),
    "gdb": Special("-ex -x --command --eval-command"),
    "zip": Special("-T -TT --unzip-command"),
    "npx": Special("-c --call"),
    "npm": Special("-c --call"),
    "hash": Special("-p"),
    "enable": Special("-f"),
    "complete": Special("-C -F -W"),
    "compgen": Special("-C -F -W"),
    "bind": Special("-x"),
    "mapfile": Special("-C"),
    "readarray": Special("-C"),
    "printf": Special("-v"),
    "split": Special("--filter"),
    "make": Special("--eval"),
    "gmake": Special("--eval"),
}
INTERPRETERS = frozenset(("python", "pypy", "perl", "ruby", "node", "php", "lua", *SHELLS))
CODE = frozenset(("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"))
AWK = re.compile(r"system|getline|@|print[^;}\n]*>|\|")
ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?)"
S = r"s(?P<d%d>[/|,#:@!])(?:(?!(?P=d%d))[^\\\n]|\\.)*(?P=d%d)(?:(?!(?P=d%d))[^\\\n]|\\.)*(?P=d%d)[gpiI0-9]*"
STEP = rf"(?:{ADDRESS}(?:,(?:{ADDRESS}|\+\d+))?)?\s*!?\s*(?:[pdqPDGHhgxlnN=]\d*|{S.replace('%d', '')})\s*"
SED = re.compile(STEP)
CONFIGURES = re.compile(
    r"alias\.|core\.(?:pager|editor|sshcommand|hookspath|fsmonitor|gitproxy|askpass|attributesfile|worktree)|"
    r"(?:pager|filter|diff|difftool|mergetool|merge|credential|gpg|sequence|include|includeif|uploadpack|protocol|"
    r"browser|man|web|instaweb|sendemail|remote\..*\.(?:uploadpack|receivepack|vcs)|url)\b",
    re.IGNORECASE,
)
SED_OPTION = re.compile(
    r"(?s)(?P<place>--in-?p?l?a?c?e?(?:=.*)?|--i|-[nEsruz]*i.*)|(?P<file>--fi?l?e?(?:=.*)?|-[nEsruz]*f.*)|"
    r"(?P<next>-[nEsruz]*e|--ex?p?r?e?s?s?i?o?n?)|(?:-[nEsruz]*e|--ex?p?r?e?s?s?i?o?n?=)(?P<script>.+)"
)
SAFE_SETTING = re.compile(
    r"(?:user|author|committer|color|advice|column|log|merge\.conflictstyle|pull|push|init|commit\.gpgsign|tag\.gpgsign|"
    r"core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|longpaths)|http\.(?:lowspeed|postbuffer)|"
    r"safe|diff\.(?:renames|algorithm|context)|rebase\.autostash|fetch\.prune)[\w.]*(?:=.*)?|core\.pager=cat",
    re.IGNORECASE | re.DOTALL,
)


def table_name(word: str) -> str:
    """The name that the tables have: without a version at its end."""
    name = program_of(word)
    return name.rstrip("0123456789.") or name


def is_safe_setting(setting: str) -> bool:
    """Whether `git -c` with this sets nothing that git runs."""
    return is_known(setting) and SAFE_SETTING.fullmatch(setting) is not None


def special(words: tuple[str, ...], *, writes: bool) -> tuple[int, ...]:
    """The places of words by which a command runs what cannot be read and, if asked, of those by which it writes."""
    name = table_name(words[0])
    listed = [SPECIAL[key] for key in (name, f"{name} {words[1]}" if len(words) > 1 else name) if key in SPECIAL]
    listed = list(dict.fromkeys(listed))
    options = [option for one in listed for option in (one.runs + " " + one.writes if writes else one.runs).split()]
    found = [at for at, word in _before_end(words) if any(_is(word, option, doubt=writes) for option in options)]
    if name in EXTRA:
        found += EXTRA[name](words, writes)
    return tuple(sorted(set(found)))


def _before_end(words: tuple[str, ...]) -> list[tuple[int, str]]:
    end = words.index("--") if "--" in words else len(words)
    return list(enumerate(words))[1:end]


def _is(word: str, option: str, *, doubt: bool) -> bool:
    if not is_known(word):
        first = word[0]
        if first in MARKS or first == "-":
            return doubt and (first in MARKS or not option.startswith("--") or len(word) > 1)
        return False
    if option.startswith("--"):
        given = word.partition("=")[0]
        return len(given) > 3 and option.startswith(given)
    if len(option) == 2:
        return clustered(word, option[1]) or (word.startswith(option) and not word.startswith("--"))
    return word == option


def _of_awk(words: tuple[str, ...], _: bool) -> list[int]:
    found, skip = list[int](), False
    for at, word in enumerate(words[1:], 1):
        if skip:
            skip = False
            continue
        if word in ("-F", "-v", "--field-separator", "--assign"):
            skip = True
            continue
        if word.startswith(("-f", "--file", "-e", "-i", "-l", "-E", "--include", "--load", "--exec", "--source")):
            found.append(at)
        if word.startswith("-"):
            continue
        if not is_known(word) or AWK.search(word.replace("||", "")):
            found.append(at)
        break
    return found


def _of_sed(words: tuple[str, ...], writes: bool) -> list[int]:
    found, scripts = list[int](), dict[int, str]()
    at = 1
    while at < len(words):
        word, follows = words[at], "".join(words[at + 1 : at + 2])
        option = SED_OPTION.fullmatch(word)
        if not is_known(word) and word[0] in MARKS:
            found.append(at)
        elif option is None:
            if not scripts and not word.startswith("-"):
                scripts[at] = word
        elif option["file"] or (option["place"] and writes):
            found.append(at)
        elif option["next"]:
            scripts[at + 1] = follows
            at += 1
        elif option["script"] is not None:
            scripts[at] = option["script"]
        at += 1
    return found + [at for at, script in scripts.items() if not _is_plain_sed(script)]


def _is_plain_sed(script: str) -> bool:
    at = 0
    if not is_known(script):
        return False
    while at < len(script):
        step = SED.match(script, at)
        if step is None:
            return False
        at = step.end()
        if at < len(script):
            if script[at] not in ";\n":
                return False
            at += 1
    return True


def _of_git(words: tuple[str, ...], _: bool) -> list[int]:
    found = [at for at, word in enumerate(words[1:], 1) if word.startswith("ext::")] + _unsafe_settings(words)
    if words[1:2] == ("config",):
        operands = [at for at, word in enumerate(words[2:], 2) if not word.startswith("-")]
        if len(operands) > 1 and CONFIGURES.match(words[operands[0]]):
            found.append(operands[0])
    return found


def _unsafe_settings(words: tuple[str, ...]) -> list[int]:
    found, at = list[int](), 1
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-c" and not is_safe_setting("".join(words[at + 1 : at + 2])):
            found.append(at)
        at += 2 if words[at] in ("-c", "-C") else 1
    return found


def _of_make(words: tuple[str, ...], _: bool) -> list[int]:
    return [at for at, word in enumerate(words[1:], 1) if word.startswith(("SHELL=", "MAKEFLAGS=", ".SHELLFLAGS="))]


def _of_editor(words: tuple[str, ...], _: bool) -> list[int]:
    return [at for at, word in enumerate(words[1:], 1) if word.startswith("+") and not word[1:].isdigit()]


EXTRA: Mapping[str, Callable[[tuple[str, ...], bool], list[int]]] = {
    "awk": _of_awk,
    "gawk": _of_awk,
    "mawk": _of_awk,
    "nawk": _of_awk,
    "sed": _of_sed,
    "gsed": _of_sed,
    "git": _of_git,
    "vim": _of_editor,
    "vi": _of_editor,
    "nvim": _of_editor,
    "make": _of_make,
    "gmake": _of_make,
    "less": _of_editor,
    "more": _of_editor,
}


def runs_unseen(words: tuple[str, ...], fed: bool) -> bool:
    """Whether an interpreter is given its program by a pipe, or by what is no file."""
    name = table_name(words[0])
    operands = [word for word in words[1:] if not word.startswith("-") or word == "-"]
    if name in ("at", "batch") or (name == "crontab" and not {"-l", "--list"} & set(words)):
        return True
    if name in ("make", "gmake"):
        return any(word in ("-f-", "-") or word.startswith("-f/dev/") for word in words[1:])
    if name in ("source", "."):
        return bool(operands) and (
            operands[0] in CODE or operands[0].startswith(("/dev/", "/proc/")) or operands[0][0] in MARKS
        )
    if name not in INTERPRETERS:
        return False
    if name in SHELLS and any(clustered(word, "s") for word in words[1:] if word.startswith("-")):
        return True
    if not operands:
        return (
            len(words) == 1 or fed or not any(word in ("--version", "--help", "-V", "-v", "-h", "-m") for word in words)
        )
    return operands[0] in CODE or operands[0].startswith(("/dev/", "/proc/")) or operands[0][0] in MARKS
