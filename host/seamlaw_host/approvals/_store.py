"""Durable approvals: what waits for somebody, in SQLite or Postgres.

An approval is one row, and its state moves by compare-and-set: pending -> granted | denied, granted -> denied | used,
and what was not used -> expired. Every transaction that writes begins with a write, so that in SQLite it holds the
one write lock from its first statement on, and in Postgres it locks its rows before it reads them: of two processes
that would use one grant, the second finds it used. No lock of Python is needed.
"""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ._approval import Approval, Claimed, State, Vote, keys_of
from ._database import opened, told
from ._errors import InvalidApprovals, NotAnApprover, NotOpen, StoreUnavailable
from ._request import Request
from ._visible import folded, visible

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["ApprovalStore"]

MOST_NAME, MOST_REASON = 200, 2_000


class ApprovalStore:
    """The approvals in a database: `sqlite:///FILE`, or `postgresql://…`, which needs `seamlaw[postgres]`.

    A new SQLite file can be read and written by its owner alone: whoever can write to the database can grant. With
    `create=False` it must be there already. At most `most_pending` may wait. Raises `InvalidApprovals`,
    `StoreUnavailable`, and `MissingExtra` without `seamlaw[sql]`.
    """

    def __init__(
        self,
        url: str = "sqlite:///seamlaw-approvals.db",
        *,
        create: bool = True,
        most_pending: int = 10_000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine = opened(url, create=create)
        self._most_pending = most_pending
        self._clock = clock
        if not create:
            return
        try:
            self._create()
        except StoreUnavailable:  # of two that create at once in Postgres the slower fails, and finds it there
            self._create()

    def _create(self) -> None:
        from ._tables import create

        with self._transaction() as connection:
            create(connection)

    @contextmanager
    def _transaction(self) -> "Generator[Connection]":
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise StoreUnavailable(told(error)) from None

    # -- for the handler

    def claim(
        self,
        requests: Sequence[Request],
        *,
        lifetimes_s: Sequence[float],
        needed: int = 1,
        approvers: Sequence[str] | None = None,
    ) -> list[Claimed]:
        """Use the grants of all the requests at once, if each has one; else use none, and park what is not there.

        Of any number of processes that claim one grant, one gets it. Raises `StoreUnavailable`.
        """
        from . import _rows as rows

        now, keys = self._clock(), keys_of(requests)
        with self._transaction() as connection:
            rows.expire(connection, now, keys)
            found = rows.live(connection, now, keys)
            if all(key in found and found[key].state == "granted" for key in keys):
                for id in sorted(found[key].id for key in keys):
                    rows.use(connection, now, id)
                return [Claimed(rows.approval(connection, now, found[key].id), granted=True) for key in keys]
            missing = [i for i, key in enumerate(keys) if key not in found]
            if missing and rows.pending(connection, now) + len(missing) > self._most_pending:
                raise StoreUnavailable(f"{self._most_pending} approvals are pending, and no more are kept")
            for i in missing:
                wants = rows.Wants(lifetimes_s[i], needed, approvers)
                rows.park(connection, now, keys[i], requests[i], wants)
            found = rows.live(connection, now, keys)
            if any(key not in found for key in keys):
                raise StoreUnavailable("an approval was parked and used by somebody else in the same moment")
            return [Claimed(found[key], granted=False) for key in keys]

    # -- for people

    def list(self, *states: State) -> "list[Approval]":
        """The approvals in these states, in any if none is named, the oldest first; raises `StoreUnavailable`."""
        from . import _rows as rows

        with self._transaction() as connection:
            return rows.approvals(connection, self._clock(), states)

    def get(self, id: str) -> Approval:
        """One approval; raises `UnknownApproval` and `StoreUnavailable`."""
        from . import _rows as rows

        with self._transaction() as connection:
            return rows.approval(connection, self._clock(), id)

    def grant(self, id: str, *, by: str, reason: str = "") -> Approval:
        """Let somebody grant an approval; it is granted when as many as are needed have.

        Raises `UnknownApproval`, `NotOpen`, `NotAnApprover`, `InvalidApprovals`, `StoreUnavailable`.
        """
        return self._vote(id, by, reason, granted=True)

    def deny(self, id: str, *, by: str, reason: str = "") -> Approval:
        """Let somebody deny an approval, which outranks all grants until one is used; raises as `grant` does."""
        return self._vote(id, by, reason, granted=False)

    def forget(self, older_than_s: float) -> int:
        """Remove what expired that long ago, used or not, and say how many; raises `StoreUnavailable`."""
        from . import _rows as rows

        with self._transaction() as connection:
            return rows.forget(connection, self._clock() - older_than_s)

    def _vote(self, id: str, by: str, reason: str, *, granted: bool) -> Approval:
        from . import _rows as rows

        if not by.strip() or len(by) > MOST_NAME or len(reason) > MOST_REASON or visible(by) != by:
            raise InvalidApprovals(
                f"by is a name of up to {MOST_NAME} visible characters, reason a text of up to {MOST_REASON}"
            )
        now = self._clock()
        with self._transaction() as connection:
            rows.lock(connection, id)
            found = rows.approval(connection, now, id)
            if found.state not in ("pending", "granted"):
                raise NotOpen(f"approval {id} is {found.state}", found.state)
            if found.approvers is not None and by not in found.approvers:
                raise NotAnApprover(f"approval {id} is for others to answer")
            if granted and folded(by) == folded(found.agent):
                raise NotAnApprover("nobody grants what they ask for themselves")
            rows.vote(connection, id, Vote(by, granted, visible(reason, kept="\n"), now))
            return rows.counted(connection, now, id)
