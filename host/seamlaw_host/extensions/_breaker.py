"""When an extension that fails is tried again: restarts wait longer each time, and after some nothing is asked at all.

    closed  -- as many failures in a row as are allowed --> open
    open    -- its pause is over, and a request comes: that one is let through --> still open, for another pause
    open    -- a good answer --> closed;   a failure --> open, for twice as long

Only answers close it: a process that starts well and then says nothing stays where it is.
"""

from attrs import define

__all__ = ["Breaker"]

FIRST_S, LONGEST_S = 0.1, 60.0  # before the second restart in a row; before any
FAR = 16  # doublings; more would be no number


@define
class Breaker:
    """Counts failures in a row; times are of a monotonic clock."""

    allowed: int
    pause_s: float
    failures: int = 0
    opened: int = 0  # times in a row
    until: float = 0.0  # while open: when the next request is let through
    not_before: float = 0.0  # of a restart

    def admits(self, now: float) -> bool:
        """Whether a request may be made; of those that come while it is open, one in each pause."""
        due = self.is_due(now)
        if due and self.opened:
            self.until = now + self._pause
        return due

    def is_due(self, now: float) -> bool:
        """Whether a request would be let through."""
        return not self.opened or now >= self.until

    def succeeded(self) -> None:
        """Take a good answer."""
        self.failures = self.opened = 0
        self.not_before = 0.0

    def failed(self, now: float) -> bool:
        """Take a failure, and say whether it is open now."""
        self.failures += 1
        if self.opened or self.failures >= self.allowed:
            self.opened += 1
            self.until = now + self._pause
            self.not_before = 0.0  # the pause of the open circuit is enough
        elif self.failures > 1:
            self.not_before = now + min(FIRST_S * 2 ** (self.failures - 2), LONGEST_S)
        return self.opened > 0

    @property
    def _pause(self) -> float:
        return min(self.pause_s * 2.0 ** min(self.opened - 1, FAR), max(LONGEST_S, self.pause_s))
