"""Check that the kernel is pure: what it imports can do nothing but compute, and it calls nothing that does.

The list says what is allowed, so that a module nobody thought of is refused. To add one is to claim that it
knows no clock, files, network, processes, threads, randomness, logging or environment.
"""

import ast
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ALLOWED = frozenset(
    "__future__ abc attr attrs bisect collections collections.abc contextlib copy copyreg dataclasses difflib dis enum "
    "fnmatch functools hashlib inspect itertools json json.encoder math operator posixpath re seamlaw string "
    "struct sys types typing unicodedata".split()
)
REACHING_OUT = frozenset(
    "__import__ breakpoint compile eval exec exit globals input open print quit vars locals".split()
)


def violations(kernel: Path) -> list[str]:
    """Name every place under `kernel` that reaches out, as `file:line: what`."""
    return [
        f"{path.relative_to(kernel.parent)}:{line}: {what}"
        for path in sorted(kernel.rglob("*.py"))
        for line, what in _of_module(ast.parse(path.read_text("utf-8")))
    ]


def _of_module(module: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, f"imports {a.name}") for a in names if not _allowed(a.name))
            case ast.ImportFrom(level=0, module=str(name)) if not _allowed(name):
                yield node.lineno, f"imports {name}"
            case ast.Name(id=name) if name in REACHING_OUT:
                yield node.lineno, f"uses {name}()"
            case ast.Global(names=names):
                yield node.lineno, f"has the global variable {names[0]}"
            case _:
                pass


def _allowed(module: str) -> bool:
    return module in ALLOWED or module.startswith("seamlaw.")


def code_lines(path: Path) -> int:
    """Count the lines that hold code: not blank ones, comments or docstrings."""
    module = ast.parse(path.read_text("utf-8"))
    told: set[int] = set()
    for node in ast.walk(module):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            case _:
                pass
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    with path.open("rb") as file:
        tokens = [t for t in tokenize.tokenize(file.readline) if t.type not in (*skipped, tokenize.ENCODING)]
    return len({line for t in tokens for line in range(t.start[0], t.end[0] + 1)} - told)


def main() -> int:
    """Check the kernel of this checkout, or the folder that is named."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "kernel/seamlaw")
    found = violations(root)
    for line in found:
        print(line, file=sys.stderr)
    if found:
        print("The kernel only computes: what touches the world belongs to seamlaw_host.", file=sys.stderr)
        return 1
    parts = {part: sum(map(code_lines, part.glob("*.py"))) for part in (root, root / "values", root / "policy")}
    told = ", ".join(f"{part.name} {lines}" for part, lines in parts.items())
    print(f"{root} only computes; lines of code: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
