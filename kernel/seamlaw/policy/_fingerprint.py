"""What a callable depends on, as a hash: its code and every value bound to it.

Followed: code without comments, docstrings and places; constants, closures, defaults; the globals it loads, and of
modules among them the attributes it names; the state of objects it is bound to, and their classes. Code of the
standard library and of the kernel counts by name, and an object whose state cannot be read (a lock, a socket) by its
type. It is read from byte code, so it holds for one minor version of Python.
"""

import copyreg
import dis
import hashlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias, cast

__all__ = ["TooMuch", "fingerprint"]

Parts: TypeAlias = "tuple[str, Iterable[Any], bool]"  # a tag, what is inside, and whether its order counts
_STANDARD = types.__file__.replace("\\", "/").rpartition("/")[0] + "/"
_KERNEL = __file__.replace("\\", "/").rpartition("/policy/")[0] + "/"
_TOLD = {*dis.hasconst, *dis.hasname}
_LEAVES = (type(None), bool, int, float, complex, str, bytes, type(...))
_UNTOLD = {  # what a class keeps besides what it does
    "__dict__",
    "__weakref__",
    "__doc__",
    "__module__",
    "__annotations__",
    "__qualname__",
    "__slots__",
    "__firstlineno__",
    "__static_attributes__",
    "__annotate_func__",
    "__annotations_cache__",
}


class TooMuch(Exception):
    """More is reached than was to be followed."""


