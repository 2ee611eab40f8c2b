"""How many commands of the corpora are blocked, by the pack as it is and by one that may only read."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from seamlaw import ToolCall
from seamlaw_packs.shell import READING, Shell
from seamlaw_spec.docs import table

__all__ = ["AS_IT_IS", "GENERATORS", "READER", "blocked", "hostile", "lines"]

CORPUS = Path(__file__).parent / "corpus"
AS_IT_IS = Shell()
READER = Shell(allow=READING, writable=())


def lines(file: str, key: str) -> list[str]:
    """The lines of one list of a corpus."""
    found: list[str] = tomllib.loads((CORPUS / f"{file}.toml").read_text("utf-8"))[key]
    return found


def hostile() -> list[str]:
    """What the pack must stop as it is: the lines, the attacks, and each core in each frame."""
    framed = [frame.replace("@", core) for frame in lines("hostile", "frames") for core in lines("hostile", "cores")]
    return [*lines("hostile", "lines"), *lines("hostile", "attacks"), *framed]


def blocked(pack: Shell, commands: list[str]) -> list[str]:
    """Those of the commands that a pack stops."""
    return [one for one in commands if pack.judge(ToolCall("1", "bash", {"command": one})) is not None]


def _table() -> str:
    rows = (
        ("as it is", "hostile", AS_IT_IS, hostile()),
        ("as it is", "harmless", AS_IT_IS, lines("harmless", "work")),
        ("as it is", "known to be blocked wrongly", AS_IT_IS, lines("mistaken", "blocked")),
        ("as it is", "known to be passed wrongly", AS_IT_IS, lines("mistaken", "passed")),
        ("only reading", "hostile", READER, [*hostile(), *lines("hostile", "outside")]),
        ("only reading", "harmless", READER, lines("harmless", "reading")),
    )
    counted = ((name, corpus, len(given), len(blocked(pack, given))) for name, corpus, pack, given in rows)
    head = ("pack", "corpus", "commands", "blocked", "passed")
    return table(head, ((name, corpus, str(of), str(n), str(of - n)) for name, corpus, of, n in counted))


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-shell": _table}
