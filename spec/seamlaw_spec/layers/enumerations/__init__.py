"""What the laws range over, by size: every value up to a stated one.

`enumerate_for` finds the values for a parameter's annotation, as `seamlaw_spec.strategies.of` finds a strategy. A
module of this package registers the domains of its own types; all of them are loaded at the first look-up.
"""

from ._lookup import cases, enumerate_for, loaded, register

__all__ = ["cases", "enumerate_for", "loaded", "register"]
