"""Mutants of the kernel: one small change each, made on the syntax tree of a module.

A mutant is named by its module, the function it is in, what was done, and the text it was done to; so that its name
stays the same when lines move. The kinds of change are in `OPERATORS`.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias, TypeVar, cast

from attrs import frozen

import seamlaw

__all__ = ["KERNEL", "MODULES", "Mutant", "Site", "compiled", "function_hashes", "mutants_of", "path_of", "site_of"]

A = TypeVar("A", bound=ast.AST)
KERNEL = Path(seamlaw.__file__).parent
MODULES = tuple(
    "seamlaw." + str(path.relative_to(KERNEL).with_suffix("")).replace("/", ".")
    for path in sorted(KERNEL.rglob("_*.py"))
    if path.name != "__init__.py"
)
Change: TypeAlias = tuple[str, ast.AST, Callable[[], ast.AST | None]]  # operator, node, what stands in its place

_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}


@frozen
class Mutant:
    """One small change: where it is, what it does, and to which text; `number` tells equal ones apart."""

    module: str
    function: str
    operator: str
    text: str
    number: int

    @property
    def key(self) -> str:
        """Its name."""
        again = f" #{self.number}" if self.number else ""
        return f"{self.module} {self.function}: {self.operator}: {self.text}{again}"


@frozen
class Site:
    """Where a mutant is: its lines, those of its function, and whether it runs already when the module is loaded."""

    lines: range
    function: range
    at_import: bool


def path_of(module: str) -> Path:
    """The file of a module of the kernel."""
    return KERNEL.joinpath(*module.split(".")[1:]).with_suffix(".py")


def mutants_of(module: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its text."""
    return list(_sites(module))


def site_of(mutant: Mutant) -> Site:
    """Where a mutant is; raises `KeyError` for one that is not there."""
    return _sites(mutant.module)[mutant]


@cache
def _sites(module: str) -> dict[Mutant, Site]:
    tree = _tree(module)
    roots = list(_functions(tree))
    called = {id(node) for _, root in roots for part in _bodies(root) for node in ast.walk(part)}
    return {
        found: Site(_lines(node), _lines(root), id(node) not in called) for found, root, node, _ in _found(tree, module)
    }


def _bodies(root: ast.AST) -> Iterator[ast.AST]:
    """What runs only when a function is called, and is called each time."""
    for node in ast.walk(root):
        match node:
            case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body) if not _is_cached(node):
                yield from body
            case ast.Lambda(body=body):
                yield body
            case _:
                pass


def _is_cached(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("cache" in ast.unparse(one) for one in function.decorator_list)


def _lines(node: ast.AST) -> range:
    placed: Any = node.pattern if isinstance(node, ast.match_case) else node
    return range(placed.lineno, placed.end_lineno + 1)


def compiled(mutant: Mutant) -> CodeType:
    """The module with the change made; raises `LookupError` for a mutant that is not there."""
    tree = _tree(mutant.module)
    for found, _, node, change in _found(tree, mutant.module):
        if found == mutant:
            changed = ast.fix_missing_locations(cast(ast.Module, _Replace(node, change()).visit(tree)))
            return compile(changed, str(path_of(mutant.module)), "exec")
    raise LookupError(f"no such mutant: {mutant.key}")


def function_hashes(module: str) -> dict[str, str]:
    """A hash for each function (and the rest) of a module: where none differs, the mutants are the same."""
    parts: dict[str, list[str]] = {}
    for name, node in _functions(_tree(module)):
        parts.setdefault(name, []).append(ast.unparse(node))
    return {name: sha256("\n".join(texts).encode()).hexdigest()[:12] for name, texts in parts.items()}


def _tree(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text("utf-8"))


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """The statements outside of functions as one, then each function and method by its name."""

    def walk(body: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
        for statement in body:
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    if not _is_overload(statement):
                        yield prefix + statement.name, statement
                case ast.ClassDef():
                    yield from walk(statement.body, f"{prefix}{statement.name}.")
                case ast.Import() | ast.ImportFrom():
                    pass
                case ast.Expr(value=ast.Constant()):
                    pass
                case _ if _is_type(statement):
                    pass
                case _:
                    yield (prefix + "table" if prefix else "table"), statement

    yield from walk(tree.body, "")


def _is_overload(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in function.decorator_list)


def _is_type(statement: ast.stmt) -> bool:
    """Names for type checkers: `__all__`, type variables, aliases."""
    match statement:
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]) | ast.AugAssign(target=ast.Name(id="__all__")):
            return True
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")) | ast.AnnAssign(value=None):
            return True
        case _:
            return False


