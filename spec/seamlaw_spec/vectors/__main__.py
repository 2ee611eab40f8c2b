"""Make the vectors anew, and say what differs from the files: `python -m seamlaw_spec.vectors [--write]`."""

import sys

from ._files import FOLDER, as_text
from ._make import documents


def main(*, write: bool) -> int:
    """Write the files that are stale, or say which they are: 1 if there is one."""
    stale = 0
    for name, document in documents().items():
        file, text = FOLDER / f"{name}.json", as_text(document)
        if file.exists() and file.read_text("utf-8") == text:
            continue
        if write:
            file.write_text(text, "utf-8")
        else:
            stale = 1
        sys.stdout.write(f"{name}: {'written' if write else 'stale; --write makes it anew'}\n")
    return stale


if __name__ == "__main__":
    sys.exit(main(write="--write" in sys.argv[1:]))
