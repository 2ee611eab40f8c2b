"""The four layers by name."""

from collections.abc import Sequence

from seamlaw_spec._law import MECHANISMS, Law

from ._evidence import Evidence

__all__ = ["LAYERS", "run_layer"]

LAYERS = tuple(MECHANISMS.values())


def run_layer(layer: str, laws: Sequence[Law], *, deep: bool = False) -> list[Evidence]:
    """Check laws by one layer; what a layer needs is imported only here."""
    match layer:
        case "tested":
            from . import tested

            return [tested.check(law, deep=deep) for law in laws]
        case "exhausted":
            from . import exhausted

            return [exhausted.check(law, deep=deep) for law in laws]
        case "confirmed":
            from . import confirmed

            return [confirmed.check(law, deep=deep) for law in laws]
        case "proved":
            from . import proved

            return proved.check_all(laws)
        case _:
            raise LookupError(f"no layer is called {layer}; the layers are {', '.join(LAYERS)}")
