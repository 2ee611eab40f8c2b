"""Where a path leads: every place that a tool may come to with it, with symbolic links followed.

A text is read in all the ways in which tools read paths: as it stands; without spaces and quotes around it; with
percent-encoding, `~`, variables and `file:` taken for what they stand for; with backslashes as slashes; with wide
letters, look-alikes of the slash and characters that nobody sees brought to plain ones. `..` is taken back both after
following a link, as the system does, and before, as libraries do. What cannot be known is `Doubtful`.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from posixpath import normpath
from stat import S_ISLNK
from typing import cast
from urllib.parse import unquote

from attrs import Factory, field, frozen

from seamlaw import Globs, ToolCall

from ._settings import arguments_by_tool_at, text_at, texts_at
from .errors import InvalidPack

__all__ = [
    "FILE_TOOLS",
    "Doubtful",
    "Look",
    "PathArguments",
    "folded",
    "folder",
    "folders",
    "lies_in",
    "path_arguments",
    "places",
    "spellings",
]

FILE_TOOLS = {
    "read_file": ("path",),
    "write_file": ("path",),
    "edit_file": ("path",),
    "replace_in_file": ("path",),
    "create_file": ("path",),
    "delete_file": ("path",),
    "move_file": ("source", "destination"),
    "copy_file": ("source", "destination"),
    "list_dir": ("path?",),
    "list_directory": ("path?",),
    "Read": ("file_path",),
    "Write": ("file_path",),
    "Edit": ("file_path",),
    "MultiEdit": ("file_path",),
    "NotebookEdit": ("notebook_path",),
    "LS": ("path",),
    "Grep": ("path?",),  # which shows what stands in a file
    "Glob": ("path?",),
    "str_replace_editor": ("path",),
    "str_replace_based_edit_tool": ("path",),
    "read_text_file": ("path",),
    "read_media_file": ("path",),
    "read_multiple_files": ("paths",),
    "search_files": ("path?",),
    "directory_tree": ("path?",),
    "create_directory": ("path",),
    "mcp__*__read_file": ("path",),
    "mcp__*__read_text_file": ("path",),
    "mcp__*__read_media_file": ("path",),
    "mcp__*__read_multiple_files": ("paths",),
    "mcp__*__write_file": ("path",),
    "mcp__*__edit_file": ("path",),
    "mcp__*__move_file": ("source", "destination"),
    "mcp__*__list_directory": ("path?",),
    "mcp__*__directory_tree": ("path?",),
    "mcp__*__search_files": ("path?",),
    "mcp__*__create_directory": ("path",),
}
LONGEST, LONGEST_NAME = 4_095, 255  # bytes: PATH_MAX without its NUL, NAME_MAX
MOST_LINKS = 40  # as Linux
MOST_READINGS = 64
Identity = tuple[int, int]  # the device, and the number of a file on it
MISSING = ""  # what no link says
QUOTES = "\"'`"
SLASHES = str.maketrans("\u2044\u2215\u2571\u29f8\u2216\u29f5", "////\\\\")
OVERLONG = re.compile(r"%(?:c[01]|e0%[89]|f0%8|f[89a-f])", re.IGNORECASE)  # no UTF-8, but some decode it: %c0%ae
ESCAPED = re.compile(r"%u([0-9a-f]{4})", re.IGNORECASE)
VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}]*)\})")
OTHER_USER = re.compile(r"~[^/]+/")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:(?:/|.*file:)", re.IGNORECASE | re.DOTALL)
DRIVE = re.compile(r"[a-z]:", re.IGNORECASE)


class Doubtful(Exception):
    """What cannot be known of a path; its text quotes nothing of it."""


class Look:
    """What one decision has looked up: each place once, so that all of it is judged by one state of the files.

    Nothing is remembered from one decision to the next: links change.
    """

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str | None, Identity | None]] = {}

    def followed(self, path: str) -> str:
        """Follow every link on the way; what is not there yet is where its parent is. Raises `Doubtful`."""
        left, at, links, missing = path.split("/")[::-1], "", 0, ""
        while left:
            name = left.pop()
            if name in ("", "."):
                continue
            if name == "..":
                at = at.rpartition("/")[0]
                missing = missing if at.startswith(missing) else ""
                continue
            above, at = at, f"{at}/{name}"
            target = None if missing else self._link(at)
            if target == MISSING:
                missing = at  # no link lies under it
            elif target is not None:
                links += 1
                at = "" if target.startswith("/") else above
                left.extend(target.split("/")[::-1])
            if links > MOST_LINKS:
                raise Doubtful("leads through too many links")
            if at.startswith("/proc/") and at[6:].isdigit():
                raise Doubtful("leads to what a process sees of itself")
        return at or "/"

    def identity(self, place: str) -> "Identity | None":
        """Tell what a place is, whatever it is called, or `None` where nothing is; raises `Doubtful`."""
        if place in self._seen:
            target, known = self._seen[place]
            if target is None or target == MISSING:
                return known
        try:
            found = os.stat(place)  # noqa: PTH116
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            raise Doubtful("cannot be looked up here") from None
        return found.st_dev, found.st_ino

    def identities(self, places: Iterable[str]) -> "frozenset[Identity]":
        """Tell what these are, of those that are there."""
        return frozenset([found for place in places if (found := self.identity(place)) is not None])

    def is_within(self, place: str, tops: "frozenset[Identity]") -> bool:
        """Whether a place is one of these or under it by what they are, whatever they are called."""
        higher = ""
        for name in place.split("/")[1:] if tops else ():
            higher = f"{higher}/{name}"
            found = self.identity(higher)
            if found is None or found in tops:
                return found is not None
        return False

    def _link(self, path: str) -> str | None:
        """Give what a link says, `None` for what is none, and `MISSING` for what is not there."""
        if path not in self._seen:
            self._seen[path] = _looked_up(path)
        return self._seen[path][0]


def _looked_up(path: str) -> "tuple[str | None, Identity | None]":
    try:
        found = os.lstat(path)
        if S_ISLNK(found.st_mode):
            return os.readlink(path), None  # noqa: PTH115
    except (FileNotFoundError, NotADirectoryError):
        return MISSING, None
    except OSError:
        raise Doubtful("cannot be looked up here") from None
    return None, (found.st_dev, found.st_ino)


def places(text: str, base: str | None, look: Look) -> tuple[str, ...]:
    """Give every place that a text may lead to, links followed; raises `Doubtful`."""
    found = dict[str, None]()
    for absolute in _spelled(text, base):
        found[look.followed(absolute)] = None
        if ".." in absolute:
            found[look.followed(normpath(absolute))] = None
    return tuple(found)


def spellings(text: str, base: str | None) -> tuple[str, ...]:
    """Give every place that a text names, no link followed; raises `Doubtful`."""
    return tuple(dict.fromkeys("/" + normpath(absolute).lstrip("/") for absolute in _spelled(text, base)))


def _spelled(text: str, base: str | None) -> list[str]:
    readings = _readings(text)
    if base is None and not all(reading.startswith("/") for reading in readings):
        raise Doubtful("is relative, and no base is set")
    return [reading if reading.startswith("/") else f"{base}/{reading}" for reading in readings]


def _readings(text: str) -> tuple[str, ...]:
    if not text:
        raise Doubtful("is empty")
    found, left = {text: None}, [text]
    while left:
        one = left.pop()
        _check(one)
        for read in READERS:
            other = read(one)
            if other not in found:
                if len(found) == MOST_READINGS:
                    raise Doubtful("can be read in too many ways")
                found[other] = None
                left.append(other)
    return tuple(found)


def _check(text: str) -> None:
    """Refuse what is no path of this machine's."""
    if not text.isprintable() and any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise Doubtful("has a control character")
    raw = text.encode()
    if len(raw) > LONGEST or max(map(len, raw.split(b"/"))) > LONGEST_NAME:
        raise Doubtful("is longer than a path can be")
    if text.startswith("//") and not text.startswith("///"):
        raise Doubtful("may be a network share")
    if DRIVE.match(text):
        raise Doubtful("begins with a drive")
    if SCHEME.match(text) and not text[:5].lower() == "file:":
        raise Doubtful("is a URL")


