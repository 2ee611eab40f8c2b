"""What a shipped function may name, store and loop over: checks of its bytecode and of its syntax.

The token runs compare what a loop does for a few lengths. That it does the same for every length rests on this: the
only thing carried from one turn to the next is what the loop stores, and it stores its own registers alone; the
iterated parameter is used once, in the `for`, so that nothing counts it or looks ahead.
"""

import ast
import dis
import inspect
from collections.abc import Callable, Iterator
from textwrap import dedent
from types import CodeType
from typing import Any, cast

from attrs import field, frozen

from seamlaw import Scope

from ._opaque import NotExtracted

__all__ = ["Form", "check"]

FORMS_ARE_IN = "seamlaw_spec.proofs.extraction._forms"
REGISTERS = ("STORE_FAST", "STORE_DEREF", "DELETE_FAST")
FORBIDDEN = ("STORE_", "DELETE_", "IMPORT_", "LOAD_BUILD_CLASS", "YIELD_FROM")
ANYWHERE = frozenset("Any R V cast InvalidInterceptor InvalidRule InvalidValue".split())  # types, and refusals
HARMLESS_DEFAULTS = (None, True, False, Scope())


def _words(given: str | frozenset[str]) -> frozenset[str]:
    return frozenset(given.split()) if isinstance(given, str) else given


@frozen
class Form:
    """All the names a function may say, and all the registers it may store.

    `over` is the parameter it iterates; `payload` are attributes, as `state.value`, that may only be handed to what is
    named in `to`; `closes_over` are the free variables it may read.
    """

    names: frozenset[str] = field(converter=_words)
    registers: frozenset[str] = field(converter=_words)
    over: str | None = None
    payload: frozenset[str] = field(converter=_words, default=frozenset())
    to: frozenset[str] = field(converter=_words, default=frozenset())
    closes_over: frozenset[str] = field(converter=_words, default=frozenset())


def check(name: str, function: Callable[..., Any], form: Form) -> None:
    """Raise `NotExtracted` where a function says, stores or does more than its form lets it."""
    for problem in _of_code(function, form):
        raise NotExtracted("bytecode check", name, f"{problem}; its form is in {FORMS_ARE_IN}")
    tree = ast.parse(dedent(inspect.getsource(function))).body[0]
    for problem in (*_of_loops(tree, form), *_of_payload(tree, form)):
        raise NotExtracted("lint", name, problem)


def _of_code(function: Any, form: Form) -> Iterator[str]:
    for code in _nested(function.__code__):
        yield from (f"says {said}" for said in sorted(set(code.co_names) - form.names - ANYWHERE))
        for step in dis.get_instructions(code):
            argument = cast(object, step.argval)
            stored = cast("tuple[object, ...]", argument) if isinstance(argument, tuple) else (argument,)
            if step.opname == "STORE_FAST_LOAD_FAST":  # two steps in one, from 3.13 on
                stored = stored[:1]
            if step.opname.startswith(REGISTERS):
                yield from (f"stores {one}" for one in stored if one not in form.registers and _is_stored(one))
            elif step.opname.startswith(FORBIDDEN):
                yield f"does {step.opname} {stored[0]}"
    yield from (f"closes over {name}" for name in sorted(set(function.__code__.co_freevars) - form.closes_over))
    given: Any = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    defaults = cast("tuple[object, ...]", given)
    yield from (f"has the default {type(one).__name__}" for one in defaults if one not in HARMLESS_DEFAULTS)


def _is_stored(name: object) -> bool:
    return isinstance(name, str) and not name.startswith(".")


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _of_loops(tree: ast.stmt, form: Form) -> Iterator[str]:
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
    if form.over is not None:
        uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == form.over]
        if len(uses) != 1 or not any(loop.iter is uses[0] for loop in loops):
            yield f"uses {form.over} otherwise than once, in a for"
    for loop in loops:
        inside = {id(node) for node in ast.walk(loop)}
        targets = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in targets and id(node) not in inside and not _bound(tree, node):
                yield f"reads {node.id} outside its loop"


def _bound(tree: ast.stmt, name: ast.Name) -> bool:
    """Whether a name stands in a comprehension that binds it anew."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
            targets = {one.id for g in node.generators for one in ast.walk(g.target) if isinstance(one, ast.Name)}
            if name.id in targets and any(one is name for one in ast.walk(node)):
                return True
    return False


def _of_payload(tree: ast.stmt, form: Form) -> Iterator[str]:
    if not form.payload:
        return
    handed = {id(one) for node in ast.walk(tree) if isinstance(node, ast.Call) for one in _handed(node, form)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in form.payload and id(node) not in handed:
            yield f"uses {ast.unparse(node)} otherwise than to hand it on"


def _handed(call: ast.Call, form: Form) -> Iterator[ast.expr]:
    """The arguments of a call that may take payloads, and the items of those that are tuples."""
    if ast.unparse(call.func) in form.to:
        waiting: list[ast.expr] = [*call.args, *(keyword.value for keyword in call.keywords)]
        while waiting:
            found = waiting.pop()
            yield found
            waiting += found.elts if isinstance(found, ast.Tuple) else []
            waiting += [found.value] if isinstance(found, ast.Starred) else []
