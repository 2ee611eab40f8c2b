"""A durable approval as data: what is kept of an ask, who has said what, and what names it."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import field, frozen

from seamlaw import digest

from ._request import Request
from ._visible import written

__all__ = ["LIVE", "Approval", "Claimed", "State", "Vote", "keys_of"]

State: TypeAlias = Literal["pending", "granted", "denied", "used", "expired"]
LIVE: tuple[State, ...] = ("pending", "granted", "denied")  # a call that comes again meets these, until they expire


@frozen
class Vote:
    """What one approver said."""

    by: str
    granted: bool
    reason: str
    at: float


@frozen(kw_only=True)
class Approval:
    """One approval, as it is kept: redacted, but for the digest, which is of what would run unredacted."""

    id: str
    state: State
    digest: str
    seam: str
    tool: str
    message: str
    arguments: object
    interceptor: str
    severity: str
    target: str
    session: str
    agent: str
    needed: int
    approvers: tuple[str, ...] | None
    created: float
    expires: float
    used: float | None
    votes: tuple[Vote, ...] = ()

    @property
    def shown(self) -> str:
        """The arguments as JSON in which every character can be seen."""
        return written(self.arguments)

    @property
    def granted_by(self) -> tuple[str, ...]:
        """Who has granted it."""
        return tuple(vote.by for vote in self.votes if vote.granted)

    @property
    def denied_by(self) -> tuple[str, ...]:
        """Who has denied it."""
        return tuple(vote.by for vote in self.votes if not vote.granted)


@frozen
class Claimed:
    """What became of a request that came: its approval, and whether its grant was used up for it just now."""

    approval: Approval
    granted: bool = field(kw_only=True)


def keys_of(requests: Sequence[Request]) -> list[str]:
    """Name each ask; the same one twice in a call needs two approvals, as `seamlaw.settle` wants it."""
    seen: dict[str, int] = {}
    keys: list[str] = []
    for request in requests:
        first = _key(request, 0)
        copy = seen[first] = seen.get(first, -1) + 1
        keys.append(_key(request, copy) if copy else first)
    return keys


def _key(request: Request, copy: int) -> str:
    """Name an ask by all that makes it equal to another (`seamlaw.covers`); none of it can be read from the name."""
    ask, scope = request.ask, request.ask.scope
    return digest(
        {
            "copy": copy,
            "digest": ask.digest,
            "seam": ask.seam,
            "interceptor": ask.interceptor,
            "reason": ask.reason,
            "target": ask.target,
            "timeout_s": ask.timeout_s,
            "severity": ask.severity.value,
            "scope": [scope.session, scope.agent, scope.role, scope.trust, list(scope.chain), scope.domain],
        }
    )
