"""The files of vectors: where they are, and how they are written."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["FOLDER", "NAMES", "SCHEMA", "Document", "Vector", "as_text", "read"]

FOLDER = Path(__file__).parent
SCHEMA = "seamlaw.vectors/1"
NAMES = ("seams", "chains", "merge", "precedence", "policies", "conditions", "globs", "rules", "digests", "asks")
Vector: TypeAlias = dict[str, Any]
Document: TypeAlias = Mapping[str, Any]


def read(name: str, folder: Path = FOLDER) -> Document:
    """Read a file of vectors."""
    found: Document = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return found


def as_text(document: Document) -> str:
    """Write a file of vectors: a vector a line, so that a change can be read."""
    head = {key: value for key, value in document.items() if key != "vectors"}
    begun = json.dumps(head, sort_keys=True)[:-1]
    lines = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in document["vectors"])
    return f'{begun}, "vectors": [\n{lines}\n]}}\n'
