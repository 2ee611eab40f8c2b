"""Load policies: the format is told by the name, and what is wrong is told with its place."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import evolve, frozen

from seamlaw import Interceptors, InvalidRule, merge, parse_rules

from ._document import Document, Unreadable
from ._json import read_json
from ._toml import read_toml
from ._yaml import read_yaml
from .errors import PolicyError

if TYPE_CHECKING:
    from ._packs import Packs

__all__ = ["Loaded", "load_policies", "load_policy", "read_policy"]

FORMATS: dict[str, Callable[[str], Document]] = {
    ".toml": read_toml,
    ".json": read_json,
    ".yaml": read_yaml,
    ".yml": read_yaml,
}
KEYS = ("rules", "packs")
LARGEST = 16 * 2**20  # bytes


@frozen
class Loaded:
    """A policy that was read: the packs it names, and what else decides."""

    packs: "Packs | None"
    host: Interceptors

    def plugins(self) -> Interceptors | None:
        """Make the packs anew; raises `PolicyError`."""
        return None if self.packs is None else self.packs.made()

    def bundle(self) -> Interceptors:
        """Make the packs anew, and merge: they stand before what else decides."""
        return merge(self.plugins(), self.host) or Interceptors()


def load_policy(source: str | Path, *, here: bool = False) -> Interceptors:
    """Load one policy: a file in TOML, JSON or YAML, or `module:name` or `file.py:name` for one in Python.

    A rule without a name is called by its file and line. The packs of a file stand before its rules. With `here`,
    modules in the current folder are found. Raises `PolicyError`; it never gives a bundle that lacks something of what
    is written.
    """
    return read_policy(source, here=here).bundle()


def load_policies(*sources: str | Path, here: bool = False) -> Interceptors:
    """Load several policies and merge them in order; the packs of all stand before what else is in any.

    No source undoes a block: nothing that another adds turns what a gate or a rule answers to a value into anything
    else. But gates and rules judge what runs: a rewriter, or a rule `default`, of any source changes the value that
    those of all sources are shown.
    """
    loaded = [read_policy(source, here=here) for source in sources]
    return merge(*(one.plugins() for one in loaded), *(one.host for one in loaded)) or Interceptors()


def read_policy(source: str | Path, *, here: bool = False) -> Loaded:
    """Read one policy, whose packs can then be made as often as somebody needs them with an empty memory."""
    name = str(source)
    read = FORMATS.get(Path(name).suffix.lower())
    if read is not None:
        return _of_file(name, read)
    if ":" in name:
        from ._objects import load_object  # which brings the kit along: a hook waits for what is imported

        return Loaded(None, load_object(name, here=here))
    raise PolicyError(name, f"no known kind of policy: a file named *{', *'.join(FORMATS)}, or module:name")


def _of_file(name: str, read: Callable[[str], Document]) -> Loaded:
    text = _text(name)
    try:
        document = read(text)
    except Unreadable as error:
        raise PolicyError(name, error.problem, line=error.line, place=error.place) from None
    except RecursionError:
        raise PolicyError(name, "nested too deeply") from None
    except ValueError:  # int() has a limit of its own
        raise PolicyError(name, "a number with too many digits") from None
    return Loaded(_packs(name, document), _bundle(name, document))


def _packs(name: str, document: Document) -> "Packs | None":
    data: object = document.data
    if not isinstance(data, dict) or "packs" not in data:
        return None
    from ._packs import packs_in  # as above: most files have none

    return packs_in(name, document)


def _text(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise PolicyError(name, error.strerror or type(error).__name__) from None
    if len(raw) > LARGEST:
        raise PolicyError(name, f"larger than {LARGEST} bytes")
    try:
        return raw.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise PolicyError(name, "not UTF-8", line=raw.count(b"\n", 0, error.start) + 1) from None


def _rules(data: Any) -> object:
    if not isinstance(data, dict) and data is not None:
        raise InvalidRule("", "must be a table with the keys rules and packs")
    given = cast("dict[object, object]", data or {})
    for key in given:
        if key not in KEYS:
            from difflib import get_close_matches

            close = get_close_matches(str(key), KEYS)
            hint = f"did you mean {close[0]}?" if close else f"there are {' and '.join(KEYS)}"
            raise InvalidRule(str(key), f"unknown key; {hint}")
    if "rules" not in given:
        if given.get("packs"):
            return []
        raise InvalidRule("", "no rules, so everything would pass; if that is meant, let rules be an empty list")
    if isinstance(given["rules"], dict):
        raise InvalidRule("rules", "must be a list of rules; in TOML each begins with [[rules]]")
    return given["rules"]


def _bundle(name: str, document: Document) -> Interceptors:
    try:
        rules = parse_rules(_rules(document.data))
    except InvalidRule as error:
        raise PolicyError(name, error.problem, line=document.line(error.place), place=error.place) from None
    file = Path(name).name
    lines = (document.line(f"rules[{index}]") for index in range(len(rules)))
    return Interceptors(
        rules=tuple(evolve(rule, place=f"{file}:{line}") for rule, line in zip(rules, lines, strict=True))
    )
