"""What the laws range over, for Hypothesis (`pip install 'seamlaw[verify]'`).

`of` finds the strategy for a parameter's annotation. A module of this package registers the strategies of its own
types; all of them are loaded at the first look-up.
"""

from ._lookup import given_for, of, register

__all__ = ["given_for", "of", "register"]
