"""What one layer found out about one law."""

import re

from attrs import frozen

__all__ = ["Evidence"]


@frozen
class Evidence:
    """A law, how it was checked, and what came of it.

    `count` tells how many of `unit` (examples, cases, paths, obligations) were looked at, `bound` which there are at
    most. What does not hold says why in `problem`, with a counterexample as code where there is one. A proof says
    what it leaves `unsaid`, and what is `trusted`.
    """

    law: str
    mechanism: str
    holds: bool
    count: int = 0
    unit: str = ""
    bound: str = ""
    seconds: float = 0.0
    problem: str = ""
    counterexample: str = ""
    unsaid: str = ""
    trusted: str = ""

    @property
    def size(self) -> str:
        """The size up to which there are cases or paths; empty where there is no such bound."""
        found = re.match(r"size <= (\d+)", self.bound)
        return found[1] if found else ""

    @property
    def told(self) -> str:
        """The verdict in words that claim no more than was checked."""
        if not self.holds:
            return f"not {self.mechanism}"
        return f"{self.mechanism} ({self.count:,} {self.unit}{f', {self.bound}' if self.bound else ''})"
