"""Find what `module:name`, `file.py:name` or the name of a file of rules names."""

import importlib
import importlib.util
import json
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import frozen

from seamlaw import Interceptors, SeamlawError, parse_rules

from .errors import NotAPolicy

__all__ = ["Named", "find"]


@frozen
class Named:
    """What was found, what it is called, and the code that names it in a test."""

    found: object
    name: str
    code: str


def find(source: str) -> Named:
    """Find a policy by its name; modules in the current folder are found. Raises `NotAPolicy`."""
    try:
        return Named(_found(source), source, repr(source))
    except NotAPolicy:
        raise
    except (Exception, SystemExit) as error:
        told = str(error) if isinstance(error, SeamlawError) else f"{type(error).__name__}: {error}"
        raise NotAPolicy(source, told) from error


def _found(source: str) -> object:
    read = READERS.get(Path(source).suffix.lower())
    if read is not None:
        return Interceptors(rules=parse_rules(read(Path(source).read_text("utf-8"))))
    where, colon, name = source.rpartition(":")
    if not colon:
        raise NotAPolicy(source, f"no known kind of policy: a file named *{', *'.join(READERS)}, or module:name")
    found: Any = _of_file(Path(where)) if where.endswith(".py") else _module(where)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _module(name: str) -> ModuleType:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def _of_file(path: Path) -> ModuleType:
    name = f"seamlaw_policy_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that has a key twice: of two rules that differ, one would be lost."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("an object has a key twice")
    return dict(pairs)


def _yaml(text: str) -> Any:
    """Read YAML 1.2: a key twice is refused by the reader, and what is no JSON by the rules."""
    try:
        from ruamel.yaml import YAML
    except ModuleNotFoundError:
        raise ValueError("YAML needs an extra: pip install 'seamlaw[yaml]'") from None
    reader: Any = YAML(typ="safe", pure=True)
    return reader.load(text)


READERS: Mapping[str, Callable[[str], Any]] = {
    ".toml": tomllib.loads,
    ".json": lambda text: json.loads(text, object_pairs_hook=_once),
    ".yaml": _yaml,
    ".yml": _yaml,
}
