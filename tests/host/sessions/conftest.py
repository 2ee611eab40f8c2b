"""How the tests read what they have written themselves."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from seamlaw_host.sessions import Event, read_session


def _bytes(source: Any) -> bytes:
    if isinstance(source, bytes):
        return source
    return "".join(json.dumps(record) + "\n" for record in source).encode()


@pytest.fixture(scope="session")
def read() -> Callable[..., tuple[str, list[Event]]]:
    """Read bytes, or records that are written one a line, from a standard input; give shape and events."""

    def read(source: Any, shape: str | None = None) -> tuple[str, list[Event]]:
        stdin = io.TextIOWrapper(io.BytesIO(_bytes(source)), encoding="ascii")
        session = read_session("-", stdin=stdin, shape=shape)
        return session.shape, list(session.events)

    return read
