"""The two tables of the durable approvals. Imported only where a store is made: SQLAlchemy is an extra."""

from sqlalchemy import Boolean, Column, Connection, Double, ForeignKey, Index, Integer, MetaData, Table, Text, text
from sqlalchemy.schema import CreateIndex, CreateTable

from ._approval import LIVE

__all__ = ["APPROVALS", "VOTES", "create"]

METADATA = MetaData()
APPROVALS = Table(
    "seamlaw_approvals",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("key", Text, nullable=False),  # names the ask: digest, seam, caller, asker, reason, target, time-out
    Column("state", Text, nullable=False),  # pending, granted, denied, used, expired
    Column("digest", Text, nullable=False),
    Column("seam", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("interceptor", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("needed", Integer, nullable=False),
    Column("approvers", Text, nullable=False),  # a JSON list of those whose word counts; null where anybody's does
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Column("used", Double),
)
_STILL_LIVE = text("state IN ({})".format(", ".join(f"'{state}'" for state in LIVE)))
ONE_LIVE = Index(  # at most one of a key: two processes that park the same call park it once
    "seamlaw_approvals_live", APPROVALS.c.key, unique=True, sqlite_where=_STILL_LIVE, postgresql_where=_STILL_LIVE
)
VOTES = Table(
    "seamlaw_approval_votes",
    METADATA,
    Column("approval", Text, ForeignKey("seamlaw_approvals.id", ondelete="CASCADE"), primary_key=True),
    Column("by", Text, primary_key=True),
    Column("granted", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Double, nullable=False),
)


def create(connection: Connection) -> None:
    """Make what is not there."""
    for table in (APPROVALS, VOTES):
        connection.execute(CreateTable(table, if_not_exists=True))
    connection.execute(CreateIndex(ONE_LIVE, if_not_exists=True))
