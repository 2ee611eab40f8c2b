"""What a forked child does with what it inherited: its copies are not its own to write."""

import os
from typing import Protocol
from weakref import WeakSet

__all__ = ["tell_when_forked"]


class Forkable(Protocol):
    """What wants to know that it is a copy, in a child process now."""

    def forked(self) -> None:
        """Let go of what belongs to the parent."""
        ...


_TOLD: "WeakSet[Forkable]" = WeakSet()


def tell_when_forked(told: Forkable) -> None:
    """Have `forked` called in each child process that inherits this object."""
    _TOLD.add(told)


def _forked() -> None:
    for told in list(_TOLD):
        told.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