def _bare(text: str) -> str:
    return text.strip().strip(QUOTES)


def _decoded(text: str) -> str:
    if "%" not in text:
        return text
    if OVERLONG.search(text):
        raise Doubtful("has bytes that are no text")
    return unquote(ESCAPED.sub(lambda found: chr(int(found[1], 16)), text))


def _slashed(text: str) -> str:
    return text.replace("\\", "/")


def _plain(text: str) -> str:
    if text.isascii():
        return text
    seen = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", seen).translate(SLASHES)


def _at_home(text: str) -> str:
    if not text.startswith("~"):
        return text
    expanded = os.path.expanduser(text)  # noqa: PTH111
    if expanded == text and OTHER_USER.match(text):
        raise Doubtful("is of a user who is not known here")
    return expanded


def _expanded(text: str) -> str:
    """Put in the variables of this process; what is none is nothing, as in a shell."""
    return VARIABLE.sub(lambda found: os.environ.get(found[1] or found[2], ""), text) if "$" in text else text


def _of_url(text: str) -> str:
    if text[:5].lower() != "file:":
        return text
    rest = text[5:]
    if "?" in rest or "#" in rest:
        raise Doubtful("is a URL with a query or a fragment")
    if not rest.startswith("//"):
        return rest
    host, slash, path = rest[2:].partition("/")
    if host.lower() not in ("", "localhost", "127.0.0.1"):
        raise Doubtful("is a file of another host")
    return slash + path