def _found(tree: ast.Module, module: str) -> Iterator[tuple[Mutant, ast.AST, ast.AST, Callable[[], ast.AST | None]]]:
    seen: Counter[tuple[str, str, str]] = Counter()
    for function, root in _functions(tree):
        for operator, node, change in _changes(root):
            text = ast.unparse(node)
            named = function, operator, text
            yield Mutant(module, function, operator, text, seen[named]), root, node, change
            seen[named] += 1


def _changes(root: ast.AST) -> Iterator[Change]:
    for node in _walk(root):
        yield from _of(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes that run: no annotations, no type of a `cast`, no docstrings, no words of an error, no decorators."""
    yield node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
        yield from _walk(node.args[1])
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in cast("list[object]", value) if isinstance(value, list) else [value]:
            match child:
                case ast.Raise() | ast.JoinedStr() | ast.Expr(value=ast.Constant()) | ast.FunctionDef() if (
                    child is not node
                ):
                    if isinstance(child, ast.Raise):
                        yield child
                    elif isinstance(child, ast.FunctionDef):
                        yield from _walk(child)
                case ast.AST():
                    yield from _walk(child)
                case _:
                    pass


def _of(node: ast.AST) -> Iterator[Change]:
    for changes in (_of_expression, _of_statement, _of_parts):
        yield from changes(node)


def _of_expression(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                yield f"swap {type(op).__name__}", node, partial(_with_op, node, index)
        case ast.BoolOp(op=op, values=values):
            yield "and for or", node, partial(ast.BoolOp, ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "without not", node, lambda: operand
        case ast.Constant(value=bool() as value):
            yield "the other truth", node, lambda: ast.Constant(not value)
        case ast.Constant(value=int() | float() as number):
            yield "one more", node, lambda: ast.Constant(number + 1)
        case ast.Constant(value=str() as text):
            yield "another text", node, lambda: ast.Constant(text + "!")
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=ast.Constant() as right):
            other = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
            yield "minus for plus", node, lambda: ast.BinOp(left, other, right)
        case _:
            pass


def _of_statement(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Return(value=ast.Constant(value=None)):
            pass
        case ast.Return(value=ast.AST()):
            yield "return None", node, lambda: ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.AugAssign():
            yield "leave out", node, ast.Pass
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not isinstance(test, ast.Compare | ast.UnaryOp):
                yield "negate", test, lambda: ast.UnaryOp(ast.Not(), copy.deepcopy(test))
        case ast.Continue():
            yield "break", node, ast.Break
        case ast.Break():
            yield "continue", node, ast.Continue
        case ast.match_case(pattern=pattern, guard=ast.AST(), body=body):
            yield "without guard", node, lambda: ast.match_case(pattern, None, body)
        case _:
            pass


def _of_parts(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.BoolOp(op=op, values=values):
            for index, rest in _without_one(values):
                yield f"without part {index}", node, partial(_one_or, partial(ast.BoolOp, op), rest)
        case ast.MatchOr(patterns=patterns):
            for index, fewer in _without_one(patterns):
                yield f"without part {index}", node, partial(_one_or, ast.MatchOr, fewer)
        case ast.Tuple(elts=parts, ctx=ast.Load()) if any(isinstance(part, ast.Starred) for part in parts):
            for index, rest in _without_one(parts):
                yield f"without part {index}", node, partial(ast.Tuple, rest, ast.Load())
        case ast.Dict(keys=keys, values=values):
            for index, value in enumerate(values):
                others = [v for v in values[index + 1 :] + values if ast.dump(v) != ast.dump(value)]
                if others:
                    changed = [*values[:index], others[0], *values[index + 1 :]]
                    yield f"another entry {index}", node, partial(ast.Dict, keys, changed)
        case _:
            pass


def _without_one(parts: list[A]) -> Iterator[tuple[int, list[A]]]:
    return ((index, [*parts[:index], *parts[index + 1 :]]) for index in range(len(parts)))


def _one_or(made: Callable[[list[A]], ast.AST], parts: list[A]) -> ast.AST:
    return parts[0] if len(parts) == 1 else made(parts)


def _with_op(node: ast.Compare, at: int) -> ast.Compare:
    ops = [_SWAPPED[type(op)]() if index == at else op for index, op in enumerate(node.ops)]
    return ast.Compare(node.left, ops, node.comparators)


class _Replace(ast.NodeTransformer):
    def __init__(self, node: ast.AST, other: ast.AST | None) -> None:
        self.node, self.other = node, other

    def visit(self, node: ast.AST) -> ast.AST | None:
        """Put the other node in the place of the one."""
        return self.other if node is self.node else self.generic_visit(node)
