"""Policies from code, named `module:name` or `file.py:name`: whatever stands there becomes a bundle."""

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from seamlaw import TOOL_CALL, Interceptor, Interceptors, Seam, SeamlawError, interceptor, merge
from seamlaw_spec.kit._seam_of import annotated_seam, seam_of
from seamlaw_spec.kit._subjects import hooks

from .errors import PolicyError

__all__ = ["load_object"]

TAKEN = (
    "Interceptors, something with interceptors(), a Policy, an interceptor, a rule, a list of these, "
    "a function of the call, or of nothing"
)
OURS = (__file__, importlib.__file__)


def load_object(source: str, *, here: bool = False) -> Interceptors:
    """Load what `module:name` or `file.py:name` names; with `here`, modules in the current folder are found."""
    where, _, name = source.rpartition(":")
    try:
        with _importable_from_here() if here else _as_it_is():
            found: Any = _module(where)
            for part in name.split("."):
                found = getattr(found, part)
            return _bundle(_made(found))
    except SeamlawError as error:
        raise PolicyError(source, str(error)) from error
    except (Exception, SystemExit) as error:  # an exit, of all things, must not look like an answer
        raise PolicyError(source, _told(error)) from error


def _module(where: str) -> ModuleType:
    return _of_file(Path(where)) if where.endswith(".py") else importlib.import_module(where)


def _of_file(path: Path) -> ModuleType:
    name = f"seamlaw_policy_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def _importable_from_here() -> Generator[None]:
    """Look in the current folder first while the policy is imported, and last when that is done.

    What is imported later, by Seamlaw itself perhaps, must not come from a folder that an agent may write in.
    """
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder in sys.path:  # the policy may have put it away
            sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)


@contextmanager
def _as_it_is() -> Generator[None]:
    yield


def _made(found: object) -> object:
    """Call what takes nothing, and take what it gives."""
    if isinstance(found, Interceptor | Interceptors) or not callable(found) or hasattr(found, "as_gate"):
        return found
    return cast("Callable[[], object]", found)() if _takes_nothing(found) else found


def _takes_nothing(found: Callable[..., object]) -> bool:
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)


def _bundle(found: Any) -> Interceptors:
    if isinstance(found, Interceptors):
        return found
    if isinstance(found, list | tuple):
        if not found:
            raise ValueError("an empty list, so everything would pass; if that is meant, give Interceptors()")
        return merge(*map(_bundle, cast("list[object]", found))) or Interceptors()
    if inspect.isclass(found):
        raise TypeError(f"the class {found.__name__} is no policy; it can be {TAKEN}")
    if hasattr(found, "as_gate"):
        gate: Interceptor = found.as_gate()
        return merge(*(_at(seam, gate) for seam in hooks(found))) or Interceptors()
    if hasattr(found, "as_interceptor"):
        return Interceptors(rules=(found,))
    if callable(getattr(found, "interceptors", None)):
        return _bundle(found.interceptors())
    if callable(found):
        made = found if isinstance(found, Interceptor) else interceptor(found)
        return _at(_seam(made), made)
    raise TypeError(f"{type(found).__name__} is no policy; it can be {TAKEN}")


def _at(seam: Seam[Any], made: Interceptor) -> Interceptors:
    at: dict[str, Any] = {seam.name: (made,)}
    return Interceptors(**at)


def _seam(made: Interceptor) -> Seam[Any]:
    """The seam that `seamlaw verify` finds; a guess does not take a gate away from the tool calls, but is refused."""
    found = seam_of(made)
    if found is TOOL_CALL or annotated_seam(made) is found:
        return found
    raise TypeError(
        f"{made.name} seems to be for {found.name}; say so by the type of its first parameter, "
        f"or by Interceptors({found.name}=[{made.name}])"
    )


def _told(error: BaseException) -> str:
    theirs = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in OURS]
    theirs = [frame for frame in theirs if not frame.filename.startswith("<")]
    place = f" ({Path(theirs[-1].filename).name}:{theirs[-1].lineno})" if theirs else ""
    return f"{type(error).__name__}: {error}{place}"
