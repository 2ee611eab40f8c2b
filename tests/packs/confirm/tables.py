"""About how many texts of the corpora a person is asked, and of which kinds."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.packs.corpora import by_kind, read

from seamlaw import ToolCall
from seamlaw_packs.confirm import Confirm

__all__ = ["GENERATORS", "asked", "corpus"]

PACK = Confirm(
    {
        "removes files": r"rm\s+-r",
        "rewrites history": r"push\s.*--force",
        "drops a table": r"(drop|DROP)\s+(table|TABLE)",
        "makes a file system": "mkfs",
        "reads a key": r"\.ssh/id_",
        "runs what is fetched": r"curl\s.*\|.*sh",
    }
)


def corpus(name: str) -> list[tuple[str, str]]:
    """The texts of a corpus, each with its kind."""
    return [(kind, line["text"]) for kind, line in read(Path(__file__).parent / "corpus" / f"{name}.jsonl")]


def asked(name: str) -> Counter[str]:
    """Count by kind what of a corpus is asked about."""
    calls = [(kind, ToolCall("1", "bash", {"command": text})) for kind, text in corpus(name)]
    return Counter(kind for kind, call in calls if PACK.judge(call) is not None)


def _table() -> str:
    corpora = ("hostile", "harmless")
    return by_kind(
        ("texts", "asked about"), [(one, [Counter(kind for kind, _ in corpus(one)), asked(one)]) for one in corpora]
    )


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-texts": _table}
