"""How many values with a secret come out without it, and how many without one come out as they were."""

from collections.abc import Callable, Mapping

from tests.packs.redactor.made import Made, harmless, holds, hostile

from seamlaw import ProviderRequest
from seamlaw_packs.redactor import RedactorPack
from seamlaw_spec.docs import table

__all__ = ["GENERATORS", "counted", "redacted"]


def redacted(pack: RedactorPack, value: Made) -> Made:
    """Give what a pack makes of a value; the same object where it says nothing."""
    said = pack.request(value) if isinstance(value, ProviderRequest) else pack.result(value)
    made: Made = value if said is None else said.value
    return made


def counted() -> dict[str, tuple[int, int, int]]:
    """Count, for each corpus, the values, those that stay as they are, and those in which a secret is left."""
    pack = RedactorPack()
    secret = [(value, redacted(pack, value), token) for token, value in hostile()]
    plain = [(value, redacted(pack, value)) for value in harmless()]
    return {
        "with a secret": (
            len(secret),
            sum(made is value for value, made, _ in secret),
            sum(holds(made, token) for _, made, token in secret),
        ),
        "harmless": (len(plain), sum(made is value for value, made in plain), 0),
    }


def _table() -> str:
    rows = [(name, str(of), str(of - same), str(same), str(left)) for name, (of, same, left) in counted().items()]
    return table(("requests and results", "in all", "redacted", "the same object", "with a secret left"), rows)


GENERATORS: Mapping[str, Callable[[], str]] = {"packs-redactor": _table}
