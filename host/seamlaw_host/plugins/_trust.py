"""Which packs of project folders a user trusts: by the hash of their content, in a file of the user's own.

The file is written as a whole or not at all. One that somebody else may write is not believed, nor is one that cannot
be read: then nothing can be loaded, rather than anything.
"""

import os
import stat
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from attrs import Factory, field, frozen

from .errors import PluginError

__all__ = ["TrustStore"]

LARGEST = 4 * 2**20
OTHERS = stat.S_IWGRP | stat.S_IWOTH
Trusted = dict[str, dict[str, Any]]


def _of_user() -> Path:
    given = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(given) if os.path.isabs(given) else Path("~/.config").expanduser()  # noqa: PTH117 - of text, perhaps empty
    return folder / "seamlaw" / "trusted-packs.json"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    schema: Literal["seamlaw/trusted-packs/1"]
    packs: Trusted


@frozen
class TrustStore:
    """The trusted contents, by hash; the file is `seamlaw/trusted-packs.json` in the user's configuration folder."""

    path: Path = field(default=Factory(_of_user), converter=Path)

    def trusts(self, digest: str) -> bool:
        """Whether exactly this content is trusted; raises `PluginError` for a file that cannot be believed."""
        return digest in self.read()

    def read(self) -> Trusted:
        """All that is trusted; raises `PluginError`."""
        try:
            with self.path.open("rb") as file:
                self._believable(os.fstat(file.fileno()), self.path)
                self._believable(self.path.resolve().parent.stat(), self.path.parent)
                raw = file.read(LARGEST + 1)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise PluginError(f"{self.path}: {error.strerror}") from error
        try:
            return msgspec.json.decode(raw, type=_File).packs
        except (ValueError, RecursionError) as error:
            raise PluginError(f"{self.path}: is no list of trusted packs; take it away, and trust them anew") from error

    def add(self, digest: str, about: Mapping[str, object]) -> None:
        """Trust a content; raises `PluginError`."""
        with self._changing() as packs:
            packs[digest] = dict(about)

    def remove(self, digest: str) -> bool:
        """Trust a content no more; tells whether it was trusted. Raises `PluginError`."""
        with self._changing() as packs:
            return packs.pop(digest, None) is not None

    @contextmanager
    def _changing(self) -> Generator[Trusted]:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _alone(self.path.with_suffix(".lock")):
                packs = self.read()
                yield packs
                self._write(packs)
        except OSError as error:
            raise PluginError(f"{error.filename or self.path}: {error.strerror}") from error

    def _write(self, packs: Trusted) -> None:
        target = self.path.resolve()  # a link to the file stays one
        made, temporary = tempfile.mkstemp(dir=target.parent, prefix=target.name)
        try:
            with os.fdopen(made, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(_File("seamlaw/trusted-packs/1", packs))))
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(target)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise

    def _believable(self, found: os.stat_result, what: Path) -> None:
        """Refuse a file, or a folder, that somebody else may write."""
        if hasattr(os, "getuid") and (found.st_uid not in (os.getuid(), 0) or found.st_mode & OTHERS):
            raise PluginError(f"{what}: somebody else may write it, so it is not believed; chmod go-w it")


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """Let one process at a time change the file."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        try:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX)
        except ImportError:  # Windows has none
            pass
        yield
    finally:
        os.close(fd)
