"""How many URLs and hosts of the corpora are blocked, and of which kinds."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.packs.corpora import by_kind, read

from seamlaw import ToolCall
from seamlaw_packs.network import Network

__all__ = ["GENERATORS", "LISTED", "OPEN", "blocked", "corpus", "fetch"]

CORPUS = Path(__file__).parent / "corpus"
LISTED = Network((CORPUS / "allow.txt").read_text("utf-8").split())
OPEN = Network(["*"])


def corpus(name: str) -> list[tuple[str, ToolCall]]:
    """The calls of a corpus, each with its kind."""
    return [(kind, fetch(**arguments)) for kind, arguments in read(CORPUS / f"{name}.jsonl")]


def fetch(**arguments: object) -> ToolCall:
    """A call of a tool that takes a URL; of another where it is given none."""
    return ToolCall("1", "fetch" if "url" in arguments else "connect", arguments)


def blocked(pack: Network, name: str) -> Counter[str]:
    """Count by kind what of a corpus is blocked."""
    return Counter(kind for kind, call in corpus(name) if pack.judge(call) is not None)


def _table() -> str:
    return by_kind(
        ("inputs", "blocked by a list", "blocked by `*`"),
        [
            (name, [Counter(kind for kind, _ in corpus(name)), blocked(LISTED, name), blocked(OPEN, name)])
            for name in ("hostile", "harmless")
        ],
    )


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-network": _table}
