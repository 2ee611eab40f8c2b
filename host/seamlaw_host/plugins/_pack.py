"""What a pack is to the host, and how one is found by its name."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from seamlaw import Interceptors, SeamlawError

from ._bundled import BUNDLED
from .errors import PluginError

__all__ = ["GROUP", "MakesPack", "Pack", "find_pack", "pack_names", "raised", "suggestion"]

GROUP = "seamlaw.packs"
MakesPack = Callable[..., object]


@runtime_checkable
class Pack(Protocol):
    """A policy that can be used as it is: a name, a version, a description, and interceptors."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def version(self) -> str:
        """Its version."""
        ...

    @property
    def description(self) -> str:
        """What it does, in a sentence."""
        ...

    def interceptors(self) -> Interceptors | None:
        """Everything that it answers with."""
        ...


def find_pack(name: str) -> MakesPack:
    """Find what makes a pack, by the name of its entry point; raises `PluginError`, with a suggestion."""
    target = BUNDLED.get(name) or _installed().get(name)
    if target is None:
        raise PluginError(f"no pack is called {name}; {suggestion(name, pack_names())}")
    module, _, attribute = target.partition(":")
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise PluginError(f"the pack {name} cannot be imported: {raised(error)}") from error
    if not callable(found):
        raise PluginError(f"the pack {name} is no class, nor a function that makes a pack")
    makes: MakesPack = found
    return makes


def pack_names() -> list[str]:
    """The names of all packs that are installed, in order."""
    return sorted({*BUNDLED, *_installed()})


def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {found.name: found.value for found in entry_points(group=GROUP)}


def suggestion(given: str, known: Iterable[str]) -> str:
    """Say what may have been meant, or what there is."""
    names = list(known)
    close = get_close_matches(given, names, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(names) or 'none'}"


def raised(error: BaseException) -> str:
    """Tell an exception: its text where it is ours, else its kind and place, for its text may quote a secret."""
    if isinstance(error, SeamlawError):
        return str(error)
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f" at {trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    missing = f" ({error})" if isinstance(error, ImportError) else ""
    return f"{type(error).__name__}{missing}{place}"
