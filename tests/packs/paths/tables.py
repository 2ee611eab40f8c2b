"""How many paths of the corpora are blocked, and of which kinds."""

from collections import Counter
from collections.abc import Callable, Mapping

from tests.packs.paths.tree import corpus, grown, read

from seamlaw_spec.docs import table

__all__ = ["GENERATORS", "blocked"]


def blocked() -> dict[tuple[str, str], Counter[str]]:
    """Count by kind, for each pack and corpus, what is blocked."""
    found = dict[tuple[str, str], Counter[str]]()
    with grown() as tree:
        for pack in (tree.sandbox(), tree.security()):
            for name in ("hostile", "harmless"):
                judged = [(kind, pack.judge(read(tree.made(path)))) for kind, path in corpus(name)]
                found[pack.name, name] = Counter(kind for kind, decision in judged if decision is not None)
    return found


def _table() -> str:
    counts, rows = blocked(), list[tuple[str, ...]]()
    for name in ("hostile", "harmless"):
        of = Counter(kind for kind, _ in corpus(name))
        both = [counts[pack, name] for pack in ("path_sandbox", "file_security")]
        rows += [(name, kind, str(of[kind]), *(str(one[kind]) for one in both)) for kind in of]
        rows.append((f"**{name}**", "**all**", *(f"**{one.total()}**" for one in (of, *both))))
    return table(("corpus", "kind", "paths", "blocked by `path_sandbox`", "by `file_security`"), rows)


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-paths": _table}
