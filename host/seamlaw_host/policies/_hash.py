"""What decided, as a hash that stands in every record: the same until something that can change a decision changes."""

from seamlaw import SEAMS, Interceptor, Interceptors, rules_data
from seamlaw.policy import Rule
from seamlaw.policy._fingerprint import TooMuch, fingerprint

__all__ = ["hash_of"]

MOST = 20_000  # things; a policy of a hundred requirements reaches some three thousand, these take a fifth of a second


def hash_of(bundle: Interceptors | None) -> str:
    """A SHA-256 over the code, bound values, modes and filters of a bundle, and its rules; empty without any.

    A value that a function reads anew later is in it as it is now. Where the functions reach too much to follow
    (an application, say), it is taken of their names, modes and filters and of the rules, and begins with `names:`.
    """
    if bundle is None:
        return ""
    rules = rules_data(rule for rule in bundle.rules if isinstance(rule, Rule))
    try:
        return fingerprint(
            [(told, [one.function for one in given]) for told, given in _listed(bundle)], rules, most=MOST
        )
    except (TooMuch, RecursionError):
        return "names:" + fingerprint([told for told, _ in _listed(bundle)], rules)


def _listed(bundle: Interceptors) -> list[tuple[object, tuple[Interceptor, ...]]]:
    """Of each seam and of the handlers: what can be told of its interceptors without following them, and they."""
    every = [
        *((name, getattr(bundle, name)) for name in SEAMS),
        ("handlers", bundle.handlers),
        *((seam.name, given) for seam, given in bundle.seams),
    ]
    return [
        ((name, [(one.name, one.is_gate, one.tools.patterns, one.agents.patterns, one.closes) for one in given]), given)
        for name, given in every
    ]
