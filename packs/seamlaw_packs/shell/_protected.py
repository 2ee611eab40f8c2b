"""Files that a command may not write: by redirection, or as an argument of what writes."""

import re
from collections.abc import Iterable

from attrs import frozen

from ._words import GLOB, MARKS, is_known, may_be, path_of
from ._wrappers import program_of

__all__ = ["Protected"]

ALL = frozenset(
    "mv tee truncate chmod chown chgrp rm rmdir unlink touch shred mkfifo mknod mkdir sponge sudoedit rmdir".split()
)
LAST = frozenset("cp ln install rsync scp".split())  # the others are read
HOME = re.compile(r"^(?:/root|/home/[^/]+|/Users/[^/]+|~[^/]*|\$HOME|\$\{HOME\})(?=/|$)")
OUTLETS = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"))
OUTPUTS = {
    "curl": ("-o", "--output", "--output-dir"),
    "wget": ("-O", "-P", "--output-document", "--directory-prefix"),
    "tar": ("-C", "--directory"),
    "unzip": ("-d",),
    "sort": ("-o", "--output"),
    "openssl": ("-out",),
    "gcc": ("-o",),
    "ssh-keygen": ("-f",),
}
SUDO_EDITS = re.compile("-[a-zA-Z]*e")
TARGET = ("-t", "--target-directory")
LEADING = re.compile(r"^(?:\.\./)+")


@frozen
class Protected:
    """Paths, each for itself and all under it: absolute, of the home folder (`~/…`), or relative (in any folder)."""

    paths: tuple[str, ...]

    def written(self, word: str, folders: Iterable[str]) -> bool:
        """Whether a file that is written is, or may be, one of them."""
        if not is_known(word):
            return self._may_be(word)
        return any(self._holds(path) for path in _meant(word, folders))

    def _may_be(self, word: str) -> bool:
        """What is expanded may lead anywhere; a wildcard may be a protected name, where it stands."""
        if set(word) & (MARKS - {GLOB}):
            return True
        path = path_of(word).casefold()
        return any(may_be(path, pattern) for kept in self.paths for pattern in _around(path_of(kept).casefold()))

    def touched(self, words: tuple[str, ...], folders: Iterable[str]) -> bool:
        """Whether a command that writes the files it is given is given one of them."""
        known = tuple(folders)
        return any(
            self.written(word, known) for word in _written_by(words) if word and not set(word) & (MARKS - {GLOB})
        )

    def unknown(self, words: tuple[str, ...]) -> bool:
        """Whether a command writes to a file that is not known."""
        return any(set(word) & (MARKS - {GLOB}) for word in _written_by(words))

    def named(self, text: str) -> bool:
        """Whether a word or value names one of them, wherever it is used."""
        return any(self._holds(path_of(part)) for part in (text, text.partition("=")[2]) if part)

    def _holds(self, path: str) -> bool:
        if path in OUTLETS or path.startswith("/dev/fd/"):
            return False
        folded = HOME.sub("~", path).casefold()
        for protected in self.paths:
            kept = path_of(protected).casefold()
            if folded == kept or folded.startswith(kept.rstrip("/") + "/"):
                return True
            if not kept.startswith(("/", "~")) and f"/{kept}/" in f"/{folded}/":
                return True
        return False


def _written_by(words: tuple[str, ...]) -> Iterable[str]:
    name, rest = program_of(words[0]), words[1:]
    operands = [word for at, word in enumerate(rest) if not word.startswith("-") or "--" in rest[:at]]
    if name in ALL or (name == "sed" and any(word.startswith(("-i", "--in-place")) for word in rest)):
        return operands
    if name == "sudo" and any(word == "--edit" or SUDO_EDITS.fullmatch(word) for word in rest):
        return operands
    if name in LAST:
        return [*_valued(rest, TARGET), *operands[-1:]]
    if name in OUTPUTS:
        return list(_valued(rest, OUTPUTS[name]))
    if name == "git" and rest[:1] == ("clone",):
        return operands[2:]
    if name == "dd":
        return [word[3:] for word in rest if word.startswith("of=")]
    return ()


def _valued(words: tuple[str, ...], options: tuple[str, ...]) -> Iterable[str]:
    """The values of these options, however they are joined to them."""
    for at, word in enumerate(words):
        for option in options:
            if word == option:
                yield from words[at + 1 : at + 2]
            elif word.startswith(option + "="):
                yield word.partition("=")[2]
            elif len(option) == 2 and word.startswith(option):
                yield word[2:]


def _around(kept: str) -> Iterable[str]:
    before = "" if kept.startswith(("/", "~")) else "**/"
    return (kept, f"{kept}/**", f"{before}{kept}", f"{before}{kept}/**")


def _meant(word: str, folders: Iterable[str]) -> Iterable[str]:
    path = path_of(word)
    paths = [path]
    if not path.startswith(("/", "~")):
        paths += [path_of(f"{folder}/{path}") for folder in folders]
        paths += [path_of("/".join((*folders, path)))]
    for one in paths:
        yield one
        if one.startswith("../"):
            yield "/" + LEADING.sub("", one + "/").rstrip("/")
            yield "~/" + LEADING.sub("", one + "/").rstrip("/")