READERS: tuple[Callable[[str], str], ...] = (_bare, _decoded, _slashed, _plain, _at_home, _expanded, _of_url)


def lies_in(place: str, top: str) -> bool:
    """Whether a place is this one or under it, by the names."""
    return place == top or place.startswith(top.rstrip("/") + "/")


@lru_cache(maxsize=1_024)
def folded(text: str) -> str:
    """Make one of all the names that file systems which ignore case, or normalise, take for the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def folder(place: str, given: object) -> str:
    """Take the path of a folder in a configuration: absolute, or of the user's home."""
    text = text_at(place, given)
    path = os.path.expanduser(text)  # noqa: PTH111
    if not path.startswith("/") or "\0" in path or len(path.encode("utf-8", "replace")) > LONGEST:
        raise InvalidPack(place, "must be an absolute path, or begin with ~/")
    if os.name != "posix":  # pragma: no cover
        raise InvalidPack(place, "paths are judged on POSIX systems only")
    return normpath("/" + path.lstrip("/"))


def folders(place: str, given: object) -> tuple[str, ...]:
    """Take a list of these."""
    return tuple(folder(f"{place}[{index}]", text) for index, text in enumerate(texts_at(place, given)))


def _exact(it: "PathArguments") -> dict[str, tuple[str, ...]]:
    """The arguments of the tools that are named without a wildcard: most are, and most calls are of one."""
    exact = dict[str, tuple[str, ...]]()
    for globs, names in it.listed:
        for tool in globs.exact:
            exact[tool] = (*exact.get(tool, ()), *names)
    return exact


def _globbed(it: "PathArguments") -> tuple[tuple[Globs, tuple[str, ...]], ...]:
    return tuple((globs, names) for globs, names in it.listed if not globs.exact.issuperset(globs.patterns))


@frozen
class PathArguments:
    """Which arguments of which tools are paths; a name that ends in `?` is of one that may be absent."""

    listed: tuple[tuple[Globs, tuple[str, ...]], ...]
    _exact: dict[str, tuple[str, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(_exact, takes_self=True)
    )
    _globbed: tuple[tuple[Globs, tuple[str, ...]], ...] = field(
        init=False, eq=False, repr=False, default=Factory(_globbed, takes_self=True)
    )

    @property
    def tools(self) -> tuple[str, ...]:
        """The globs of all tools that are judged."""
        return tuple(pattern for globs, _ in self.listed for pattern in globs.patterns)

    def of(self, call: ToolCall) -> list[tuple[str, str]]:
        """Give the paths of a call, each with the name of its argument; raises `Doubtful` for what is none."""
        found, names = list[tuple[str, str]](), [*self._exact.get(call.name, ())]
        for globs, named in self._globbed:
            if globs.admit(call.name):
                names += named
        for name in dict.fromkeys(names):
            bare = name.removesuffix("?")
            given = call.arguments.get(bare)
            if given is None and name != bare:
                found.append((bare, "."))
            else:
                found += [(bare, _text(bare, item)) for item in _listed(given)]
        return found


def _listed(given: object) -> list[object]:
    """Take a list of paths as it is, and one path as a list of it; an empty list is a path that is missing."""
    return cast("list[object]", given) if isinstance(given, list) and given else [given]


def _text(name: str, given: object) -> str:
    if not isinstance(given, str):
        raise Doubtful(f"({name}) is missing, or no text")
    return given


def path_arguments(given: object) -> PathArguments:
    """Read the setting `tools` of a pack."""
    if isinstance(given, PathArguments):
        return given
    return PathArguments(arguments_by_tool_at("tools", given))
