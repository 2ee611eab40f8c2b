"""How many URLs and hosts of the corpora are blocked, and of which kinds."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from seamlaw import ToolCall
from seamlaw_packs.network import Network
from seamlaw_spec.docs import table

__all__ = ["GENERATORS", "LISTED", "OPEN", "blocked", "corpus", "fetch"]

CORPUS = Path(__file__).parent / "corpus"
LISTED = Network((CORPUS / "allow.txt").read_text("utf-8").split())
OPEN = Network(["*"])


def corpus(name: str) -> list[tuple[str, ToolCall]]:
    """The calls of a corpus, each with its kind."""
    lines = (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [(kind, fetch(**arguments)) for kind, arguments in map(_read, lines)]


def _read(line: str) -> tuple[str, dict[str, object]]:
    read: dict[str, object] = json.loads(line)
    return str(read.pop("kind")), read


def fetch(**arguments: object) -> ToolCall:
    """A call of a tool that takes a URL; of another where it is given a host."""
    return ToolCall("1", "fetch" if "url" in arguments else "connect", arguments)


def blocked(pack: Network, name: str) -> Counter[str]:
    """Count by kind what of a corpus is blocked."""
    return Counter(kind for kind, call in corpus(name) if pack.judge(call) is not None)


def _table() -> str:
    rows = list[tuple[str, ...]]()
    for name in ("hostile", "harmless"):
        of = Counter(kind for kind, _ in corpus(name))
        both = [blocked(pack, name) for pack in (LISTED, OPEN)]
        rows += [(name, kind, *(str(one[kind]) for one in (of, *both))) for kind in of]
        rows.append((f"**{name}**", "**all**", *(f"**{one.total()}**" for one in (of, *both))))
    return table(("corpus", "kind", "inputs", "blocked by a list", "blocked by `*`"), rows)


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-network": _table}
