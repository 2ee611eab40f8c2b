"""Asking by parking: a call waits in the store, and when it comes again after the grant it proceeds, once."""

import logging
from collections.abc import Iterable, Sequence

from seamlaw import Answered, grant, refuse

from ._approval import Claimed
from ._errors import InvalidApprovals
from ._request import Request
from ._store import ApprovalStore

__all__ = ["StoreHandler"]

_LOG = logging.getLogger("seamlaw.approvals")


class StoreHandler:
    """Denies a call with `pending approval ID`, and lets it go on once when it comes again after it was granted.

    An approval is for one ask (`seamlaw.covers`): the same value, seam, caller, asker, reason and target; the order
    of keys does not matter. `needed` approvers must grant; `approvers` are those whose word counts, anybody's if it
    is `None`. An approval lives as long as its ask says (`timeout_s`), else `lifetime_s`, granted or not; a denial
    stands as long. Several asks of one call are used together or not at all. Raises `InvalidApprovals`.
    """

    uses_up = True  # asking uses a grant up, so that all others are asked before

    def __init__(
        self,
        store: ApprovalStore,
        *,
        needed: int = 1,
        approvers: Iterable[str] | None = None,
        lifetime_s: float = 86_400.0,
    ) -> None:
        self._store = store
        self._approvers = None if approvers is None else tuple(dict.fromkeys(approvers))
        if needed < 1 or (self._approvers is not None and needed > len(self._approvers)):
            raise InvalidApprovals("needed is at least 1, and at most the number of approvers")
        if not 0 < lifetime_s < float("inf"):
            raise InvalidApprovals("lifetime_s is a positive number of seconds")
        self._needed = needed
        self._lifetime_s = lifetime_s

    def ask(self, request: Request, /) -> Answered:
        """Use the grant of an ask, or park it; raises `StoreUnavailable`."""
        return self.ask_all([request])[0]

    def ask_all(self, requests: Sequence[Request], /) -> list[Answered]:
        """Use the grants of all asks of a call, or park what is not yet there; raises `StoreUnavailable`."""
        if any(request.is_opaque for request in requests):
            reason = "it holds a Python object, which nobody could tell from another later"
            return [refuse(request.ask, reason=reason) for request in requests]
        claimed = self._store.claim(
            requests,
            lifetimes_s=[self._lifetime_s if one.ask.timeout_s is None else one.ask.timeout_s for one in requests],
            needed=self._needed,
            approvers=self._approvers,
        )
        return [_answer(request, one) for request, one in zip(requests, claimed, strict=True)]


def _answer(request: Request, claimed: Claimed) -> Answered:
    found = claimed.approval
    if claimed.granted:
        _LOG.info("approval %s was used", found.id)
        return grant(request.ask, by=", ".join(found.granted_by))
    if found.state == "denied":
        by = next(iter(found.denied_by), None)
        return refuse(request.ask, by=by, reason=f"approval {found.id} was denied")
    if found.state == "granted":
        return refuse(request.ask, reason=f"approval {found.id} is granted, and waits for the others of this call")
    _LOG.info("approval %s is pending", found.id)
    return refuse(request.ask, reason=f"pending approval {found.id}")
