"""Check that the kernel is pure: what it imports can do nothing but compute, and it calls nothing that does.

The list says what is allowed, so that a module nobody thought of is refused. To add one is to claim that it
knows no clock, files, network, processes, threads, randomness, logging or environment.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ALLOWED = frozenset(
    "__future__ abc attr attrs collections collections.abc contextlib copy dataclasses difflib enum fnmatch "
    "functools hashlib inspect itertools json json.encoder math operator posixpath re seamlaw string "
    "struct types typing unicodedata".split()
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


def main() -> int:
    """Check the kernel of this checkout, or the folder that is named."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "kernel/seamlaw")
    found = violations(root)
    for line in found:
        print(line, file=sys.stderr)
    if found:
        print("The kernel only computes: what touches the world belongs to seamlaw_host.", file=sys.stderr)
        return 1
    files = sorted(root.rglob("*.py"))
    lines = sum(file.read_text("utf-8").count("\n") for file in files)
    print(f"{root} only computes: {len(files)} files, {lines} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
