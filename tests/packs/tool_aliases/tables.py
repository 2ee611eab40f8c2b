"""How many names of the corpora are blocked, and of which kinds."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.packs.corpora import by_kind, read

from seamlaw import TOOL_CALL, ToolCall, Verdict, decide
from seamlaw_packs.tool_aliases import ToolAliases

__all__ = ["GENERATORS", "PACK", "blocked", "corpus"]

PACK = ToolAliases({"bash": ["shell", "sh", "run_*command", "mcp__*__bash"], "read_file": "cat"})


def corpus(name: str) -> list[tuple[str, str]]:
    """The names of a corpus, each with its kind."""
    return [(kind, line["name"]) for kind, line in read(Path(__file__).parent / "corpus" / f"{name}.jsonl")]


def blocked(name: str) -> Counter[str]:
    """Count by kind what of a corpus is blocked."""
    calls = [(kind, ToolCall("1", tool, {})) for kind, tool in corpus(name)]
    decided = [(kind, decide(PACK.interceptors(), TOOL_CALL, call).verdict) for kind, call in calls]
    return Counter(kind for kind, verdict in decided if verdict is Verdict.BLOCK)


def _table() -> str:
    corpora = ("hostile", "harmless")
    return by_kind(
        ("names", "blocked"), [(one, [Counter(kind for kind, _ in corpus(one)), blocked(one)]) for one in corpora]
    )


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-names": _table}
