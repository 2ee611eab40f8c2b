"""How a database is opened, and what may be told of one that fails."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamlaw_host.errors import MissingExtra

from ._errors import InvalidApprovals, StoreUnavailable

if TYPE_CHECKING:
    from sqlalchemy import Engine

__all__ = ["opened", "told"]

WHICH = "a store is sqlite:///FILE or postgresql://…"
WAIT_S = 30.0  # for SQLite's write lock


def opened(url: str, *, create: bool) -> "Engine":
    """Make ready to connect; raises `InvalidApprovals`, `StoreUnavailable`, `MissingExtra`.

    Each use has a connection of its own: people are slow, and so nothing is shared by threads, or with a fork.
    """
    try:
        from sqlalchemy import create_engine, make_url
        from sqlalchemy.exc import ArgumentError, SQLAlchemyError
        from sqlalchemy.pool import NullPool
    except ModuleNotFoundError as missing:
        raise MissingExtra("durable approvals need SQLAlchemy: pip install 'seamlaw[sql]'") from missing
    options: dict[str, Any] = {}
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # their texts quote the URL, which may hold a password
        raise InvalidApprovals(WHICH) from None
    try:
        match parsed.get_backend_name():
            case "sqlite":
                _find(parsed.database, create=create)
                options["connect_args"] = {"timeout": WAIT_S}
            case "postgresql":
                parsed = parsed.set(drivername="postgresql+psycopg")
            case _:
                raise InvalidApprovals(WHICH)
        return create_engine(parsed, poolclass=NullPool, hide_parameters=True, **options)
    except ModuleNotFoundError as missing:
        raise MissingExtra("approvals in Postgres need psycopg: pip install 'seamlaw[postgres]'") from missing
    except SQLAlchemyError as error:
        raise StoreUnavailable(told(error)) from None


def _find(database: str | None, *, create: bool) -> None:
    """Make the file, if it is not there, so that only its owner can use it: whoever can write to it can grant."""
    if not database or database == ":memory:" or database.startswith("file:"):
        raise InvalidApprovals("approvals that survive a restart need a file: sqlite:///FILE")
    try:
        os.close(os.open(Path(database), os.O_RDWR | (os.O_CREAT if create else 0), 0o600))
    except OSError as error:
        raise StoreUnavailable(f"{database}: {error.strerror}") from None


def told(error: Exception) -> str:
    """Name what is wrong with a database; statements and values stay out."""
    origin = getattr(error, "orig", None)
    kind = type(origin if origin is not None else error).__name__
    if kind != "OperationalError":  # which is: no connection, locked, no disk
        return f"the store of approvals failed: {kind}"
    return f"the store of approvals failed: {str(origin).strip().partition(chr(10))[0]}"
