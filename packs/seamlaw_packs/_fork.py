"""What a forked child does with the counts it has a copy of."""

import os
from typing import Protocol
from weakref import WeakSet

from ._hidden import Hidden

__all__ = ["tell_when_forked"]


class Forkable(Protocol):
    """What wants to know that it is a copy, in a child process now."""

    def forked(self) -> None:
        """Stop counting, or begin anew."""
        ...


_TOLD: "Hidden[WeakSet[Forkable]]" = Hidden(WeakSet())


def tell_when_forked(told: Forkable) -> None:
    """Have `forked` called in each child process that inherits this object."""
    _TOLD.value.add(told)


def _forked() -> None:
    for told in list(_TOLD.value):
        told.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
