"""What a pack is to the host, and how one is found by its name."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Protocol

from attrs import frozen

from seamlaw import Interceptors, SeamlawError

from ._bundled import BUNDLED
from .errors import Misconfigured, PluginError

__all__ = [
    "GROUP",
    "MakesPack",
    "Manifest",
    "Pack",
    "find_pack",
    "manifest_of",
    "pack_names",
    "raised",
    "suggestion",
    "target_of",
]

GROUP = "seamlaw.packs"
MakesPack = Callable[..., object]


class Pack(Protocol):
    """A policy that can be used as it is: interceptors, beside a `name`, a `version` and a `description`, all texts."""

    def interceptors(self) -> Interceptors | None:
        """Everything that it answers with."""
        ...


@frozen
class Manifest:
    """What a pack says of itself; `intercept` is what it may do, or `None` where it does not say."""

    name: str
    version: str
    description: str
    intercept: object = None


def manifest_of(pack: object) -> Manifest:
    """Read what a pack, or its class, says of itself; raises `Misconfigured` for what is none."""
    try:  # a pack may find out what it is when it is asked: one in another process is started
        said = [getattr(pack, name, None) for name in ("name", "version", "description")]
        does, intercept = getattr(pack, "interceptors", None), getattr(pack, "intercept", None)
    except Exception as error:
        raise Misconfigured("", f"does not say what it is: {raised(error)}") from error
    if not all(isinstance(text, str) and text for text in said) or not callable(does):
        raise Misconfigured("", "is no pack: it needs a name, a version, a description and interceptors()")
    name, version, description = map(str, said)
    return Manifest(name, version, description, intercept)


def find_pack(name: str) -> MakesPack:
    """Find what makes a pack, by the name of its entry point; raises `PluginError`, with a suggestion."""
    module, _, attribute = target_of(name).partition(":")
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


def target_of(name: str) -> str:
    """The `module:name` of the pack that is called so; raises `PluginError`, with a suggestion."""
    target = BUNDLED.get(name) or _installed().get(name)
    if target is None:
        raise PluginError(f"no pack is called {name}; {suggestion(name, pack_names())}")
    return target


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
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} ({str(error.filename).rpartition('/')[2]}:{error.lineno})"
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f" at {trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    missing = f" ({error})" if isinstance(error, ImportError) else ""
    return f"{type(error).__name__}{missing}{place}"
