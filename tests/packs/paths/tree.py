"""A folder to play in, with links that lead out of it, and the corpora of paths to try there."""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from seamlaw import ToolCall
from seamlaw_packs.file_security import FileSecurity
from seamlaw_packs.path_sandbox import PathSandbox

CORPUS = Path(__file__).with_name("corpus")
LINKS = {
    "link-in": "src",
    "link-to-file": "src/app.py",
    "link-deep": "deep/a/b/c",
    "link-new": "src/not-there-yet",
    "link-chain": "link-in",
    "link-dot": ".",
    "link-abs-in": "{ws}/src",
    "deep/link-in": "../src",
    "link-out": "../outside",
    "link-abs": "{out}",
    "link-etc": "/etc",
    "link-home": "../home",
    "link-proc": "/proc",
    "file-out": "../outside/key",
    "dangling": "../outside/not-there-yet",
    "chain": "link-out",
    "loop": "loop",
    "up": "..",
    "deep/link-out": "../../outside",
    "deep/a/link-up": "../../..",
}


@frozen
class Tree:
    """Where everything is; `made` puts that into the text of a path."""

    top: Path

    @property
    def ws(self) -> str:
        """The folder in which tools may work."""
        return str(self.top / "ws")

    def made(self, text: str) -> str:
        """Put the places of this tree into a path of the corpus, or into what a link says."""
        places = {"{ws}": self.ws, "{out}": str(self.top / "outside"), "{t}": str(self.top)}
        for name, place in places.items():
            text = text.replace(name, place)
        return text

    def sandbox(self) -> PathSandbox:
        """Confine to the folder."""
        return PathSandbox([self.ws], base=self.ws)

    def security(self) -> FileSecurity:
        """Block what lies around the folder by its names."""
        around = [str(self.top / name) for name in ("outside", "ws-secrets", "ws2", "home")]
        return FileSecurity([*around, "/etc", "/proc", "/dev", "/root"], base=self.ws)


@contextmanager
def grown() -> Generator[Tree]:
    """Make the folder, and the home and the variables that the corpora speak of."""
    with TemporaryDirectory() as folder:
        yield from _grown(Tree(Path(folder).resolve() / "t"))


def _grown(tree: Tree) -> Generator[Tree]:
    for folder in ("ws/src", "ws/docs", "ws/deep/a/b/c", "outside", "ws-secrets", "ws2", "home/.ssh"):
        (tree.top / folder).mkdir(parents=True)
    for file in ("ws/src/app.py", "ws/README.md", "outside/key", "ws-secrets/key", "home/.ssh/id_rsa"):
        (tree.top / file).touch()
    for name, target in LINKS.items():
        (tree.top / "ws" / name).symlink_to(tree.made(target))
    before = dict(os.environ)
    os.environ |= {"HOME": str(tree.top / "home"), "SEAMLAW_OUT": str(tree.top / "outside"), "SEAMLAW_UP": ".."}
    os.environ.pop("SEAMLAW_UNSET", None)
    try:
        yield tree
    finally:
        os.environ.clear()
        os.environ |= before


def corpus(name: str) -> list[tuple[str, str]]:
    """Read a corpus: the kind of each path, and the path."""
    lines = (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [(line["kind"], line["path"]) for line in map(json.loads, lines)]


def read(path: object) -> ToolCall:
    """Make a call that reads a file."""
    return ToolCall("1", "read_file", {"path": path})
