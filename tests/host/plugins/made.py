"""Packs that are written to a file and imported, so that their source can be edited."""

import importlib
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

__all__ = ["Written"]

NUMBERS = count()


class Written:
    """A module of this test alone, with what it holds now."""

    def __init__(self, folder: Path, text: str) -> None:
        self.name = f"written_pack_{next(NUMBERS)}_{folder.name}"
        self.path = folder / f"{self.name}.py"
        self.write(text)
        sys.path.insert(0, str(folder))
        importlib.invalidate_caches()
        try:
            self.module: Any = importlib.import_module(self.name)
        finally:
            sys.path.remove(str(folder))

    def write(self, text: str) -> None:
        """Edit the source."""
        self.path.write_text(text, "utf-8")


Write = Callable[[str], Written]
