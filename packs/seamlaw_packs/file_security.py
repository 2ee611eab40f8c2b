"""Blocks calls of tools that would touch certain files and folders, however their paths are written.

It stops each path that is, lies in, or by a link leads into what is blocked: with `..`, `~`, variables, URLs of files,
percent-encoding, look-alikes and other letter case; and a name that is blocked, such as `.env`, wherever it stands.
Tools that remove or move whole folders are also kept from those in which something blocked lies. A path that is
missing, no text, or cannot be looked up blocks, too.

It does not stop: tools and arguments that are not listed (a shell command, a glob, a patch, a path inside of an
object); a copy, or a hard link to a file in a blocked folder; a folder removed as a whole in which a file of a blocked
*name* lies; a link that is put there after the decision. A list of what is forbidden is never complete: where it can
be said what is needed, take `path_sandbox`. It must see the same file system, home and variables as the tool. POSIX
only.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from attrs import Factory, field, frozen

from seamlaw import Block, Globs, Interceptors, ToolCall, block, gate

from ._paths import FILE_TOOLS as FILE_TOOLS
from ._paths import Doubtful, Look, PathArguments, folded, folder, lies_in, path_arguments, places, spellings
from ._settings import globs_at, texts_at
from .errors import InvalidPack

__all__ = ["FILE_TOOLS", "SENSITIVE", "FileSecurity"]

SENSITIVE = (
    "/etc",
    "/boot",
    "/proc",
    "/sys",
    "~/.ssh",
    "~/.aws",
    "~/.azure",
    "~/.config/gcloud",
    "~/.gnupg",
    "~/.kube",
    "~/.docker/config.json",
    ".env",
    ".env.local",
    ".env.production",
    ".envrc",
    ".git",
    ".git-credentials",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    "*.pem",
    "*.p12",
    "*.pfx",
    "*.keystore",
    "id_rsa",
    "id_ecdsa",
    "id_ed25519",
    "*_history",
)
WHOLE = ("*delete*", "*remove*", "*move*", "*rename*")


def _blocked(given: Iterable[str]) -> tuple[str, ...]:
    for index, entry in enumerate(listed := texts_at("blocked", given)):
        place = f"blocked[{index}]"
        if entry.startswith(("/", "~")):
            folder(place, entry)
        elif "/" in entry:
            raise InvalidPack(place, "must be an absolute path, or the name of a file or folder, with * and ?")
        elif entry in (".", ".."):
            raise InvalidPack(place, "names nothing: every path is judged without it")
        else:
            globs_at(place, entry)
    return listed


def _base(given: str | None) -> str | None:
    return None if given is None else folder("base", given)


def _tools(given: Mapping[str, Iterable[str]] | PathArguments) -> PathArguments:
    return path_arguments(given)


def _whole(given: Iterable[str] | Globs) -> Globs:
    return globs_at("whole", given)


def _tops(it: "FileSecurity") -> tuple[str, ...]:
    return tuple(folder("blocked", entry) for entry in it.blocked if entry.startswith(("/", "~")))


def _names(it: "FileSecurity") -> Globs | None:
    names = tuple(folded(entry) for entry in it.blocked if not entry.startswith(("/", "~")))
    return Globs(names) if names else None


@frozen
class FileSecurity:
    """Blocks a call with a path to something `blocked`: absolute paths, and globs of names at any depth.

    `base`: the working folder of the tools, from which relative paths go; without it they are refused. `tools`: by
    glob of tools, the names of their arguments that are paths, or lists of paths; one that ends in `?` may be absent,
    and then means the base. `whole`: globs of the tools that act on all that is in a folder. Raises `InvalidPack`.
    """

    name: ClassVar[str] = "file_security"
    version: ClassVar[str] = "1"
    description: ClassVar[str] = "Blocks calls that would touch certain files and folders."
    intercept: ClassVar[tuple[str, ...]] = ("tool_call",)

    blocked: tuple[str, ...] = field(default=SENSITIVE, converter=_blocked)
    base: str | None = field(default=None, converter=_base, kw_only=True)
    tools: PathArguments = field(default=path_arguments(FILE_TOOLS), converter=_tools, kw_only=True)
    whole: Globs = field(default=Globs(WHOLE), converter=_whole, kw_only=True)
    _tops: tuple[str, ...] = field(init=False, eq=False, repr=False, default=Factory(_tops, takes_self=True))
    _names: Globs | None = field(init=False, eq=False, repr=False, default=Factory(_names, takes_self=True))

    def interceptors(self) -> Interceptors:
        """Give the gate."""
        return Interceptors(tool_call=[gate(self.judge, name=self.name, tools=self.tools.tools)])

    def judge(self, call: ToolCall) -> Block | None:
        """Block a call with a path to something blocked, or of which that cannot be told."""
        argument, look = "a path", Look()
        try:
            tops = tuple(dict.fromkeys([*self._tops, *map(look.followed, self._tops)]))
            names, known = tuple(map(folded, tops)), look.identities(tops)
            for argument, text in self.tools.of(call):
                led = dict.fromkeys((*spellings(text, self.base), *places(text, self.base, look)))
                if any(self._is_named(folded(place), names) or look.is_within(place, known) for place in led):
                    return block(f"{argument} leads to what is blocked")
                if self.whole.admit(call.name) and any(lies_in(top, folded(place)) for place in led for top in names):
                    return block(f"{argument} is a folder in which something blocked lies")
        except Doubtful as doubt:
            return block(f"{argument} {doubt}")
        return None

    def _is_named(self, place: str, tops: tuple[str, ...]) -> bool:
        """Whether a place has a blocked name in it, or lies in a blocked one, by the names."""
        if self._names is not None and any(map(self._names.admit, place.split("/")[1:])):
            return True
        return any(lies_in(place, top) for top in tops)
