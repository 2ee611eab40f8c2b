"""Written waivers: where the book marks a mechanism that cannot be had, and why.

A law without a mechanism that its row marks fails the run, unless the reason stands here.
"""

from attrs import frozen

__all__ = ["WAIVERS", "Waiver"]


@frozen
class Waiver:
    """A law, the mechanism that it lacks, and the reason."""

    law: str
    mechanism: str
    reason: str


WAIVERS: tuple[Waiver, ...] = ()
