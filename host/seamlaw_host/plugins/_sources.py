"""The source of a pack, read once, and imported from what was read: nothing else of it is ever executed.

Each version is imported under a name of its own, so that versions share nothing: a call that is on its way in the old
one ends there, whatever it imports until then. Compiled files are neither read nor written.
"""

import ast
import hashlib
import importlib.util
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import count
from pathlib import Path
from types import CodeType, ModuleType

from attrs import Factory, field, frozen

from .errors import PluginError

__all__ = ["Sources", "forget", "import_from", "of_folder", "of_module"]

LARGEST = 16 * 2**20  # bytes, in all
ROOT = "__init__.py"
CACHE = "__pycache__"


def _digest(it: "Sources") -> str:
    hashed = hashlib.sha256(b"seamlaw pack 1\n")
    for path, content in sorted(it.files.items()):
        for part in (path.encode("utf-8", "surrogateescape"), content):
            hashed.update(len(part).to_bytes(8, "big") + part)
    return hashed.hexdigest()


@frozen
class Sources:
    """All files of a pack by their paths in it; of a module that is one file, that file as `__init__.py`."""

    name: str  # what the module is called elsewhere
    files: Mapping[str, bytes] = field(repr=False)
    folder: Path
    is_package: bool = True
    is_project: bool = False
    digest: str = field(init=False, default=Factory(_digest, takes_self=True))
    number: int = field(init=False, factory=count(1).__next__)

    @property
    def version(self) -> str:
        """The name of the module that is made of exactly these files, beside the one it is elsewhere."""
        return f"{self.name}@{self.digest[:16]}-{self.number}"

    def place(self, path: str) -> str:
        """What a traceback calls a file."""
        return str(self.folder / path if self.is_package else self.folder)


def of_module(name: str) -> Sources:
    """Read the source of an imported module, with all of it where it is a package; raises `PluginError`."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    origin = getattr(spec, "origin", None)
    if spec is None or not origin or not origin.endswith(".py"):
        raise PluginError(f"{name} has no source that could be read anew")
    if spec.submodule_search_locations is not None:
        return of_folder(Path(origin).parent, name=name)
    return Sources(name, {ROOT: _read(origin, follow=True)}, Path(origin), is_package=False)


def of_folder(folder: Path, *, name: str) -> Sources:
    """Read all files of a folder but compiled ones; raises `PluginError` for a link, and what else is no file."""
    return Sources(name, dict(_files(folder)), folder)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    left, size = [""], 0
    while left:
        inside = left.pop()
        try:
            entries = sorted(os.scandir(folder / inside), key=lambda entry: entry.name)
        except OSError as error:
            raise PluginError(f"{folder / inside}: {error.strerror}") from error
        for entry in entries:
            path = f"{inside}/{entry.name}" if inside else entry.name
            if entry.is_symlink():
                raise PluginError(f"{folder / path}: is a link; what it leads to is no part of the pack")
            if entry.is_dir(follow_symlinks=False):
                left += [path] if entry.name != CACHE else []
            else:
                content = _read(entry.path, follow=False)
                size += len(content)
                if size > LARGEST:
                    raise PluginError(f"{folder}: larger than {LARGEST} bytes")
                yield path, content


def _read(path: str, *, follow: bool) -> bytes:
    """Read a regular file; what was put there meanwhile, a link or a pipe, is refused."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
    try:
        with open(os.open(path, flags), "rb") as file:  # noqa: PTH123 - by its descriptor
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise PluginError(f"{path}: is no file")
            return file.read(LARGEST + 1)
    except OSError as error:
        raise PluginError(f"{path}: {error.strerror}") from error


# -- importing what was read


class _Versions(MetaPathFinder):
    """Finds the modules of the versions that are in use, and of nothing else."""

    def __init__(self) -> None:
        self.known: dict[str, Sources] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Find a module of a version."""
        for version, sources in list(self.known.items()):
            if fullname == version or fullname.startswith(version + "."):
                return _spec(sources, fullname, fullname[len(version) + 1 :].replace(".", "/"))
        return None


_VERSIONS = _Versions()


def _spec(sources: Sources, fullname: str, inside: str) -> ModuleSpec | None:
    path = package = f"{inside}/{ROOT}" if inside else ROOT
    if inside and package not in sources.files:
        if f"{inside}.py" in sources.files:
            path = f"{inside}.py"
        elif not any(known.startswith(f"{inside}/") for known in sources.files):
            return None
    is_package = path == package and (bool(inside) or sources.is_package)
    loader = _Loader(sources, path, is_package=is_package)
    spec = ModuleSpec(fullname, loader, origin=sources.place(path), is_package=is_package)
    spec.has_location = True
    return spec


class _Loader(InspectLoader):
    """Executes one file of what was read."""

    def __init__(self, sources: Sources, path: str, *, is_package: bool) -> None:
        self._sources, self._path, self._is_package = sources, path, is_package

    def is_package(self, fullname: str) -> bool:  # noqa: ARG002
        """Whether it has modules inside."""
        return self._is_package

    def get_source(self, fullname: str) -> str:  # noqa: ARG002
        """The text that is executed."""
        return importlib.util.decode_source(self._sources.files.get(self._path, b""))

    def get_code(self, fullname: str) -> CodeType:
        """What is executed, compiled anew."""
        return compile(self.get_source(fullname), self._sources.place(self._path), "exec", dont_inherit=True)

    def get_data(self, path: str) -> bytes:
        """A file beside it, as it was read."""
        inside = Path(path).relative_to(self._sources.folder).as_posix()
        try:
            return self._sources.files[inside]
        except KeyError:
            raise FileNotFoundError(path) from None


def import_from(sources: Sources, module: str = "") -> ModuleType:
    """Import the root module of these sources, or one inside of it; whatever that raises leaves nothing behind.

    Raises `PluginError` where the source imports itself by its other name, for that would be another version.
    """
    _refuse_itself(sources)
    if _VERSIONS not in sys.meta_path:
        sys.meta_path.insert(0, _VERSIONS)
    _VERSIONS.known[sources.version] = sources
    try:
        return importlib.import_module(f"{sources.version}.{module}" if module else sources.version)
    except BaseException:
        forget(sources)
        raise


def forget(sources: Sources) -> None:
    """Let go of a version that nobody uses any more."""
    _VERSIONS.known.pop(sources.version, None)
    for name in [name for name in sys.modules if name == sources.version or name.startswith(sources.version + ".")]:
        del sys.modules[name]
    around, _, last = sources.version.rpartition(".")
    if around in sys.modules:
        vars(sys.modules[around]).pop(last, None)


def _refuse_itself(sources: Sources) -> None:
    own = {sources.name}
    if sources.is_project:  # another module of that name, from somewhere, would be executed, and was never hashed
        own |= {path.partition("/")[0].removesuffix(".py") for path in sources.files if path.endswith(".py")}
    for path, content in sources.files.items():
        if path.endswith(".py"):
            for line, name in _imported(content, sources.place(path)):
                if any(f"{name}.".startswith(f"{one}.") for one in own):
                    raise PluginError(
                        f"{path}:{line}: imports {name} by its name, which is not what was read here; "
                        "use a relative import"
                    )


def _imported(content: bytes, place: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(content, place)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