class _Done(dict[int, tuple[object, bytes]]):
    """What was hashed already, by its id; `most` things at the most."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __setitem__(self, key: int, value: tuple[object, bytes]) -> None:
        if len(self) >= self.most:
            raise TooMuch
        super().__setitem__(key, value)


def fingerprint(*things: object, most: int = sys.maxsize) -> str:
    """A SHA-256 over everything that these things depend on, as 64 hexadecimal digits.

    Raises `TooMuch` where that is more than `most` things.
    """
    return _hash(things, [], _Done(most)).hex()


def _hash(thing: Any, above: list[object], done: _Done) -> bytes:
    if id(thing) in done:
        return done[id(thing)][1]
    for height, other in enumerate(reversed(above)):
        if other is thing:
            return b"above %d" % height
    above.append(thing)
    tag, inside, ordered = _parts(thing)
    hashes = [_hash(part, above, done) for part in inside]
    above.pop()
    text = tag.encode("utf-8", "surrogatepass") + b"".join(hashes if ordered else sorted(hashes))
    found = hashlib.sha256(b"%d:%s" % (len(tag), text)).digest()
    done[id(thing)] = thing, found  # holding the thing keeps its id from being used again
    return found


def _parts(thing: Any) -> Parts:
    kind: type[Any] = _class_of(thing)
    if kind in _LEAVES:
        return f"{kind.__name__} {thing:x}" if kind is int else f"{kind.__name__} {thing!r}", (), True
    for container in (list, tuple, set, frozenset, dict):
        if issubclass(kind, container):
            items: list[Any] = list(thing.items() if container is dict else thing)
            more: list[Any] = [] if kind is container else [kind, getattr(thing, "__dict__", None), _reduced(thing)]
            return container.__name__, [*items, *more], container not in (set, frozenset)
    for leaf in (int, float, complex, str, bytes):
        if issubclass(kind, leaf):
            return f"{leaf.__name__} {leaf.__repr__(thing)}", (kind, getattr(thing, "__dict__", None)), True
    for read, parts in _READERS.items():
        if issubclass(kind, read):
            return parts(thing)
    return _object(thing)


def _class_of(thing: object) -> type[Any]:
    return type(thing)


def _standard(file: str) -> bool:
    """Whether a file of code is the standard library's or the kernel's."""
    inside = file.removeprefix(_STANDARD)
    shipped = inside != file and not inside.startswith(("site-packages", "dist-packages"))
    return shipped or file.startswith((_KERNEL, "<frozen ", "<attrs generated "))  # of attrs: its fields are read


def _file(module: types.ModuleType) -> str:
    """Where a module comes from; one without a file is built in, or made at run time."""
    built_in = module.__name__.partition(".")[0] in sys.stdlib_module_names
    return str(getattr(module, "__file__", None) or ("<frozen " if built_in else ""))


def _name(thing: Any) -> str:
    return f"{getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', type(thing).__qualname__)}"


def _code(code: types.CodeType) -> Parts:
    told = [
        (step.opname, step.argval if step.opcode in _TOLD else step.arg)  # local names do not count, constants do
        for step in dis.get_instructions(code)
        if step.opname != "EXTENDED_ARG"
    ]
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & 0x0F)
    return "code", (told, code.co_exceptiontable, shape), True


def _function(function: types.FunctionType) -> Parts:
    names = set(_names(function.__code__))
    cells = [_global(cell.cell_contents, names) for cell in function.__closure__ or () if _filled(cell)]
    bound = function.__defaults__, function.__kwdefaults__, cells, function.__dict__
    if _standard(function.__code__.co_filename):
        return f"function {_name(function)}", bound, True
    told = dict[str, object]()
    for name in sorted(set(_names(function.__code__, ("LOAD_GLOBAL", "LOAD_NAME"))) & function.__globals__.keys()):
        told[name] = _global(function.__globals__[name], names)
    return "function", (function.__code__, *bound, told), True


def _global(value: object, names: set[str], depth: int = 4) -> object:
    """A global, and of a module what may be asked of it by one of these names."""
    if not isinstance(value, types.ModuleType) or depth == 0 or _standard(_file(value)):
        return value
    inside = sorted(names & value.__dict__.keys())
    return value.__name__, {name: _global(value.__dict__[name], names, depth - 1) for name in inside}


def _filled(cell: types.CellType) -> bool:
    try:
        return (cell.cell_contents, True)[1]
    except ValueError:  # a variable not assigned yet
        return False


def _names(code: types.CodeType, by: tuple[str, ...] = ()) -> Iterator[str]:
    """The names that code and the code inside it uses, all or those used by certain instructions."""
    yield from (i.argval for i in dis.get_instructions(code) if i.opname in by) if by else code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant, by)


def _class(kind: type) -> Parts:
    home = sys.modules.get(kind.__module__)
    if home is not None and _standard(_file(home)):
        return f"class {_name(kind)}", (), True
    told = {name: value for name, value in sorted(kind.__dict__.items()) if name not in _UNTOLD}
    return f"class {kind.__qualname__}", (told, kind.__bases__), True


def _object(thing: Any) -> Parts:
    kind = _class_of(thing)
    slots = [_unmangled(base, name) for base in kind.__mro__ for name in _listed(base.__dict__.get("__slots__", ()))]
    state = {name: getattr(thing, name) for name in slots if name not in _UNTOLD and hasattr(thing, name)}
    state |= getattr(thing, "__dict__", None) or {}
    home = sys.modules.get(kind.__module__)
    hidden = not state or (home is not None and _standard(_file(home)))  # slots of the library's hold caches, too
    reduced = _reduced(thing) if hidden else None
    told = state if reduced is None else (state, reduced) if isinstance(reduced, str) else reduced
    return "object", (kind, told), True


def _reduced(thing: Any) -> object:
    """What pickling would keep, for objects that keep their state out of sight."""
    reducer: Any = cast(Any, copyreg).dispatch_table.get(type(thing))
    try:
        reduced: Any = reducer(thing) if reducer else thing.__reduce_ex__(2)
    except Exception:  # its state cannot be read
        return None
    if isinstance(reduced, str):
        return reduced
    return [*reduced[1:3], *map(list, (part or () for part in reduced[3:5]))]


def _unmangled(base: type, name: str) -> str:
    private = name.startswith("__") and not name.endswith("__")
    return f"_{base.__name__.lstrip('_')}{name}" if private else name


def _listed(slots: Any) -> Iterable[str]:
    return (slots,) if isinstance(slots, str) else slots


_READERS: dict[type, Callable[[Any], Parts]] = {
    types.CodeType: _code,
    types.FunctionType: _function,
    types.MethodType: lambda it: ("method", (it.__func__, it.__self__), True),
    types.ModuleType: lambda it: (f"module {it.__name__}", (), True),
    partial: lambda it: ("partial", (it.func, it.args, it.keywords), True),
    staticmethod: lambda it: ("staticmethod", (it.__func__,), True),
    classmethod: lambda it: ("classmethod", (it.__func__,), True),
    types.MappingProxyType: lambda it: ("mappingproxy", tuple(it.items()), True),
    property: lambda it: ("property", (it.fget,), True),
    type: _class,
}
