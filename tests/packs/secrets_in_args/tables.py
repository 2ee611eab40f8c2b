"""How many calls with a secret are blocked, and how many without."""

from collections.abc import Callable, Mapping

from tests.packs.secrets_in_args.made import harmless, hostile

from seamlaw_packs.secrets_in_args import SecretsInArgs
from seamlaw_spec.docs import table

__all__ = ["GENERATORS", "blocked"]


def blocked() -> dict[str, tuple[int, int]]:
    """Count, for each corpus, the calls and those that are blocked."""
    corpora = {"with a secret": [call for _, call in hostile()], "harmless": harmless()}
    pack = SecretsInArgs()
    return {name: (len(calls), sum(pack.judge(one) is not None for one in calls)) for name, calls in corpora.items()}


def _table() -> str:
    rows = [(name, str(of), str(n), str(of - n)) for name, (of, n) in blocked().items()]
    return table(("calls", "in all", "blocked", "allowed"), rows)


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-secrets": _table}
