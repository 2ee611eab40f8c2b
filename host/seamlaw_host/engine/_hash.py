"""What decided, as a hash that stands in every record: the same until something that can change a decision changes."""

from seamlaw import SEAMS, Interceptors, rules_data
from seamlaw.policy import Rule
from seamlaw.policy._fingerprint import fingerprint

__all__ = ["hash_of"]


def hash_of(bundle: Interceptors | None) -> str:
    """A SHA-256 over the code, bound values, modes and filters of a bundle, and its rules; empty without any.

    Taken when the engine is made: a value that a function reads anew later is in it as it was then.
    """
    if bundle is None:
        return ""
    return fingerprint(
        [
            (name, [(one.function, one.is_gate, one.tools.patterns, one.agents.patterns, one.closes) for one in given])
            for name, given in [
                *((name, getattr(bundle, name)) for name in SEAMS),
                ("handlers", bundle.handlers),
                *((seam.name, given) for seam, given in bundle.seams),
            ]
        ],
        rules_data(rule for rule in bundle.rules if isinstance(rule, Rule)),
    )
