"""The statements on the approvals; each runs inside a transaction. Imported only where a store is made."""

import json
import secrets
from collections.abc import Sequence
from typing import Any

from attrs import frozen
from sqlalchemy import Connection, Row, case, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ._approval import LIVE, Approval, State, Vote
from ._errors import StoreUnavailable, UnknownApproval
from ._request import Request
from ._tables import APPROVALS, VOTES
from ._visible import folded, visible, written

__all__ = [
    "Wants",
    "approval",
    "approvals",
    "counted",
    "expire",
    "forget",
    "live",
    "lock",
    "park",
    "pending",
    "use",
    "vote",
]


@frozen
class Wants:
    """How long an approval lives, how many must grant it, and whose word counts."""

    lifetime_s: float
    needed: int
    approvers: Sequence[str] | None


SHOWN = ("tool", "message", "interceptor", "target", "session", "agent")


def expire(connection: Connection, now: float, keys: Sequence[str]) -> None:
    """Let go what has expired; the first statement of its transaction, since in SQLite it takes the write lock."""
    late = update(APPROVALS).where(APPROVALS.c.key.in_(keys), APPROVALS.c.state.in_(LIVE), APPROVALS.c.expires <= now)
    connection.execute(late.values(state="expired"))


def live(connection: Connection, now: float, keys: Sequence[str]) -> dict[str, Approval]:
    """The approvals that stand for these asks, locked until the transaction ends."""
    query = select(APPROVALS).where(APPROVALS.c.key.in_(keys), APPROVALS.c.state.in_(LIVE))
    rows = connection.execute(query.order_by(APPROVALS.c.id).with_for_update()).all()
    return {row.key: _made(connection, now, row) for row in rows}


def use(connection: Connection, now: float, id: str) -> None:
    """Use a grant up, by compare-and-set; raises `StoreUnavailable` where there is none any more."""
    mine = update(APPROVALS).where(APPROVALS.c.id == id, APPROVALS.c.state == "granted", APPROVALS.c.expires > now)
    if connection.execute(mine.values(state="used", used=now)).rowcount != 1:
        raise StoreUnavailable("a grant was used by somebody else in the same moment")


def pending(connection: Connection, now: float) -> int:
    """How many wait for somebody."""
    waiting = APPROVALS.c.state == "pending", APPROVALS.c.expires > now
    return connection.execute(select(func.count()).select_from(APPROVALS).where(*waiting)).scalar_one()


def park(connection: Connection, now: float, key: str, request: Request, wants: Wants) -> None:
    """Keep an approval, unless another process has just parked the same."""
    insert_of = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = {
        "id": secrets.token_hex(6),
        "key": key,
        "state": "pending",
        "digest": request.digest,
        "seam": request.seam,
        **{name: visible(getattr(request, name), kept="\n") for name in SHOWN},
        "arguments": written(request.arguments, indent=None),
        "severity": request.ask.severity.value,
        "needed": wants.needed,
        "approvers": json.dumps(None if wants.approvers is None else list(wants.approvers)),
        "created": now,
        "expires": now + wants.lifetime_s,
    }
    connection.execute(insert_of(APPROVALS).values(row).on_conflict_do_nothing())


def lock(connection: Connection, id: str) -> None:
    """Let no other transaction change an approval until this one ends; the first statement of it."""
    connection.execute(update(APPROVALS).where(APPROVALS.c.id == id).values(state=APPROVALS.c.state))


def vote(connection: Connection, id: str, said: Vote) -> None:
    """Write what somebody says, in the place of what they said before, however they wrote their name."""
    names = connection.execute(select(VOTES.c.by).where(VOTES.c.approval == id)).scalars().all()
    same = [name for name in names if folded(name) == folded(said.by)]
    connection.execute(delete(VOTES).where(VOTES.c.approval == id, VOTES.c.by.in_(same)))
    fields = {"by": said.by, "granted": said.granted, "reason": said.reason, "at": said.at}
    connection.execute(insert(VOTES).values(approval=id, **fields))


def counted(connection: Connection, now: float, id: str) -> Approval:
    """Move the state to what the votes say: one denial denies, as many grants as are needed grant."""
    found = approval(connection, now, id)
    state = "denied" if found.denied_by else "granted" if len(found.granted_by) >= found.needed else "pending"
    connection.execute(update(APPROVALS).where(APPROVALS.c.id == id).values(state=state))
    return approval(connection, now, id)


def approval(connection: Connection, now: float, id: str) -> Approval:
    """One approval; raises `UnknownApproval`."""
    row = connection.execute(select(APPROVALS).where(APPROVALS.c.id == id)).one_or_none()
    if row is None:
        raise UnknownApproval("there is no approval of that id")
    return _made(connection, now, row)


def approvals(connection: Connection, now: float, states: Sequence[State]) -> list[Approval]:
    """The approvals in these states, in any if there is none, the oldest first."""
    late = APPROVALS.c.state.in_(LIVE) & (APPROVALS.c.expires <= now)
    query = select(APPROVALS).order_by(APPROVALS.c.created, APPROVALS.c.id)
    if states:
        query = query.where(case((late, "expired"), else_=APPROVALS.c.state).in_(states))
    return [_made(connection, now, row) for row in connection.execute(query).all()]


def forget(connection: Connection, before: float) -> int:
    """Remove what had expired by then, and say how many."""
    old = APPROVALS.c.expires <= before
    connection.execute(delete(VOTES).where(VOTES.c.approval.in_(select(APPROVALS.c.id).where(old))))
    return connection.execute(delete(APPROVALS).where(old)).rowcount


def _made(connection: Connection, now: float, row: Row[Any]) -> Approval:
    said = connection.execute(select(VOTES).where(VOTES.c.approval == row.id).order_by(VOTES.c.at, VOTES.c.by)).all()
    approvers: list[str] | None = json.loads(row.approvers)
    state: State = "expired" if row.state in LIVE and row.expires <= now else row.state
    return Approval(
        id=row.id,
        state=state,
        digest=row.digest,
        seam=row.seam,
        tool=row.tool,
        message=row.message,
        arguments=json.loads(row.arguments),
        interceptor=row.interceptor,
        severity=row.severity,
        target=row.target,
        session=row.session,
        agent=row.agent,
        needed=row.needed,
        approvers=None if approvers is None else tuple(approvers),
        created=row.created,
        expires=row.expires,
        used=row.used,
        votes=tuple(Vote(it.by, it.granted, it.reason, it.at) for it in said),
    )
